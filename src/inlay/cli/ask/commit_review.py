"""The question to a person about proposed messages: old and new side by side, accept, edit or skip."""

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


def decide(proposals: Sequence[NewMessage], dialogue: Dialogue) -> list[NewMessage] | None:
    """What was accepted, perhaps edited; None where the person wants nothing to happen."""
    accepted: list[NewMessage] = []
    for number, proposal in enumerate(proposals):
        _present(proposal, number + 1, len(proposals), dialogue)
        answer, decided = _answered(proposal, dialogue)
        if answer == "q":
            return None
        if answer == "A":
            return [*accepted, *proposals[number:]]
        accepted += [decided] if decided else []
    return accepted


def _present(proposal: NewMessage, number: int, total: int, dialogue: Dialogue) -> None:
    paint = dialogue.paint
    head = f"{paint(f'[{number}/{total}]', dim=True)} {paint(proposal.commit.id[:SHORT], 'yellow')}"
    dialogue.show("", f"{head} {paint(proposal.commit.author.name)}")
    dialogue.show(*columns(proposal.commit.message, proposal.message, paint))


def _answered(proposal: NewMessage, dialogue: Dialogue) -> tuple[str, NewMessage | None]:
    """The letter, and what is accepted by it."""
    while True:
        answer = dialogue.ask(_MENU)
        if answer is None or answer == "q":
            return "q", None
        if answer in ("a", "y"):
            return "a", proposal
        if answer in ("s", "n"):
            return "s", None
        if answer == "A":
            return "A", proposal
        if answer == "e":
            proposal = _edited(proposal, dialogue)
            dialogue.show(*columns(proposal.commit.message, proposal.message, dialogue.paint))
            continue
        dialogue.show(dialogue.paint("Please answer with one of the letters; q quits and changes nothing.", "yellow"))


def _edited(proposal: NewMessage, dialogue: Dialogue) -> NewMessage:
    try:
        written = editor.edit(proposal.message, "COMMIT_EDITMSG")
    except EnvironmentFailure as error:
        dialogue.show(dialogue.paint(str(error), "red"))
        return proposal
    return replace(proposal, message=cleaned(written)) if written and cleaned(written) else proposal
