"""Has a model write commit messages: one for each part of a large diff, then one out of all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from inlay.flows.asking_commits import Asker, Left, TooLong
from inlay.flows.commit_answers import Unusable, text
from inlay.flows.mapping import Told, tell
from inlay.flows.portions import Case, Portion
from inlay.llm import budget
from inlay.messages import Ruleset, check, parse
from inlay.messages.cleanup import tidied
from inlay.model.commit import Commit
from inlay.model.prompt import Prompt
from inlay.prompts import commit_message
from inlay.prompts.blocks import Blocks
from inlay.prompts.commit_message import Manner, WrittenPart
from inlay.prompts.commit_parts import ShownPart


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


async def reword(cases: Iterable[Case], asker: Asker[Wording], capacity: int) -> AsyncIterator[Reworded]:
    """A message for every commit, in order, or the reason why there is none."""
    async for told in tell(cases, asker, capacity):
        yield await _reworded(told, asker)


async def _reworded(told: Told[Wording], asker: Asker[Wording]) -> Reworded:
    commit, unseen = told.case.commit, told.case.unseen
    if told.left:
        return Reworded(commit, why="; ".join(told.left), unseen=unseen)
    if len(told.parts) == 1:
        return Reworded(commit, told.answers[0].message, unseen=unseen)
    parts = [WrittenPart(portion.files, said.summary, said.message)
             for portion, said in told.parts if not isinstance(said, Left)]  # fmt: skip
    merged = await merge(told.case, parts, asker)
    if isinstance(merged, Left):
        return Reworded(commit, why=merged.why, unseen=unseen)
    return Reworded(commit, merged.message, unseen=unseen)


async def merge(case: Case, parts: Sequence[WrittenPart], asker: Asker[Wording]) -> Wording | Left:
    """One message out of those for the parts; too many of them are put together group by group first."""
    while len(parts) > budget.MERGE_AT_ONCE:
        groups = [parts[at : at + budget.MERGE_AT_ONCE] for at in range(0, len(parts), budget.MERGE_AT_ONCE)]
        merged = await asyncio.gather(*(_merged(case, group, asker, is_whole=False) for group in groups))
        if failed := next((each for each in merged if isinstance(each, Left)), None):
            return failed
        parts = [_as_part(group, each) for group, each in zip(groups, merged, strict=True) if isinstance(each, Wording)]
    return await _merged(case, parts, asker, is_whole=True)


def _as_part(group: Sequence[WrittenPart], said: Wording) -> WrittenPart:
    files = tuple(dict.fromkeys(file for part in group for file in part.files))
    return WrittenPart(files, said.summary, said.message)


async def _merged(case: Case, parts: Sequence[WrittenPart], asker: Asker[Wording], *, is_whole: bool) -> Wording | Left:
    question = asker.question
    assert isinstance(question, Writing)
    prompt = commit_message.merging(case.id, case.commit.message, parts, question.manner, question.blocks)

    def read(said: Mapping[str, object]) -> Wording:
        if is_whole:
            return question.whole(said, case.commit)
        return Wording(text(said, "summary"), text(said, "message"))

    label = f"{question.job} {case.id} merge of {len(parts)}"
    try:
        return await asker.alone(prompt, label, case.id, read, len(parts) * budget.PART)
    except TooLong as error:
        if len(parts) <= 2:
            return Left(str(error))
        half = len(parts) // 2
        first, second = await asyncio.gather(
            _merged(case, parts[:half], asker, is_whole=False), _merged(case, parts[half:], asker, is_whole=False)
        )
        if isinstance(first, Left) or isinstance(second, Left):
            return first if isinstance(first, Left) else second
        pair = [_as_part(parts[:half], first), _as_part(parts[half:], second)]
        return await _merged(case, pair, asker, is_whole=is_whole)
