"""The mechanical gate: everything about a design document that can be checked without a model, all at once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inlay.implement.gate.file_checks import GateContext, check_files, check_mentions
from inlay.implement.spec.document import Remark, Spec
from inlay.implement.spec.markdown import plain
from inlay.implement.spec.traceability import ENOUGH, share, trace
from inlay.storage import Workspace

_NEEDED = (
    ("files", "no-files", "says which files are changed", "Files Changed"),
    ("requirements", "no-requirements", "says what must be true in the end", "Requirements"),
    ("tests", "no-tests", "says how it is tested", "Verification & Testing"),
)
_UNFINISHED = re.compile(r"^(?:draft|pending|revise|rejected|blocked|wip|proposed|in review)\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\b(?:TODO|TBD|FIXME|XXX)\b|^(?:\.\.\.|…)$|<[a-z]+(?:,? [a-z]+)+>")
_COUNT = re.compile(r"\b[Aa]ll (\d+) (?:test )?(?:scenarios|tests)\b")


def check(spec: Spec, workspace: Workspace) -> tuple[Remark, ...]:
    """Every remark on a document, in the order of its lines; with an error among them it is blocked."""
    context = GateContext(spec, workspace)
    remarks = [
        *spec.remarks,
        *_missing_sections(spec),
        *check_files(context),
        *check_mentions(context),
        *_requirements(spec),
        *_tests(spec),
        *_signatures(spec),
        *_unfinished(spec),
    ]
    return tuple(sorted(dict.fromkeys(remarks), key=lambda remark: (remark.line, remark.severity, remark.rule)))


def blocked(remarks: tuple[Remark, ...]) -> bool:
    """Whether a document must be corrected before it is implemented."""
    return any(remark.severity == "error" for remark in remarks)


def _missing_sections(spec: Spec) -> Iterator[Remark]:
    lines = {role: line for role, _, line in spec.sections}
    entries = {"files": spec.files, "requirements": spec.requirements, "tests": spec.tests}
    for role, rule, says, title in _NEEDED:
        if role not in lines:
            advice = f"Add a section `{title}`, or name yours in the setting implement.headings.{role}."
            yield Remark(rule, "error", f"no section {says}", 0, advice)
        elif not entries[role]:
            yield Remark(rule, "error", f"the section that {says} lists nothing that can be read", lines[role])
    if not spec.signatures:
        yield Remark("no-signatures", "warning", "no section gives the signatures", lines.get("signatures", 0))


def _requirements(spec: Spec) -> Iterator[Remark]:
    seen: dict[str, int] = {}
    for requirement in spec.requirements:
        if requirement.id in seen:
            message = f"requirement {requirement.id} is listed twice, first on line {seen[requirement.id]}"
            yield Remark("duplicate-requirement", "error", message, requirement.line)
        seen.setdefault(requirement.id, requirement.line)
    traced = trace(spec) if spec.tests else ()
    enough = share(traced) >= ENOUGH
    for requirement in (entry.requirement for entry in traced if not entry.tests):
        message = f"requirement {requirement.id} has no test"
        if not enough:
            message += f"; {share(traced):.0%} of the requirements have one, {ENOUGH:.0%} must"
        advice = f"Add a test for it, or name {requirement.id} in the row of the test that shows it."
        yield Remark("untested-requirement", "warning" if enough else "error", message, requirement.line, advice)
    guessed = [entry for entry in traced if entry.tests and not entry.said]
    if guessed:
        tests = [" ".join(test.id or test.name for test in entry.tests) for entry in guessed]
        pairs = ", ".join(f"{entry.requirement.id}: {ids}" for entry, ids in zip(guessed, tests, strict=True))
        message = f"which tests show these requirements was inferred from their words alone: {pairs}"
        advice = "Give the test plan a column Requirement."
        yield Remark("traced-by-words", "warning", message, guessed[0].requirement.line, advice)


def _tests(spec: Spec) -> Iterator[Remark]:
    automatic = [test for test in spec.tests if not test.manual]
    complete = any(test.name and test.scenario for test in automatic)
    for test in automatic if complete else ():
        if not test.name or not test.scenario:
            missing = "scenario" if test.name else "name of a test function"
            yield Remark("test-unmatched", "warning", f"test {test.id or test.name} has no {missing}", test.line)
    mentioned = any(mention.path in spec.test_files for mention in spec.mentions)
    if automatic and spec.test_files and not mentioned and not any(file.is_test for file in spec.files):
        message = f"no test file is named; `{spec.test_files[0]}` is used by convention"
        yield Remark("no-test-file", "warning", message, automatic[0].line)
    for item in spec.done:
        count = _COUNT.search(plain(item.text))
        if count and automatic and int(count[1]) != len(automatic):
            message = f"the definition of done counts {count[1]} tests, the test plan {len(automatic)}"
            yield Remark("test-count", "warning", message, item.line)


def _signatures(spec: Spec) -> Iterator[Remark]:
    for signature in spec.signatures:
        place = signature.file
        if place and not any(file.path == place or file.path.endswith(f"/{place}") for file in spec.files):
            message = f"`{signature.name}` belongs to `{place}`, which is not among the files changed"
            yield Remark("signature-file", "warning", message, signature.line)
    functions = {signature.name.rpartition(".")[2] for signature in spec.signatures}
    for risk in spec.risks:
        if functions.isdisjoint(re.findall(r"[A-Za-z_]\w*", risk.mitigation)):
            message = f"no function of the signatures answers the risk “{risk.text}”"
            advice = "Name the function that does, in the mitigation."
            yield Remark("unanswered-risk", "warning", message, risk.line, advice)


def _unfinished(spec: Spec) -> Iterator[Remark]:
    for question in spec.open_questions:
        yield Remark("open-question", "warning", f"this question is still open: {question.text}", question.line)
    if _UNFINISHED.match(spec.status):
        yield Remark("not-approved", "warning", f"the document's status is “{spec.status}”", 0)
    texts = [(requirement.text, requirement.line) for requirement in spec.requirements]
    texts += [(file.description, file.line) for file in spec.files]
    texts += [(test.expected or test.scenario, test.line) for test in spec.tests]
    for text, line in texts:
        if _PLACEHOLDER.search(text):
            yield Remark("placeholder", "error", f"this is not filled in: {text}", line)
