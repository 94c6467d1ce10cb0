"""The prompts of the design-document workflow with sample data in them, as `inlay prompt` shows them."""

from __future__ import annotations

from inlay.model.prompt import Prompt
from inlay.prompts import design_code, design_coverage, design_repair, design_tests, edit_request
from inlay.prompts.blocks import Blocks
from inlay.prompts.template import Template

_BLOCKS = Blocks(b"sample")
_CODE = ("greet/words.py", "def word(hour):\n    return 'good morning'\n")
_TESTS = ("tests/test_words.py", "from greet.words import word\n\n\ndef test_evening():\n    assert word(20) == 'hi'\n")
_DOCUMENT = "# Greetings\n\n(the design document)\n"
_OUTPUT = "\n\nWhat the failing tests printed:\n\ntests/test_words.py::test_evening: AssertionError\n"


def _request(file: tuple[str, str | None], context: tuple[str, str] | None, instruction: str, more: str = "") -> Prompt:
    shown = edit_request.Shown(*file, "whole")
    read = (context,) if context else ()
    return edit_request.prompt(
        edit_request.Work((shown,), instruction, "find_replace", context=read, notes=_DOCUMENT + more), _BLOCKS
    )


def _code() -> Prompt:
    instruction = design_code.instruction(_CODE[0], "modify", "Finds the word for the hour", [_TESTS[0]])
    return _request(_CODE, _TESTS, instruction)


def _tests() -> Prompt:
    instruction = design_tests.instruction(_TESTS[0], "add", ["T010, test_evening, 20 o'clock, expected: hi"])
    return _request((_TESTS[0], None), _CODE, instruction)


def _repair() -> Prompt:
    instruction = design_repair.instruction(_CODE[0], [_TESTS[0]], [f"{_TESTS[0]}::test_evening"])
    return _request(_CODE, _TESTS, instruction, _OUTPUT)


def _coverage() -> Prompt:
    instruction = design_coverage.instruction(_TESTS[0], {_CODE[0]: ["line 2: return 'good morning'"]})
    return _request(_TESTS, _CODE, instruction)


TESTS = Template("implement-tests", "Write the tests of a design document.", _tests)
CODE = Template("implement-code", "Write one file of a design document.", _code)
REPAIR = Template("implement-mend", "Fix a file until its tests pass.", _repair)
COVERAGE = Template("implement-cover", "Write tests for lines that no test runs.", _coverage)
