"""Other tools, side by side with ours where they are installed; none of them is shipped or required.

`$INLAY_BENCH_PEERS` names a directory that may hold any of these:

    aider/         a virtual environment with aider-chat
    agents/        a virtual environment with openai-agents and diff-match-patch
    codex          the binary out of npm's @openai/codex
    node_modules/  @google/gemini-cli-core and @cline/core

`git apply` and GNU patch are taken from the PATH.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from bench.appliers import Applier

VARIABLE = "INLAY_BENCH_PEERS"
_HERE = Path(__file__).resolve().parent
_DIFF, _PATCH, _JSON, _BLOCKS = ("unified_diff",), ("apply_patch",), ("json_edits",), ("search_replace",)


def installed() -> tuple[dict[str, Applier], dict[str, str]]:
    """The peers that can be run, and for each of the others what is missing."""
    found: dict[str, Applier] = {}
    missing: dict[str, str] = {}
    for applier, needs in _known(Path(os.environ.get(VARIABLE, "peers")).absolute()):
        absent = [need for need in needs if not (Path(need).exists() or shutil.which(need))]
        if absent:
            missing[applier.name] = f"needs {', '.join(absent)}"
        else:
            found[applier.name] = applier
    return found, missing


def _known(root: Path) -> list[tuple[Applier, tuple[str, ...]]]:
    aider, agents = str(root / "aider/bin/python"), str(root / "agents/bin/python")
    codex, modules = str(root / "codex"), root / "node_modules"
    return [
        (_script("aider", "libraries.py", (*_BLOCKS, *_DIFF, *_PATCH), aider), (aider,)),
        (_script("openai-agents", "libraries.py", _PATCH, agents), (agents,)),
        (_script("diff-match-patch", "libraries.py", (*_DIFF, *_JSON), agents), (agents,)),
        (_script("git-apply", "commands.py", _DIFF), ("git",)),
        (_script("git-apply-lenient", "commands.py", _DIFF), ("git",)),
        (_script("patch", "commands.py", _DIFF), ("patch",)),
        (_script("codex", "commands.py", _PATCH, extra=(codex,)), (codex,)),
        (_module("gemini", modules, _JSON), ("node", str(modules / "@google/gemini-cli-core"))),
        (_module("cline", modules, (*_PATCH, *_JSON), longest=300), ("node", str(modules / "@cline/core"))),
    ]


def _script(
    name: str, file: str, formats: tuple[str, ...], python: str = sys.executable, extra: tuple[str, ...] = ()
) -> Applier:
    return Applier(name, (python, str(_HERE / file), name, *extra), formats)


def _module(name: str, modules: Path, formats: tuple[str, ...], longest: int = 10**9) -> Applier:
    return Applier(name, ("node", str(_HERE / "node.mjs"), name, str(modules)), formats, longest=longest)
