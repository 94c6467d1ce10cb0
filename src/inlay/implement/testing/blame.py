"""Which file must be mended for a failing test to pass, and what is told about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from inlay.implement.spec.document import Spec
from inlay.implement.testing.failures import failures
from inlay.implement.testing.junit import TestResult
from inlay.implement.testing.run_suite import TestRun

_MOST_TOLD = 8  # failing tests whose output is shown; the first ones are the most telling


class Failure(TypedDict):
    """One failing test, as far as a model is told about it."""

    text: str  #: safe and short
    touched: list[str]  #: files that the traceback passes through, the last first


def failure(result: TestResult, run: TestRun) -> Failure:
    """What one failing test says."""
    alone = failures(replace(run, results=(result,)))
    return {
        "text": "\n".join(each.text for each in alone),
        "touched": [path for each in alone for path in each.touched],
    }


def blamed(found: Mapping[str, Failure], spec: Spec) -> dict[str, list[str]]:
    """Failing tests by the file to mend: the one nearest to the failure, or any where the failure names none."""
    files = [file.path for file in spec.code_files if file.change != "delete"]
    tests: dict[str, list[str]] = {path: [] for path in files}
    for test, each in found.items():
        for path in _nearest(each, files) or _promised(each["text"], files, spec) or files:
            tests[path].append(test)
    return {path: named for path, named in tests.items() if named}


def told(found: Mapping[str, Failure], tests: Sequence[str]) -> str:
    """What these tests printed."""
    parts = [found[test]["text"] for test in tests[:_MOST_TOLD]]
    if len(tests) > _MOST_TOLD:
        parts.append(f"… and {len(tests) - _MOST_TOLD} more tests …")
    return "\n\n".join(parts)


def _nearest(each: Failure, files: Sequence[str]) -> list[str]:
    for path in each["touched"]:
        if path in files:
            return [path]
    return [path for path in files if _is_named(path, each["text"])]


def _promised(text: str, files: Sequence[str], spec: Spec) -> list[str]:
    """The files of the functions that a test calls, where only the test itself is in the traceback."""
    called = {
        each.file for each in spec.signatures if re.search(rf"\b{re.escape(each.name.rpartition('.')[2])}\b", text)
    }
    return [path for path in files if path in called]


def _is_named(path: str, text: str) -> bool:
    """By its path, or as a module that cannot be imported."""
    steps = re.sub(r"(?:/__init__)?\.\w+$", "", path).split("/")
    modules = [".".join(steps[at:]) for at in range(len(steps)) if len(steps) - at > 1] or steps
    return path in text or any(re.search(rf"'{re.escape(module)}'", text) for module in modules)
