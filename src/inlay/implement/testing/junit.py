"""JUnit XML reports, as test runners of every language write them; the XML is untrusted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NoReturn, TypeAlias
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

Outcome: TypeAlias = Literal["passed", "failed", "error", "skipped"]

_WORST: tuple[Outcome, ...] = ("error", "failed", "skipped", "passed")
_ENDINGS: tuple[tuple[str, Outcome], ...] = (("error", "error"), ("failure", "failed"), ("skipped", "skipped"))
_DEEPEST = 100
_LONGEST = 100_000  # characters of one test's output


class ReportUnreadable(ValueError):
    """The report is not JUnit XML."""


@dataclass(frozen=True, slots=True)
class TestResult:
    __test__ = False

    id: str  #: "tests/test_a.py::TestB::test_c" from pytest; "class::name" from others
    outcome: Outcome
    file: str = ""  #: relative to where the tests ran, where the report says so
    message: str = ""  #: one line
    detail: str = ""  #: the traceback
    seconds: float = 0.0
    collection: bool = False  #: not a test: a file that could not even be read

    @property
    def name(self) -> str:
        """The function alone, without its parameters."""
        return self.id.rpartition("::")[2].partition("[")[0]


def read_report(data: bytes) -> tuple[TestResult, ...]:
    """Every test of a report, each once; raises ReportUnreadable."""
    root = _tree(data)
    results: dict[str, TestResult] = {}
    for suite in [root, *root.iter("testsuite")]:
        for case in suite.findall("testcase"):
            result = _result(case, suite.get("file") or "")
            if before := results.get(result.id):
                # A test may be reported again for its tear-down; the worse outcome counts.
                worse, other = sorted((before, result), key=lambda entry: _WORST.index(entry.outcome))
                result = replace(worse, seconds=worse.seconds + other.seconds)
            results[result.id] = result
    return tuple(results.values())


def _tree(data: bytes) -> Element:
    builder, depth = TreeBuilder(), 0
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise ReportUnreadable("the report is nested too deeply")
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def refuse_doctype(*_: object) -> NoReturn:
        raise ReportUnreadable("the report declares a document type, which no test runner does")

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    # Without a document type there are no entities to expand.
    parser.StartDoctypeDeclHandler = refuse_doctype
    try:
        parser.Parse(data, True)
        return builder.close()
    except (expat.ExpatError, AssertionError) as error:
        raise ReportUnreadable(f"the report is not XML: {error}") from None


def _result(case: Element, suite_file: str) -> TestResult:
    file = (case.get("file") or suite_file).replace("\\", "/")
    outcome: Outcome = "passed"
    child = None
    for tag, kind in _ENDINGS:
        if child is None and (child := case.find(tag)) is not None:
            outcome = kind
    message = (child.get("message") or (child.text or "").strip().partition("\n")[0]) if child is not None else ""
    collection = outcome == "error" and "collection failure" in message.lower()
    try:
        seconds = float(case.get("time") or 0)
    except ValueError:
        seconds = 0.0
    return TestResult(
        id=file if collection and file else _id(case.get("classname") or "", case.get("name") or "", file),
        outcome=outcome,
        file=file,
        message=message.strip().partition("\n")[0][:1000],
        detail=((child.text or "") if child is not None else "")[:_LONGEST],
        seconds=seconds,
        collection=collection,
    )


def _id(owner: str, name: str, file: str) -> str:
    """As pytest names tests, where the report gives the file and the class starts with its dotted name."""
    module = file.removesuffix(".py").replace("/", ".")
    if not file.endswith(".py"):
        return "::".join(filter(None, (owner or file, name)))
    inner = owner.removeprefix(module).lstrip(".") if owner == module or owner.startswith(f"{module}.") else ""
    return "::".join(filter(None, (file, inner.replace(".", "::"), name)))
