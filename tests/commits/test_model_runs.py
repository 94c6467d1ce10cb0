"""Runs that ask a model about commits: wherever they are started, however they end, and what stays of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from inlay.commits.parse_commit_answer import Unusable, entries
from inlay.commits.review import ReviewQuestion
from inlay.model.answer import Answer
from inlay.prompts.blocks import Blocks
from loopback import Reply, Seen

from . import faulty, simulated
from .conftest import Repo, Run
from .test_with_model import MODEL, PRICES, Serve, change, configure, long, outcomes, serve  # noqa: F401


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 6, 14])
def test_no_fault_of_a_server_makes_a_verdict_wrong_or_loses_an_answer(seed: int, tmp_path: Path) -> None:
    assert faulty.run(seed, tmp_path).problems == ()


@pytest.mark.parametrize("stop", ["truncated", "end"])
def test_an_answer_cut_off_anywhere_never_lacks_the_issue_that_fails(stop: str) -> None:
    issues = [{"rule": "unclear", "severity": "info", "explanation": "short"},
              {"rule": "leaves-out", "severity": "error", "explanation": "It hides a door."}]  # fmt: skip
    said = [{"id": each, "summary": "s", "issues": issues, "suggestion": None} for each in ("a", "b", "c")]
    whole = json.dumps({"commits": said})
    question, usable = ReviewQuestion(Blocks(b"k")), 0
    for length in range(len(whole) + 1):
        named, nameless = entries(Answer(whole[:length], stop))  # type: ignore[arg-type]
        for entry in (*named.values(), *nameless):
            try:
                review = question.read(entry, None)  # type: ignore[arg-type]
            except Unusable:
                continue
            usable += 1
            assert [issue.severity for issue in review.issues] == ["info", "error"]
    assert usable > len(whole) // 2


def test_bare_repositories_worktrees_and_folders_below_share_what_they_know(
    serve: Serve,  # noqa: F811
    repo: Repo,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    change(repo, "Add a thing\n", deep__one_txt="HIDDEN door\n")
    server = serve()
    monkeypatch.chdir(repo.root / "deep")
    first = run("check", "HEAD", "--ai", "--json")
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other", "HEAD")
    monkeypatch.chdir(tmp_path / "tree")
    assert run("check", "HEAD", "--ai", "--json").out == first.out
    assert len(server.seen) == 1
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    monkeypatch.chdir(tmp_path / "bare.git")
    assert run("check", "HEAD", "--ai", "--json").out == first.out
    assert (tmp_path / "bare.git/inlay/answers").is_dir()


def test_a_recording_is_whole_though_answers_were_known_and_can_be_replayed(
    serve: Serve,  # noqa: F811
    repo: Repo,
    run: Run,
    tmp_path: Path,
) -> None:
    change(repo, "Add two files\n", a__one_txt=long("one", 1500) + "HIDDEN door\n", b__two_txt=long("two", 1500))
    server = serve(context=20_000)
    first = run("check", "HEAD", "--ai", "--json")
    asked, transcript = len(server.seen), tmp_path / "t.jsonl"
    run("check", "HEAD", "--ai", "--record", str(transcript))
    assert len(server.seen) == asked
    assert transcript.read_text().count("commits-") == asked
    replayed = run("check", "HEAD", "--ai", "--json", "--model", f"recorded:{transcript}")
    assert json.loads(replayed.out) == json.loads(first.out)
    assert len(server.seen) == asked


def test_every_request_is_logged_without_what_it_holds(serve: Serve, repo: Repo, run: Run) -> None:  # noqa: F811
    change(repo, "Add a secret thing\n", one_txt="HIDDEN door\n")
    serve(simulated.Failing(Reply("no JSON")))
    told = run("check", "HEAD", "--ai", "-v", "--json").err
    label = f"commits-check {repo.id()[:12]} part 1 of 1"
    assert f"{label}: 100 tokens in" in told
    assert f"{label}: cannot be used: missing" in told
    assert "attempt 2: 100 tokens in" in told
    assert "secret" not in told
    assert "HIDDEN" not in told
    assert "known from an earlier run" in run("check", "HEAD", "--ai", "-v", "--json").err


def test_what_it_took_is_in_the_statistics(serve: Serve, repo: Repo, run: Run) -> None:  # noqa: F811
    serve()
    run("check", "HEAD", "--ai")
    run("amend", "HEAD", "--yes")
    (repo.root / "new.txt").write_text("x\n")
    repo.git("add", ".")
    run("draft")
    told = subprocess.run([sys.executable, "-m", "inlay", "stats"], cwd=repo.root, capture_output=True, text=True)
    assert all(job in told.stdout for job in ("commits-check", "commits-amend", "commits-draft")), told.stdout


@pytest.mark.slow
def test_a_person_who_interrupts_keeps_what_was_answered(serve: Serve, repo: Repo, run: Run) -> None:  # noqa: F811
    change(repo, "Add files\n", **{f"d{number}__f_txt": long(f"topic{number}", 300) for number in range(6)})

    def slow(seen: Seen) -> Reply:
        return Reply(simulated.right(seen), delay=0.01 if "topic0" in seen.last.partition("All files")[0] else 0.3)

    server = serve(slow, context=13_000)
    command = [sys.executable, "-m", "inlay", "commits", "check", "HEAD", "--ai"]
    process = subprocess.Popen(command, cwd=repo.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    answers = repo.root / ".git" / "inlay" / "answers"
    until = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until and not list(answers.glob("*.json")):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    stored = len(list(answers.glob("*.json")))
    assert stored >= 1
    asked = len(server.seen)
    assert outcomes(run("check", "HEAD", "--ai", "--json").out) == {"Add files": "passes"}
    total = len({seen.messages[0][1] for seen in server.seen})
    assert len(server.seen) - asked == total - stored


def test_what_kept_its_message_is_told_to_programs(serve: Serve, repo: Repo, run: Run) -> None:  # noqa: F811
    (repo.root / "logo.bin").write_bytes(b"\0\1")
    change(repo, "Add a logo\n", one_txt="x\n")
    serve(lambda seen: "no JSON")
    told = json.loads(run("amend", "HEAD", "--yes", "--json").out)
    assert told["status"] == "unchanged"
    assert told["kept"][0]["commit"] == repo.id()
    assert "none of 3 answers could be used" in told["kept"][0]["why"]
    assert "logo.bin" in told["unseen"][0]["unseen"][0]


def test_the_plan_is_cut_by_what_was_learnt_about_the_model(serve: Serve, repo: Repo, run: Run) -> None:  # noqa: F811
    change(repo, "Add a file\n", one_txt=long("one", 900))
    serve(lambda seen: Reply(simulated.right(seen), input_tokens=len(seen.words)), context=20_000)
    before = run("plan", "HEAD").out
    run("check", "HEAD", "--ai")
    assert run("plan", "HEAD").out != before
    assert os.path.exists(repo.root / ".git/inlay/tokens.json")
    configure(f'model = "{MODEL}"\n[models."{MODEL}"]\ncontext = 200000\nmax_output = 4000\n{PRICES}')
    assert "1 request" in run("plan", "HEAD").out
