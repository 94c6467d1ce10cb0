"""One file's text in, one file's text out: for editors and agents that open their files themselves."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from inlay.engine import checks, formats, staging
from inlay.engine.checks.rules import shrinkage
from inlay.errors import PathTraversalError, ReplyRejected
from inlay.landing.refuse import raise_for
from inlay.landing.reply_text import require_text
from inlay.landing.target_file import redirect
from inlay.model.allowance import Allowance
from inlay.model.change import Change, ChangeSet
from inlay.model.file import BaseText, File, RepoPath, Snapshot, as_read

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class EmbedRequest:
    """A reply and the one file it is for."""

    path: str  #: the file meant, whatever the reply calls it; only its name is used, nothing is opened
    original: str | None  #: its text, which may begin with a byte order mark; None when there is no such file
    response: str  #: what the model wrote
    format: str | None = None  #: a format's name or alias; None to detect it
    check: bool = False  #: whether to run the syntax and content checks as well
    allow: frozenset[Allowance] = frozenset()  #: what is content, although it looks like markup of a reply
    base: str | None = None  #: the file's text as the model saw it, if that was another one


@dataclass(frozen=True, slots=True)
class EmbedResult:
    """Either the new text and how it came about, or the refusal."""

    content: str | None = None  #: the file's new text; None when refused or deleted
    rule: str = ""  #: the rules that found the places, in the order of the edits
    deleted: bool = False
    refusal: ReplyRejected | None = None
    ms: float = 0.0  #: CPU time spent on reading and staging, in milliseconds


def embed(request: EmbedRequest) -> EmbedResult:
    """Apply a reply to one file's text.

    >>> from inlay import EmbedRequest, embed
    >>> reply = '''<<<<<<< SEARCH
    ... hello
    ... =======
    ... goodbye
    ... >>>>>>> REPLACE
    ... '''
    >>> embed(EmbedRequest("greet.txt", "say\\nhello\\n", reply)).content
    'say\\ngoodbye\\n'

    A refusal is a value here, not an exception, so that the caller's loop continues:

    >>> print(embed(EmbedRequest("greet.txt", "nothing of the kind\\n", reply)).refusal.misfits[0].code)
    not-found
    """
    started = time.process_time()
    ms = 0.0
    try:
        try:
            change = _stage(request)
        finally:
            ms = (time.process_time() - started) * 1000
        if request.check:
            raise_for(checks.run(ChangeSet((change,), allow=request.allow)))
        elif change.woven:
            # Nobody can be asked here, so that a whole file that lacks a part of the old one is refused.
            raise_for(shrinkage.check(change, ()))
    except ReplyRejected as refusal:
        return EmbedResult(refusal=refusal, ms=ms)
    rule = ", ".join(dict.fromkeys(match.rule for match in change.matches))
    if change.after is None:
        return EmbedResult(rule=rule, deleted=True, ms=ms)
    bom = _BOM if (request.original or "").startswith(_BOM) else ""
    return EmbedResult(bom + change.after, rule, ms=ms)


def _stage(request: EmbedRequest) -> Change:
    require_text(request.response)
    # Callers name the file as they like, and nothing is opened under that name.
    steps = [step for step in request.path.replace("\\", "/").split("/") if step.strip(". \0")]
    try:
        path = RepoPath("/".join(steps))
    except PathTraversalError:
        path = RepoPath("file")
    reading = replace(formats.read(request.response, request.format), allow=request.allow)
    reading = redirect(reading, str(path))
    files = {} if request.original is None else {path: File(path, *as_read(request.original))}
    bases = {} if request.base is None else {path: BaseText(as_read(request.base)[0])}
    return staging.stage(reading, Snapshot({str(path): path}, files, bases=bases)).changes[0]
