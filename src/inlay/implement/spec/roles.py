"""Which part of a document plays which role, by its title or its number, whatever its level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from inlay.implement.spec.document import Role
from inlay.implement.spec.markdown import Block, Heading, words

# Titles first: a number says little in a document that counts its sections in another way.
TITLES: Mapping[Role, tuple[str, ...]] = {
    "objective": ("context and goal", "objective", "goal", "goals", "summary"),
    "files": ("files changed", "changed files", "file changes", "affected files", "files to modify", "files"),
    "structures": ("data structures", "data model"),
    "signatures": ("function signatures", "signatures", "interfaces", "interface", "public api", "api"),
    "flow": ("logic flow", "flow", "pseudocode", "algorithm", "implementation sketch"),
    "requirements": ("requirements", "functional requirements", "acceptance criteria"),
    "tests": ("verification and testing", "test plan", "testing", "tests", "verification", "test scenarios"),
    "risks": ("risks and mitigations", "risks", "risk"),
    "done": ("definition of done", "dod", "done when"),
}
_NUMBERS: Mapping[tuple[int, ...], Role] = {
    (1,): "objective", (2, 1): "files", (2, 3): "structures", (2, 4): "signatures", (2, 5): "flow",
    (3,): "requirements", (10,): "tests", (11,): "risks", (12,): "done",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with everything below it, subsections included."""

    heading: Heading
    blocks: tuple[Block, ...]


def find(blocks: tuple[Block, ...], titles: Mapping[str, object] | None = None) -> dict[Role, Section]:
    """The section of every role that the document has; the first that fits best."""
    own: dict[Role, tuple[str, ...]] = {}
    for role in get_args(Role):
        given = (titles or {}).get(role, ())
        names = (given,) if isinstance(given, str) else given if isinstance(given, (list, tuple)) else ()
        own[role] = tuple(words(str(name)) for name in names)
    places = [(at, block) for at, block in enumerate(blocks) if isinstance(block, Heading)]
    # A number alone says something only in a document that numbers its sections as expected.
    ours = any(
        words(heading.title) in TITLES[_NUMBERS[heading.number]] for _, heading in places if heading.number in _NUMBERS
    )
    chosen: dict[Role, tuple[int, int]] = {}
    for at, heading in places:
        for role, rank in _ranks(heading, own, ours):
            if role not in chosen or rank < chosen[role][0]:
                chosen[role] = (rank, at)
    return {role: _section(blocks, at) for role, (_, at) in sorted(chosen.items(), key=lambda choice: choice[1][1])}


def _ranks(heading: Heading, own: Mapping[Role, tuple[str, ...]], ours: bool) -> list[tuple[Role, int]]:
    """Roles that a heading may play; the lower the rank, the surer."""
    title = words(heading.title)
    ranks: list[tuple[Role, int]] = []
    for role, names in TITLES.items():
        if title in own[role]:
            ranks.append((role, 0))
        elif own[role]:
            continue  # the project configures the title
        elif title in names:
            ranks.append((role, 1 if _NUMBERS.get(heading.number) == role else 2 + names.index(title)))
        elif any(title.startswith(f"{name} ") for name in names):
            ranks.append((role, 20))
    if ours and not ranks and (numbered := _NUMBERS.get(heading.number)) and not own[numbered]:
        ranks.append((numbered, 30))
    return ranks


def _section(blocks: tuple[Block, ...], at: int) -> Section:
    heading = blocks[at]
    assert isinstance(heading, Heading)
    end = at + 1
    while end < len(blocks) and not _ends(heading, blocks[end]):
        end += 1
    return Section(heading, blocks[at + 1 : end])


def _ends(own: Heading, block: Block) -> bool:
    """A heading at the same level or above ends a section, unless its number says that it belongs to it."""
    if not isinstance(block, Heading):
        return False
    if own.number and block.number[: len(own.number)] == own.number and block.number != own.number:
        return False
    # A document may set "11 Risks" one level too deep; a section of its own it is all the same.
    misplaced = bool(own.number) and block.number > own.number and _NUMBERS.get(block.number) is not None
    return block.level <= own.level or (misplaced and len(block.number) <= len(own.number))
