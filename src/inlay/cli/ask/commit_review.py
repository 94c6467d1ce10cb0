"""Ask a person about proposed messages: old and new side by side, accept, edit or skip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.output.side_by_side import columns
from inlay.commits.messages.cleanup import cleaned
from inlay.errors import EnvironmentFailure
from inlay.model.commit import SHORT
from inlay.model.history_rewrite import NewMessage
from inlay.processes import editor

_MENU = "(a)ccept, (e)dit, (s)kip, accept (A)ll that are left, (q)uit\n> "
_ANSWERS = {"a": "a", "y": "a", "s": "s", "n": "s", "A": "A", "q": "q", None: "q"}


def decide(proposals: Sequence[NewMessage], dialogue: Dialogue) -> list[NewMessage] | None:
    """The messages that are accepted, perhaps edited; None where the person quits."""
    accepted: list[NewMessage] = []
    paint = dialogue.paint
    for number, proposal in enumerate(proposals, 1):
        head = f"{paint(f'[{number}/{len(proposals)}]', dim=True)} {paint(proposal.commit.id[:SHORT], 'yellow')}"
        dialogue.show("", f"{head} {paint(proposal.commit.author.name)}")
        answer, edited = _ask(proposal, dialogue)
        if answer == "q":
            return None
        accepted += [edited] if answer != "s" else []
        if answer == "A":
            return [*accepted, *proposals[number:]]
    return accepted


def _ask(proposal: NewMessage, dialogue: Dialogue) -> tuple[str, NewMessage]:
    """The letter of the answer, and the message as it was edited."""
    dialogue.show(*columns(proposal.commit.message, proposal.message, dialogue.paint))
    while (answer := dialogue.ask(_MENU)) not in _ANSWERS:
        if answer != "e":
            hint = "Please answer with one of the letters; q quits and changes nothing."
            dialogue.show(dialogue.paint(hint, "yellow"))
            continue
        try:
            written = cleaned(editor.edit(proposal.message, "COMMIT_EDITMSG") or "")
            proposal = replace(proposal, message=written) if written else proposal
        except EnvironmentFailure as error:
            dialogue.show(dialogue.paint(str(error), "red"))
        dialogue.show(*columns(proposal.commit.message, proposal.message, dialogue.paint))
    return _ANSWERS[answer], proposal
