"""Messages in a file that people edit, and that is parsed without doubt about what belongs to a message.

    # a line like this is a comment
    commit 1f33c21…            the whole id
    was: Fix stuff             the current subject; for people, not parsed
    message:
        Fix the race           four blanks, then the message's own line
                               blank lines belong to the message, those at its end do not

Only lines of a message begin with blanks, so no message can be taken for anything else. A commit without `message:`
keeps its message. Programs may write JSON instead: [{"commit": …, "message": …}, …].
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
# Delete a commit's lines, or its message, to leave it as it is. Lines like this one are comments.
"""


def render(proposals: Iterable[NewMessage]) -> str:
    text = _HEAD
    for proposal in proposals:
        lines = proposal.message.rstrip("\n").split("\n")
        message = "\n".join(_INDENT + line if line else "" for line in lines)
        # A line break in it would be parsed as something else.
        was = " ".join(proposal.commit.subject.split())
        text += f"\ncommit {proposal.commit.id}\nwas: {was}\nmessage:\n{message}\n"
    return text


def read(text: str) -> dict[str, str]:
    """The messages by commit; raises UnreadableMessages with the line where the file is not what it must be."""
    return _from_json(text) if text.lstrip()[:1] in ("[", "{") else _from_text(text)


def _from_text(text: str) -> dict[str, str]:
    messages: dict[str, list[str] | None] = {}
    commit = ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        body = messages.get(commit)
        if match := _COMMIT.match(line):
            commit = match[1]
            if commit in messages:
                raise UnreadableMessages(f"line {number}: {commit[:10]} is there twice")
            messages[commit] = None
        elif line == "message:" and commit and body is None:
            messages[commit] = []
        elif line.startswith(_INDENT) and body is not None:
            body.append(line[len(_INDENT) :])
        elif not line.strip():
            if body is not None:
                body.append("")
        elif not line.startswith(("#", "was:")):
            raise UnreadableMessages(f"line {number}: {line[:60]!r} is neither a commit nor a line of a message")
    return {commit: "\n".join(lines).strip("\n") + "\n" for commit, lines in messages.items() if lines and any(lines)}


def _from_json(text: str) -> dict[str, str]:
    try:
        entries = json.loads(text)
        if isinstance(entries, Mapping):
            entries = entries["commits"]
        return {str(entry["commit"]): str(entry["message"]) for entry in entries}
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableMessages(f"this is not a list of commits with messages: {error}") from None
