"""The files that Inlay keeps: names, modes and text after scripted sessions, so that no format changes unseen.

Hashes that depend on time, keys, owners and modes of the project's own files are replaced by placeholders; the rest is
compared to the byte. How golden files are rewritten is described in `test_json_output.py`.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inlay.tools import Toolbox

from .conftest import Session
from .golden import FOLDER, Collection, session_of
from .samples import LONG, MOVE, PATCH, UPDATE, cut_short, files_recorded, lay_out_design, set_test_command, whole

_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_SQLITE = b"SQLite format 3\0"
_VARIABLE = (
    (re.compile(r'("(?:checksum|chain|content|digest|key)":\s*)"[0-9a-f]{32,64}"'), r'\1"<hash>"'),
    (re.compile(r'("(?:uid|gid|mode)":\s*)\d+'), r"\1<number>"),
    (re.compile(r'("(?:\w*seconds|when)":\s*)[\d.]+'), r"\1<number>"),
    (re.compile(r"^[0-9a-f]{64}$", re.M), "<hash>"),
    (re.compile(r"^[0-9a-f]{40}$", re.M), "<commit>"),
)


def described(file: Path, session: Session) -> Any:
    """Mode and content of a file; parts of a backup by what they hold, a database by its tables."""
    data = file.read_bytes()
    about: dict[str, Any] = {"mode": f"{file.stat().st_mode & 0o777:o}"}
    if file.suffix == ".pack":
        return about | {"parts": list(parts(data))}
    if data.startswith(_SQLITE):
        return about | {"tables": tables(file)}
    try:
        text = session.normaliser.text(data.decode())
    except UnicodeDecodeError:
        return about | {"bytes": len(data)}
    for pattern, placeholder in _VARIABLE:
        text = pattern.sub(placeholder, text)
    return about | {"text": text.splitlines(keepends=True)}


def parts(data: bytes) -> Iterator[dict[str, str]]:
    """A backup is a sequence of a line with the hash and the size, and that many bytes, compressed."""
    while data:
        head, _, rest = data.partition(b"\n")
        digest, size = head.decode().split(" ")
        yield {"digest": digest, "text": zlib.decompress(rest[: int(size)]).decode()}
        data = rest[int(size) :]


def tables(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as database:
        return sorted(name for (name,) in database.execute("SELECT name FROM sqlite_master"))


def compare(golden: Collection, name: str, session: Session, *folders: Path) -> None:
    below = sorted(path for folder in folders for path in [folder, *folder.rglob("*")])
    golden.compare(
        name,
        {
            "folders": {named(path, session): f"{path.stat().st_mode & 0o777:o}" for path in below if path.is_dir()},
            "files": grouped((named(path, session), described(path, session)) for path in below if path.is_file()),
        },
    )


def grouped(files: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """Files of one name, once hashes are replaced, in an order that does not depend on the hash."""
    found: dict[str, list[Any]] = {}
    for name, about in files:
        found.setdefault(name, []).append(about)
    return {name: sorted(found[name], key=json.dumps) for name in sorted(found)}


def named(path: Path, session: Session) -> str:
    return _HASH.sub("<hash>", session.normaliser.text(path.relative_to(session.tmp).as_posix()))


def put_off(session: Session) -> None:
    plan = Toolbox(session.root).call("write_file", {"path": "long.txt", "content": "short\n"}).plan
    assert plan
    session.normaliser.name(plan, "<plan>")


@pytest.mark.parametrize("name", ["project"])
def test_a_project(name: str, session: Session) -> None:
    golden = Collection("files", name)
    session.call("apply", stdin=PATCH)
    session.call("apply", stdin=MOVE.format("src/new.py", "src/moved.py", "NEW = 1", "NEW = 2"))
    session.call("undo")
    session.call("redo")
    session.call("apply", "--force", stdin=whole("long.txt", LONG))
    session.call("apply", stdin="*** Begin Patch\n*** Delete File: long.txt\n*** End Patch\n")  # needs a decision
    session.call("edit", "src/app.py", "-m", "x", "--model", session.recording({"text": "No."}, {"text": "No."}))
    put_off(session)
    compare(golden, name, session, session.root / ".inlay")
    golden.finish()


@pytest.mark.parametrize("name", ["interrupted"])
def test_an_interrupted_change(name: str, session: Session) -> None:
    golden = Collection("files", name)
    cut_short(session.root)
    compare(golden, "interrupted", session, session.root / ".inlay")
    (changed,) = [file for file in ("notes.txt", "src/price.py") if session.git("status", "--short", file)]
    session.write({changed: "by hand\n"})
    session.call("recover")
    compare(golden, "recovered", session, session.root / ".inlay")
    golden.finish()


@pytest.mark.parametrize("name", ["repository"])
def test_a_repository_with_hooks_and_a_rewritten_history(name: str, session: Session) -> None:
    golden = Collection("files", name)
    session.call("commits", "amend", "HEAD~1", "-m", "Add a manual", "--yes")
    session.call("commits", "install-hooks", "--draft")
    git = session.root / ".git"
    compare(golden, name, session, git / "inlay", git / "hooks", git / "refs/inlay")
    golden.finish()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["run"])
def test_a_run_of_a_design_document(name: str, session: Session) -> None:
    golden = Collection("files", name)
    lay_out_design(session)
    set_test_command(session)
    session.call("implement", "design.md", "--model", files_recorded(session))
    compare(golden, name, session, session.root / ".inlay/runs")
    golden.finish()


@pytest.mark.parametrize("name", ["remembered"])
def test_a_recording(name: str, session: Session) -> None:
    golden = Collection("files", name)
    model = session.recording({"text": UPDATE})
    record = session.tmp / "record"
    record.mkdir(mode=0o755)
    edit = ("edit", "notes.txt", "-m", "x", "--mode", "edits", "--format", "search_replace", "--model", model)
    session.call(*edit, "--record", str(record / "recorded.jsonl"), "--log", str(record / "log.jsonl"))
    compare(golden, name, session, record)
    golden.finish()


def test_every_golden_file_belongs_to_a_test() -> None:
    files = (FOLDER / "files").glob("*.json")
    assert {session_of(file) for file in files} == {"project", "interrupted", "repository", "run", "remembered"}


def test_golden_files_are_objects_with_a_session() -> None:
    for file in FOLDER.rglob("*.json"):
        assert json.loads(file.read_text(encoding="utf-8"))["session"]
