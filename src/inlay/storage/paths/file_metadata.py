"""What belongs to a file besides its bytes: mode, owner, extended attributes; read from one file, given to another."""

from __future__ import annotations

import base64
import errno
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from inlay.errors import EnvironmentFailure
from inlay.model.file import RepoPath
from inlay.storage.state import syscalls

# Labels that the system sets by its own rules, and may not let us set.
_SYSTEM = ("security.", "system.nfs4", "trusted.")
_NO_ATTRIBUTES = (errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)


@dataclass(frozen=True, slots=True)
class Meta:
    """The metadata of a file, as journals store it."""

    mode: int
    uid: int
    gid: int
    attributes: Mapping[str, str]  #: extended attributes, base64


def of(descriptor: int) -> Meta:
    status, attributes = os.fstat(descriptor), {}
    try:
        names = sorted(os.listxattr(descriptor)) if sys.platform == "linux" else []
        for name in names:
            if not name.startswith(_SYSTEM):
                attributes[name] = base64.b64encode(os.getxattr(descriptor, name)).decode()
    except OSError as error:
        if error.errno not in _NO_ATTRIBUTES:
            raise
        attributes = {}
    return Meta(status.st_mode & 0o7777, status.st_uid, status.st_gid, attributes)


def give(descriptor: int, meta: Meta, path: RepoPath) -> None:
    """Give a new file what an old one had. Owner first: changing it clears bits that the mode then restores."""
    own = os.fstat(descriptor)
    try:
        if own.st_uid != meta.uid:
            syscalls.set_owner(descriptor, meta.uid, -1)
    except PermissionError:
        message = f"{path} belongs to another user and could not be given back to them; nothing was written"
        raise EnvironmentFailure(message) from None
    try:
        if own.st_gid != meta.gid:
            syscalls.set_owner(descriptor, -1, meta.gid)
    except PermissionError:
        message = f"{path} belongs to a group that you are not in, so its group would be lost; nothing was written"
        raise EnvironmentFailure(message) from None
    for name, value in meta.attributes.items():
        syscalls.set_attribute(descriptor, name, base64.b64decode(value))
    syscalls.set_mode(descriptor, meta.mode)
