"""Every call that changes the disk, in one place, so that a test can stop the process or fail the call at each."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from typing import Any

#: called with the name of each call before it is made; tests set it, nothing else does
before: Callable[[str], None] | None = None

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
#: what systems answer that do not know a call, a flag, or either on this file system
UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})

_NOREPLACE, _EXCHANGE = 1, 2
_OPENAT2 = 437  # the same number on every architecture
_BENEATH, _NO_MAGIC_LINKS, _NO_SYMLINKS = 0x08, 0x02, 0x04
_LIBC = ctypes.CDLL(None, use_errno=True)


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def _about_to(call: str) -> None:
    if before is not None:
        before(call)


def create(name: str, mode: int, directory: int) -> int:
    """A new, empty file; raises FileExistsError rather than touch another."""
    _about_to("open")
    return os.open(name, NEW, mode, dir_fd=directory)


def open_for_append(name: str, directory: int) -> int:
    """A file of ours, made where it is missing, every write going to its end."""
    _about_to("open")
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(name, flags, 0o600, dir_fd=directory)


def write(descriptor: int, data: bytes) -> None:
    """All of `data`; a disk that fills up takes a part first and only then complains."""
    rest = memoryview(data)
    while rest:
        _about_to("write")
        rest = rest[os.write(descriptor, rest) :]


def truncate(descriptor: int, size: int) -> None:
    """Cut a file."""
    _about_to("ftruncate")
    os.ftruncate(descriptor, size)


def sync(descriptor: int) -> None:
    """Make a file's data, or a directory's names, last; a failure is final, for a second try would lie."""
    _about_to("fsync")
    os.fsync(descriptor)


def make_directory(name: str, mode: int, directory: int) -> None:
    """A new directory."""
    _about_to("mkdir")
    os.mkdir(name, mode, dir_fd=directory)


def remove_directory(name: str, directory: int) -> None:
    """Remove a directory, provided it is empty."""
    _about_to("rmdir")
    os.rmdir(name, dir_fd=directory)


def unlink(name: str, directory: int) -> None:
    """Remove a name."""
    _about_to("unlink")
    os.unlink(name, dir_fd=directory)


def rename(source: str, source_directory: int, target: str, target_directory: int) -> None:
    """Give a file another name, over whatever had it before."""
    _about_to("rename")
    os.rename(source, target, src_dir_fd=source_directory, dst_dir_fd=target_directory)


def link(source: str, source_directory: int, target: str, target_directory: int) -> None:
    """A second name, provided it is free."""
    _about_to("link")
    os.link(source, target, src_dir_fd=source_directory, dst_dir_fd=target_directory, follow_symlinks=False)


def set_mode(descriptor: int, mode: int) -> None:
    """Change permissions."""
    _about_to("fchmod")
    os.fchmod(descriptor, mode)


def set_owner(descriptor: int, uid: int, gid: int) -> None:
    """Change the owner and the group; -1 leaves one as it is."""
    _about_to("fchown")
    os.fchown(descriptor, uid, gid)


def set_attribute(descriptor: int, name: str, value: bytes) -> None:
    """Change an extended attribute."""
    _about_to("setxattr")
    if sys.platform == "linux":
        os.setxattr(descriptor, name, value)


def exchange(source: str, source_directory: int, target: str, target_directory: int) -> None:
    """Swap two names in one step; raises an OSError of UNSUPPORTED where that cannot be done."""
    _about_to("exchange")
    _renameat2(source, source_directory, target, target_directory, _EXCHANGE)


def rename_new(source: str, source_directory: int, target: str, target_directory: int) -> None:
    """Give a file another name, provided it is free; where that is no single step, by a second name."""
    _about_to("rename_new")
    try:
        _renameat2(source, source_directory, target, target_directory, _NOREPLACE)
    except OSError as error:
        if error.errno not in UNSUPPORTED:
            raise
        link(source, source_directory, target, target_directory)
        unlink(source, source_directory)


def _renameat2(source: str, source_directory: int, target: str, target_directory: int, flags: int) -> None:
    call: Any = getattr(_LIBC, "renameat2", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if call(source_directory, os.fsencode(source), target_directory, os.fsencode(target), flags) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), target)


def open_beneath(directory: int, path: str, flags: int) -> int:
    """A descriptor of what lies below `directory`, no link followed; the kernel itself rules every way out."""
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    how = _OpenHow(flags, 0, _BENEATH | _NO_MAGIC_LINKS | _NO_SYMLINKS)
    size = ctypes.c_size_t(ctypes.sizeof(how))
    found = int(_LIBC.syscall(ctypes.c_long(_OPENAT2), directory, os.fsencode(path), ctypes.byref(how), size))
    if found < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), path)
    return found
