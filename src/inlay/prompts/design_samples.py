"""The prompts of the design-document workflow with sample data, to be read with `inlay prompt`."""

from __future__ import annotations

from inlay.model.prompt import Prompt
from inlay.prompts import design_code, design_coverage, design_repair, design_tests, edit_request
from inlay.prompts.blocks import Blocks
from inlay.prompts.template import Template

_BLOCKS = Blocks(b"sample")
_CODE = ("greet/words.py", "def word(hour):\n    return 'good morning'\n")
_TESTS = ("tests/test_words.py", "from greet.words import word\n\n\ndef test_evening():\n    assert word(20) == 'hi'\n")
_DOCUMENT = "# Greetings\n\n(the text of the design document)\n"
_OUTPUT = "\n\nWhat the failing tests printed:\n\ntests/test_words.py::test_evening: AssertionError\n"


def _asked(file: tuple[str, str | None], context: tuple[str, str] | None, instruction: str, more: str = "") -> Prompt:
    shown = edit_request.Shown(*file, "whole")
    read = (context,) if context else ()
    return edit_request.prompt(
        edit_request.Work((shown,), instruction, "find_replace", context=read, notes=_DOCUMENT + more), _BLOCKS
    )


def _code() -> Prompt:
    text = design_code.instruction(_CODE[0], "modify", "Finds the word for the hour", [_TESTS[0]])
    return _asked(_CODE, _TESTS, text)


def _tests() -> Prompt:
    text = design_tests.instruction(_TESTS[0], "add", ["T010, test_evening, 20 o'clock, expected: hi"])
    return _asked((_TESTS[0], None), _CODE, text)


def _repair() -> Prompt:
    text = design_repair.instruction(_CODE[0], [_TESTS[0]], [f"{_TESTS[0]}::test_evening"])
    return _asked(_CODE, _TESTS, text, _OUTPUT)


def _coverage() -> Prompt:
    text = design_coverage.instruction(_TESTS[0], {_CODE[0]: ["line 2: return 'good morning'"]})
    return _asked(_TESTS, _CODE, text)


TESTS = Template("implement-tests", "Write the tests of a design document.", _tests)
CODE = Template("implement-code", "Write one file of a design document.", _code)
REPAIR = Template("implement-mend", "Fix a file until its tests pass.", _repair)
COVERAGE = Template("implement-cover", "Write tests for lines that no test runs.", _coverage)
