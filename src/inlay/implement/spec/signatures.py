"""The names that a document declares: functions, classes and constants in its code fences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from inlay.implement.spec.document import Signature, SignatureKind
from inlay.implement.spec.file_entries import clean, looks_like_path
from inlay.implement.spec.markdown import Block, CodeBlock, Heading, Item, Table, Text, spans

_MAX_LINES = 40  # of one declaration: enough for a long docstring
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
    signatures: dict[str, Signature] = {}
    place = ""
    for block in blocks:
        if isinstance(block, (Heading, Text, Item)):
            text = block.title if isinstance(block, Heading) else block.text
            named = [clean(word) for word in [*spans(text), *text.split()]]
            place = next((word for word in named if looks_like_path(word)), place)
        for signature in _declared(block, place) if isinstance(block, CodeBlock) else _called(block, place):
            signatures.setdefault(signature.name, signature)
    return tuple(signatures.values())


def _declared(fence: CodeBlock, place: str) -> Iterator[Signature]:
    owner, pending = "", list[Signature]()
    for number, line in enumerate(fence.lines, fence.line):
        comment = _COMMENT.match(line)
        if comment and looks_like_path(clean(comment[1])):
            place, owner = clean(comment[1]), ""
        matches = ((kind, pattern.match(line)) for kind, pattern in _DECLARATIONS)
        kind, declared = next(((kind, match) for kind, match in matches if match), (None, None))
        if not kind or not declared:
            continue
        indent, name = declared[1], declared[2]
        if not indent:
            owner = name if kind == "class" else ""
        full = f"{owner}.{name}" if indent and owner else name
        pending.append(Signature(full, kind, "", place, number))
    starts = [signature.line - fence.line for signature in pending] + [len(fence.lines)]
    for signature, start, end in zip(pending, starts, starts[1:], strict=False):
        text = "\n".join(fence.lines[start : min(end, start + _MAX_LINES)]).rstrip()
        yield replace(signature, text=text)


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
