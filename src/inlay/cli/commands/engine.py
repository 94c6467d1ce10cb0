"""`inlay engine`: apply replies over JSON lines, for editors and agents in any language."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from inlay.cli import options
from inlay.model.allowance import Allowance

if TYPE_CHECKING:
    from inlay.codes import Code


@click.command("engine")
@click.option("--check", is_flag=True, help="Also run the syntax and content checks.")
@options.ALLOW
def command(check: bool, allow: frozenset[Allowance]) -> None:
    """Apply replies over JSON lines, for editors and agents: one request per line in, one answer per line out.

    A request is {"id", "path", "original", "response", "format", "base"}: `original` is the file's text, or null for a
    new file; `format` is optional, and so is `base`, the text that the model saw. Files are neither read nor written.
    The answer is {"id", "status", "content", "rule", "error", "ms"} with status "applied" or "refused"; see
    docs/engine.md.

    \b
    Examples:
      inlay engine < requests.jsonl > answers.jsonl
      inlay engine --check
    """
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(_answer(line, check, allow)) + "\n")
        sys.stdout.flush()


def _answer(line: bytes, check: bool, allow: frozenset[Allowance]) -> dict[str, Any]:
    """Exactly one answer for every line, valid or not: callers count lines."""
    from inlay.landing.embed import EmbedRequest, embed

    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        return _refused(None, f"the line is not JSON: {error}", "bad-request")
    if not isinstance(fields, dict):
        return _refused(None, "the line is not a JSON object", "bad-request")
    identity = fields.get("id")
    if (wrong := _wrong_field(fields)) is not None:
        return _refused(identity, wrong, "bad-request")
    names = fields.get("path") or "", fields.get("original"), fields["response"], fields.get("format") or None
    request = EmbedRequest(*names, check, allow, fields.get("base"))
    try:
        result = embed(request)
    except Exception as error:  # noqa: BLE001 - an internal error in one request must not end the others
        return _refused(identity, f"internal error: {type(error).__name__}: {error}", "bug")
    if result.refusal is not None:
        code = result.refusal.misfits[0].code if result.refusal.misfits else "refused"
        refused = _refused(identity, str(result.refusal), code)
        return {**refused, "feedback": result.refusal.feedback(), "ms": round(result.ms, 3)}
    deleted = {"deleted": True} if result.deleted else {}
    applied = {"id": identity, "status": "applied", "content": result.content, "rule": result.rule}
    return {**applied, **deleted, "ms": round(result.ms, 3)}


def _wrong_field(fields: dict[str, Any]) -> str | None:
    if not isinstance(fields.get("response"), str):
        return "`response` must be a string"
    for name in ("path", "original", "format", "base"):
        if not isinstance(fields.get(name), str | None):
            return f"`{name}` must be a string or null"
    if fields.get("format"):
        from inlay.engine.formats.all_formats import format_named

        try:
            format_named(fields["format"])
        except ValueError as error:
            return str(error)
    return None


def _refused(identity: object, error: str, code: Code) -> dict[str, Any]:
    return {"id": identity, "status": "refused", "error": error, "code": code}
