"""The question to a person: what goes, what comes, and what shall become of it, file by file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inlay.cli.ask.dialogue import Dialogue
from inlay.cli.output.diff_text import painted
from inlay.errors import EnvironmentFailure, InlayError, MergeRefused, ReplyRejected
from inlay.landing.apply_decision import preview
from inlay.model.change import Change, ChangeSet
from inlay.model.decision import Decision, Need, Strategy, content_digest
from inlay.processes import editor
from inlay.text.diff import Difference, difference
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


class _Quit(Exception):
    """The person wants nothing to be written."""


@dataclass(frozen=True, slots=True)
class _Case:
    """One file in question."""

    need: Need
    change: Change
    number: int
    of: int

    @property
    def is_joinable(self) -> bool:
        return "append" in self.need.strategies


class ApprovalPrompt:
    """Asks about one file after the other; hands in nothing but decisions, and writes nothing itself."""

    def __init__(self, dialogue: Dialogue, *, check: bool, yes: bool) -> None:
        self._dialogue = dialogue
        self._paint = dialogue.paint
        self._check = check
        self._yes = yes

    def __call__(self, needs: tuple[Need, ...], changes: ChangeSet) -> Sequence[Decision]:
        """A decision on every file, or one to stop."""
        by_path = {change.path: change for change in changes.changes}
        cases = [_Case(need, by_path[need.path], n, len(needs)) for n, need in enumerate(needs, 1)]
        decisions: list[Decision] = []
        try:
            while cases:
                made = self._decide(cases)
                decisions += made
                cases = cases[len(made) :]
        except _Quit:
            return _QUIT
        return [replace(decision, by="person") for decision in decisions]

    def _decide(self, cases: list[_Case]) -> list[Decision]:
        """What was decided about the first case, or about all of them at once."""
        case = cases[0]
        self._present(case)
        while True:
            key = self._ask(self._menu(cases))
            made = self._all(cases) if key == "A" and len(cases) > 1 else self._one(key, case)
            if made:
                return made

    def _one(self, key: str, case: _Case) -> list[Decision]:
        if key == "s":
            return [Decision(case.need.path, "skip")]
        proposed = self._proposed(key, case)
        if proposed is None:
            self._dialogue.show(
                self._paint("Please answer with one of the letters; q quits and writes nothing.", "yellow")
            )
            return []
        confirmed = self._previewed(case, proposed)
        return [confirmed] if confirmed else []

    def _proposed(self, key: str, case: _Case) -> Decision | None:
        """What a key stands for; None where it stands for nothing here."""
        path = case.need.path
        if key in ("y", "r") and (key == "r" or not case.is_joinable):
            return Decision(path)
        strategy = _KEYS.get(key)
        if strategy is None or strategy not in case.need.strategies:
            return None
        if strategy == "insert":
            return Decision(path, strategy=strategy, line=self._line(case))
        if strategy == "edit":
            return Decision(path, strategy=strategy, content=self._edited(case.change))
        return Decision(path, strategy=strategy)

    def _edited(self, change: Change) -> str | None:
        try:
            return editor.edit(change.after or "", change.target.name)
        except EnvironmentFailure as error:
            self._refuse(error)
            return None

    def _line(self, case: _Case) -> int | None:
        last = case.need.existing_lines + 1
        answer = self._ask(f"Insert before which line (1 to {last}, {last} is the end)? ")
        return int(answer) if answer.isdecimal() else None

    def _previewed(self, case: _Case, decision: Decision) -> Decision | None:
        """The decision bound to the bytes that were shown and confirmed; None to choose again."""
        if decision.strategy == "edit" and decision.content is None:
            self._dialogue.show(self._paint("The editor left no edited version; choose again.", "yellow"))
            return None
        try:
            result, findings = preview(case.change, decision, check=self._check)
        except InlayError as refused:
            self._refuse(refused)
            return self._replacing(case, decision) if _would_replace(refused, decision) else None
        is_new = result.after != case.change.after
        self._dialogue.show("", self._paint(f"Preview of {result.target}:", bold=True))
        found = _differs(result)
        self._dialogue.show(
            *(painted(found, self._paint, limit=MOST_SHOWN) if is_new else []), self._totals(found, result)
        )
        self._dialogue.show(*(self._paint(f"! {f.message} [{f.code}]", "yellow") for f in findings))
        return replace(decision, digest=content_digest(result) or "") if self._confirm("Write this?") else None

    def _replacing(self, case: _Case, decision: Decision) -> Decision | None:
        """Extending again, if the person agrees that members which are there give way."""
        agreed = self._ask("Replace what is already there? (y)es, (n)o and choose again\n> ") in ("y", "yes")
        return self._previewed(case, replace(decision, replace_existing=True)) if agreed else None

    def _all(self, cases: list[_Case]) -> list[Decision]:
        """One decision for every file that is left."""
        choices = "(r)eplace or take as proposed, (a)ppend, (e)xtend, (s)kip, (b)ack"
        key = self._ask(f"All {len(cases)} remaining files: {choices}\n> ")
        if key == "s":
            return [Decision(case.need.path, "skip") for case in cases]
        if key not in ("r", "a", "e"):
            return []
        decisions = [Decision(case.need.path, strategy=None if key == "r" else _KEYS[key]) for case in cases]
        bound = [self._summed_up(case, decision) for case, decision in zip(cases, decisions, strict=True)]
        made = [decision for decision in bound if decision]
        return made if len(made) == len(cases) and self._confirm(f"Write these {len(cases)} files?") else []

    def _summed_up(self, case: _Case, decision: Decision) -> Decision | None:
        """One line of preview, which is all that fits when there are many files."""
        try:
            result, _ = preview(case.change, decision, check=self._check)
        except InlayError as refused:
            self._refuse(refused)
            return None
        self._dialogue.show(f"{self._paint(str(result.target), bold=True)}: {self._totals(_differs(result), result)}")
        return replace(decision, digest=content_digest(result) or "")

    def _present(self, case: _Case) -> None:
        paint, need = self._paint, case.need
        count = f" ({case.number} of {case.of})" if case.of > 1 else ""
        lines = ["", paint(f"{case.change.path}{count}", bold=True), paint(f"{need.headline}.", "yellow", bold=True)]
        for reason in need.shown_reasons:
            where = f" (line {reason.line})" if reason.line else ""
            lines.append(f"{paint('!', 'yellow')} {paint(f'{reason.message}{where} [{reason.code}]')}")
        found = _differs(case.change)
        self._dialogue.show(*lines, self._totals(found, case.change), *painted(found, paint, limit=MOST_SHOWN), "")

    def _totals(self, found: Difference, result: Change) -> str:
        paint = self._paint
        deleted, added = paint(f"DELETED {found.removed}", "red"), paint(f"ADDED {found.added}", "green")
        before = count_lines(result.before.text) if result.before else 0
        return f"{deleted}, {added}, {before} → {count_lines(result.after or '')} lines"

    def _menu(self, cases: list[_Case]) -> str:
        case = cases[0]
        ways = [_LABELS[strategy] for strategy in case.need.strategies]
        if not case.is_joinable:
            ways = ["(y)es", *(label for label in ways if label != _LABELS["replace"])]
        rest = ["(s)kip", *(["(A)ll remaining the same"] if len(cases) > 1 else []), "(q)uit, nothing written"]
        return f"What shall become of it? {', '.join([*ways, *rest])}\n> "

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


def _would_replace(refused: InlayError, decision: Decision) -> bool:
    is_first = decision.strategy == "extend" and not decision.replace_existing
    return is_first and isinstance(refused, MergeRefused) and any(m.code == "exists" for m in refused.misfits)


def _differs(change: Change) -> Difference:
    return difference(change.before.text if change.before else "", change.after or "")
