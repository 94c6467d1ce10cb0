"""Names: one module and one class of a name, nouns for modules, no folder that nobody can overlook."""

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src/inlay"
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path.name != "__init__.py")
# Folders of plug-ins, in which a file is named after what it adds.
PLUGINS = (
    "cli/commands",
    "commits/messages/rules",
    "engine/checks/rules",
    "engine/formats/readers",
    "engine/matching/rules",
    "implement/workflow/steps",
    "llm/providers",
    "render",
    "tools/calls",
)
NOT_NAMES = {"base", "common", "core", "helpers", "manager", "misc", "shared", "util", "utils"}
MOST_MODULES = 20


def is_plugin(path: Path) -> bool:
    return str(path.relative_to(SOURCE)).startswith(PLUGINS)


def repeated(names: list[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1)


def test_module_names_are_unique_outside_of_plugins() -> None:
    assert repeated([path.stem for path in MODULES if not is_plugin(path)]) == []


def test_class_names_are_unique_outside_of_plugins() -> None:
    names = [
        node.name
        for path in MODULES
        if not is_plugin(path)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert repeated(names) == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [path.stem for path in MODULES if path.stem in NOT_NAMES] == []


def test_every_folder_can_be_overlooked() -> None:
    counts = Counter(path.parent.relative_to(SOURCE) for path in MODULES)
    assert {str(folder): count for folder, count in counts.items() if count > MOST_MODULES} == {}
