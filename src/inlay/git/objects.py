"""Objects read from git by one `git cat-file` for all of them, which is started when the first is asked for."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import IO

from inlay.errors import GitFailed
from inlay.git import run_git

_AT_ONCE = 64  # names written before the first answer is read; they must fit a pipe's buffer


@dataclass(slots=True)
class ObjectReader:
    """Reads objects by name, from any thread; replace refs are not looked at."""

    root: str
    _processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def commits(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Every commit object with its id, in the order asked for; few of them are in memory at a time."""
        left = iter(ids)
        while batch := list(islice(left, _AT_ONCE)):
            for (header, data), name in zip(self._contents(batch), batch, strict=True):
                if data is None or header[1] != b"commit":
                    raise GitFailed(f"git cat-file: {name}: {b' '.join(header[1:2]).decode()}, not a commit")
                yield header[0].decode("ascii"), data

    def blob(self, name: str) -> bytes | None:
        """The content of a file by its name in a revision (`HEAD:file`); None where there is none."""
        if "\n" in name:
            return None
        header, data = self._contents([name])[0]
        return data if header[1:2] == [b"blob"] else None

    def size(self, name: str) -> int:
        """Bytes of an object; 0 where the repository does not have it."""
        with self._lock:
            header = self._ask("--batch-check", [name]).readline().split()
        return int(header[2]) if len(header) == 3 else 0

    def _contents(self, names: Sequence[str]) -> list[tuple[list[bytes], bytes | None]]:
        """The header and the content of each object; no content where git does not have it."""
        contents: list[tuple[list[bytes], bytes | None]] = []
        with self._lock:
            output = self._ask("--batch", names)
            for name in names:
                header = output.readline().split()
                if not header:
                    raise GitFailed(f"git cat-file ended before it answered about {name}")
                data = output.read(int(header[2]) + 1)[:-1] if len(header) == 3 and header[2].isdigit() else None
                contents.append((header, data))
        return contents

    def _ask(self, mode: str, names: Sequence[str]) -> IO[bytes]:
        if mode not in self._processes:
            command = ("--no-replace-objects", "cat-file", mode)
            self._processes[mode] = run_git.start(self.root, *command, stdin=subprocess.PIPE)
        process = self._processes[mode]
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(os.fsencode("".join(f"{name}\n" for name in names)))
            process.stdin.flush()
        except BrokenPipeError:
            raise GitFailed("git cat-file ended early") from None
        return process.stdout

    def kill(self) -> None:
        """End what is being read, from any thread; reading then fails."""
        for process in tuple(self._processes.values()):
            process.kill()

    def close(self) -> None:
        for process in self._processes.values():
            process.kill()
            process.communicate()
        self._processes.clear()
