"""Every rule: a message that keeps it, and one that breaks it."""

import pytest

from inlay.commits.messages import Applied, Exceptions, Ruleset, check, parse
from inlay.commits.messages.presets import PRESETS
from inlay.commits.messages.rules import BY_NAME, RULES
from inlay.model.commit import Person

A = Applied
CASES: list[tuple[Applied, str, str]] = [
    # the rule as applied, a message that keeps it, one that breaks it
    (A("header-empty", "error", never=True), "x", ""),
    (A("type-empty", "error", never=True), "fix: x", "x"),
    (A("type-empty", "error", never=True), "fix(a)!: x", "fix:x"),
    (A("type-empty", "error"), "x", "fix: x"),
    (A("scope-empty", "error", never=True), "fix(a): x", "fix: x"),
    (A("scope-empty", "error"), "fix: x", "fix(a): x"),
    (A("subject-empty", "error", never=True), "fix: x", "no type"),
    (A("body-empty", "error", never=True), "x\n\nbody", "x\n\nSigned-off-by: A <a@b.c>"),
    (A("footer-empty", "error", never=True), "x\n\nRefs: 1", "x\n\nbody"),
    (A("header-max-length", "error", 5), "12345", "123456"),
    (A("header-max-length", "error", 5), "äöüéñ", "äöüéñß"),
    (A("subject-max-length", "error", 3), "fix: abc", "fix: abcd"),
    (A("type-max-length", "error", 3), "fix: a", "feat: a"),
    (A("scope-max-length", "error", 3), "fix(abc): a", "fix(abcd): a"),
    (A("body-max-length", "error", 3), "x\n\nabc", "x\n\nabcd"),
    (A("footer-max-length", "error", 8), "x\n\nA: 12345", "x\n\nA: 123456"),
    (A("header-min-length", "error", 3), "abc", "ab"),
    (A("body-min-length", "error", 3), "x", "x\n\nab"),
    (A("body-max-line-length", "error", 10), "x\n\nfive words\nhere", "x\n\nmore than ten"),
    (A("body-max-line-length", "error", 10), "x\n\nhttps://example.org/a/long/one", "x\n\nshort\nbut not this"),
    (A("footer-max-line-length", "error", 10), "x\n\nRef: 1234", "x\n\nRef: 12 34 56 78"),
    (A("type-case", "error", ("lower-case",)), "fix: x", "Fix: x"),
    (A("scope-case", "error", ("kebab-case",)), "fix(a-b/c-d): x", "fix(aB): x"),
    (A("subject-case", "error", ("sentence-case", "upper-case"), never=True), "fix: add x", "fix: Add x"),
    (A("subject-case", "error", ("sentence-case",), never=True), "fix: `Foo` is x", "fix: Foo `bar`"),
    (A("subject-case", "error", ("lower-case",)), "fix: 12 is x", "fix: ABC"),
    (A("subject-case", "error", ("start-case",), never=True), "fix: Add new x", "fix: Add New X"),
    (A("subject-case", "error", ("camel-case",)), "addNewX", "add new x"),
    (A("subject-case", "error", ("pascal-case",)), "AddNewX", "addNewX"),
    (A("subject-case", "error", ("snake-case",)), "add_new", "add-new"),
    (A("header-full-stop", "error", ".", never=True), "Add x...", "Add x."),
    (A("subject-full-stop", "error", ".", never=True), "fix: x", "fix: x."),
    (A("body-full-stop", "error", "."), "x\n\nSo it is.", "x\n\nSo it is"),
    (A("type-enum", "error", ("fix", "feat")), "fix: x", "foo: x"),
    (A("scope-enum", "error", ("a", "b")), "fix(a,b): x", "fix(a,c): x"),
    (A("scope-enum", "error", ("a",), never=True), "fix(b): x", "fix(a): x"),
    (A("body-leading-blank", "error"), "x\n\nbody", "x\nbody"),
    (A("footer-leading-blank", "error"), "x\n\nbody\n\nRefs: 1", "x\n\nbody\nSigned-off-by: A <a@b.c>"),
    (A("header-trim", "error"), "x", " x"),
    (A("header-tab", "error"), "a b", "a\tb"),
    (A("body-tab", "error"), "a\tb", "a\n\nb\tc"),
    (A("body-trailing-blank", "error"), "a\n\nb", "a\n\nb \nc"),
    (A("breaking-change-exclamation-mark", "error"), "fix!: x\n\nBREAKING CHANGE: y", "fix!: x"),
    (A("breaking-change-exclamation-mark", "error"), "fix: x", "fix: x\n\nBREAKING CHANGE: y"),
    (A("subject-exclamation-mark", "error", never=True), "fix: x", "fix!: x"),
    (A("breaking-change-form", "error"), "fix: x\n\nBREAKING-CHANGE: y", "fix: x\n\nBreaking change: y"),
    (A("subject-imperative", "error"), "Add x", "Added x"),
    (A("header-forbidden", "error", ("WIP",)), "Stop swiping", "wip: x"),
    (A("message-forbidden", "error", ("hack",)), "x\n\nhackers", "x\n\na hack"),
    (A("header-squash", "error"), "Add fixup! handling", "fixup! Add x"),
    (A("header-pattern", "error", "^[A-Z]"), "Add", "add"),
    (A("body-pattern", "error", "Why:"), "x\n\nWhy: y", "x\n\nbecause"),
    (A("ticket", "error", r"PRJ-\d+"), "x\n\nPRJ-12", "x"),
    (A("signed-off-by", "error", "Signed-off-by"), "x\n\nSigned-off-by: A <a@b.c>", "x\n\nSigned-off-by A"),
    (A("trailer-exists", "error", "Change-Id:"), "x\n\nChange-Id: I1", "x\n\nChange: I1"),
    (A("trailer-form", "error"), "x\n\nCo-authored-by: A <a@b.c>", "x\n\nCo-authored-by: a@b.c"),
    (A("trailer-form", "error"), "x\n\nReported-by: @somebody on chat", "x\n\nCo-Author-By: A <a@b.c>"),
    (A("message-encoding", "error"), "ä", "\udce4"),
    (A("message-control", "error"), "a\tb", "a\x1b[31mb"),
]  # fmt: skip


@pytest.mark.parametrize(("applied", "good", "bad"), CASES, ids=lambda value: getattr(value, "rule", repr(value)[:30]))
def test_a_rule_is_kept_or_broken(applied: Applied, good: str, bad: str) -> None:
    rules = Ruleset((applied,))
    assert check(parse(good), rules) == ()
    (issue,) = check(parse(bad), rules)
    assert (issue.rule, issue.severity) == (applied.rule, "error")
    assert issue.section == BY_NAME[applied.rule].section
    assert issue.explanation.endswith(".")


def test_every_rule_is_tried_here_and_has_a_summary() -> None:
    needs_author = {"author-email", "author-enum"}
    short = {f"{part}-{end}" for part in ("type", "scope", "subject", "footer") for end in ("min-length",)}
    cased = {"header-case", "body-case"}
    assert {rule.name for rule in RULES} - {case[0].rule for case in CASES} == needs_author | short | cased
    assert all(rule.summary.endswith(".") for rule in RULES)
    assert len(BY_NAME) == len(RULES)


def test_authors_are_held_to_rules_too() -> None:
    known, strange = Person("A", "a@b.org"), Person("B", "b")
    by_email = Ruleset((A("author-email", "error", BY_NAME["author-email"].default),))
    by_name = Ruleset((A("author-enum", "error", ("A <a@b.org>",)),))
    for rules in (by_email, by_name):
        assert check(parse("x", known), rules) == ()
        assert len(check(parse("x", strange), rules)) == 1
        assert check(parse("x"), rules) == ()


def test_one_issue_for_each_rule_and_section_keeps_all_explanations() -> None:
    rules = Ruleset((A("body-max-line-length", "error", 3),))
    (issue,) = check(parse("x\n\nab cd\nef gh"), rules)
    assert issue.explanations == ("Line 3 has 5 characters, 3 are allowed.", "Line 4 has 5 characters, 3 are allowed.")
    assert issue.line == 3


@pytest.mark.parametrize(
    ("text", "author", "parents", "why"),
    [
        ("Merge branch 'x'", None, 1, "a merge"),
        ("x", None, 2, "a merge"),
        ("Merge pull request #1 from a/b", None, 1, "a merge"),
        ("Merge sort is faster", None, 1, ""),
        ('Revert "x"', None, 1, "a revert"),
        ("Reverting is easy", None, 1, ""),
        ("Bump x", Person("dependabot[bot]", "1+dependabot[bot]@x.org"), 1, "made by dependabot[bot]"),
        ("Bump x", Person("Renovate Bot", "bot@renovateapp.com"), 1, "made by Renovate Bot"),
        ("Bump x", Person("Bot Smith", "bot.smith@example.org"), 1, ""),
        ("fixup! x", None, 1, ""),
    ],
)
def test_who_and_what_is_excepted(text: str, author: Person | None, parents: int, why: str) -> None:
    assert PRESETS["plain"].exceptions.why(parse(text, author), parents) == why


def test_exceptions_can_be_switched_off_and_added() -> None:
    strict = Exceptions(merges=False, reverts=False, headers=("Release ",), bodies=("skip-check",), squashes=True)
    assert strict.why(parse("Merge branch 'x'"), 2) == ""
    assert strict.why(parse('Revert "x"')) == ""
    assert strict.why(parse("Release 1.0")) == "its header is exempt"
    assert strict.why(parse("x\n\nskip-check: yes")) == "its body is exempt"
    assert strict.why(parse("squash! x")) == "to be squashed"


FINE = ["Add a parser", "Fix #12", "Use less memory\n\nIt was copied twice.", "v1.2.0", "fix: x (#12)"]


@pytest.mark.parametrize("text", FINE)
def test_what_is_reasonable_passes_the_plain_rules_without_a_word(text: str) -> None:
    assert check(parse(text), PRESETS["plain"]) == ()
