"""Have a model check commit messages against their diffs: the issues of a commit are those of all its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from inlay.commits.ask import Asker, NoAnswer
from inlay.commits.parse_commit_answer import Unusable, text
from inlay.commits.requests import CommitAnswers, CommitPart
from inlay.commits.reword import DraftMessage, PartMessage, merge_parts
from inlay.model.commit import Issue, Section, Severity, Verdict, union
from inlay.model.prompt import Prompt
from inlay.prompts import commit_verdict
from inlay.prompts.blocks import Blocks
from inlay.prompts.commit_parts import ShownPart

_SEVERITIES: dict[str, Severity] = {"error": "error", "warning": "warning", "info": "info"}
_SECTIONS: dict[str, Section] = {"says-otherwise": "message", "leaves-out": "diff", "unclear": "message"}


@dataclass(frozen=True, slots=True)
class PartReview:
    """What a model found in one part of a commit."""

    summary: str
    issues: tuple[Issue, ...] = ()
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """The question whether a message says what the diff does."""

    blocks: Blocks
    job: str = field(default="commits-check", init=False)

    def prompt(self, shown: Sequence[ShownPart]) -> Prompt:
        return commit_verdict.prompt(shown, self.blocks)

    def read(self, entry: Mapping[str, object], part: CommitPart) -> PartReview:
        issues = entry.get("issues")
        if not isinstance(issues, list):
            raise Unusable("wrong-type", '"issues" must be a list')
        suggestion = text(entry, "suggestion", required=False)
        return PartReview(text(entry, "summary"), union(map(_issue, issues)), suggestion)


def _issue(entry: object) -> Issue:
    if not isinstance(entry, dict):
        raise Unusable("wrong-type", "an issue must be an object")
    rule, severity = entry.get("rule"), entry.get("severity")
    if rule not in commit_verdict.RULES:
        raise Unusable("unknown-rule", f'"rule" must be one of {", ".join(commit_verdict.RULES)}')
    if severity not in _SEVERITIES:
        raise Unusable("unknown-severity", '"severity" must be error, warning or info')
    return Issue(str(rule), _SEVERITIES[str(severity)], _SECTIONS[str(rule)], (text(entry, "explanation"),))


async def merge_reviews(
    answers: AsyncIterator[CommitAnswers[PartReview]], writer: Asker[DraftMessage]
) -> AsyncIterator[Verdict]:
    """A verdict on every commit, in order: it passes only where every part was answered and none has an error."""
    async for answered in answers:
        commit, reviews = answered.planned.commit, answered.answers
        yield Verdict(
            commit.id,
            commit.subject,
            union(issue for review in reviews for issue in review.issues),
            unchecked=tuple(f"the model: {why}" for why in answered.reasons),
            summary=next((review.summary for review in reviews), ""),
            suggestion=await _suggestion(answered, writer),
            unseen=answered.planned.unseen,
        )


async def _suggestion(answered: CommitAnswers[PartReview], writer: Asker[DraftMessage]) -> str:
    """The message that was suggested, or several merged; no request is made where no part has one."""
    if not any(review.suggestion for review in answered.answers):
        return ""
    if len(answered.parts) == 1:
        return answered.answers[0].suggestion
    parts = [
        PartMessage.of(part, DraftMessage(review.summary, review.suggestion))
        for part, review in answered.parts
        if not isinstance(review, NoAnswer)
    ]
    merged = await merge_parts(answered.planned, parts, writer)
    return "" if isinstance(merged, NoAnswer) else merged.message
