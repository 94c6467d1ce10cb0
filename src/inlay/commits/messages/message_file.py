"""Messages in a file, to be read, changed and handed on by people, and read back without a doubt about what is text.

    # a line like this is a remark
    commit 1f33c21…            the whole id
    was: Fix stuff             the subject as it is; for people, not read
    message:
        Fix the race           four blanks, then the message's own line
                               blank lines belong to the message, those at its end do not

Lines of a message are the only ones that begin with blanks, so no message can be taken for anything else. A commit
without `message:` keeps what it has. Programs may write JSON instead: [{"commit": …, "message": …}, …].
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from inlay.errors import UnreadableMessages
from inlay.model.history_rewrite import NewMessage

_INDENT = "    "
_COMMIT = re.compile(r"commit ([0-9a-f]{40}|[0-9a-f]{64})$")
_HEAD = """\
# Messages for commits, oldest first. Change what is below `message:`, keep its four blanks of indentation.
# Delete a commit's lines, or its message, to leave it as it is. Lines like this one are remarks.
"""


def render(proposals: Iterable[NewMessage]) -> str:
    """The file for these proposals."""
    return _HEAD + "".join(f"\n{_entry(proposal)}" for proposal in proposals)


def _entry(proposal: NewMessage) -> str:
    lines = proposal.message.rstrip("\n").split("\n")
    told = "\n".join(_INDENT + line if line else "" for line in lines)
    # What might break the line would be read back as something else.
    was = " ".join(proposal.commit.subject.split())
    return f"commit {proposal.commit.id}\nwas: {was}\nmessage:\n{told}\n"


def read(text: str) -> dict[str, str]:
    """The messages by commit; raises UnreadableMessages with the line where the file is not what it must be."""
    return _from_json(text) if text.lstrip()[:1] in ("[", "{") else _from_text(text)


def _from_text(text: str) -> dict[str, str]:
    found: dict[str, list[str] | None] = {}
    commit = ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        said = found.get(commit)
        if match := _COMMIT.match(line):
            commit = match[1]
            if commit in found:
                raise UnreadableMessages(f"line {number}: {commit[:10]} is there twice")
            found[commit] = None
        elif line == "message:" and commit and said is None:
            found[commit] = []
        elif line.startswith(_INDENT) and said is not None:
            said.append(line[len(_INDENT) :])
        elif not line.strip():
            if said is not None:
                said.append("")
        elif not line.startswith(("#", "was:")):
            raise UnreadableMessages(f"line {number}: {line[:60]!r} is neither a commit nor a line of a message")
    return {each: "\n".join(lines).strip("\n") + "\n" for each, lines in found.items() if lines and any(lines)}


def _from_json(text: str) -> dict[str, str]:
    try:
        entries = json.loads(text)
        if isinstance(entries, Mapping):
            entries = entries["commits"]
        return {str(entry["commit"]): str(entry["message"]) for entry in entries}
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableMessages(f"this is no list of commits with messages: {error}") from None
