"""Tries names that attack in a mount namespace of its own, where everything but one file system in memory is read-only.

Run as `unshare --mount python sandbox.py`; it proves where it is before it tries anything, and prints JSON: every name
whose fate was not the one demanded.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from inlay import Change, ChangeSet, InlayError, Overwrite, Reading, Workspace
from inlay.storage.state import syscalls

STAGE = Path("/mnt")
PROBES = ("/tmp", "/etc", "/root", "/home", "/usr", "/dev/shm", "/var", str(Path.cwd()), str(Path(__file__).parent))


def shut_in() -> None:
    """Everything read-only but the stage; leaves with 77 where that cannot be had."""
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(STAGE)], check=True)
    for line in Path("/proc/mounts").read_text().splitlines():
        point = line.split()[1].encode().decode("unicode_escape")
        if point != str(STAGE):
            subprocess.run(["mount", "-o", "remount,bind,ro", point], stderr=subprocess.DEVNULL)
    for place in PROBES:
        if not os.path.isdir(place):
            continue
        try:
            os.close(os.open(f"{place}/inlay-probe", os.O_WRONLY | os.O_CREAT))
        except OSError as error:
            if error.errno == errno.EROFS:
                continue
        sys.exit(77)


def prepare(make: list[str]) -> tuple[Path, Path]:
    """A fresh project beside a directory that nothing may reach."""
    for path in STAGE.iterdir():
        shutil.rmtree(path)
    root, outside = STAGE / "project", STAGE / "outside"
    for name in ("src/app.py", "README.md", ".git/config", ".git/HEAD", ".git/hooks/sample"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("old\n")
    outside.mkdir()
    (outside / "secret.txt").write_text("secret\n")
    for line in make:
        _make(root, outside, line)
    return root, outside


def _make(root: Path, outside: Path, line: str) -> None:
    kind, _, rest = line.partition(" ")
    name, _, target = rest.partition(" = ")
    path = root / name
    if kind == "link":
        path.symlink_to(target.format(outside=outside))
    elif kind == "directory":
        path.mkdir(parents=True)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "hard":
        os.link(outside / "secret.txt", path)
    else:
        path.write_text("x\n")


def fate(root: Path, name: str) -> str:
    """What becomes of a whole file that a reply sends under a name."""
    try:
        workspace = Workspace(root)
        snapshot = workspace.resolve(Reading("whole_file", (Overwrite(name, "new\n"),)))
        path = snapshot.names[name]
        if workspace.protection(path).level == "approve":
            return "guarded"
        workspace.commit(ChangeSet((Change(path, snapshot.files.get(path), "new\n"),)))
    except InlayError:
        return "refused"
    return "written"


def private(root: Path, outside: Path) -> dict[str, bytes]:
    """What no name may change."""
    places = (*(root / ".git").rglob("*"), *outside.rglob("*"), *root.glob(".env"))
    return {str(path): path.read_bytes() for path in places if path.is_file()}


def surprises(cases: dict[str, Any], make: list[str]) -> list[str]:
    found = []
    for demanded in ("refused", "guarded", "written"):
        for name in cases.get(demanded, ()):
            root, outside = prepare(make)
            before = private(root, outside)
            came = fate(root, name.format(root=root, outside=outside))
            if came != demanded or private(root, outside) != before:
                found.append(f"{name!r} was {came}, not {demanded} {make}")
    return found


def without_openat2(*arguments: object) -> int:
    raise OSError(errno.ENOSYS, "Function not implemented")


def main() -> None:
    attacks = tomllib.loads(Path(__file__).with_name("attacks.toml").read_text(encoding="utf-8"))
    shut_in()
    if "walk" in sys.argv:
        syscalls.open_beneath = without_openat2
    plain = {demanded: attacks[demanded]["names"] for demanded in ("refused", "guarded", "written")}
    found = surprises(plain, [])
    for case in attacks["prepared"]:
        found += surprises(case, case["make"])
    tried = sum(map(len, plain.values())) + sum(len(case.get(d, ())) for case in attacks["prepared"] for d in plain)
    sys.stdout.write(json.dumps({"tried": tried, "surprises": found}))


if __name__ == "__main__":
    main()
