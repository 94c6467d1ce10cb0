"""Compares new members with those that are there: what to add, what to replace, and what stands in the way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from inlay.engine.languages.outlines.outline import Member, Outline, Scope, deep, nested
from inlay.engine.merging.merged import refusal

_NAMELESS = frozenset({"import", "other", "section", "stub", "conditional", "preamble"})


@dataclass(frozen=True, slots=True)
class Addition:
    scope: Scope
    member: Member
    before: Member | None = None  #: the existing member that follows it in the new text
    lines: tuple[str, ...] = ()  #: instead of the member's own text


@dataclass(frozen=True, slots=True)
class Replacement:
    scope: Scope
    old: Member
    new: Member


@dataclass(slots=True)
class MergePlan:
    """All that is to be done; what is not in it stays as it is."""

    additions: list[Addition] = field(default_factory=list)
    replacements: list[Replacement] = field(default_factory=list)
    clashes: list[Member] = field(default_factory=list)  #: existing members that differ from new ones
    notes: list[str] = field(default_factory=list)


def plan(old: Outline, new: Outline, replacing: bool) -> MergePlan:
    """What has to happen to the existing text; raises where that is not certain."""
    planner = _Planner(old, new, replacing)
    planner.require_known_class()
    planner.join(old.scope, new.scope.members)
    if new.bare:
        planner.join(_only_class(old.scope, new.bare), new.bare)
    if clashes := planner.plan.clashes:
        names = ", ".join(dict.fromkeys(member.shown for member in clashes))
        advice = "Leave out what is there already, or ask for existing members to be replaced."
        raise refusal("exists", f"already there, and different: {names}", advice, [member.start for member in clashes])
    return planner.plan


def _only_class(scope: Scope, bare: Sequence[Member]) -> Scope:
    bodies = [(member, member.body.members) for _, member in deep(scope) if member.body]
    types = [m for m, members in bodies if m.kind == "type" or any(inner.kind == "routine" for inner in members)]
    # Rust: methods of a type itself, not of a trait it fulfils.
    types = [m for m in types if m.key.startswith("impl ") and " for " not in m.key] or types
    if len({member.key for member in types}) == 1 and (body := types[-1].body):
        return body
    named = ", ".join(member.shown for member in bare[:5])
    there = ", ".join(member.shown for member in types[:10])
    message = f"which class should have {named}? The file has {there or 'none'}"
    raise refusal("which-class", message, "Put the members inside their class.", [member.start for member in types])


class _Planner:
    def __init__(self, old: Outline, new: Outline, replacing: bool) -> None:
        self.old, self.new, self.replacing = old, new, replacing
        self.plan = MergePlan()

    def require_known_class(self) -> None:
        """New content that is nothing but a class wants to extend that class, so it must be there."""
        solid = [member for _, member in deep(self.new.scope) if member.kind not in (*_NAMELESS, "space")]
        if self.new.bare or len(solid) != 1 or not solid[0].body or solid[0].kind != "type":
            return
        types = [member for member in nested(self.old.scope) if member.kind == "type"]
        known = {name for member in nested(self.old.scope) for name in member.names}
        if types and not known.intersection((*solid[0].names, *re.findall(r"\w+", solid[0].key))):
            there = ", ".join(dict.fromkeys(member.shown for member in types[:10]))
            advice = "Name one of these classes, or append the new one."
            raise refusal("no-such-class", f"there is no {solid[0].shown} to extend; the file has {there}", advice)

    def join(self, scope: Scope, members: Iterable[Member]) -> None:
        """Sort out the new members of one scope, last first so that each knows what follows it."""
        members = tuple(members)
        keys: set[str] = set()
        for member in members:
            if member.kind not in _NAMELESS and member.kind != "space" and not member.key.startswith("impl"):
                if member.key in keys:
                    raise refusal("ambiguous", f"the new content defines {member.shown} twice")
                keys.add(member.key)
        anchor: Member | None = None
        waiting: list[Addition] = []
        for member in reversed(members):
            found = self._find(scope, member)
            if found:
                anchor = found[-1][1] if found[-1][0] is scope else anchor
                self._meet(found, member)
            else:
                waiting += self._added(scope, member, anchor)
        self.plan.additions += reversed(waiting)

    def _find(self, scope: Scope, member: Member) -> list[tuple[Scope, Member]]:
        if member.kind in ("import", "section", "stub"):
            return []
        namesakes = [(scope, other) for other in scope.keyed(member.key)]
        if namesakes or not scope.module or member.kind not in ("type", "space"):
            return namesakes
        return [(home, other) for home, other in deep(scope) if other.key == member.key]

    def _meet(self, found: list[tuple[Scope, Member]], member: Member) -> None:
        if any(self.old.canonical(each) == self.new.canonical(member) for _, each in found):
            self.plan.notes += [f"{member.shown} is there already"] if member.kind != "preamble" else []
        elif member.kind == "preamble":
            self._keep_preamble(found[0], member)
        elif member.kind == "space":
            self._join_spaces([each for _, each in found], member)
        elif len({each.key for _, each in found if each.body}) == 1 and member.body:
            self._join_types([each for _, each in found], member)
        elif len(found) > 1:
            raise refusal("ambiguous", f"{member.shown} is there more than once", lines=[e.start for _, e in found])
        elif self.replacing:
            self._replace(*found[0], member)
        else:
            self.plan.clashes.insert(0, found[0][1])

    def _replace(self, scope: Scope, old: Member, new: Member) -> None:
        if not old.alone or not new.alone:
            raise refusal("shared-line", f"{old.shown} shares its line with other code", lines=[old.start])
        self.plan.replacements.append(Replacement(scope, old, new))

    def _keep_preamble(self, found: tuple[Scope, Member], member: Member) -> None:
        if member.key != "docstring":
            raise refusal("other-module", f"the new content is for another module: {member.shown}")
        if self.replacing:
            self._replace(*found, member)
        else:
            self.plan.notes.append("the docstring stays as it is")

    def _join_types(self, found: list[Member], member: Member) -> None:
        # Equal impl blocks are one to the compiler; two classes of one name never are.
        if len(found) > 1 and not member.key.startswith("impl"):
            message = f"there are {len(found)} definitions of {member.shown}"
            raise refusal("ambiguous", message, lines=[m.start for m in found])
        old = found[-1]
        if not member.header <= old.header:
            extra = " ".join(sorted(member.header - old.header))
            message = f"{member.shown} begins differently in the file (new: {extra})"
            raise refusal("header-differs", message, "Repeat how the class begins as the file has it.", [old.start])
        self._join_spaces(found, member)

    def _join_spaces(self, found: list[Member], member: Member) -> None:
        """Each inner member goes to the block that has it already, else to the last one."""
        bodies = [each.body for each in found if each.body]
        if not bodies or not member.body:
            raise refusal("ambiguous", f"{member.shown} is declared without a body", lines=[m.start for m in found])
        groups: dict[int, list[Member]] = {}
        for inner in member.body.members:
            homes = [n for n, body in enumerate(bodies) if self._find(body, inner)]
            groups.setdefault(homes[-1] if homes else len(bodies) - 1, []).append(inner)
        for n, group in groups.items():
            self.join(bodies[n], group)

    def _added(self, scope: Scope, member: Member, anchor: Member | None) -> list[Addition]:
        if member.kind == "preamble" and scope.module:
            word = member.key.split(" ")[0]
            if word in ("package", "namespace") and any(other.key.split(" ")[0] == word for other in scope.members):
                raise refusal("other-module", f"the new content is for another module: {member.shown}")
            return []
        if member.kind in ("section", "stub"):
            return []
        if not scope.sound:
            raise refusal("unreadable", "the parser stumbles over the place where this belongs", lines=[scope.opening])
        if member.kind == "import":
            return [Addition(scope, member, None, lines) for lines in missing_imports(scope, member)]
        self._require_free(scope, member)
        if not member.alone and member.own:
            return [Addition(self._home(scope), member, anchor, (member.own,))]
        if not member.alone:
            message = f"{member.shown} shares its line with other new code"
            raise refusal("shared-line", message, "Give each its own line.")
        return [Addition(self._home(scope), member, anchor)]

    def _home(self, scope: Scope) -> Scope:
        """The module, or the one namespace that holds all of it."""
        solid = [member for member in scope.members if member.kind not in ("import", "preamble", "other")]
        if scope.module and len(solid) == 1 and solid[0].kind == "space" and solid[0].body:
            self.plan.notes.append(f"added inside {solid[0].shown}")
            return solid[0].body
        return scope

    def _require_free(self, scope: Scope, member: Member) -> None:
        for name in (*member.names, member.key):
            if name in scope.conditional:
                raise refusal("conditional", f"a condition in the file decides what {name} is")
            for other in scope.bound(name):
                if not (other.kind == member.kind == "routine" and self.old.overloading):
                    raise refusal("ambiguous", f"{name} is something else in the file", lines=[other.start])
        if not scope.module or member.kind != "type":
            return
        # The class may be defined where its name cannot be reached from the module.
        name = re.escape(member.names[0]) if member.names else member.key
        definition = re.compile(rf"(?!\s*(?:#|//|\*))\s*(?:\w+\s+)*(?:class|interface|trait|record)\s+{name}\b(?!\s*;)")
        inner = [other.start for other in nested(self.old.scope) if other.kind == "type" and other.key == member.key]
        if inner := inner or [n for n, line in enumerate(self.old.lines) if definition.match(line)]:
            message = f"{member.shown} is defined inside something else"
            raise refusal("ambiguous", message, "Write what is around the class as well.", inner)


def missing_imports(scope: Scope, member: Member) -> list[tuple[str, ...]]:
    """Lines that import what is missing: none, the import as it was written (an empty tuple), or its missing parts."""
    there = {leaf.identity for each in scope.members for leaf in each.leaves}
    missing = [leaf for leaf in member.leaves if leaf.identity not in there]
    for leaf in missing:
        taken = scope.bound(leaf.bound)
        if leaf.bound and (taken or leaf.bound in scope.conditional):
            name, line = leaf.bound, leaf.line.strip()
            message = f"the name {name} means something else in the file, so it cannot be imported: {line}"
            raise refusal("ambiguous", message, "Import it under another name.", [member.start for member in taken])
    if not missing:
        return []
    if len(missing) == len(member.leaves) and member.alone:
        return [()]
    return [tuple(leaf.line for leaf in missing)]
