"""Approval at the terminal: what is deleted, what is added, and how to apply it, file by file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.options import Approval
from inlay.cli.output.diff_text import painted
from inlay.errors import EnvironmentFailure, InlayError, MergeRefused, ReplyRejected
from inlay.landing.approval import preview
from inlay.landing.land_options import LandOptions
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Approve, Decision, Need, Strategy
from inlay.processes import editor
from inlay.render.diff import change_difference
from inlay.text.diff import Difference
from inlay.text.excerpt import MOST_SHOWN
from inlay.text.lines import count_lines

_QUIT = [Decision(None, "abort", by="person")]
_KEYS: dict[str, Strategy] = {"a": "append", "i": "insert", "e": "extend", "r": "replace", "d": "edit"}
_LABELS = {
    "append": "(a)ppend",
    "insert": "(i)nsert at a line",
    "extend": "(e)xtend",
    "replace": "(r)eplace",
    "edit": "e(d)it",
}


def approver(approval: Approval, *, check: bool, dry_run: bool, as_json: bool) -> Approve | None:
    """Whom to ask for approval; None where there is nobody, and changes that need approval then fail."""
    ask: Approve | None = None
    # A program that reads our output cannot answer a question, whatever terminal it was started from.
    dialogue = None if approval.auto or as_json else Dialogue.find()
    if dialogue is not None:
        prompt = ApprovalPrompt(dialogue, check=check, yes=approval.yes)
        # A dry run lists at the end what would need approval.
        ask = (lambda needs, changes: [Decision(need.path) for need in needs]) if dry_run else prompt
    if (given := approval.decisions) is None:
        return ask

    def ask_about_the_rest(needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        decisions = list(given(needs, changes))
        covered = {decision.path for decision in decisions}
        rest = tuple(need for need in needs if not covered & {need.path, None})
        return [*decisions, *ask(rest, changes)] if rest and ask else decisions

    return ask_about_the_rest


def land_options(approval: Approval, **options: Any) -> LandOptions:
    return LandOptions(threshold=approval.threshold, force=approval.force, yes=approval.yes, **options)


class _Quit(Exception):
    """The person wants nothing to be written."""


@dataclass(frozen=True, slots=True)
class _Case:
    need: Need
    change: Change
    number: int
    of: int

    @property
    def is_joinable(self) -> bool:
        return "append" in self.need.strategies


class ApprovalPrompt:
    """Asks about one file after the other; returns decisions and writes nothing itself."""

    def __init__(self, dialogue: Dialogue, *, check: bool, yes: bool) -> None:
        self._dialogue = dialogue
        self._paint = dialogue.paint
        self._check = check
        self._yes = yes

    def __call__(self, needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        by_path = {change.path: change for change in changes.changes}
        cases = [_Case(need, by_path[need.path], n, len(needs)) for n, need in enumerate(needs, 1)]
        decisions: list[Decision] = []
        try:
            while cases:
                self._present(cases[0])
                decided: list[Decision] = []
                while not decided:
                    key = self._ask(self._menu(cases))
                    decided = self._all(cases) if key == "A" and len(cases) > 1 else self._one(key, cases[0])
                decisions += decided
                cases = cases[len(decided) :]
        except _Quit:
            return _QUIT
        return [replace(decision, by="person") for decision in decisions]

    def _one(self, key: str, case: _Case) -> list[Decision]:
        if key == "s":
            return [Decision(case.need.path, "skip")]
        proposed = self._proposed(key, case)
        if proposed is None:
            hint = "Please answer with one of the letters; q quits and writes nothing."
            self._dialogue.show(self._paint(hint, "yellow"))
            return []
        confirmed = self._previewed(case, proposed)
        return [confirmed] if confirmed else []

    def _proposed(self, key: str, case: _Case) -> Decision | None:
        """The decision that a key means; None where it means nothing here."""
        path = case.need.path
        if key in ("y", "r") and (key == "r" or not case.is_joinable):
            return Decision(path)
        strategy = _KEYS.get(key)
        if strategy is None or strategy not in case.need.strategies:
            return None
        if strategy == "insert":
            last = case.need.existing_lines + 1
            answer = self._ask(f"Insert before which line (1 to {last}, {last} is the end)? ")
            return Decision(path, strategy=strategy, line=int(answer) if answer.isdecimal() else None)
        decision = Decision(path, strategy=strategy)
        if strategy == "edit":
            try:
                return replace(decision, content=editor.edit(case.change.after or "", case.change.target.name))
            except EnvironmentFailure as error:
                self._refuse(error)
        return decision

    def _previewed(self, case: _Case, decision: Decision) -> Decision | None:
        """The decision, bound to the bytes that were shown and confirmed; None to choose again."""
        if decision.strategy == "edit" and decision.content is None:
            self._dialogue.show(self._paint("The editor returned no edited version; choose again.", "yellow"))
            return None
        try:
            result, findings = preview(case.change, decision, check=self._check)
        except InlayError as refused:
            self._refuse(refused)
            is_first = decision.strategy == "extend" and not decision.replace_existing
            members = isinstance(refused, MergeRefused) and any(m.code == "exists" for m in refused.misfits)
            question = "Replace the existing members? (y)es, (n)o and choose again\n> "
            if is_first and members and self._ask(question) in ("y", "yes"):
                return self._previewed(case, replace(decision, replace_existing=True))
            return None
        is_new = result.after != case.change.after
        diff = change_difference(result)
        lines = painted(diff, self._paint, limit=MOST_SHOWN) if is_new else []
        self._dialogue.show("", self._paint(f"Preview of {result.target}:", bold=True))
        self._dialogue.show(*lines, self._totals(diff, result))
        self._dialogue.show(*(self._paint(f"! {f.message} [{f.code}]", "yellow") for f in findings))
        return replace(decision, digest=result.digest) if self._confirm("Write this?") else None

    def _all(self, cases: list[_Case]) -> list[Decision]:
        choices = "(r)eplace or apply as proposed, (a)ppend, (e)xtend, (s)kip, (b)ack"
        key = self._ask(f"All {len(cases)} remaining files: {choices}\n> ")
        if key == "s":
            return [Decision(case.need.path, "skip") for case in cases]
        if key not in ("r", "a", "e"):
            return []
        decisions = [Decision(case.need.path, strategy=None if key == "r" else _KEYS[key]) for case in cases]
        bound = [self._summarised(case, decision) for case, decision in zip(cases, decisions, strict=True)]
        decisions = [decision for decision in bound if decision]
        return decisions if len(decisions) == len(cases) and self._confirm(f"Write these {len(cases)} files?") else []

    def _summarised(self, case: _Case, decision: Decision) -> Decision | None:
        """The decision after a preview of one line, which is all that fits when there are many files."""
        try:
            result, _ = preview(case.change, decision, check=self._check)
        except InlayError as refused:
            self._refuse(refused)
            return None
        totals = self._totals(change_difference(result), result)
        self._dialogue.show(f"{self._paint(str(result.target), bold=True)}: {totals}")
        return replace(decision, digest=result.digest)

    def _present(self, case: _Case) -> None:
        paint, need = self._paint, case.need
        count = f" ({case.number} of {case.of})" if case.of > 1 else ""
        lines = ["", paint(f"{case.change.path}{count}", bold=True), paint(f"{need.headline}.", "yellow", bold=True)]
        for reason in need.reasons:
            where = f" (line {reason.line})" if reason.line else ""
            lines.append(f"{paint('!', 'yellow')} {paint(f'{reason.message}{where} [{reason.code}]')}")
        diff = change_difference(case.change)
        self._dialogue.show(*lines, self._totals(diff, case.change), *painted(diff, paint, limit=MOST_SHOWN), "")

    def _totals(self, diff: Difference, result: Change) -> str:
        paint = self._paint
        deleted, added = paint(f"DELETED {diff.removed}", "red"), paint(f"ADDED {diff.added}", "green")
        before = count_lines(result.before.text) if result.before else 0
        return f"{deleted}, {added}, {before} → {count_lines(result.after or '')} lines"

    def _menu(self, cases: list[_Case]) -> str:
        case = cases[0]
        choices = [_LABELS[strategy] for strategy in case.need.strategies]
        if not case.is_joinable:
            choices = ["(y)es", *(label for label in choices if label != _LABELS["replace"])]
        rest = ["(s)kip", *(["(A)ll remaining the same"] if len(cases) > 1 else []), "(q)uit, nothing written"]
        return f"How should this change be applied? {', '.join([*choices, *rest])}\n> "

    def _ask(self, question: str) -> str:
        answer = self._dialogue.ask(question)
        if answer is None or answer in ("q", "Q"):
            raise _Quit
        return answer if answer == "A" else answer.lower()

    def _confirm(self, question: str) -> bool:
        return self._yes or self._ask(f"{question} (y)es, (n)o and choose again, (q)uit\n> ") in ("y", "yes")

    def _refuse(self, refused: InlayError) -> None:
        reasons = refused.misfits if isinstance(refused, ReplyRejected) else ()
        lines = [f"{misfit.path}: {misfit.message}. {misfit.advice}" for misfit in reasons] or [str(refused)]
        self._dialogue.show(*(self._paint(f"✗ {line}", "red") for line in lines))
