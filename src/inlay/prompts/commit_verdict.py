"""The prompt that asks a model to review commit messages by their diffs."""

from __future__ import annotations

from collections.abc import Sequence

from inlay.model.prompt import Message, Prompt
from inlay.prompts.blocks import Blocks
from inlay.prompts.commit_parts import DATA, ShownPart, layout
from inlay.prompts.template import Template

#: the issues that a model may report, with their meaning
RULES = {
    "says-otherwise": "the message says something that the diff does not do, or contradicts it",
    "leaves-out": "something that a reader of the history must know is in the diff and not in the message",
    "unclear": "the message does not let a reader tell what was changed, or why, although the diff shows that there "
    "was a reason",
}
_SYSTEM = f"""\
You judge commit messages by the diffs they belong to. Form, spelling and length are checked elsewhere; you judge \
only what needs the diff:
{"".join(f"- {rule}: {meaning}.{chr(10)}" for rule, meaning in RULES.items())}
Be sparing. A message need not list every detail, and a short message for a small change is fine. An issue is an \
"error" where the message misleads, a "warning" where it falls short, "info" for a hint.

{DATA}
Answer with one JSON object and nothing else:
{{"commits": [{{"id": "the id as given", "summary": "what the diff does, one sentence", "issues": [{{"rule": \
"{"|".join(RULES)}", "severity": "error|warning|info", "explanation": "one sentence"}}], "suggestion": "a better \
message, or null where the message will do"}}]}}
Every commit that you are shown is in the list exactly once; a commit without issues has an empty list of them.
"""
_PART = """\
Where only a part of a diff is shown, report only what this part shows; that the message speaks of something else is \
no issue, for another part may show it.
"""


def prompt(shown: Sequence[ShownPart], blocks: Blocks) -> Prompt:
    """Review these commits, or this part of one."""
    text = "\n\n".join(layout(part, blocks) for part in shown) + "\n"
    return Prompt(_SYSTEM + _PART, (Message("user", text, keep=True),))


def _example() -> Prompt:
    diff = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
    return prompt((ShownPart("0123456789", "Set x to 3\n", diff, files=("a.py",)),), Blocks(b"sample"))


VERDICT = Template("commit-verdict", "Judge commit messages by their diffs.", _example)
