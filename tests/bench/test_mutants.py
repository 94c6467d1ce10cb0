"""The mutants of `make mutants`: valid, all different, and none without an effect on behaviour."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from mutants.mutator import Mutant, modules, mutants, pick

PATH = Path("sample.py")
ROOT = Path(__file__).parents[2]
SAMPLE = '''\
"""Owns nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["shorten"]
Mode: TypeAlias = Literal["short", "long"]
_LONGEST = 4000


@cache(maxsize=7)
def shorten(text: str, mode: Mode = "short") -> str:
    """Make "x" 1 shorter."""
    log.info("made %s", text)
    assert text is not None
    if len(text) > _LONGEST or mode == "long" and not text:
        raise ValueError(f"too long: {len(text) - 1}", "This is for people")
    counter.count(text, mode)
    return clip(text, 1)
'''


def changes(source: str) -> Counter[tuple[str, str]]:
    """The changed lines, with the kind of the mutant."""
    return Counter((mutant.kind, _changed_line(mutant)) for mutant in mutants(PATH, source))


def _changed_line(mutant: Mutant) -> str:
    added = [line[1:].strip() for line in mutant.diff.splitlines() if line.startswith("+") and line[:3] != "+++"]
    return " ".join(added)


def test_only_behaviour_is_changed() -> None:
    kinds = Counter(mutant.kind for mutant in mutants(PATH, SAMPLE))
    assert kinds == {
        "comparison": 2,
        "boolean": 2,
        "not": 2,
        "constant": 2,
        "return": 1,
        "statement": 2,
        "arguments": 2,
        "string": 2,
    }


@pytest.mark.parametrize(
    ("source", "kind", "changed"),
    [
        ("x = a < b", "comparison", "x = (a <= b)"),
        ("x = a in b", "comparison", "x = (a not in b)"),
        ("x = size < _MOST", "comparison", "x = (size >= _MOST)"),
        ("x = a and b", "boolean", "x = (a or b)"),
        ("x = not a", "not", "x = (a)"),
        ("x = 1 if a else 2", "not", "x = 1 if (not (a)) else 2"),
        ("x = 5", "constant", "x = 6"),
        ("x = 5", "constant", "x = (4)"),
        ("def f() -> int:\n    return 5", "return", "return None"),
        ("def f() -> tuple[int, ...]:\n    return x", "return", "return ()"),
        ("f()", "statement", "pass"),
        ("x.y = a", "statement", "pass"),
        ("x += a", "statement", "pass"),
        ("x = f(a, b)", "arguments", "x = f(b, a)"),
        ("x = 'ü', 'ab'", "string", "x = 'ü', 'ab~'"),
        ("match x:\n    case 'a':\n        pass", "string", "case 'a~':"),
    ],
)
def test_each_kind_of_change(source: str, kind: str, changed: str) -> None:
    assert (kind, changed) in changes(source)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x: Literal['a'] = None) -> Literal['b']: ...",
        "x = f'{1} {a < b}'",
        "x = 'a sentence for people'",
        "LIMIT = 4096",
        "x = max(a, b)",
        "logger.debug('x', 1)",
        "class C(Protocol):\n    def f(self) -> int:\n        return 1",
        "T = TypeVar('T')",
    ],
)
def test_changes_without_effect_are_skipped(source: str) -> None:
    assert changes(source) == {}


def test_mutants_of_the_program_are_valid_and_all_different() -> None:
    found = list(modules(ROOT / "src/inlay", [""]))
    made = [m for file in found[:: len(found) // 8] for m in mutants(file, file.read_text("utf-8"))]
    assert len({(m.path, m.changed) for m in made}) == len(made) > 100
    for mutant in pick(made, 100, seed=1):
        assert ast.dump(ast.parse(mutant.changed)) != ast.dump(ast.parse(mutant.source))


def test_a_seed_picks_the_same_mutants_and_every_kind() -> None:
    made = mutants(PATH, SAMPLE)
    assert pick(made, 8, seed=1) == pick(made, 8, seed=1)
    assert pick(made, 8, seed=1) != pick(made, 8, seed=2)
    assert {mutant.kind for mutant in pick(made, 8, seed=3)} == {mutant.kind for mutant in made}
    assert len(pick(made, 1000, seed=1)) == len(made)


def test_missing_targets_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine/one.py").touch()
    (tmp_path / "two.py").touch()
    assert list(modules(tmp_path, ["engine", "two.py", "gone"])) == [tmp_path / "engine/one.py", tmp_path / "two.py"]
