"""A power cut after any call, whatever of the unsynced data and names survives, leaves all files old or all new."""

import random
from pathlib import Path

import power
import pytest
import scene

from inlay.storage.state import syscalls

pytestmark = pytest.mark.slow

Tree = dict[str, bytes | None]
SUBSETS = 2  # of the unsynced names, drawn after every call


def outcomes(root: Path, action: scene.Action, monkeypatch: pytest.MonkeyPatch, subsets: int) -> dict[str, list[Tree]]:
    """Every different state that a power cut during or after an action may leave."""
    disk, chance = power.Disk(root), random.Random(1)
    during: dict[frozenset[object], Tree] = {}

    def note() -> None:
        for _, tree in disk.outcomes(chance, subsets):
            during.setdefault(frozenset(tree.items()), tree)

    with monkeypatch.context() as patched:
        power.Recorder(disk, note).install(lambda name, function: patched.setattr(syscalls, name, function))
        action(root)
    after = [tree for _, tree in disk.outcomes(chance, subsets * 10)]
    return {"during": list(during.values()), "after": after}


@pytest.mark.parametrize("action", [scene.commit, scene.undo])
def test_a_power_cut_at_any_moment(action: scene.Action, monkeypatch: pytest.MonkeyPatch) -> None:
    with scene.folder() as base:
        root = base / "root"
        scene.build(root)
        if action is scene.undo:
            scene.commit(root)
        old = {name: data for name, (_, data) in scene.tree(root).items()}
        found = outcomes(root, action, monkeypatch, SUBSETS)
        new = {name: data for name, (_, data) in scene.tree(root).items()}
        assert old != new
        assert len(found["during"]) > 50
        for kind, allowed in (("during", (old, new)), ("after", (new,))):
            for number, tree in enumerate(found[kind]):
                cut = base / f"{kind}{number}"
                cut.mkdir()
                power.build(cut, tree)
                scene.recover(cut)
                left = {name: data for name, (_, data) in scene.tree(cut).items()}
                assert left in allowed, f"{kind} {number}"
