"""The prompts that ask a model for commit messages, and to merge those for parts of a diff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inlay.model.prompt import Message, Prompt
from inlay.prompts import sanitise
from inlay.prompts.blocks import Blocks
from inlay.prompts.commit_parts import DATA, ShownPart, layout
from inlay.prompts.template import Template

_SYSTEM = f"""\
You write commit messages. A message says what the change does and, where the diff or the old message shows it, why; \
in the style of the repository, in the imperative mood unless the repository does otherwise. It states nothing that \
neither the diff nor the old message supports. What the old message knows and the diff does not, such as a reason, a \
ticket or a trailer (Signed-off-by, Co-authored-by, Fixes …), is kept.

{DATA}
Answer with one JSON object and nothing else:
{{"commits": [{{"id": "the id as given", "summary": "what the diff does, one sentence", "message": "the whole message: \
subject, blank line, body where one is of use"}}]}}
Every commit that you are shown is in the list exactly once.
"""
_PART = """\
Where only a part of a diff is shown, write the message for that part alone; it will be put together with the others.
"""
_MERGE = """\
The diff of one commit was too long for one request. You are given the messages that were written for its parts, each \
with the files it covers. Write the one message of the whole commit: what the change is as a whole, not a list of \
parts.
"""


@dataclass(frozen=True, slots=True)
class StyleGuide:
    rules: tuple[str, ...] = ()  #: in words, those that a message is held to
    guidance: tuple[str, str] | None = None  #: the project's own advice: name and content
    recent: str = ""  #: messages that were written lately, one after the other


@dataclass(frozen=True, slots=True)
class WrittenPart:
    files: tuple[str, ...]
    said: str  #: in a sentence, and as a message


def prompt(shown: Sequence[ShownPart], style: StyleGuide, blocks: Blocks) -> Prompt:
    """Write messages for these commits, or for this part of one."""
    text = "\n\n".join([*_style(style, blocks), *(layout(part, blocks) for part in shown)]) + "\n"
    return Prompt(_SYSTEM + _PART, (Message("user", text, keep=True),))


def merging(commit: str, old: str, parts: Sequence[WrittenPart], style: StyleGuide, blocks: Blocks) -> Prompt:
    """Write one message out of those for the parts."""
    sections = [*_style(style, blocks), f"# Commit {commit}"]
    if old:
        sections.append(blocks.block("message", commit, old))
    for number, part in enumerate(parts, 1):
        block = blocks.block("part", str(number), part.said)
        sections.append(f"Part {number} covers: {', '.join(part.files)}\n{block}")
    return Prompt(_SYSTEM + _MERGE, (Message("user", "\n\n".join(sections) + "\n", keep=True),))


def _style(style: StyleGuide, blocks: Blocks) -> Iterator[str]:
    if style.rules:
        yield "# Rules for messages here\n\n" + "\n".join(f"- {sanitise.line(rule)}" for rule in style.rules)
    if style.guidance:
        yield f"# What the project asks of everybody\n\n{blocks.block('guidance', *style.guidance)}"
    if style.recent:
        shown = blocks.block("messages", "", style.recent)
        yield f"# Messages that were written here lately, for their style\n\n{shown}"


def _example() -> Prompt:
    diff = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    style = StyleGuide(("header-max-length: at most 72 characters",), None, "Let callers choose the port\n")
    return prompt((ShownPart("0123456789", "wip\n", diff, files=("a.py",)),), style, Blocks(b"sample"))


def _merge_example() -> Prompt:
    parts = (
        WrittenPart(("src/a.py", "src/b.py"), "Renames a function.\n\nRename load to read\n"),
        WrittenPart(("tests/test_a.py",), "Adapts the tests.\n\nFollow the new name in the tests\n"),
    )
    return merging("0123456789", "wip\n", parts, StyleGuide(), Blocks(b"sample"))


MESSAGE = Template("commit-message", "Write commit messages from diffs.", _example)
MERGE = Template("commit-merge", "Put the messages for parts of a diff together.", _merge_example)
