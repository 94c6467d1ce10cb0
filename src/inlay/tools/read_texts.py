"""What a session of tool calls has shown the model of each file, so that its edits can be merged with later changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inlay.model.change import Change
    from inlay.model.file import RepoPath

_MOST = 16_000_000  # characters of all texts together


class ReadTexts:
    """The text of each file as the model knows it: as it was read last, with the model's own edits."""

    def __init__(self) -> None:
        self._texts: OrderedDict[RepoPath, str] = OrderedDict()
        self._lock = Lock()

    def remember(self, path: RepoPath, text: str) -> None:
        with self._lock:
            self._texts[path] = text
            self._texts.move_to_end(path)
            while len(self._texts) > 1 and sum(map(len, self._texts.values())) > _MOST:
                self._texts.popitem(last=False)

    def forget(self, *paths: RepoPath) -> None:
        with self._lock:
            for path in paths:
                self._texts.pop(path, None)

    def wrote(self, changes: Iterable[Change]) -> None:
        """Follow changes that the model has made itself; what others changed in the meantime it has not seen."""
        from inlay.text.three_way import merge

        for change in changes:
            with self._lock:
                known = self._texts.pop(change.path, None)
            if known is None or change.before is None or change.after is None:
                continue
            own = merge(change.before.text, known, change.after)
            if not own.conflicts:
                self.remember(change.target, own.text)

    def known(self) -> Mapping[RepoPath, str]:
        with self._lock:
            return dict(self._texts)
