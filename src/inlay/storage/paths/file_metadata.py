"""What belongs to a file besides its bytes: mode, owner, extended attributes; read from one file, given to another."""

from __future__ import annotations

import errno
import os
import sys

from inlay.errors import EnvironmentFailure
from inlay.model.file import RepoPath
from inlay.storage.state import syscalls
from inlay.storage.transaction import journal
from inlay.storage.transaction.journal import Meta

# Labels that the system gives by its own rules, and may not let us give.
_SYSTEM = ("security.", "system.nfs4", "trusted.")
_NO_ATTRIBUTES = (errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


def of(descriptor: int) -> Meta:
    """The metadata of an open file."""
    found = os.fstat(descriptor)
    return Meta(found.st_mode & 0o7777, found.st_uid, found.st_gid, journal.packed(_attributes(descriptor)))


def _attributes(descriptor: int) -> dict[str, bytes]:
    if sys.platform != "linux":
        return {}
    try:
        names = [name for name in os.listxattr(descriptor) if not name.startswith(_SYSTEM)]
        return {name: os.getxattr(descriptor, name) for name in names}
    except OSError as error:
        if error.errno in _NO_ATTRIBUTES:
            return {}
        raise


def give(descriptor: int, meta: Meta, path: RepoPath) -> None:
    """Give a new file what an old one had. Owner first: changing it clears bits that the mode then restores."""
    own = os.fstat(descriptor)
    if own.st_uid != meta.uid:
        try:
            syscalls.set_owner(descriptor, meta.uid, -1)
        except PermissionError:
            raise EnvironmentFailure(
                f"{path} belongs to another user, to whom a new version could not be given back; nothing was written"
            ) from None
    if own.st_gid != meta.gid:
        try:
            syscalls.set_owner(descriptor, -1, meta.gid)
        except PermissionError:
            raise EnvironmentFailure(
                f"{path} belongs to a group that you are not in, so it could not be kept; nothing was written"
            ) from None
    for name, value in journal.unpacked(meta).items():
        syscalls.set_attribute(descriptor, name, value)
    syscalls.set_mode(descriptor, meta.mode)
