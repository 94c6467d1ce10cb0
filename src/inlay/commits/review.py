"""Has a model judge commit messages by their diffs: issues are the union of what it finds in every part."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from inlay.commits.ask import Asker, Left
from inlay.commits.concurrency import Told, tell
from inlay.commits.parse_commit_answer import Unusable, text
from inlay.commits.requests import Case, Portion
from inlay.commits.reword import Wording, merge, written
from inlay.model.commit import Issue, Section, Severity, Verdict, union
from inlay.model.prompt import Prompt
from inlay.prompts import commit_verdict
from inlay.prompts.blocks import Blocks
from inlay.prompts.commit_parts import ShownPart

_SEVERITIES: dict[str, Severity] = {"error": "error", "warning": "warning", "info": "info"}
_SECTIONS: dict[str, Section] = {"says-otherwise": "message", "leaves-out": "diff", "unclear": "message"}


@dataclass(frozen=True, slots=True)
class Judged:
    """What a model found in one part of a commit."""

    summary: str
    issues: tuple[Issue, ...] = ()
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Judging:
    """The question whether a message says what the diff does."""

    blocks: Blocks
    job: str = field(default="commits-check", init=False)

    def prompt(self, shown: Sequence[ShownPart]) -> Prompt:
        return commit_verdict.prompt(shown, self.blocks)

    def read(self, said: Mapping[str, object], portion: Portion) -> Judged:
        """One commit's entry; a severity or a rule that there is none of is no answer."""
        issues = said.get("issues")
        if not isinstance(issues, list):
            raise Unusable("wrong-type", '"issues" must be a list')
        suggestion = text(said, "suggestion", required=False)
        return Judged(text(said, "summary"), union(map(_issue, issues)), suggestion)


def _issue(said: object) -> Issue:
    if not isinstance(said, dict):
        raise Unusable("wrong-type", "an issue must be an object")
    rule, severity = said.get("rule"), said.get("severity")
    if rule not in commit_verdict.RULES:
        raise Unusable("unknown-rule", f'"rule" must be one of {", ".join(commit_verdict.RULES)}')
    if severity not in _SEVERITIES:
        raise Unusable("unknown-severity", '"severity" must be error, warning or info')
    return Issue(str(rule), _SEVERITIES[str(severity)], _SECTIONS[str(rule)], (text(said, "explanation"),))


async def judge(cases: Iterable[Case], asker: Asker[Judged], wording: Asker[Wording]) -> AsyncIterator[Verdict]:
    """A verdict on every commit, in order: it passes only where every part was answered and none has an error."""
    async for told in tell(cases, asker):
        yield await _verdict(told, wording)


async def _verdict(told: Told[Judged], wording: Asker[Wording]) -> Verdict:
    commit = told.case.commit
    issues = union(issue for judged in told.answers for issue in judged.issues)
    summary = next((judged.summary for judged in told.answers), "")
    return Verdict(
        commit.id,
        commit.subject,
        issues,
        unchecked=tuple(f"the model: {why}" for why in told.left),
        summary=summary,
        suggestion=await _suggestion(told, wording),
        unseen=told.case.unseen,
    )


async def _suggestion(told: Told[Judged], wording: Asker[Wording]) -> str:
    """The one that was made, or several put together; nobody is asked where no part made one."""
    if not any(judged.suggestion for judged in told.answers):
        return ""
    if len(told.parts) == 1:
        return told.answers[0].suggestion
    parts = [
        written(portion, Wording(said.summary, said.suggestion))
        for portion, said in told.parts
        if not isinstance(said, Left)
    ]
    merged = await merge(told.case, parts, wording)
    return "" if isinstance(merged, Left) else merged.message
