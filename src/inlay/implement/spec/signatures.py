"""The names that a document promises: functions, classes and constants in its code fences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from inlay.implement.spec.document import Signature, SignatureKind
from inlay.implement.spec.file_entries import clean, looks_like_path
from inlay.implement.spec.markdown import Block, CodeBlock, Heading, Item, Table, Text, spans

_MOST_LINES = 40  # of one declaration: enough for a long docstring
_DECLARATIONS: tuple[tuple[SignatureKind, re.Pattern[str]], ...] = (
    ("class", re.compile(r"(\s*)(?:export\s+|pub(?:\([^)]*\))?\s+|public\s+|abstract\s+|final\s+|data\s+|sealed\s+)*"
                         r"(?:class|interface|struct|enum|trait|protocol|record)\s+([A-Za-z_]\w*)")),
    ("class", re.compile(r"(\s*)(?:export\s+)?type\s+([A-Z]\w*)")),
    ("function", re.compile(r"(\s*)(?:async\s+)?def\s+(?:self\.)?([A-Za-z_]\w*[?!]?)")),
    ("function", re.compile(r"(\s*)(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([A-Za-z_$][\w$]*)")),
    ("function", re.compile(r"(\s*)func\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)\s*[(\[<]")),
    ("function", re.compile(r"(\s*)(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+|unsafe\s+)*fn\s+([a-z_]\w*)")),
    ("function", re.compile(r"(\s*)(?:export\s+)?const\s+([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=\s*(?:async\s*)?\(.*=>")),
    ("constant", re.compile(r"(\s*)(?:(?:export|pub|const|final|static)\s+)*([A-Z][A-Z0-9_]{1,})\s*(?::[^=]*)?=")),
    ("class", re.compile(r"()([A-Z][A-Za-z0-9]*[a-z]\w*)\s*=\s*\S")),  # an alias of types
)  # fmt: skip
_COMMENT = re.compile(r"\s*(?:#|//|--|/\*)\s*(\S+)")
_CALL = re.compile(r"([A-Za-z_][\w.]*)\(.*\)$")


def read_signatures(blocks: Iterable[Block]) -> tuple[Signature, ...]:
    """Every declaration, each name once; a path in a comment or above a fence says where it belongs."""
    found: dict[str, Signature] = {}
    place = ""
    for block in blocks:
        if isinstance(block, CodeBlock):
            declared = list(_declared(block, place))
        else:
            place = _place(block) or place
            declared = list(_called(block, place))
        for signature in declared:
            found.setdefault(signature.name, signature)
    return tuple(found.values())


def _declared(fence: CodeBlock, place: str) -> Iterator[Signature]:
    owner, pending = "", list[Signature]()
    for offset, line in enumerate(fence.lines):
        comment = _COMMENT.match(line)
        if comment and looks_like_path(clean(comment[1])):
            place, owner = clean(comment[1]), ""
        kind, indent, name = _declaration(line)
        if not kind:
            continue
        if not indent:
            owner = name if kind == "class" else ""
        full = f"{owner}.{name}" if indent and owner else name
        pending.append(Signature(full, kind, "", place, fence.line + offset))
    yield from _with_text(fence, pending)


def _declaration(line: str) -> tuple[SignatureKind | None, str, str]:
    for kind, pattern in _DECLARATIONS:
        if found := pattern.match(line):
            return kind, found[1], found[2]
    return None, "", ""


def _with_text(fence: CodeBlock, pending: list[Signature]) -> Iterator[Signature]:
    starts = [signature.line - fence.line for signature in pending] + [len(fence.lines)]
    for signature, start, end in zip(pending, starts, starts[1:], strict=False):
        text = "\n".join(fence.lines[start : min(end, start + _MOST_LINES)]).rstrip()
        yield Signature(signature.name, signature.kind, text, signature.file, signature.line)


def _place(block: Block) -> str:
    if isinstance(block, (Heading, Text, Item)):
        text = block.title if isinstance(block, Heading) else block.text
        named = [clean(word) for word in [*spans(text), *text.split()]]
        return next((word for word in named if looks_like_path(word)), "")
    return ""


def _called(block: Block, place: str) -> Iterator[Signature]:
    """Names that a table or a list gives as calls: `merge(old, new)`."""
    match block:
        case Table():
            texts = [(text, row.line) for row in block.rows for text in row.cells]
        case Item():
            texts = [(block.text, block.line)]
        case _:
            texts = []
    for span, line in ((span, line) for text, line in texts for span in spans(text)):
        if call := _CALL.match(span):
            yield Signature(call[1], "function", span, place, line)
