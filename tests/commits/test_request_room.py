"""Requests about commits beyond measure stay within the model's context, and what is cut from them is named."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from pathlib import Path

import pytest

from inlay.commits import pipeline
from inlay.commits.check_rules import read_commits
from inlay.commits.chunk_plan import PlanTotals, plan_range
from inlay.commits.messages import resolve_rules
from inlay.commits.session import open_session
from inlay.commits.truncate import Truncator
from inlay.git.history import list_commits
from inlay.git.repository import open_repository
from inlay.llm import open_model
from inlay.llm.tokens import counter, plain
from inlay.model.answer import ModelInfo
from inlay.model.settings import Settings
from loopback import Loopback, Seen

from . import simulated

_RULES = resolve_rules.ruleset("conventional", {}, (), [])
_GUIDE = "# Commit messages\n\n" + "提交信息请使用祈使句。SHOUT 0x1F4A9!\n" * 400


def imported(root: Path, *commits: tuple[str, dict[str, bytes]]) -> str:
    """A bare repository with these messages and files; the first commit is not to be asked about."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(root)], check=True)
    stream = b""
    for message, files in (("Begin", {"CONTRIBUTING.md": _GUIDE.encode()}), *commits):
        said = message.encode("utf-8", "surrogateescape")
        stream += b"commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata %d\n" % len(said) + said
        for name, data in files.items():
            stream += b"\nM 100644 inline %s\ndata %d\n" % (name.encode(), len(data)) + data
        stream += b"\n"
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True)
    return f"main~{len(commits)}..main"


def worded(seen: Seen) -> str:
    """A message that keeps the rules, as long as a message for a part may be."""
    body = "\n\n" + "lorem ipsum\n" * 400
    said = [{"id": commit, "summary": "Étude " * 500, "message": f"feat: say what {commit} does{body}"}
            for commit in simulated.asked_about(seen)]  # fmt: skip
    return json.dumps({"commits": said}, ensure_ascii=False)


def asked(root: Path, revision: str, name: str, context: int) -> tuple[ModelInfo, list[Seen], dict[str, list[str]]]:
    """Every request for messages, held against the plan, and what is said not to be shown of each commit."""
    settings = Settings.of(models={name: {"context": context, "max_output": 4000}})
    with Loopback(worded) as server, open_repository(str(root)) as repo:
        model = open_model(name, settings, server.environ(name.partition(":")[0]))
        session = open_session(repo, model, settings)
        commits = list(read_commits(repo, [pair.commit for pair in list_commits(repo, revision)]))

        async def all_of_them() -> dict[str, list[str]]:
            messages = pipeline.reword(session, commits, _RULES)
            return {each.commit.subject[:20]: list(each.unseen) async for each in messages}

        unseen = asyncio.run(all_of_them())
        totals = PlanTotals(session.plan)
        for plan in plan_range(repo, revision, session.plan):
            totals.add(plan)
        assert len(server.seen) == totals.finish().requests
        return session.model.info, server.seen, unseen


@pytest.mark.parametrize("name", ["anthropic:claude-test", "openai:gpt-test"])
def test_no_request_is_longer_than_the_context(name: str, tmp_path: Path) -> None:
    deep = "/".join(f"{number:03d}-A9_ÄÖÜ" for number in range(15))
    revision = imported(
        tmp_path / "repo.git",
        ("wip " + "长" * 40_000, {f"{deep}/F{number}.txt": b"x = %d\n" % number for number in range(300)}),
        ("binaries", {f"{deep}/{number}.PNG": b"\0%d" % number for number in range(60)}),
        *((f"small {number} " + "LONG-9 " * 3000, {f"n{number}.bin": b"\0"}) for number in range(8)),
    )
    info, seen, unseen = asked(tmp_path / "repo.git", revision, name, 30_000)
    count = counter(info)
    assert max(count(each.words) + each.max_tokens for each in seen) <= 30_000
    assert any(re.search(r"and 2\d\d more", each.last) for each in seen)
    assert any(what.startswith("the message is too long") for what in unseen["wip 长长长长长长长长长长长长长长长长"])
    assert len(unseen["binaries"]) == 60


def test_a_path_that_is_longer_than_a_request_is_only_named(tmp_path: Path) -> None:
    long = "/".join(["N0-" * 60] * 16)
    revision = imported(tmp_path / "repo.git", ("one", {long: b"x\n"}))
    info, seen, unseen = asked(tmp_path / "repo.git", revision, "anthropic:claude-test", 13_000)
    assert max(counter(info)(each.words) + each.max_tokens for each in seen) <= 13_000
    assert unseen["one"]


def test_bytes_that_are_no_text_do_not_stop_a_request(tmp_path: Path) -> None:
    revision = imported(
        tmp_path / "repo.git", ("caf\udce9 au lait", {"latin.txt": b"caf\xe9 \x00\n", "b.txt": b"\xff\n"})
    )
    _, seen, _ = asked(tmp_path / "repo.git", revision, "openai:gpt-test", 30_000)
    assert len(seen) == 1


def test_texts_and_lists_are_cut_to_measure() -> None:
    truncator = Truncator(plain)
    assert truncator.text("short", 100) == "short"
    cut = truncator.text("x" * 10_000, 100)
    assert plain(cut.encode()) <= 100
    assert cut.endswith(f"[… {10_000 - cut.count('x'):,} characters left out …]")
    assert truncator.names(["a", "b"], 100) == ("a", "b")
    names = truncator.names([f"file {number}" for number in range(500)], 100)
    assert plain("".join(f"- {name}\n" for name in names).encode()) <= 100
    assert names[-1] == f"and {500 - len(names) + 1} more"


def test_text_that_takes_a_token_for_every_character_is_counted() -> None:
    dense = "".join(chr(33 + number * 7919 % 90) for number in range(400_000))
    assert counter(ModelInfo("openai:gpt-test", 1_000_000, 4000, tokenizer="o200k"))(dense) > 200_000
