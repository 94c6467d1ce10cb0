"""Peers that are Python libraries: aider's coders, openai-agents and diff-match-patch, under their own interpreters."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from serving import Apply, HalfDone, json_pairs, serve, unfenced


def aider() -> Apply:
    """aider's own steps on a real file: read the edits, try them dry, apply them; only the chat is missing."""
    from aider.coders.editblock_coder import EditBlockCoder
    from aider.coders.patch_coder import PatchCoder
    from aider.coders.udiff_coder import UnifiedDiffCoder
    from aider.io import InputOutput

    coders = {"search_replace": EditBlockCoder, "unified_diff": UnifiedDiffCoder, "apply_patch": PatchCoder}
    silent = InputOutput(pretty=False, yes=True, fancy_input=False)
    silent.tool_output = silent.tool_warning = silent.tool_error = lambda *_, **__: None

    def apply(original: str, reply: str, format: str, path: str) -> str:
        with tempfile.TemporaryDirectory() as root:
            file = Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(original.encode())
            coder = coders[format].__new__(coders[format])
            vars(coder).update(root=root, io=silent, abs_fnames={str(file)}, shell_commands=[], abs_root_path_cache={})
            vars(coder).update(fence=("```", "```"), partial_response_content=reply)
            return _aider_edits(coder, file, original)

    return apply


def _aider_edits(coder, file: Path, original: str) -> str:
    edits = coder.apply_edits_dry_run(coder.get_edits())
    if not edits or any(not edit[0] or coder.abs_root_path(edit[0]) != str(file) for edit in edits):
        raise ValueError("no edit for this file")
    try:
        coder.apply_edits(edits)
    except ValueError:
        if (half := file.read_bytes().decode()) != original:
            raise HalfDone(half) from None
        raise
    return file.read_bytes().decode()


def openai_agents() -> Apply:
    """The agents SDK applies the hunks of one file."""
    from agents import apply_diff

    def apply(original: str, reply: str, format: str, path: str) -> str:
        return apply_diff(original, reply[reply.index("@@") : reply.index("*** End Patch")])

    return apply


def diff_match_patch() -> Apply:
    """A fuzzy patch for each edit, at the line it claims."""
    from diff_match_patch import diff_match_patch as Matcher

    matcher = Matcher()

    def apply(original: str, reply: str, format: str, path: str) -> str:
        edits = [(n, f"{a}\n", f"{b}\n") for n, a, b in json_pairs(reply)] if format == "json_edits" else _hunks(reply)
        lines, patches, grown = original.split("\n"), [], 0
        for claimed, old, new in edits:
            offset = sum(len(text) + 1 for text in lines[: max(0, claimed - 1)])
            for patch in matcher.patch_make(old, new):
                patch.start1, patch.start2 = patch.start1 + offset, patch.start2 + offset + grown
                patches.append(patch)
            grown += len(new) - len(old)
        text, fits = matcher.patch_apply(patches, original)
        if not fits or not all(fits):
            raise ValueError("a patch did not apply")
        return text

    return apply


def _hunks(reply: str) -> list[tuple[int, str, str]]:
    out: list[tuple[int, list[str], list[str]]] = []
    for line in unfenced(reply).split("\n"):
        if line.startswith("@@"):
            number = line[4:].split(",")[0]
            out.append((int(number) if number.isdigit() else 1, [], []))
        elif out and line[:1] in (" ", "-", "+"):
            out[-1][1].extend([line[1:] + "\n"] * (line[0] != "+"))
            out[-1][2].extend([line[1:] + "\n"] * (line[0] != "-"))
    return [(claimed, "".join(old), "".join(new)) for claimed, old, new in out]


serve({"aider": aider, "openai-agents": openai_agents, "diff-match-patch": diff_match_patch}[sys.argv[1]]())
