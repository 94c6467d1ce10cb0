"""Golden files: what is compared with them, and what is replaced first because it differs from run to run."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent
#: read at import, because the tests clear every INLAY_ variable
UPDATE = os.environ.get("INLAY_UPDATE_GOLDEN", "") not in ("", "0")

_NUMBERS = {"seconds": "<seconds>", "testing_seconds": "<seconds>", "ms": "<milliseconds>", "when": "<time>"}
_PATTERNS = (
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"), "<time>"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d{6}\.\d+Z"), "<time>"),
    (re.compile(r"#[0-9a-f]{16}\b"), "#<mark>"),  # around the files in a prompt
    (re.compile(r"(not a git repository) \(or any .*", re.DOTALL), r"\1"),  # depends on mount points
    (re.compile(r"\b(127\.0\.0\.1|localhost):\d+"), r"\1:<port>"),
)


class Normaliser:
    """Replaces what differs between runs and machines by placeholders."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` gives the placeholder of each text; a longer text goes before one that it contains."""
        self._names = dict(names)

    @classmethod
    def of(cls, folder: Path) -> Normaliser:
        """For a test whose files are in `folder`."""
        return cls(
            {
                str(folder): "<tmp>",
                os.path.realpath(folder): "<tmp>",
                str(Path(sys.executable).parent): "<bin>",
                str(FOLDER.parent): "<tests>",
            }
        )

    def name(self, text: str, placeholder: str) -> None:
        """Replace `text` from now on."""
        self._names[text] = placeholder

    def text(self, text: str) -> str:
        for name in sorted(self._names, key=len, reverse=True):
            text = text.replace(name, self._names[name])
        for pattern, placeholder in _PATTERNS:
            text = pattern.sub(placeholder, text)
        return text

    def value(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value)
            case dict():
                record = {self.text(key): self._item(key, item) for key, item in value.items()}
                if {"number", "event", "digest"} <= record.keys():
                    record["digest"] = "<digest>"  # of an audit record, which has its time
                return record
            case list() | tuple():
                return [self.value(item) for item in value]
            case _:
                return value

    def _item(self, key: str, item: Any) -> Any:
        is_number = isinstance(item, int | float)
        return _NUMBERS[key] if is_number and key in _NUMBERS else self.value(item)


class Collection:
    """The golden files of one test: compared or rewritten one by one, reported together, and none left over."""

    def __init__(self, folder: str, session: str) -> None:
        self._folder = FOLDER / folder
        self._session = session
        self._seen: set[Path] = set()
        self._different: list[str] = []

    def compare(self, name: str, record: Mapping[str, Any]) -> None:
        """Compare a record with the file `name`; the order of an object's keys does not count."""
        file = self._folder / f"{name}.json"
        assert file not in self._seen, f"two cases are called {name}"
        self._seen.add(file)
        record = {"session": self._session, **record}
        if UPDATE:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(dumped(record), encoding="utf-8")
        elif not file.exists():
            self._different.append(f"{name}: there is no golden file")
        elif (golden := json.loads(file.read_text(encoding="utf-8"))) != json.loads(json.dumps(record)):
            self._different.append(f"{name}:\n{difference(dumped(golden), dumped(record))}")

    def finish(self) -> None:
        """Fail with every difference, and with every file of this session that no case made."""
        left_over = [file for file in sorted(self._folder.rglob("*.json")) if self._is_left_over(file)]
        for file in left_over:
            if UPDATE:
                file.unlink()
            else:
                self._different.append(f"{file.relative_to(FOLDER)}: no case of {self._session!r} made it")
        if self._different:
            pytest.fail("\n\n".join(self._different), pytrace=False)

    def _is_left_over(self, file: Path) -> bool:
        return file not in self._seen and session_of(file) == self._session


def session_of(file: Path) -> str:
    """Which test a golden file belongs to."""
    return str(json.loads(file.read_text(encoding="utf-8"))["session"])


def dumped(record: Any) -> str:
    return json.dumps(record, indent=2, ensure_ascii=False, sort_keys=False) + "\n"


def difference(golden: str, now: str) -> str:
    import difflib

    return "\n".join(difflib.unified_diff(golden.splitlines(), now.splitlines(), "golden", "now", lineterm=""))


def check_text(file: Path, text: str) -> None:
    """Compare text with a golden file."""
    if UPDATE:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    golden = file.read_text(encoding="utf-8") if file.exists() else ""
    if golden != text:
        pytest.fail(f"{file.relative_to(FOLDER)}:\n{difference(golden, text)}", pytrace=False)
