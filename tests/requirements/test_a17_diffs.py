"""Diffs that are larger than a request, through `inlay commits`."""

import json
import os
import re
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from loopback import Reply, Seen, replies

from .conftest import MODEL, Outcome, Run, Serve, git

pytestmark = pytest.mark.slow

_ID = re.compile(r"^# Commit (\w+)$", re.MULTILINE)
_DIFF = re.compile(r"^\[begin diff (\w+) #(\w+)\]\n(.*?)^\[end diff #\2\]", re.MULTILINE | re.DOTALL)


@pytest.fixture
def repo(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project as a repository with one commit, without anybody's configuration of git."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(project.parent))
    git(project, "init", "-q", "-b", "main")
    git(project, "config", "user.name", "Ada")
    git(project, "config", "user.email", "ada@example.org")
    commit(project, "Start")
    return project


def commit(repo: Path, message: str, files: dict[str, str | bytes] | None = None) -> str:
    for name, content in (files or {}).items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    git(repo, "add", ".")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)
    return git(repo, "rev-parse", "HEAD").strip()


def text(topic: str, lines: int) -> str:
    return "".join(f"line {number} about {topic}\n" for number in range(lines))


def plans(run: Run, *arguments: str) -> list[dict[str, Any]]:
    done = run("commits", "plan", *arguments, "--json")
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


def diff_of(repo: Path, revision: str = "HEAD") -> str:
    return git(repo, "diff-tree", "-p", "-r", "-M", "--full-index", f"{revision}^", revision)


# --- a model that answers by a rule that a test can foresee ---------------------------------------------------------


def asked_about(seen: Seen) -> list[str]:
    return _ID.findall(seen.messages[0][1])


def shown(seen: Seen) -> dict[str, str]:
    """The diff of every commit in a request."""
    return {name: diff for name, _, diff in _DIFF.findall(seen.messages[0][1])}


def is_merge(seen: Seen) -> bool:
    return "[begin part " in seen.messages[0][1]


def answer(seen: Seen) -> str:
    """An error for every added line with HIDDEN in it; a message with the number of the request."""
    if '"issues"' in seen.system:
        return json.dumps({"commits": [verdict(name, shown(seen).get(name, "")) for name in asked_about(seen)]})
    return json.dumps({"commits": [wording(seen, name) for name in asked_about(seen)]})


def verdict(name: str, diff: str) -> dict[str, Any]:
    hidden = re.findall(r"^\+.*HIDDEN (\w+)", diff, re.MULTILINE)
    issues = [{"rule": "leaves-out", "severity": "error", "explanation": f"It hides {what}."} for what in hidden]
    suggestion = f"Say {' and '.join(hidden)}" if hidden else None
    return {"id": name, "summary": "It changes things.", "issues": issues, "suggestion": suggestion}


def wording(seen: Seen, name: str) -> dict[str, Any]:
    return {"id": name, "summary": "s", "message": f"{'Merge' if is_merge(seen) else 'Say'} {seen.number}"}


# --- the whole diff first ------------------------------------------------------------------------------------------

FILES: dict[str, str | bytes] = {f"{folder}/f.txt": text(folder, 400) for folder in ("one", "two", "three")}


def test_a_diff_is_whole_up_to_the_very_budget(repo: Path, run: Run) -> None:
    commit(repo, "Add three files", FILES)
    (plan,) = plans(run, "HEAD", "--budget", "1000000")
    budget = plan["tokens"]
    (plan,) = plans(run, "HEAD", "--budget", str(budget))
    (chunk,) = plan["chunks"]
    assert "".join(file["diff"] for file in chunk["files"]) == diff_of(repo)
    assert plan["requests"] == 1
    (plan,) = plans(run, "HEAD", "--budget", str(budget - 1))
    assert len(plan["chunks"]) > 1


def smallest_context(run: Run, serve: Serve, max_output: int = 4_000) -> int:
    """The smallest context of a model for which the last commit is not split."""
    low, high = 12_000, 200_000
    while low < high:
        middle = (low + high) // 2
        with serve(context=middle, max_output=max_output):
            (plan,) = plans(run, "HEAD", "--model", MODEL)
        low, high = (low, middle) if len(plan["chunks"]) == 1 else (middle + 1, high)
    return low


COMMANDS = pytest.mark.parametrize(
    "arguments", [["check", "HEAD", "--ai"], ["amend", "HEAD", "--yes"], ["draft"]], ids=["check", "amend", "draft"]
)


def requests(repo: Path, run: Run, serve: Serve, arguments: list[str], context: int) -> list[Seen]:
    """What a command sends about the last commit, or about the same changes before they are committed."""
    if arguments == ["draft"]:
        git(repo, "reset", "-q", "--soft", "HEAD~1")
    with serve(answer, context=context, max_output=4_000) as server:
        assert run("commits", *arguments).code == 0
    return server.seen


@COMMANDS
def test_one_request_holds_the_whole_diff_where_it_fits(
    repo: Path, run: Run, serve: Serve, arguments: list[str]
) -> None:
    commit(repo, "Add three files", FILES)
    whole, context = diff_of(repo), smallest_context(run, serve)
    (plan,) = plans(run, "HEAD", "--model", MODEL)
    assert context - plan["tokens"] <= 12_000  # for the answer and the words of the request
    sent = requests(repo, run, serve, arguments, context)
    assert [list(shown(seen).values()) for seen in sent] == [[whole]]


@COMMANDS
def test_one_token_more_and_it_is_split(repo: Path, run: Run, serve: Serve, arguments: list[str]) -> None:
    commit(repo, "Add three files", FILES)
    whole, context = diff_of(repo), smallest_context(run, serve)
    sent = requests(repo, run, serve, arguments, context - 1)
    parts = [diff for seen in sent for diff in shown(seen).values()]
    assert len(parts) > 1
    assert sorted(added(*parts)) == sorted(added(whole))


def added(*diffs: str) -> list[str]:
    lines = [line for diff in diffs for line in diff.splitlines()]
    return [line for line in lines if line.startswith("+") and not line.startswith("+++")]


# --- nothing is dropped silently -----------------------------------------------------------------------------------

MANY: dict[str, str | bytes] = {f"d{number}/f.txt": text(f"file {number}", 900) for number in range(8)}


@COMMANDS
def test_of_a_large_diff_every_line_is_sent(repo: Path, run: Run, serve: Serve, arguments: list[str]) -> None:
    commit(repo, "Add eight files", MANY)
    whole = diff_of(repo)
    sent = requests(repo, run, serve, arguments, 20_000)
    parts = [diff for seen in sent for diff in shown(seen).values()]
    assert len(parts) > 4
    assert sorted(added(*parts)) == sorted(added(whole))


@COMMANDS
def test_what_cannot_be_sent_is_named_to_the_model_and_to_the_person(
    repo: Path, run: Run, serve: Serve, arguments: list[str]
) -> None:
    left_out: dict[str, str | bytes] = {
        "logo.bin": bytes(range(256)) * 9,
        "min.js": "x" * 90_000 + "\n",
        "lock.txt": "x\n",
    }
    commit(repo, "Add a logo", {**left_out, "note.txt": "y\n"})
    (repo / ".inlay.toml").write_text('[commits]\nignore = ["lock.txt"]\n')
    sent = requests(repo, run, serve, arguments, 20_000)
    words = "".join(seen.last for seen in sent)
    assert "+y\n" in words
    with serve(answer, context=20_000, max_output=4_000):
        shown_to_a_person, done = (run("commits", *arguments, *more) for more in ([], ["--json"]))
    for name in left_out:
        assert name in words
        assert name in shown_to_a_person.out + shown_to_a_person.err
        assert any(what.startswith(f"{name}: ") for what in unseen(done))
    assert not any(what.startswith("note.txt") for what in unseen(done))


def unseen(done: Outcome) -> list[str]:
    """What a model was not shown, as data."""
    found = done.data.get("unseen", [])
    nested = [*found, *done.data.get("commits", [])]
    return [what for each in nested for what in ([each] if isinstance(each, str) else each.get("unseen", []))]


# --- by file and by hunk -------------------------------------------------------------------------------------------

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
Line = tuple[str, int, int, str]


def header(diff: str) -> str:
    head, found, _ = diff.partition("\n@@ ")
    return f"{head}\n" if found else diff


def numbered(diff: str) -> Iterator[Line]:
    """Every line of every hunk with its sign and its numbers, read by the counts of the `@@` lines."""
    lines = diff.split("\n@@ ", 1)[1].split("\n") if "\n@@ " in diff else []
    at = 0
    while at < len(lines) - 1:
        found = _HUNK.match(lines[at] if lines[at].startswith("@@ ") else f"@@ {lines[at]}")
        assert found, lines[at]
        old_left, new_left = (1 if found[group] is None else int(found[group]) for group in (2, 4))
        old, new, at = int(found[1]), int(found[3]), at + 1
        while old_left or new_left or lines[at].startswith("\\"):
            sign, line = lines[at][:1], lines[at][1:]
            at += 1
            if sign != "\\":
                line += "\\" * lines[at].startswith("\\")  # a line without an end is another line
                yield sign, old if sign != "+" else 0, new if sign != "-" else 0, line
                old, old_left = old + (sign != "+"), old_left - (sign != "+")
                new, new_left = new + (sign != "-"), new_left - (sign != "-")


@pytest.fixture
def changed(repo: Path) -> Path:
    """A last commit with every kind of change that git knows."""
    tricky = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n"
    commit(
        repo,
        "Before",
        {
            "long.txt": text("the past", 3_000),
            "moved/from.txt": text("moving", 300),
            "mode.sh": "true\n",
            "gone.txt": text("what goes", 200),
            "tricky.txt": tricky * 40,
            "open.txt": "one\ntwo",
            "dos.txt": "one\r\n" * 200,
            "picture.bin": bytes(range(256)),
            'quo"ted\ttab.txt': "x\n",
        },
    )
    (repo / "moved/to").mkdir()
    git(repo, "mv", "moved/from.txt", "moved/to/there.txt")
    (repo / "gone.txt").unlink()
    (repo / "mode.sh").chmod(0o755)
    (repo / "link").symlink_to("long.txt")
    head = git(repo, "rev-parse", "HEAD").strip()
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{head},vendor/module")
    commit(
        repo,
        "After",
        {
            "long.txt": text("the past", 3_000).replace("7 about the past", "7 about the present"),
            "moved/to/there.txt": text("moving", 300).replace("line 9 ", "line nine "),
            "tricky.txt": "first\n" + (tricky * 40).replace("-old", "-older"),
            "open.txt": "one\ntwo\nthree",
            "dos.txt": "one\r\n" * 100 + "two\r\n" + "one\r\n" * 99,
            "picture.bin": bytes(reversed(range(256))),
            'quo"ted\ttab.txt': "y\n",
            "sp ace/ümläut 日本.txt": text("names", 50),
            "empty.txt": "",
        },
    )
    return repo


def pieces(plan: dict[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for chunk in plan["chunks"]:
        for file in chunk["files"]:
            found.setdefault(file["path"], []).append(file["diff"])
    return found


def test_every_kind_of_change_is_shown_as_git_shows_it(changed: Path, run: Run) -> None:
    whole = git(changed, "-c", "core.quotePath=false", "diff-tree", "-p", "-r", "-M", "--full-index", "HEAD^", "HEAD")
    names = git(changed, "diff-tree", "-r", "-M", "--name-only", "-z", "HEAD^", "HEAD").split("\0")[:-1]
    (plan,) = plans(run, "HEAD", "--budget", "1000000")
    found = pieces(plan)
    assert sorted(found) == sorted(names)
    assert len(names) == 12
    (picture,) = found.pop("picture.bin")
    head, _, note = picture.partition(" differ\n")
    assert note
    found["picture.bin"] = [f"{head} differ\n"]
    assert all(len(diffs) == 1 and diffs[0] in whole for diffs in found.values())
    assert sum(len(diffs[0]) for diffs in found.values()) == len(whole)


@pytest.mark.parametrize("budget", [200, 600, 4_000])
def test_every_kind_of_change_survives_being_split(changed: Path, run: Run, budget: int) -> None:
    (plan,), (whole,) = (plans(run, "HEAD", "--budget", str(most)) for most in (budget, 1_000_000))
    for chunk in plan["chunks"]:
        assert chunk["tokens"] <= budget or all(file.get("placeholder") for file in chunk["files"])
    assert pieces(plan).keys() == pieces(whole).keys()
    for name, (complete,) in pieces(whole).items():
        parts = pieces(plan)[name]
        assert all(part.startswith(header(complete)) for part in parts)
        assert Counter(line for part in parts for line in numbered(part)) == Counter(numbered(complete))
    assert budget > 200 or len(pieces(plan)["long.txt"]) > 10


def test_a_line_without_an_end_stays_one_wherever_a_hunk_is_cut(repo: Path, run: Run) -> None:
    commit(repo, "Before", {"open.txt": text("the past", 20).rstrip("\n")})
    commit(repo, "After", {"open.txt": text("the present", 20).rstrip("\n")})
    ((complete,),) = pieces(plans(run, "HEAD", "--budget", "1000000")[0]).values()
    assert complete.count("\n\\ No newline") == 2
    for budget in range(100, 400, 3):
        (parts,) = pieces(plans(run, "HEAD", "--budget", str(budget))[0]).values()
        assert Counter(line for part in parts for line in numbered(part)) == Counter(numbered(complete))


# --- sizes, packing, placeholders ----------------------------------------------------------------------------------


def test_git_writes_each_diff_once_and_no_content_is_read_besides(
    repo: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        commit(repo, f"Add {number}", {f"{number}/{name}.txt": text(name, 200) for name in "abc"})
    real, log, folder = shutil.which("git"), repo.parent / "calls", repo.parent / "bin"
    folder.mkdir()
    (folder / "git").write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {real} "$@"\n')
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    found = plans(run, "HEAD~3..HEAD", "--budget", "2000")
    assert all(len(plan["chunks"]) > 1 for plan in found)
    verbs = [verb for line in log.read_text().splitlines() for verb in line.split() if verb in READING]
    assert verbs == ["diff-tree"]
    for plan in found:  # a third of a token for every byte of the diff that was read
        for chunk in plan["chunks"]:
            assert chunk["tokens"] == sum(-(-len(file["diff"].encode()) // 3) for file in chunk["files"])


READING = {"diff-tree", "diff", "diff-index", "show", "log", "cat-file", "format-patch", "whatchanged", "archive"}


def test_chunks_are_full_and_neighbours_share_them(repo: Path, run: Run) -> None:
    names = [f"{folder}/{number}.txt" for folder in "abcd" for number in range(10)]
    commit(repo, "Add forty files", {name: text(name, 12 + 7 * (number % 5)) for number, name in enumerate(names)})
    budget = 1_500
    (plan,) = plans(run, "HEAD", "--budget", str(budget))
    assert all(chunk["tokens"] <= budget for chunk in plan["chunks"])
    assert 5 <= len(plan["chunks"]) <= -(-plan["tokens"] // budget) + 1
    where: dict[str, set[int]] = {}
    for number, chunk in enumerate(plan["chunks"]):
        for file in chunk["files"]:
            where.setdefault(file["path"], set()).add(number)
    neighbours = [(f"{folder}/{n}.txt", f"{folder}/{n + 1}.txt") for folder in "abcd" for n in range(9)]
    apart = [pair for pair in neighbours if not where[pair[0]] & where[pair[1]]]
    assert len(apart) < len(plan["chunks"])  # only where a chunk ends


def test_only_what_cannot_be_split_is_a_placeholder(repo: Path, run: Run) -> None:
    files: dict[str, str | bytes] = {
        "p.png": b"\x89PNG\0" + bytes(2_000),
        "min.js": "x" * 9_000 + "\n" + text("after", 3),
        "huge.txt": text("one hunk", 5_000),
        "a.txt": text("small", 3),
    }
    commit(repo, "Add files", files)
    (plan,) = plans(run, "HEAD", "--budget", "1000")
    sent = [file for chunk in plan["chunks"] for file in chunk["files"]]
    replaced = {file["path"]: file for file in sent if file.get("placeholder")}
    assert {path: (file["reason"], file["bytes"], file["tokens"]) for path, file in replaced.items()} == {
        "p.png": ("binary", 2_005, 669),
        "min.js": ("long-line", 9_002, 3_001),
    }
    for file in replaced.values():  # and it says so itself
        assert file["path"] in file["diff"]
        assert f"{file['bytes']:,}" in file["diff"]
        assert f"{file['tokens']:,}" in file["diff"]
    lines = added(*(file["diff"] for file in sent if not file.get("placeholder")))
    expected = "".join(str(content) for name, content in files.items() if name != "p.png").splitlines()
    assert sorted(lines) == sorted(f"+{line}" for line in expected if len(line) < 9_000)
    shown_to_a_person = run("commits", "plan", "HEAD", "--budget", "1000").out
    assert "p.png" in shown_to_a_person
    assert "9,002" in shown_to_a_person


@pytest.mark.parametrize("max_output", [4_000, 1_000])
@pytest.mark.parametrize("files", [FILES, {"one.txt": text("one", 800)}], ids=["large", "small"])
def test_the_budget_is_what_everything_else_leaves(
    repo: Path, run: Run, serve: Serve, files: dict[str, str | bytes], max_output: int
) -> None:
    commit(repo, "Add files", files)
    context = smallest_context(run, serve, max_output)
    with serve(context=context, max_output=max_output):
        (plan,) = plans(run, "HEAD", "--model", MODEL)
    system, template, envelope, metadata, message, summary = 2_500, 500, 100, 200, 600, 2_500
    assert context == plan["tokens"] + max_output + system + template + envelope + metadata + message + summary


@pytest.mark.parametrize("arguments", [["check", "HEAD", "--ai"], ["amend", "HEAD", "--yes"]], ids=["check", "amend"])
def test_every_request_fits_the_model_with_its_answer(repo: Path, run: Run, serve: Serve, arguments: list[str]) -> None:
    files: dict[str, str | bytes] = {f"{'deep/' * 9}{number:04}.txt": text("x", 40) for number in range(300)}
    commit(repo, f"Add it\n\n{text('a long message', 2_500)}", files)
    context = 20_000
    with serve(answer, context=context, max_output=4_000) as server:
        assert run("commits", *arguments).code == 0
    assert len(server.seen) > 9
    for seen in server.seen:
        # English and diffs take a token for three bytes at most; half of that is room for doubt.
        assert len(seen.words.encode()) // 3 + seen.max_tokens <= context


# --- asking in parts -----------------------------------------------------------------------------------------------


def test_parts_are_asked_about_at_the_same_time_and_merged_once(repo: Path, run: Run, serve: Serve) -> None:
    commit(repo, "Say the original", {f"d{number}/f.txt": text(f"file {number}", 900) for number in range(10)})
    with serve(lambda seen: Reply(answer(seen), delay=0.1), context=20_000, max_output=4_000) as server:
        (plan,) = plans(run, "HEAD", "--model", MODEL)
        assert run("commits", "amend", "HEAD", "--yes").code == 0
    *parts, last = server.seen
    assert len(parts) == len(plan["chunks"]) >= 8
    assert 2 <= server.most_at_once <= 4
    assert [is_merge(seen) for seen in server.seen] == [False] * len(parts) + [True]
    assert "Say the original" in last.last
    for seen in parts:  # every part's message, and the files it is about
        assert f"Say {seen.number}\n" in last.last
        for name in re.findall(r"^diff --git a/(\S+)", next(iter(shown(seen).values())), re.MULTILINE):
            assert name in last.last
    assert git(repo, "log", "-1", "--format=%s").strip() == f"Merge {last.number}"


def stubborn(topic: str, broken: threading.Event) -> Callable[[Seen], Reply | str]:
    """A model that has nothing to say about one part while it is broken."""

    def reply(seen: Seen) -> Reply | str:
        return replies.prose() if broken.is_set() and f"about {topic}" in seen.messages[0][1] else answer(seen)

    return reply


@pytest.mark.parametrize("arguments", [["check", "HEAD", "--ai"], ["amend", "HEAD", "--yes"]], ids=["check", "amend"])
def test_a_part_that_fails_is_asked_again_and_what_was_paid_for_is_kept(
    repo: Path, run: Run, serve: Serve, arguments: list[str]
) -> None:
    commit(repo, "Add files", {f"d{number}/f.txt": text(f"topic{number}", 900) for number in range(6)})
    before = git(repo, "rev-parse", "HEAD")
    broken = threading.Event()
    broken.set()
    with serve(stubborn("topic3", broken), context=20_000, max_output=4_000) as server:
        failed = run("commits", *arguments, "--json")
        first = [seen.messages[0][1] for seen in server.seen]
        server.seen.clear()
        broken.clear()
        done = run("commits", *arguments, "--json")
        second = [seen.messages[0][1] for seen in server.seen if not is_merge(seen)]
    # Three tries for the part that fails, one for every other.
    assert {first.count(request) for request in first if "about topic3" in request} == {3}
    assert {first.count(request) for request in first if "about topic3" not in request} == {1}
    if arguments[0] == "check":
        assert (failed.code, failed.data["commits"][0]["outcome"]) == (6, "unchecked")
        assert (done.code, done.data["commits"][0]["outcome"]) == (0, "passes")
        assert git(repo, "rev-parse", "HEAD") == before
    else:
        assert failed.data["kept"][0]["why"]
        assert (done.code, done.data["kept"]) == (0, [])
        assert git(repo, "rev-parse", "HEAD") != before
    assert sorted(second) == sorted({request for request in first if "about topic3" in request})


def test_issues_of_all_parts_are_joined_and_equal_ones_are_one(repo: Path, run: Run, serve: Serve) -> None:
    topics = {"a": "HIDDEN door", "b": "HIDDEN window", "c": "plain", "d": "HIDDEN door"}
    commit(repo, "Add files", {f"{name}/f.txt": text(name, 1_500) + f"{what}\n" for name, what in topics.items()})
    with serve(answer, context=20_000, max_output=4_000) as server:
        done = run("commits", "check", "HEAD", "--ai", "--json")
    (checked,) = done.data["commits"]
    (issue,) = checked["issues"]
    assert (done.code, checked["outcome"]) == (1, "fails")
    assert (issue["rule"], issue["severity"], issue["section"]) == ("leaves-out", "error", "diff")
    assert sorted(issue["explanations"]) == ["It hides door.", "It hides window."]
    merges = [seen for seen in server.seen if is_merge(seen)]
    assert len(merges) == 1
    assert checked["suggestion"].strip() == f"Merge {merges[0].number}"


def test_issues_that_differ_in_rule_severity_or_section_stay_apart(repo: Path, run: Run, serve: Serve) -> None:
    found = [("leaves-out", "error"), ("leaves-out", "warning"), ("unclear", "error"), ("leaves-out", "error")]

    def judge(seen: Seen) -> str:
        data = json.loads(answer(seen))
        if not is_merge(seen):
            issues = [{"rule": rule, "severity": grade, "explanation": "x"} for rule, grade in found]
            data["commits"][0]["issues"] = issues
        return json.dumps(data)

    commit(repo, "Add files", {f"{name}/f.txt": text(name, 1_500) for name in "abc"})
    with serve(judge, context=20_000, max_output=4_000):
        (checked,) = run("commits", "check", "HEAD", "--ai", "--json").data["commits"]
    assert sorted((issue["rule"], issue["severity"]) for issue in checked["issues"]) == sorted(set(found))


@pytest.mark.parametrize("silent", [replies.prose(), replies.empty(), replies.refusal(), replies.failed(400)])
def test_a_commit_with_a_part_without_an_answer_never_passes(repo: Path, run: Run, serve: Serve, silent: Reply) -> None:
    commit(repo, "Add files", {f"d{number}/f.txt": text(f"topic{number}", 900) for number in range(6)})

    def reply(seen: Seen) -> Reply | str:
        return silent if "about topic3" in seen.messages[0][1] else answer(seen)

    with serve(reply, context=20_000, max_output=4_000):
        done = run("commits", "check", "HEAD", "--ai", "--json")
    assert (done.code, done.data["status"]) == (6, "unchecked")
    (checked,) = done.data["commits"]
    assert checked["outcome"] == "unchecked"
    assert checked["unchecked"]


def test_without_a_suggestion_nothing_is_merged_and_the_first_summary_is_shown(
    repo: Path, run: Run, serve: Serve
) -> None:
    commit(repo, "Add files", {f"{name}/f.txt": text(name, 1_500) for name in "abc"})

    def reply(seen: Seen) -> str:
        data = json.loads(answer(seen))
        names = re.findall(r"^diff --git a/(\S+)", "".join(shown(seen).values()), re.MULTILINE)
        data["commits"][0]["summary"] = f"It adds {names[0]}."
        return json.dumps(data)

    with serve(reply, context=20_000, max_output=4_000) as server:
        done = run("commits", "check", "HEAD", "--ai", "--json")
    assert done.code == 0
    assert len(server.seen) > 2
    assert not any(is_merge(seen) for seen in server.seen)
    (checked,) = done.data["commits"]
    assert (checked["suggestion"], checked["summary"]) == (None, "It adds a/f.txt.")


# --- many commits --------------------------------------------------------------------------------------------------


def test_small_commits_share_requests_and_a_large_one_goes_alone(repo: Path, run: Run, serve: Serve) -> None:
    ids = [commit(repo, f"Add {number}", {f"{number}.txt": text("x", 3)}) for number in range(5)]
    large = commit(repo, "Add much", {f"d{number}/f.txt": text(f"file {number}", 900) for number in range(4)})
    ids += [commit(repo, f"Add more {number}", {f"more{number}.txt": text("x", 3)}) for number in range(5)]
    with serve(answer, context=20_000, max_output=4_000) as server:
        done = run("commits", "check", "HEAD~11..HEAD", "--ai", "--json")
    assert [each["outcome"] for each in done.data["commits"]] == ["passes"] * 11
    groups = [asked_about(seen) for seen in server.seen]
    assert sorted(map(len, groups)) == sorted([1] * groups.count([large[:12]]) + [5, 5])
    assert groups.count([large[:12]]) > 1
    assert {name for group in groups for name in group if name != large[:12]} == {name[:12] for name in ids}


def test_a_shared_request_stays_within_the_budget(repo: Path, run: Run, serve: Serve) -> None:
    for number in range(12):
        commit(repo, f"Add {number}", {f"{number}.txt": text(f"file {number}", 150)})
    context = 30_000
    with serve(answer, context=context, max_output=4_000) as server:
        (plan, *_) = plans(run, "HEAD~12..HEAD", "--model", MODEL)
        assert run("commits", "check", "HEAD~12..HEAD", "--ai").code == 0
    most = (context - 4_000 - 6_400) // (plan["tokens"] + 900)  # 900 for what goes with each diff
    assert [len(asked_about(seen)) for seen in server.seen] == [most] * (12 // most) + (
        [12 % most] if 12 % most else []
    )
    assert 1 < most < 12


@pytest.mark.parametrize("bad", [replies.prose(), replies.empty(), replies.max_tokens('{"commits": [{"id": "')])
def test_a_shared_request_that_fails_is_split_and_asked_again(repo: Path, run: Run, serve: Serve, bad: Reply) -> None:
    for number in range(6):
        commit(repo, f"Add {number}", {f"{number}.txt": "HIDDEN door\n" if number == 4 else "plain\n"})

    def reply(seen: Seen) -> Reply | str:
        return bad if len(asked_about(seen)) > 2 else answer(seen)

    with serve(reply) as server:
        done = run("commits", "check", "HEAD~6..HEAD", "--ai", "--json")
    assert [each["outcome"] for each in done.data["commits"]] == ["passes"] * 4 + ["fails", "passes"]
    assert len(asked_about(server.seen[0])) == 6
    assert all(len(asked_about(seen)) <= 3 for seen in server.seen[1:])
