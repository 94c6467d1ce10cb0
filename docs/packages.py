"""Writes the table of packages in ARCHITECTURE.md from the import contracts and the packages' own first sentences."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- packages:begin -->", "<!-- packages:end -->"


def table() -> str:
    """One row for each package, top layer first: what it owns, and what only it may import."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = {contract["id"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}
    layers = [layer.split(" | ") for layer in contracts["layers"]["layers"]]
    stages = [stage for layer in contracts["stages"]["layers"] for stage in layer.split(" | ")]
    rows = ["| layer | package | owns | only here |", "|---|---|---|---|"]
    for number, layer in enumerate(layers, 1):
        for package in layer:
            if package != "__main__":
                rows.append(_row(str(number), package, contracts))
                rows += [_row("", f"engine.{stage}", contracts) for stage in stages if package == "engine"]
    return "\n".join(rows)


def _row(layer: str, package: str, contracts: dict[str, dict[str, list[str]]]) -> str:
    path = ROOT / "src/inlay" / package.replace(".", "/")
    module = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    owns = (ast.get_docstring(ast.parse(module.read_text("utf-8"))) or "").split("\n")[0].rstrip(".")
    name = package.replace(".", "/") + ("/" if path.is_dir() else ".py")
    return f"| {layer} | `{name}` | {owns} | {', '.join(_owned(package, contracts))} |"


def _owned(package: str, contracts: dict[str, dict[str, list[str]]]) -> list[str]:
    """What the contracts forbid to everybody but at most two owners, of which this package is one."""
    owned = []
    for contract in contracts.values():
        exceptions = [line.split(" -> ") for line in contract.get("ignore_imports", ())]
        targets = {target for owner, target in exceptions if owner == f"inlay.{package}.**"}
        if targets and len(exceptions) <= 2:
            owned += [f"`{name}`" for name in contract["forbidden_modules"] if targets & {"*", name}]
    return owned


def written(document: str) -> str:
    """The document with the table as it is now."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    page = ROOT / "ARCHITECTURE.md"
    page.write_text(written(page.read_text("utf-8")), encoding="utf-8")
