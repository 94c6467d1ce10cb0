"""The prompts for changing files with sample data in them, for whoever wants to read them."""

from __future__ import annotations

from inlay.errors import Misfit
from inlay.model.prompt import Message, Prompt
from inlay.model.task import Mode
from inlay.prompts import edit_request, retry_feedback
from inlay.prompts.blocks import Blocks
from inlay.prompts.template import Template

_BLOCKS = Blocks(b"sample")
_FILE = "def total(items):\n    return sum(item.price for item in items)\n"


def _asked(mode: Mode) -> Prompt:
    shown = edit_request.Shown("src/prices.py", _FILE, mode)
    return edit_request.prompt(
        edit_request.Work((shown,), "Count each item as often as it was ordered.", "find_replace"), _BLOCKS
    )


def _again(complaint: retry_feedback.Complaint) -> Prompt:
    asked = _asked("edits")
    turns = (Message("assistant", "(the model's answer)"), Message("user", retry_feedback.message(complaint, _BLOCKS)))
    return Prompt(asked.system, asked.messages + turns)


def _mended() -> Prompt:
    misfit = Misfit(
        "not-found",
        "the block was not found",
        "Quote the lines exactly as they stand in the file.",
        "src/prices.py",
        2,
        "    return sum(item.cost)",
    )
    held = retry_feedback.Held("src/prices.py", "add the import")
    return _again(retry_feedback.Complaint("One of your edits cannot be used.", (misfit,), held=(held,)))


def _continued() -> Prompt:
    held = retry_feedback.Held("src/prices.py", "add the import")
    misfit = Misfit("truncated", "the reply ends inside a FIND block", "Send that edit again, complete.")
    return _again(
        retry_feedback.Complaint("Your last answer was cut off before its end.", (misfit,), held=(held,), cut=True)
    )


EDIT = Template("edit", "Change a file by edits.", lambda: _asked("edits"))
WHOLE = Template("whole", "Write a file whole.", lambda: _asked("whole"))
RETRY = Template("retry", "Mend an answer that cannot be used.", _mended)
CONTINUE = Template("continue", "Send the rest of an answer that was cut off.", _continued)
