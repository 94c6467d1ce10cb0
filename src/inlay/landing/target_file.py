"""Which file a reply is for when the caller knows better than the reply."""

from __future__ import annotations

from dataclasses import replace

from inlay.errors import EditsRefused, Misfit
from inlay.model.edit import Create, Delete, Overwrite, Part, Reading, Update


def fill_in(reading: Reading, path: str) -> Reading:
    """The same reading with `path` where the reply names no file."""
    parts = tuple(
        replace(part, path=path) if isinstance(part, Update | Overwrite) and part.path is None else part
        for part in reading.parts
    )
    return replace(reading, parts=parts)


def redirect(reading: Reading, path: str) -> Reading:
    """The same reading with every part meant for `path`; raises where the reply is about several files."""
    require_one_file([part.path for part in reading.parts if part.path is not None])
    return replace(reading, parts=tuple(_redirected(part, path) for part in reading.parts))


def require_one_file(names: list[str]) -> None:
    """Raise unless all names can mean the same file: each is the end of the longest one."""
    plain = dict.fromkeys(name.removeprefix("./") for name in names)
    longest = max(plain, key=len, default="")
    if others := [name for name in plain if name != longest and not longest.endswith(f"/{name}")]:
        message = f"the reply is about several files: {', '.join(sorted([longest, *others]))}"
        raise EditsRefused(Misfit("several-files", message, "Send the edits of one file only."))


def _redirected(part: Part, path: str) -> Part:
    match part:
        case Update(move_to=str(target)) if target.removeprefix("./") != (part.path or target).removeprefix("./"):
            message = f"the reply moves the file to {target}, which takes more than new content"
            raise EditsRefused(Misfit("move", message, "Send the edits without moving the file."))
        case Update():
            return replace(part, path=path, move_to=None)
        case Create() | Overwrite() | Delete():
            return replace(part, path=path)
