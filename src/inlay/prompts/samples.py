"""The prompts for changing files with sample data in them, as `inlay prompt` shows them."""

from __future__ import annotations

from inlay.errors import Misfit
from inlay.model.prompt import Message, Prompt
from inlay.model.task import Mode
from inlay.prompts import edit_request, retry_feedback
from inlay.prompts.blocks import Blocks
from inlay.prompts.template import Template

_BLOCKS = Blocks(b"sample")
_FILE = "def total(items):\n    return sum(item.price for item in items)\n"


def _request(mode: Mode) -> Prompt:
    shown = edit_request.Shown("src/prices.py", _FILE, mode)
    return edit_request.prompt(
        edit_request.Work((shown,), "Count each item as often as it was ordered.", "find_replace"), _BLOCKS
    )


def _again(feedback: retry_feedback.Feedback) -> Prompt:
    request = _request("edits")
    turns = (Message("assistant", "(the model's answer)"), Message("user", retry_feedback.message(feedback, _BLOCKS)))
    return Prompt(request.system, request.messages + turns)


def _retry() -> Prompt:
    misfit = Misfit(
        "not-found",
        "the block was not found",
        "Quote the lines exactly as they are in the file.",
        "src/prices.py",
        2,
        "    return sum(item.cost)",
    )
    accepted = retry_feedback.AcceptedEdit("src/prices.py", "add the import")
    return _again(retry_feedback.Feedback("One of your edits cannot be used.", (misfit,), accepted=(accepted,)))


def _continued() -> Prompt:
    accepted = retry_feedback.AcceptedEdit("src/prices.py", "add the import")
    misfit = Misfit("truncated", "the reply ends inside a FIND block", "Send that edit again, complete.")
    return _again(
        retry_feedback.Feedback(
            "Your last answer was cut off before its end.", (misfit,), accepted=(accepted,), cut=True
        )
    )


EDIT = Template("edit", "Change a file by edits.", lambda: _request("edits"))
WHOLE = Template("whole", "Write a file whole.", lambda: _request("whole"))
RETRY = Template("retry", "Correct an answer that cannot be used.", _retry)
CONTINUE = Template("continue", "Send the rest of an answer that was cut off.", _continued)
