"""A design document as it was understood: files, signatures, requirements, tests, risks, each with its line."""

from __future__ import annotations

import hashlib
import posixpath
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

#: "unknown" is what the gate stops at: the document does not say, or says something else.
ChangeKind: TypeAlias = Literal["add", "modify", "delete", "unknown"]
SignatureKind: TypeAlias = Literal["function", "class", "constant"]
#: The parts of a document that mean something here; everything else is prose for the model.
Role: TypeAlias = Literal[
    "objective", "files", "structures", "signatures", "flow", "requirements", "tests", "risks", "done"
]

_TEST_NAME = re.compile(
    r"(?:^|/)(?:test_[^/]+\.py|[^/]+_test\.(?:py|go|rb|exs?|dart|c|cc|cpp)|[^/]+[.-](?:test|spec)\.[cm]?[jt]sx?"
    r"|[^/]+_spec\.rb|[A-Z][^/]*(?:Test|Tests|Spec)\.(?:java|kt|cs|scala|php|swift))$"
)
# Not "testing", which is as often code that tests, and "spec" only where Ruby and JavaScript have it.
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__"})


@dataclass(frozen=True, slots=True)
class PlannedFile:
    path: str  #: as written, without quotes and a leading "./"; judged by the gate, not here
    change: ChangeKind
    description: str = ""
    line: int = 0
    directory: bool = False  #: a folder, not a file
    written: str = ""  #: the change type in the document's own words

    @property
    def is_test(self) -> bool:
        """By its name; a file beside the tests, such as `conftest.py`, counts as well."""
        return is_test_file(self.path) or is_below_tests(self.path)


@dataclass(frozen=True, slots=True)
class Signature:
    name: str  #: "merge", or "Cart.merge" for a method
    kind: SignatureKind
    text: str = ""  #: the lines that declare it
    file: str = ""  #: where it belongs, as far as the document says
    line: int = 0


@dataclass(frozen=True, slots=True)
class Requirement:
    id: str  #: as written: "1", "R1", "REQ-1"
    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """One test of the plan; rows of several tables with the same number are one test."""

    id: str  #: as written first: "T010"
    name: str = ""  #: of the function: "test_rejects_empty", where the document gives one
    scenario: str = ""
    given: str = ""
    expected: str = ""
    file: str = ""  #: the test file, where the row names one
    requirements: tuple[str, ...] = ()  #: ids that the row itself names
    manual: bool = False
    line: int = 0

    @property
    def words(self) -> str:
        return " ".join((self.name.replace("_", " "), self.scenario, self.given, self.expected))


@dataclass(frozen=True, slots=True)
class Risk:
    text: str
    mitigation: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class DoneItem:
    text: str
    checked: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Mention:
    path: str
    section: str  #: the heading it stands below
    role: Role | None
    line: int


@dataclass(frozen=True, slots=True)
class Remark:
    """One finding about a document; an error blocks it."""

    rule: str  #: stable, for programs: "missing-file"
    severity: Literal["error", "warning"]
    message: str
    line: int = 0
    advice: str = ""


@dataclass(frozen=True, slots=True)
class TestPlan:
    """How the tests of a document are run, as far as the document says."""

    __test__ = False  # pytest would take the name for a test

    command: str | None = None
    cwd: str | None = None
    timeout: float | None = None
    coverage: float | None = None  #: percent of the changed files


@dataclass(frozen=True, slots=True)
class Spec:
    name: str  #: the document's own path, as given
    text: str  #: all of it, with plain line ends
    title: str = ""
    objective: str = ""
    status: str = ""
    files: tuple[PlannedFile, ...] = ()
    signatures: tuple[Signature, ...] = ()
    flow: str = ""
    requirements: tuple[Requirement, ...] = ()
    tests: tuple[PlannedTest, ...] = ()
    test_files: tuple[str, ...] = ()  #: listed among the files, named in the test plan, or by convention
    plan: TestPlan = TestPlan()
    risks: tuple[Risk, ...] = ()
    done: tuple[DoneItem, ...] = ()
    open_questions: tuple[DoneItem, ...] = ()
    mentions: tuple[Mention, ...] = ()
    sections: tuple[tuple[Role, str, int], ...] = ()  #: what was found: role, its heading, its line
    remarks: tuple[Remark, ...] = ()  #: what could not be understood

    @property
    def digest(self) -> str:
        """SHA-256 of the text: the identity of the document."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogateescape")).hexdigest()

    @property
    def code_files(self) -> tuple[PlannedFile, ...]:
        """The files to implement: neither tests nor folders, in the document's order."""
        return tuple(file for file in self.files if not file.is_test and not file.directory)

    def file(self, path: str) -> PlannedFile | None:
        return next((file for file in self.files if file.path == path), None)


def is_test_file(path: str) -> bool:
    """By the name that test files have in any of the usual languages."""
    return bool(_TEST_NAME.search(path))


def is_below_tests(path: str) -> bool:
    folders = posixpath.dirname(path).split("/")
    return folders[0] == "spec" or not _TEST_FOLDERS.isdisjoint(folders)
