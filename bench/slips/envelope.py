"""Slips around the edit: prose, fences, tool tags, shells, paths written otherwise, a reply cut off."""

from __future__ import annotations

from bench.draft import Draft
from bench.rendering import PARTS, Rendered
from bench.slips.registry import slip

ALL = (*PARTS, "whole_file")
_FENCES = {
    "find_replace": (("~~~", None), ("````", None), ("```", ""), ("```", "text")),
    "search_replace": (("", None), ("````", None), ("```", "")),
    "unified_diff": (("```", ""), ("```", "patch"), ("", None), ("````", "diff")),
    "apply_patch": (("```", ""), ("```", "patch"), ("```", "diff")),
    "json_edits": (("```", "json"), ("```", "")),
    "whole_file": (("````", None), ("~~~", None), ("```", "")),
}


@slip("plain", "apply", ALL, joins=True)
def clean(draft: Draft) -> bool:
    return True


@slip("envelope", "apply", ALL, joins=True)
def prose_around(draft: Draft) -> bool:
    bare = draft.format in ("apply_patch", "json_edits") and draft.wording.tag is None

    def wrap(reply: str) -> str:
        body = f"```\n{reply}```\n" if bare else reply
        before = "Of course. The cause is a case that was not handled; this takes care of it:\n\n"
        after = (
            "\n**What changed:** see above. To try it:\n\n```text\nrun the tests again\n```\n\nTell me how it goes!\n"
        )
        return before + body + after

    draft.wraps.append(wrap)
    return True


@slip("envelope", "apply", ALL, joins=True)
def other_fence(draft: Draft) -> bool:
    draft.wording.fence, draft.wording.tag = draft.rng.choice(_FENCES[draft.format])
    return True


@slip("envelope", "apply", PARTS, joins=True)
def tool_tags_around(draft: Draft) -> bool:
    def wrap(reply: str) -> str:
        if draft.format == "json_edits" and reply.lstrip().startswith("{"):
            return f'<tool_call>\n{{"name": "edit", "arguments": {reply.strip()}}}\n</tool_call>\n'
        return f"<tool_call>\n{reply}</tool_call>\n"

    draft.wraps.append(wrap)
    return True


@slip("envelope", "apply", ("apply_patch",), joins=True)
def shell_around(draft: Draft) -> bool:
    """As a command line with a here-document."""
    opening = draft.rng.choice(("apply_patch <<'EOF'\n", "apply_patch << EOF\n", "cat <<'EOF' | apply_patch\n"))
    draft.wraps.append(lambda reply: f"{opening}{reply}EOF\n")
    return True


@slip("envelope", "either", ALL)
def tool_tag_inside(draft: Draft) -> bool:
    """A stray tag after the last added line: the true result is the one without it."""
    tag = draft.rng.choice(("</tool_call>", "<tool_call>", "</parameter>"))
    if any(tag.strip("</>") in text for text in draft.lines):
        return False  # in a file that is about such tags it may be meant
    if draft.format == "whole_file":
        draft.wraps.append(lambda reply: reply.replace("\n```\n", f"\n{tag}\n```\n"))
        return True
    passage = draft.said[-1]
    passage.ops.insert(passage.changed()[-1] + 1, ("+", tag))
    return True


@slip("cut off", "refuse", ALL)
def truncated(draft: Draft) -> bool:
    """The reply stops inside the last edit."""

    def crop(rendered: Rendered) -> str:
        return rendered.text[: draft.rng.randint(rendered.start, max(rendered.start, rendered.stop - 1))]

    draft.crop = crop
    return True


@slip("path", "apply", (*PARTS[1:], "whole_file"), joins=True)
def path_prefixed(draft: Draft) -> bool:
    prefixes = ["./", "/home/user/project/", "repo/"]
    draft.wording.path = draft.rng.choice(prefixes) + draft.change.path
    draft.wording.prefixes = ("", "")
    return True


@slip("path", "apply", ("search_replace", "whole_file"), joins=True)
def path_decorated(draft: Draft) -> bool:
    styles = ("**{}**", "### {}", "`{}`:", "1. **{}**", "File: `{}`", "# {}")
    draft.wording.path = draft.rng.choice(styles).format(draft.change.path)
    return True


@slip("artefact", "either", PARTS)
def viewer_text_quoted(draft: Draft) -> bool:
    """A line of the file viewer was copied along with the file's."""
    for passage in draft.said:
        passage.ops.insert(0, (" ", draft.rng.choice(("[Showing lines 1-50]", "(file continues below)"))))
    return True
