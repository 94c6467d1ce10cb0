"""What a parser has to say about a text it cannot read."""

from __future__ import annotations

from dataclasses import dataclass

#: Parsers recover slowly from garbage; beyond this many characters a file goes unread rather than hold up a landing.
LONGEST_READ = 1_000_000


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """One place where the text stops making sense to a parser."""

    line: int  #: 1-based
    message: str
    end_line: int = 0  #: last line of the stretch that could not be read; 0 when only `line` is meant
    excerpt: str = ""  #: what stands there; with the message it tells problems apart when line numbers have moved
    certain: bool = True  #: False when the fault may be the parser's: too large, too deep, newer than it knows

    @property
    def identity(self) -> tuple[str, str]:
        """The same for the same fault before and after an edit elsewhere in the file."""
        return self.message, self.excerpt


def too_deep() -> tuple[SyntaxProblem, ...]:
    """The one problem of a text that exhausts its parser's stack."""
    return (SyntaxProblem(1, "too deeply nested to check", certain=False),)
