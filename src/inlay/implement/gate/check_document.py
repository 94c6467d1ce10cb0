"""The mechanical gate: everything about a design document that can be judged without a model, all at once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inlay.implement.gate.file_checks import Grounds, check_files, check_mentions
from inlay.implement.spec.document import PlannedTest, Remark, Risk, Signature, Spec
from inlay.implement.spec.markdown import plain
from inlay.implement.spec.traceability import ENOUGH, Traced, share, trace
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
    grounds = Grounds(spec, workspace)
    found = [
        *spec.remarks,
        *_missing_parts(spec),
        *check_files(grounds),
        *check_mentions(grounds),
        *_requirements(spec),
        *_tests(spec),
        *_signatures(spec),
        *_risks(spec),
        *_unfinished(spec),
    ]
    return tuple(sorted(dict.fromkeys(found), key=lambda remark: (remark.line, remark.severity, remark.rule)))


def blocked(remarks: tuple[Remark, ...]) -> bool:
    """Whether a document must be mended before it is implemented."""
    return any(remark.severity == "error" for remark in remarks)


def _missing_parts(spec: Spec) -> Iterator[Remark]:
    found = {role: line for role, _, line in spec.sections}
    filled = {"files": spec.files, "requirements": spec.requirements, "tests": spec.tests}
    for role, rule, says, title in _NEEDED:
        if role not in found:
            advice = f"Add a section `{title}`, or name yours in the setting implement.headings.{role}."
            yield Remark(rule, "error", f"no section {says}", 0, advice)
        elif not filled[role]:
            yield Remark(rule, "error", f"the section that {says} lists nothing that can be read", found[role])
    if not spec.signatures:
        yield Remark("no-signatures", "warning", "no section gives the signatures", found.get("signatures", 0))


def _requirements(spec: Spec) -> Iterator[Remark]:
    yield from _repeated(spec)
    traced = trace(spec) if spec.tests else ()
    bare = [each for each in traced if not each.tests]
    enough = share(traced) >= ENOUGH
    for each in bare:
        yield _uncovered(each, traced, enough)
    guessed = [each for each in traced if each.tests and not each.said]
    if guessed:
        pairs = ", ".join(f"{each.requirement.id}: {_names(each)}" for each in guessed)
        message = f"which tests show these requirements was judged by their words alone: {pairs}"
        advice = "Give the test plan a column Requirement."
        yield Remark("traced-by-words", "warning", message, guessed[0].requirement.line, advice)


def _uncovered(each: Traced, traced: tuple[Traced, ...], enough: bool) -> Remark:
    message = f"requirement {each.requirement.id} has no test"
    if not enough:
        message += f"; {share(traced):.0%} of the requirements have one, {ENOUGH:.0%} must"
    advice = f"Add a test for it, or name {each.requirement.id} in the row of the test that shows it."
    return Remark("untested-requirement", "warning" if enough else "error", message, each.requirement.line, advice)


def _names(each: Traced) -> str:
    return " ".join(test.id or test.name for test in each.tests)


def _repeated(spec: Spec) -> Iterator[Remark]:
    seen: dict[str, int] = {}
    for requirement in spec.requirements:
        if requirement.id in seen:
            message = f"requirement {requirement.id} is listed twice, first on line {seen[requirement.id]}"
            yield Remark("duplicate-requirement", "error", message, requirement.line)
        seen.setdefault(requirement.id, requirement.line)


def _tests(spec: Spec) -> Iterator[Remark]:
    automatic = [test for test in spec.tests if not test.manual]
    if any(test.name and test.scenario for test in automatic):
        yield from (_half(test) for test in automatic if not test.name or not test.scenario)
    if automatic and not any(file.is_test for file in spec.files) and spec.test_files and not _named(spec):
        message = f"no test file is named; `{spec.test_files[0]}` is taken by convention"
        yield Remark("no-test-file", "warning", message, automatic[0].line)
    for item in spec.done:
        said = _COUNT.search(plain(item.text))
        if said and automatic and int(said[1]) != len(automatic):
            message = f"the definition of done counts {said[1]} tests, the test plan {len(automatic)}"
            yield Remark("test-count", "warning", message, item.line)


def _named(spec: Spec) -> bool:
    return any(mention.path in spec.test_files for mention in spec.mentions)


def _half(test: PlannedTest) -> Remark:
    missing = "name of a test function" if not test.name else "scenario"
    return Remark("test-unmatched", "warning", f"test {test.id or test.name} has no {missing}", test.line)


def _signatures(spec: Spec) -> Iterator[Remark]:
    listed = {file.path for file in spec.files}
    for signature in spec.signatures:
        place = signature.file
        if place and not any(path == place or path.endswith(f"/{place}") for path in listed):
            message = f"`{signature.name}` belongs to `{place}`, which is not among the files changed"
            yield Remark("signature-file", "warning", message, signature.line)


def _risks(spec: Spec) -> Iterator[Remark]:
    for risk in spec.risks:
        if not _is_answered(risk, spec.signatures):
            message = f"no function of the signatures answers the risk “{risk.text}”"
            advice = "Name the function that does, in the mitigation."
            yield Remark("unanswered-risk", "warning", message, risk.line, advice)


def _is_answered(risk: Risk, signatures: tuple[Signature, ...]) -> bool:
    said = set(re.findall(r"[A-Za-z_]\w*", risk.mitigation))
    return any(signature.name.rpartition(".")[2] in said for signature in signatures)


def _unfinished(spec: Spec) -> Iterator[Remark]:
    for question in spec.open_questions:
        yield Remark("open-question", "warning", f"this question is still open: {question.text}", question.line)
    if _UNFINISHED.match(spec.status):
        yield Remark("not-approved", "warning", f"the document's status is “{spec.status}”", 0)
    told = [(requirement.text, requirement.line) for requirement in spec.requirements]
    told += [(file.description, file.line) for file in spec.files]
    told += [(test.expected or test.scenario, test.line) for test in spec.tests]
    for text, line in told:
        if _PLACEHOLDER.search(text):
            yield Remark("placeholder", "error", f"this is not filled in: {text}", line)
