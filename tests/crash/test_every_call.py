"""A process that dies before any call, or whose calls fail, leaves all files old or all new."""

import errno
import os
from pathlib import Path

import pytest
import scene

from inlay import InlayError
from inlay.storage.state import syscalls

pytestmark = pytest.mark.slow

ENOUGH = 400  # calls; far more than any of the actions makes
ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EINTR)
BEFORE, AFTER = scene.undisturbed(), scene.undisturbed(scene.commit)


def test_the_scene_does_everything() -> None:
    assert AFTER.keys() - BEFORE.keys() == {"lib", "lib/d.py", "new", "new/deep", "new/deep/x.py", "src/e.py"}
    assert BEFORE.keys() - AFTER.keys() == {"b.py", "src/c.py"}
    assert AFTER["a.py"] == (0o751, b"new a\r\n")
    assert (BEFORE["run.sh"], AFTER["run.sh"]) == ((0o644, b"run\n"), (0o755, b"run\n"))
    assert AFTER["src/e.py"] == (0o755, b"new e\n")
    assert scene.undisturbed(scene.commit, scene.undo) == BEFORE


def judge(root: Path, when: str) -> None:
    scene.recover(root)
    assert scene.tree(root) in (BEFORE, AFTER), when
    assert scene.left_behind(root) == [], when


@pytest.mark.parametrize("action", [scene.commit, scene.undo])
def test_killed_before_any_call(action: scene.Action) -> None:
    with scene.folder() as base:
        copies = scene.Copies(base, *([scene.commit] if action is scene.undo else []))
        for number in range(1, ENOUGH):
            root = copies.fresh()
            died = scene.killed_before(number, action, root)
            judge(root, f"killed before call {number}")
            if not died:
                break
        assert 30 < number < ENOUGH
        assert scene.tree(root) == (AFTER if action is scene.commit else BEFORE)


def test_killed_again_during_recovery() -> None:
    stride = 4  # `make crash` takes every call
    with scene.folder() as base:
        copies, again = scene.Copies(base), 0
        for number in range(1, ENOUGH):
            killed = copies.fresh()
            if not scene.killed_before(number, scene.commit, killed):
                break
            for second in range(1 + number % stride, ENOUGH, stride):
                root = copies.fresh(killed)
                died = scene.killed_before(second, scene.recover, root)
                judge(root, f"killed before call {number}, then before call {second} of the recovery")
                if not died:
                    break
                again += 1
        assert again > 100


def test_life_goes_on_after_a_kill() -> None:
    with scene.folder() as base:
        copies = scene.Copies(base)
        for number in range(1, ENOUGH, 5):
            root = copies.fresh()
            if not scene.killed_before(number, scene.commit, root):
                break
            scene.recover(root)
            if scene.tree(root) == BEFORE:
                scene.commit(root)
            scene.undo(root)
            assert scene.tree(root) == BEFORE
            assert scene.left_behind(root) == []


class Failing:
    """Fails the `number`-th call, and with `persist` every later one of the same name."""

    def __init__(self, number: int, code: int, *, persist: bool) -> None:
        self._number, self._code, self._persist = number, code, persist
        self._seen, self._name = 0, ""

    def __call__(self, call: str) -> None:
        self._seen += 1
        if self._seen == self._number:
            self._name = call
        elif not (self._persist and call == self._name):
            return
        raise OSError(self._code, os.strerror(self._code))

    @property
    def happened(self) -> bool:
        return bool(self._name)


@pytest.mark.parametrize("persist", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("code", ERRORS, ids=lambda code: errno.errorcode[code])
def test_whichever_call_fails(code: int, persist: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with scene.folder() as base:
        copies = scene.Copies(base)
        for number in range(1, ENOUGH):
            root, failing = copies.fresh(), Failing(number, code, persist=persist)
            expected, said = AFTER, ""
            with monkeypatch.context() as patched:
                patched.setattr(syscalls, "before", failing)
                try:
                    scene.commit(root)
                except InlayError as error:
                    expected, said = BEFORE, str(error)
            if not persist:  # else taking it back may fail as well, and the next start does it
                assert scene.tree(root) == expected, f"call {number}, at once"
            scene.recover(root)
            assert scene.tree(root) == expected, f"call {number}"
            assert expected is AFTER or os.strerror(code).lower() in said
            assert scene.left_behind(root) == [], f"call {number}"
            if not failing.happened:
                break
        assert 30 < number < ENOUGH
