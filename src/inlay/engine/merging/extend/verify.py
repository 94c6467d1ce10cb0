"""Proves a merge before it is handed out: each new member is there once, as it was written, and no other is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from inlay.engine.languages.outlines.outline import Member, Outline, Scope
from inlay.engine.merging.extend.additions import MergePlan
from inlay.engine.merging.merged import refusal

Path: TypeAlias = tuple[str, ...]
Form: TypeAlias = tuple[Path, str, str]  # where, in which section, what


def verify(old: Outline, new: Outline, plan: MergePlan, result: Outline) -> None:
    """Raise unless the result holds what it should and nothing else."""
    if result.faults > old.faults:
        raise refusal("unsound", "the merged text would not be sound")
    paths = dict(_paths(old.scope, ()))
    touched = set(_touched(plan, paths))
    expected = Counter(_forms(old, old.scope.members, (), touched))
    for change in plan.replacements:
        expected.subtract(_forms(old, [change.old], paths[id(change.scope)], touched))
        expected.update(_forms(new, [change.new], paths[id(change.scope)], touched))
    for addition in plan.additions:
        path = paths[id(addition.scope)]
        if not addition.lines or addition.member.kind != "import":
            expected.update(_forms(new, [addition.member], path, touched))
        expected.update((path, "", leaf.identity) for leaf in addition.member.leaves if leaf.line in addition.lines)
    if +expected != Counter(_forms(result, result.scope.members, (), touched)):
        names = ", ".join(each.member.shown for each in plan.additions[:5]) or "the new content"
        raise refusal("unsound", f"{names} would not come out as written, or would change what is around it")


def _touched(plan: MergePlan, paths: dict[int, Path]) -> Iterator[Path]:
    """The scopes whose members are compared by content; elsewhere not a line has changed, and keys will do."""
    joined = [(each.scope, each.member) for each in plan.additions]
    for scope, member in joined + [(each.scope, each.new) for each in plan.replacements]:
        path = paths[id(scope)]
        yield path
        if member.body:
            yield from (inner for _, inner in _paths(member.body, (*path, member.key)))


def _paths(scope: Scope, path: Path) -> Iterator[tuple[int, Path]]:
    yield id(scope), path
    for member in scope.members:
        if member.body:
            yield from _paths(member.body, (*path, member.key))


def _forms(outline: Outline, members: Iterable[Member], path: Path, touched: set[Path]) -> Iterator[Form]:
    """Every member by its content; those that hold others by their key, so that what joins them changes nothing."""
    for member in members:
        if member.kind == "import":
            yield from ((path, "", leaf.identity) for leaf in member.leaves)
        elif member.body:
            yield path, member.section, member.key
            yield from _forms(outline, member.body.members, (*path, member.key), touched)
        elif member.kind not in ("stub", "section"):
            yield path, member.section, outline.canonical(member) if path in touched else member.key
