"""Which of a new import's parts a module lacks."""

from __future__ import annotations

from inlay.engine.merging.extend.outline import Leaf, Member, Scope
from inlay.engine.merging.merged import refusal


def missing_imports(scope: Scope, member: Member) -> list[tuple[str, ...]]:
    """Lines that import what is missing: none, the import as it was written (an empty tuple), or its missing parts."""
    there = {leaf.identity for each in scope.members for leaf in each.leaves}
    missing = [leaf for leaf in member.leaves if leaf.identity not in there]
    for leaf in missing:
        _require_free(scope, leaf)
    if not missing:
        return []
    if len(missing) == len(member.leaves) and member.alone:
        return [()]
    return [tuple(leaf.line for leaf in missing)]


def _require_free(scope: Scope, leaf: Leaf) -> None:
    if not leaf.bound:
        return
    taken = scope.bound(leaf.bound)
    if taken or leaf.bound in scope.conditional:
        message = (
            f"the name {leaf.bound} means something else in the file, so it cannot be imported: {leaf.line.strip()}"
        )
        raise refusal("ambiguous", message, "Import it under another name.", [member.start for member in taken])
