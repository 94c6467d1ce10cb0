"""All prompts by name, those for changing files with sample data in them, as `inlay prompt` shows them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from inlay.errors import Misfit
from inlay.model.prompt import Message, Prompt
from inlay.model.task import Mode
from inlay.prompts import commit_message, commit_verdict, design_instructions, edit_request, retry_feedback
from inlay.prompts.blocks import Blocks
from inlay.prompts.template import Template

_BLOCKS = Blocks(b"sample")
_FILE = "def total(items):\n    return sum(item.price for item in items)\n"
_CODE = ("greet/words.py", "def word(hour):\n    return 'good morning'\n")
_TESTS = ("tests/test_words.py", "from greet.words import word\n\n\ndef test_evening():\n    assert word(20) == 'hi'\n")
_DOCUMENT = "# Greetings\n\n(the design document)\n"
_OUTPUT = "\n\nWhat the failing tests printed:\n\ntests/test_words.py::test_evening: AssertionError\n"
_ACCEPTED = (retry_feedback.AcceptedEdit("src/prices.py", "add the import"),)


def _edit(mode: Mode) -> Prompt:
    shown = edit_request.Shown("src/prices.py", _FILE, mode)
    instruction = "Count each item as often as it was ordered."
    return edit_request.prompt(edit_request.Work((shown,), instruction, "find_replace"), _BLOCKS)


def _again(feedback: retry_feedback.Feedback) -> Prompt:
    first = _edit("edits")
    turns = (Message("assistant", "(the model's answer)"), Message("user", retry_feedback.message(feedback, _BLOCKS)))
    return Prompt(first.system, first.messages + turns)


def _retry() -> Prompt:
    advice = "Quote the lines exactly as they are in the file."
    wanted = "    return sum(item.cost)"
    misfit = Misfit("not-found", "the block was not found", advice, "src/prices.py", 2, wanted)
    return _again(retry_feedback.Feedback("One of your edits cannot be used.", (misfit,), accepted=_ACCEPTED))


def _continue() -> Prompt:
    misfit = Misfit("truncated", "the reply ends inside a FIND block", "Send that edit again, complete.")
    summary = "Your last answer was cut off before its end."
    return _again(retry_feedback.Feedback(summary, (misfit,), accepted=_ACCEPTED, cut=True))


def _design(file: tuple[str, str | None], context: tuple[str, str], instruction: str, more: str = "") -> Prompt:
    shown = edit_request.Shown(*file, "whole")
    work = edit_request.Work((shown,), instruction, "find_replace", context=(context,), notes=_DOCUMENT + more)
    return edit_request.prompt(work, _BLOCKS)


def _tests() -> Prompt:
    instruction = design_instructions.write_tests(_TESTS[0], "add", ["T010, test_evening, 20 o'clock, expected: hi"])
    return _design((_TESTS[0], None), _CODE, instruction)


def _code() -> Prompt:
    instruction = design_instructions.write_code(_CODE[0], "modify", "Finds the word for the hour", [_TESTS[0]])
    return _design(_CODE, _TESTS, instruction)


def _repair() -> Prompt:
    instruction = design_instructions.repair(_CODE[0], [_TESTS[0]], [f"{_TESTS[0]}::test_evening"])
    return _design(_CODE, _TESTS, instruction, _OUTPUT)


def _coverage() -> Prompt:
    instruction = design_instructions.cover(_TESTS[0], {_CODE[0]: ["line 2: return 'good morning'"]})
    return _design(_TESTS, _CODE, instruction)


#: To add a prompt, write its module and name its template here.
PROMPTS: Mapping[str, Template] = MappingProxyType(
    {
        template.name: template
        for template in (
            Template("edit", "Change a file by edits.", lambda: _edit("edits")),
            Template("whole", "Write a file whole.", lambda: _edit("whole")),
            Template("retry", "Correct an answer that cannot be used.", _retry),
            Template("continue", "Send the rest of an answer that was cut off.", _continue),
            Template("implement-tests", "Write the tests of a design document.", _tests),
            Template("implement-code", "Write one file of a design document.", _code),
            Template("implement-mend", "Fix a file until its tests pass.", _repair),
            Template("implement-cover", "Write tests for lines that no test runs.", _coverage),
            commit_verdict.VERDICT,
            commit_message.MESSAGE,
            commit_message.MERGE,
        )
    }
)
