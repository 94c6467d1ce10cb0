"""Reads new content in languages with a grammar, also members that stand outside the class they are meant for."""

from __future__ import annotations

from dataclasses import replace

from inlay.engine.languages import Language
from inlay.engine.languages.outlines.grammar_keys import is_method
from inlay.engine.languages.outlines.grammar_outline import parsed
from inlay.engine.languages.outlines.outline import Leaf, Member, Outline, nested
from inlay.engine.languages.outlines.syntaxes import SYNTAXES
from inlay.engine.merging.merged import refusal
from inlay.text.lines import Source, indent_of, is_blank


def read_new(language: Language, text: str, existing: Outline) -> Outline:
    """The outline of new content; members without a class are set apart, to join the only class there is."""
    if language.name == "PHP" and "<?" not in text:
        text = f"<?php\n{text}"
    outline = parsed(language, text)
    first = next((line for line in Source(text).lines if not is_blank(line)), "")
    sound = outline is not None and not outline.faults
    if outline is not None and sound and not indent_of(first):
        return _parted(language, _in_style(language, outline, existing), existing)
    head, tail = SYNTAXES[language.name].bare
    body = text.removeprefix("<?php\n") if language.name == "PHP" else text
    wrapped = parsed(language, f"{head}\n{body.rstrip()}\n{tail}\n") if head else None
    if wrapped is not None and not wrapped.faults and len(wrapped.scope.members) == 1 + (language.name == "PHP"):
        inner = wrapped.scope.members[-1].body
        if inner is not None:
            return replace(wrapped, scope=replace(wrapped.scope, members=()), bare=_sectioned(existing, inner.members))
    if outline is None or not sound:
        raise refusal("unreadable", f"the new content cannot be read as {language.name}")
    return _in_style(language, outline, existing)


def _sectioned(existing: Outline, members: tuple[Member, ...]) -> tuple[Member, ...]:
    """Members without a class do not say which section they are for, unless the class has none."""
    if any(each.kind == "section" for each in members) or existing.marker == "{}":
        return members
    if any(each.kind == "section" for each in nested(existing.scope)):
        raise refusal("which-section", "the class has sections, and the new members do not say which is theirs")
    defaults = {each.body.default_section for each in nested(existing.scope) if each.kind == "type" and each.body}
    return tuple(replace(each, section=min(defaults, default="")) for each in members)


def _parted(language: Language, outline: Outline, existing: Outline) -> Outline:
    syntax = SYNTAXES[language.name]
    types = [each for each in nested(existing.scope) if each.kind == "type"]
    loose = language.name == "Ruby" and len(types) == 1 and not any(m.kind == "routine" for m in existing.scope.members)
    bare = tuple(
        member
        for member in outline.scope.members
        if (syntax.members_only and member.kind in ("routine", "field", "other"))
        or (loose and member.kind == "routine")
        or (types and is_method(language.name, member) and not existing.scope.keyed(member.key))
    )
    if not bare:
        return outline
    if syntax.members_only:
        return _reread(language, outline, bare)
    rest = tuple(each for each in outline.scope.members if each not in bare)
    return replace(outline, scope=replace(outline.scope, members=rest), bare=_sectioned(existing, bare))


def _reread(language: Language, outline: Outline, bare: tuple[Member, ...]) -> Outline:
    """Members of a class are read as such only inside one; the imports beside them are rewritten."""
    kept = {n for member in bare for n in range(member.first, member.end)}
    head, tail = SYNTAXES[language.name].bare
    body = "\n".join(line if n in kept else "" for n, line in enumerate(outline.lines))
    wrapped = parsed(language, f"{head}\n{body}\n{tail}\n")
    inner = wrapped.scope.members[0].body if wrapped is not None and not wrapped.faults else None
    rest = [each for each in outline.scope.members if each not in bare]
    if wrapped is None or inner is None or any(each.kind not in ("import", "preamble") for each in rest):
        raise refusal("unreadable", f"the new content mixes {language.name} classes with members of none")
    imports = tuple(replace(each, alone=False) for each in rest if each.kind == "import")
    return replace(wrapped, scope=replace(wrapped.scope, members=imports), bare=inner.members)


def _in_style(language: Language, outline: Outline, existing: Outline) -> Outline:
    """Go's imports stand in a list or alone, as those of the file do."""
    if language.name != "Go":
        return outline
    imports = [each for each in existing.scope.members if each.kind == "import"]
    listed = bool(imports) and not existing.lines[imports[-1].start].startswith("import")
    members = []
    for member in outline.scope.members:
        own = tuple(Leaf(e.identity, "", f"\t{e.line}" if listed else f"import {e.line}") for e in member.leaves)
        members.append(replace(member, leaves=own, alone=member.kind != "import" and member.alone))
    return replace(outline, scope=replace(outline.scope, members=tuple(members)))
