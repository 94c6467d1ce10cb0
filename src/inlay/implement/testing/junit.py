"""JUnit XML, as test runners of every language write it; the XML is taken for untrusted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NoReturn, TypeAlias
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

Outcome: TypeAlias = Literal["passed", "failed", "error", "skipped"]

_WORST: tuple[Outcome, ...] = ("error", "failed", "skipped", "passed")
_DEEPEST = 100
_LONGEST = 100_000  # characters of one test's output


class ReportUnreadable(ValueError):
    """What was written is no report."""


@dataclass(frozen=True, slots=True)
class TestResult:
    """How one test ended."""

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
    found: dict[str, TestResult] = {}
    for result in _results(_tree(data)):
        before = found.get(result.id)
        found[result.id] = result if before is None else _worse(before, result)
    return tuple(found.values())


def _worse(first: TestResult, second: TestResult) -> TestResult:
    """A test may be reported again for its tear-down; the worse end counts."""
    worse, other = sorted((first, second), key=lambda result: _WORST.index(result.outcome))
    return replace(worse, seconds=worse.seconds + other.seconds)


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

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    # Without a document type there are no entities to expand.
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(data, True)
        return builder.close()
    except (expat.ExpatError, AssertionError) as error:
        raise ReportUnreadable(f"the report is no XML: {error}") from None


def _refuse(*_: object) -> NoReturn:
    raise ReportUnreadable("the report declares a document type, which no test runner does")


def _results(root: Element) -> Iterator[TestResult]:
    for suite in [root, *root.iter("testsuite")]:
        for case in suite.findall("testcase"):
            yield _result(case, suite.get("file") or "")


def _result(case: Element, suite_file: str) -> TestResult:
    file = (case.get("file") or suite_file).replace("\\", "/")
    kind, child = _ending(case)
    message = (child.get("message") or (child.text or "").strip().partition("\n")[0]) if child is not None else ""
    collection = kind == "error" and "collection failure" in message.lower()
    return TestResult(
        id=file if collection and file else _id(case.get("classname") or "", case.get("name") or "", file),
        outcome=kind,
        file=file,
        message=message.strip().partition("\n")[0][:1000],
        detail=((child.text or "") if child is not None else "")[:_LONGEST],
        seconds=_number(case.get("time")),
        collection=collection,
    )


def _ending(case: Element) -> tuple[Outcome, Element | None]:
    for tag, outcome in (("error", "error"), ("failure", "failed"), ("skipped", "skipped")):
        child = case.find(tag)
        if child is not None:
            return outcome, child  # type: ignore[return-value]
    return "passed", None


def _id(owner: str, name: str, file: str) -> str:
    """As pytest names tests, where the report tells the file and the class follows its dotted name."""
    module = file.removesuffix(".py").replace("/", ".")
    if not file.endswith(".py"):
        return "::".join(filter(None, (owner or file, name)))
    inner = owner.removeprefix(module).lstrip(".") if owner == module or owner.startswith(f"{module}.") else ""
    return "::".join(filter(None, (file, inner.replace(".", "::"), name)))


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
