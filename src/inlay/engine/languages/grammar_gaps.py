"""Known gaps of the grammars: sound code they refuse, put in words they accept."""

from __future__ import annotations

import re
from functools import partial

from inlay.engine.languages.catalog import Language
from inlay.engine.languages.problem import SyntaxProblem

_IMPORT_TYPE = re.compile(r"""\bimport\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*,?\s*\)""")

#: Rewordings are tried only on text that was refused; they keep every line break, so line numbers stay true.
_REWORDINGS: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    # A macro of that name was everyday Rust before the word was reserved.
    "Rust": ((re.compile(r"\btry!"), "tri!"),),
    # `typeof import("x")` and `import("x").Type` are types as well as expressions.
    "TypeScript": ((_IMPORT_TYPE, "imported"),),
    "TSX": ((_IMPORT_TYPE, "imported"),),
    # Properties that only one old browser reads, by a leading asterisk or a value in its own notation.
    "CSS": ((re.compile(r"([{;\s])\*(?=[a-z-]+\s*:)"), r"\1"), (re.compile(r"\bprogid:[^;}\n]*"), "none")),
}

#: Complaints that never point at a fault: "&" is plain text in JSX, and nobody means "!" before a template literal.
_EXCUSED = {
    "TSX": re.compile(r"&(?!&)"),
    "JavaScript": re.compile(r"&(?!&)"),
}
_NEVER_MEANT = "'!' is missing"


def reworded(language: Language, text: str) -> str:
    """The text with its known stumbling blocks out of the way; the same text when there are none."""
    for pattern, replacement in _REWORDINGS.get(language.name, ()):
        text = pattern.sub(partial(_keeping_lines, replacement), text)
    return text


def _keeping_lines(replacement: str, found: re.Match[str]) -> str:
    new = found.expand(replacement)
    return new + "\n" * (found[0].count("\n") - new.count("\n"))


def is_excused(language: Language, problem: SyntaxProblem) -> bool:
    """Whether the grammar, not the text, is to blame."""
    if language.name in ("TypeScript", "TSX") and problem.message == _NEVER_MEANT:
        return True
    pattern = _EXCUSED.get(language.name)
    return pattern is not None and pattern.match(problem.excerpt) is not None
