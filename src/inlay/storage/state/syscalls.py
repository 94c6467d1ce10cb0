"""Every system call that changes the disk, so that a test can stop the process or fail the call at each of them."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import sys
from collections.abc import Iterator
from typing import Any

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
#: errors of systems and file systems that lack a call or a flag
UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})

_NOREPLACE, _EXCHANGE = 1, 2
_OPENAT2 = 437  # the same number on every architecture
_BENEATH, _NO_MAGIC_LINKS, _NO_SYMLINKS = 0x08, 0x02, 0x04
_LIBC = ctypes.CDLL(None, use_errno=True)


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def before(call: str) -> None:
    """Called with the name of each call before it is made; tests replace it, nothing else does."""


@contextlib.contextmanager
def open_directory(path: str | os.PathLike[str], above: int | None = None, *, follow: bool = False) -> Iterator[int]:
    """A descriptor of a directory; `follow` allows that its name is a symbolic link."""
    descriptor = os.open(path, DIRECTORY & ~os.O_NOFOLLOW if follow else DIRECTORY, dir_fd=above)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def create(name: str, mode: int, directory: int) -> int:
    """Create an empty file; raises FileExistsError."""
    before("open")
    return os.open(name, NEW, mode, dir_fd=directory)


def open_for_append(name: str, directory: int) -> int:
    """Open a file, created where it is missing, whose writes all go to its end."""
    before("open")
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(name, flags, 0o600, dir_fd=directory)


def write(descriptor: int, data: bytes) -> None:
    """Write all of `data`; a disk that fills up accepts a part before it reports an error."""
    rest = memoryview(data)
    while rest:
        before("write")
        rest = rest[os.write(descriptor, rest) :]


def truncate(descriptor: int, size: int) -> None:
    before("ftruncate")
    os.ftruncate(descriptor, size)


def sync(descriptor: int) -> None:
    """Make a file's data or a directory's names durable; a failure is final, because a second call would succeed."""
    before("fsync")
    os.fsync(descriptor)


def make_directory(name: str, mode: int, directory: int) -> None:
    before("mkdir")
    os.mkdir(name, mode, dir_fd=directory)


def remove_directory(name: str, directory: int) -> None:
    before("rmdir")
    os.rmdir(name, dir_fd=directory)


def unlink(name: str, directory: int) -> None:
    before("unlink")
    os.unlink(name, dir_fd=directory)


def rename(source: str, source_directory: int, target: str, target_directory: int) -> None:
    """Rename a file, over whatever has the new name."""
    before("rename")
    os.rename(source, target, src_dir_fd=source_directory, dst_dir_fd=target_directory)


def link(source: str, source_directory: int, target: str, target_directory: int) -> None:
    """Add a second name; raises FileExistsError."""
    before("link")
    os.link(source, target, src_dir_fd=source_directory, dst_dir_fd=target_directory, follow_symlinks=False)


def set_mode(descriptor: int, mode: int) -> None:
    before("fchmod")
    os.fchmod(descriptor, mode)


def set_owner(descriptor: int, uid: int, gid: int) -> None:
    """Change owner and group; -1 leaves one as it is."""
    before("fchown")
    os.fchown(descriptor, uid, gid)


def set_attribute(descriptor: int, name: str, value: bytes) -> None:
    before("setxattr")
    if sys.platform == "linux":
        os.setxattr(descriptor, name, value)


def exchange(source: str, source_directory: int, target: str, target_directory: int) -> None:
    """Swap two names in one step; raises an OSError of UNSUPPORTED where the system cannot."""
    before("exchange")
    _renameat2(source, source_directory, target, target_directory, _EXCHANGE)


def rename_new(source: str, source_directory: int, target: str, target_directory: int) -> None:
    """Rename a file; raises FileExistsError. Where the system has no such call, by a second name."""
    before("rename_new")
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
    """Open a path below `directory` and follow no link; the kernel itself refuses every way out."""
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    how = _OpenHow(flags, 0, _BENEATH | _NO_MAGIC_LINKS | _NO_SYMLINKS)
    size = ctypes.c_size_t(ctypes.sizeof(how))
    descriptor = int(_LIBC.syscall(ctypes.c_long(_OPENAT2), directory, os.fsencode(path), ctypes.byref(how), size))
    if descriptor < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), path)
    return descriptor
