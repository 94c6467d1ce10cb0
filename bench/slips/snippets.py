"""Slips with code that is shown and not the file: excerpts, the changed part alone, drafts, results, other files."""

from __future__ import annotations

from bench.draft import Draft
from bench.passages import cut
from bench.rendering import PARTS, render
from bench.slips.registry import slip

_WHOLE = ("whole_file",)
_HEADINGS = ("{}", "`{}`:", "**{}**", "### {}", "In `{}`:")


def _shown(draft: Draft, lines: list[str]) -> str:
    """Lines in a fence under the file's name."""
    heading = draft.rng.choice(_HEADINGS).format(draft.change.path)
    return f"{heading}\n```{draft.change.tag}\n" + "".join(f"{text}\n" for text in lines) + "```\n"


def _old(draft: Draft) -> list[str]:
    return cut(draft.change, 3)[0].old()


def _new(draft: Draft) -> list[str]:
    return cut(draft.change, 3)[0].new()


def _is_part(draft: Draft) -> bool:
    """Whether the file is so much longer than the part shown that the part cannot be meant as the file."""
    return len(draft.lines) >= 2 * len(_old(draft)) + 10 and bool(_old(draft)) and bool(_new(draft))


@slip("snippet", "refuse", _WHOLE)
def excerpt_alone(draft: Draft) -> bool:
    """Lines quoted under the file's name, and a question."""
    body = _shown(draft, _old(draft))
    draft.crop = lambda _: f"The part in question is this:\n\n{body}\nDo you want me to change it?\n"
    draft.named = draft.rng.random() < 0.5
    return _is_part(draft)


@slip("snippet", "either", _WHOLE)
def changed_part_alone(draft: Draft) -> bool:
    """Only the changed lines and some around them, under the file's name."""
    body = _shown(draft, _new(draft))
    draft.crop = lambda _: f"Here is the updated part:\n\n{body}"
    draft.named = draft.rng.random() < 0.5
    return _is_part(draft) and len(cut(draft.change, 3)) == 1


@slip("snippet", "either", _WHOLE)
def before_and_after_in_one_fence(draft: Draft) -> bool:
    mark = "#" if draft.change.tag in ("python", "ruby", "yaml", "yml", "toml", "sh", "ex", "exs") else "//"
    body = _shown(draft, [f"{mark} Before", *_old(draft), "", f"{mark} After", *_new(draft)])
    draft.crop = lambda _: f"Change it like this:\n\n{body}"
    draft.named = draft.rng.random() < 0.5
    return _is_part(draft) and len(cut(draft.change, 3)) == 1


@slip("snippet", "either", PARTS)
def excerpt_before(draft: Draft) -> bool:
    """The lines in question are shown before the edit, under the file's name."""
    body = _shown(draft, _old(draft))
    draft.wraps.append(
        lambda reply: f"This is how it is now:\n\n{body}\nAnd this is the change:\n\n{_fence(draft, reply)}"
    )
    draft.named = draft.rng.random() < 0.5
    return _is_part(draft)


@slip("snippet", "either", PARTS)
def result_after(draft: Draft) -> bool:
    """The lines as they become are shown after the edit, under the file's name."""
    body = _shown(draft, _new(draft))
    draft.wraps.append(lambda reply: f"{_fence(draft, reply)}\nWith that, the part reads:\n\n{body}")
    draft.named = draft.rng.random() < 0.5
    return _is_part(draft)


@slip("snippet", "either", PARTS)
def other_file_quoted(draft: Draft) -> bool:
    """Two lines of another file, for reference."""
    body = f"lib/settings.{draft.change.path.rpartition('.')[2]}\n```{draft.change.tag}\nlimit = 10\nrate = 2\n```\n"
    first = draft.rng.random() < 0.5

    def wrap(reply: str) -> str:
        edit = _fence(draft, reply)
        return f"For reference:\n\n{body}\n{edit}" if first else f"{edit}\nFor reference:\n\n{body}"

    draft.wraps.append(wrap)
    draft.named = draft.rng.random() < 0.5
    return True


@slip("snippet", "either", PARTS)
def draft_in_think_tags(draft: Draft) -> bool:
    """The model tried another wording while it was thinking."""
    tag = draft.rng.choice(("think", "thinking", "scratchpad"))
    tried = [p.copy() for p in draft.said]
    last = tried[-1].changed()[-1]
    kind, text = tried[-1].ops[last]
    tried[-1].ops[last : last + 1] = [(kind, text), ("+", "first_idea()")]

    def wrap(reply: str) -> str:
        other = render(draft.format, tried, draft.change.path, draft.change.tag, draft.wording).text
        return f"<{tag}>\nPerhaps so:\n\n{other}\nNo, better without the last line.\n</{tag}>\n\n{reply}"

    draft.wraps.append(wrap)
    draft.named = draft.rng.random() < 0.5
    return True


@slip("snippet", "either", PARTS)
def edit_said_twice(draft: Draft) -> bool:
    """The same edit once more at the end."""
    draft.wraps.append(
        lambda reply: f"{_fence(draft, reply)}\nOnce more, the complete change:\n\n{_fence(draft, reply)}"
    )
    draft.named = draft.rng.random() < 0.5
    return True


def _fence(draft: Draft, reply: str) -> str:
    """A reply that has no fence of its own gets one, so that prose can stand around it."""
    return f"```\n{reply}```\n" if draft.format in ("apply_patch", "json_edits") and "```" not in reply else reply
