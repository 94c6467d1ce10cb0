"""Have a model write commit messages: one for each part of a large diff, then one merged from all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field

from inlay.commits.ask import Asker, Inquiry, NoAnswer, TooLong
from inlay.commits.messages import Ruleset, check, parse
from inlay.commits.messages.cleanup import tidied
from inlay.commits.parse_commit_answer import Unusable, text
from inlay.commits.requests import CommitAnswers, CommitPart, PlannedCommit
from inlay.llm import context_budget
from inlay.model.commit import Commit
from inlay.model.history_rewrite import NewMessage
from inlay.model.prompt import Prompt
from inlay.prompts import commit_message
from inlay.prompts.blocks import Blocks
from inlay.prompts.commit_message import StyleGuide, WrittenPart
from inlay.prompts.commit_parts import ShownPart

_NAMES, _TEXT = 150, 250  # tokens, which with the marks around them are what budget.PART sets aside


@dataclass(frozen=True, slots=True)
class DraftMessage:
    summary: str
    message: str


@dataclass(frozen=True, slots=True)
class MessageQuestion:
    """The question for a message; one for a whole commit must follow the rules, one for a part need not."""

    blocks: Blocks
    style: StyleGuide
    rules: Ruleset
    job: str = field(default="commits-amend", init=False)

    def prompt(self, shown: Sequence[ShownPart]) -> Prompt:
        return commit_message.prompt(shown, self.style, self.blocks)

    def read(self, entry: Mapping[str, object], part: CommitPart) -> DraftMessage:
        return self.draft(entry, part.planned.commit, is_whole=part.is_whole)

    def draft(self, entry: Mapping[str, object], commit: Commit, *, is_whole: bool) -> DraftMessage:
        """The message of one entry; raises Unusable where it is for a whole commit and breaks a rule."""
        if not is_whole:
            return DraftMessage(text(entry, "summary"), text(entry, "message"))
        message = with_trailers(text(entry, "message"), commit.message)
        broken = [f"{issue.explanation} [{issue.rule}]"
                  for issue in check(parse(message.strip("\n"), commit.author), self.rules)
                  if issue.severity == "error"]  # fmt: skip
        if broken:
            raise Unusable("breaks-rules", f"the message breaks rules of this repository: {'; '.join(broken)}")
        return DraftMessage(text(entry, "summary", required=False), message)


def with_trailers(message: str, old: str) -> str:
    """A message as git would take it, with the trailers of the old one that it lost."""
    new = tidied(message)
    kept = {(trailer.key.lower(), trailer.value.strip()) for trailer in parse(new.strip("\n")).trailers}
    lost = [f"{trailer.key}: {trailer.value.strip()}" for trailer in parse(old.strip("\n")).trailers
            if (trailer.key.lower(), trailer.value.strip()) not in kept]  # fmt: skip
    between = "\n" if kept else "\n\n"
    return new.rstrip("\n") + between + "\n".join(lost) + "\n" if lost else new


async def merge_messages(
    answers: AsyncIterator[CommitAnswers[DraftMessage]], asker: Asker[DraftMessage]
) -> AsyncIterator[NewMessage]:
    """A message for every commit, in order, or the reason why there is none."""
    async for answered in answers:
        commit, unseen = answered.planned.commit, answered.planned.unseen
        if answered.reasons:
            yield NewMessage(commit, why="; ".join(answered.reasons), unseen=unseen)
            continue
        drafts = [PartMessage.of(part, draft) for part, draft in answered.parts if not isinstance(draft, NoAnswer)]
        merged = drafts[0].draft if len(drafts) == 1 else await merge_parts(answered.planned, drafts, asker)
        message, why = ("", merged.why) if isinstance(merged, NoAnswer) else (merged.message, "")
        yield NewMessage(commit, message, why=why, unseen=unseen)


@dataclass(frozen=True, slots=True)
class PartMessage:
    """The message for one part of a commit, or for several that follow each other."""

    first: int  #: 1-based
    last: int
    files: tuple[str, ...]
    draft: DraftMessage

    @classmethod
    def of(cls, part: CommitPart, draft: DraftMessage) -> PartMessage:
        return cls(part.number + 1, part.number + 1, part.chunk.paths, draft)

    def shown(self, planned: PlannedCommit) -> WrittenPart:
        words = planned.truncator.text(f"{self.draft.summary}\n\n{self.draft.message}".strip(), _TEXT)
        return WrittenPart(planned.truncator.names(self.files, _NAMES), words)


async def merge_parts(
    planned: PlannedCommit, parts: Sequence[PartMessage], asker: Asker[DraftMessage]
) -> DraftMessage | NoAnswer:
    """One message out of those for the parts; too many of them are merged group by group first."""
    at_once = context_budget.merged_at_once(asker.capacity)
    while len(parts) > at_once:
        groups = [parts[at : at + at_once] for at in range(0, len(parts), at_once)]
        merged = await _merge_groups(planned, groups, asker)
        if isinstance(merged, NoAnswer):
            return merged
        parts = merged
    return await _merge(planned, parts, asker, is_whole=True)


async def _merge_groups(
    planned: PlannedCommit, groups: Sequence[Sequence[PartMessage]], asker: Asker[DraftMessage]
) -> list[PartMessage] | NoAnswer:
    results = await asyncio.gather(*(_merge(planned, group, asker, is_whole=False) for group in groups))
    merged: list[PartMessage] = []
    for group, result in zip(groups, results, strict=True):
        if isinstance(result, NoAnswer):
            return result
        files = tuple(dict.fromkeys(file for part in group for file in part.files))
        merged.append(PartMessage(group[0].first, group[-1].last, files, result))
    return merged


async def _merge(
    planned: PlannedCommit, parts: Sequence[PartMessage], asker: Asker[DraftMessage], *, is_whole: bool
) -> DraftMessage | NoAnswer:
    question = asker.question
    assert isinstance(question, MessageQuestion)

    def prompt() -> Prompt:
        shown = [part.shown(planned) for part in parts]
        return commit_message.merging(planned.id, planned.message, shown, question.style, question.blocks)

    def read(entry: Mapping[str, object]) -> DraftMessage:
        return question.draft(entry, planned.commit, is_whole=is_whole)

    label = f"{question.job} {planned.id} parts {parts[0].first} to {parts[-1].last}"
    try:
        return await asker.alone(Inquiry(label, planned.id, len(parts) * context_budget.PART, prompt, read))
    except TooLong as error:
        if len(parts) <= 2:
            return NoAnswer(str(error))
        half = len(parts) // 2
        halves = await _merge_groups(planned, (parts[:half], parts[half:]), asker)
        return halves if isinstance(halves, NoAnswer) else await _merge(planned, halves, asker, is_whole=is_whole)
