"""Has a model write commit messages: one for each part of a large diff, then one out of all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from inlay.commits.ask import Asker, Errand, Left, TooLong
from inlay.commits.concurrency import Told, tell
from inlay.commits.messages import Ruleset, check, parse
from inlay.commits.messages.cleanup import tidied
from inlay.commits.parse_commit_answer import Unusable, text
from inlay.commits.requests import Case, Portion
from inlay.llm import context_budget
from inlay.model.commit import Commit
from inlay.model.prompt import Prompt
from inlay.prompts import commit_message
from inlay.prompts.blocks import Blocks
from inlay.prompts.commit_message import Manner, WrittenPart
from inlay.prompts.commit_parts import ShownPart

_NAMES, _SAID = 150, 250  # tokens, which with the marks around them are what budget.PART sets aside


@dataclass(frozen=True, slots=True)
class Wording:
    """A message that a model wrote."""

    summary: str
    message: str


@dataclass(frozen=True, slots=True)
class Writing:
    """The question for a message; one for a whole commit must keep the rules, one for a part need not."""

    blocks: Blocks
    manner: Manner
    rules: Ruleset
    job: str = field(default="commits-amend", init=False)

    def prompt(self, shown: Sequence[ShownPart]) -> Prompt:
        return commit_message.prompt(shown, self.manner, self.blocks)

    def read(self, said: Mapping[str, object], portion: Portion) -> Wording:
        """One commit's entry."""
        if not portion.is_whole:
            return Wording(text(said, "summary"), text(said, "message"))
        return self.whole(said, portion.case.commit)

    def whole(self, said: Mapping[str, object], commit: Commit) -> Wording:
        """A message for a whole commit; raises Unusable where it breaks a rule."""
        message = finished(text(said, "message"), commit.message)
        broken = [issue for issue in check(parse(message.strip("\n"), commit.author), self.rules)
                  if issue.severity == "error"]  # fmt: skip
        if broken:
            said_so = "; ".join(f"{issue.explanation} [{issue.rule}]" for issue in broken)
            raise Unusable("breaks-rules", f"the message breaks rules of this repository: {said_so}")
        return Wording(text(said, "summary", required=False), message)


def finished(message: str, old: str) -> str:
    """A message as git would take it, with the trailers of the old one that it lost."""
    new = tidied(message)
    before = parse(old.strip("\n"))
    kept = {(trailer.key.lower(), trailer.value.strip()) for trailer in parse(new.strip("\n")).trailers}
    lost = [f"{each.key}: {each.value.strip()}" for each in before.trailers
            if (each.key.lower(), each.value.strip()) not in kept]  # fmt: skip
    if not lost:
        return new
    between = "\n" if kept else "\n\n"
    return new.rstrip("\n") + between + "\n".join(lost) + "\n"


@dataclass(frozen=True, slots=True)
class Reworded:
    """What came of asking for one commit's message."""

    commit: Commit
    message: str = ""  #: empty where there is none
    why: str = ""  #: why there is none
    unseen: tuple[str, ...] = ()  #: what the model was not shown


async def reword(cases: Iterable[Case], asker: Asker[Wording]) -> AsyncIterator[Reworded]:
    """A message for every commit, in order, or the reason why there is none."""
    async for told in tell(cases, asker):
        yield await _reworded(told, asker)


async def _reworded(told: Told[Wording], asker: Asker[Wording]) -> Reworded:
    commit, unseen = told.case.commit, told.case.unseen
    if told.left:
        return Reworded(commit, why="; ".join(told.left), unseen=unseen)
    if len(told.parts) == 1:
        return Reworded(commit, told.answers[0].message, unseen=unseen)
    parts = [written(portion, said) for portion, said in told.parts if not isinstance(said, Left)]
    merged = await merge(told.case, parts, asker)
    if isinstance(merged, Left):
        return Reworded(commit, why=merged.why, unseen=unseen)
    return Reworded(commit, merged.message, unseen=unseen)


@dataclass(frozen=True, slots=True)
class PartMessage:
    """What was written about one part of a commit, or about several that follow each other."""

    first: int  #: 1-based
    last: int
    files: tuple[str, ...]
    said: Wording


def written(portion: Portion, said: Wording) -> PartMessage:
    """What was written about one part."""
    return PartMessage(portion.number + 1, portion.number + 1, portion.files, said)


async def merge(case: Case, parts: Sequence[PartMessage], asker: Asker[Wording]) -> Wording | Left:
    """One message out of those for the parts; too many of them are put together group by group first."""
    at_once = context_budget.merged_at_once(asker.capacity)
    while len(parts) > at_once:
        groups = [parts[at : at + at_once] for at in range(0, len(parts), at_once)]
        merged = await _all_merged(case, groups, asker)
        if isinstance(merged, Left):
            return merged
        parts = merged
    return await _merged(case, parts, asker, is_whole=True)


async def _all_merged(
    case: Case, groups: Sequence[Sequence[PartMessage]], asker: Asker[Wording]
) -> list[PartMessage] | Left:
    merged = await asyncio.gather(*(_merged(case, group, asker, is_whole=False) for group in groups))
    if failed := next((each for each in merged if isinstance(each, Left)), None):
        return failed
    return [_joined(group, each) for group, each in zip(groups, merged, strict=True) if isinstance(each, Wording)]


def _joined(group: Sequence[PartMessage], said: Wording) -> PartMessage:
    files = tuple(dict.fromkeys(file for part in group for file in part.files))
    return PartMessage(group[0].first, group[-1].last, files, said)


async def _merged(case: Case, parts: Sequence[PartMessage], asker: Asker[Wording], *, is_whole: bool) -> Wording | Left:
    question = asker.question
    assert isinstance(question, Writing)

    def prompt() -> Prompt:
        shown = [_shown(part, case) for part in parts]
        return commit_message.merging(case.id, case.message, shown, question.manner, question.blocks)

    def read(said: Mapping[str, object]) -> Wording:
        if is_whole:
            return question.whole(said, case.commit)
        return Wording(text(said, "summary"), text(said, "message"))

    label = f"{question.job} {case.id} parts {parts[0].first} to {parts[-1].last}"
    try:
        return await asker.alone(Errand(label, case.id, len(parts) * context_budget.PART, prompt, read))
    except TooLong as error:
        if len(parts) <= 2:
            return Left(str(error))
        half = len(parts) // 2
        halves = await _all_merged(case, (parts[:half], parts[half:]), asker)
        return halves if isinstance(halves, Left) else await _merged(case, halves, asker, is_whole=is_whole)


def _shown(part: PartMessage, case: Case) -> WrittenPart:
    said = case.fitting.text(f"{part.said.summary}\n\n{part.said.message}".strip(), _SAID)
    return WrittenPart(case.fitting.names(part.files, _NAMES), said)
