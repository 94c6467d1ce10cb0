"""`inlay commits plan`: what would be sent, before any call, in text and as JSON."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inlay.commits.diff.hunks import hunks
from inlay.commits.diff.sections import parse

if TYPE_CHECKING:
    from conftest import Outcome, Repo

Run = Callable[..., "Outcome"]


def write(repo: "Repo", files: dict[str, bytes]) -> str:
    for name, content in files.items():
        path = repo.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return repo.commit("Change things\n")


def planned(run: Run, *arguments: str) -> list[dict[str, Any]]:
    outcome = run("plan", *arguments, "--json")
    assert outcome.code == 0, outcome.err
    return [json.loads(line) for line in outcome.out.splitlines()]


def lines(count: int, start: int = 0) -> bytes:
    return b"".join(b"line number %d\n" % n for n in range(start, start + count))


def test_a_range_is_planned_oldest_first_and_the_root_too(repo: "Repo", run: Run) -> None:
    plans = planned(run, "HEAD~2..HEAD", "--budget", "1000")
    assert [plan["commit"] for plan in plans] == repo.git("rev-list", "--reverse", "HEAD~2..HEAD").split()
    (root,) = planned(run, "HEAD~3", "--budget", "1000")
    assert [file["path"] for file in root["chunks"][0]["files"]] == ["file0-main"]
    outcome = run("plan", "HEAD~2..HEAD", "--budget", "3000")
    assert "2 commits" in outcome.out
    assert "1 request;" in outcome.out  # small commits share one


def test_a_diff_that_fits_is_whole(repo: "Repo", run: Run) -> None:
    commit = write(repo, {"a.txt": lines(50), "b/c.txt": lines(50)})
    (plan,) = planned(run, "HEAD", "--budget", "2000")
    (chunk,) = plan["chunks"]
    whole = repo.raw("diff-tree", "-p", "-r", "-M", "--full-index", commit + "^", commit)
    assert "".join(file["diff"] for file in chunk["files"]).encode() == whole
    assert (plan["tokens"], plan["requests"]) == (chunk["tokens"], 1)


def test_a_file_too_large_is_split_into_pieces_that_stand_alone(repo: "Repo", run: Run) -> None:
    write(repo, {"long.txt": lines(2000)})
    write(repo, {"long.txt": lines(2000).replace(b"number 7", b"NUMBER 7")})
    (plan,) = planned(run, "HEAD", "--budget", "500")
    pieces = [
        file["diff"].encode() for chunk in plan["chunks"] for file in chunk["files"] if file["path"] == "long.txt"
    ]
    assert len(pieces) > 3
    for piece in pieces:
        (file,) = parse(piece)
        assert hunks(file)
        repo.raw("apply", "--cached", "--reverse", "--check", "--unidiff-zero", "-", data=piece)
    assert sum(piece.count(b"\n+line NUMBER 7") for piece in pieces) == 111
    assert all(chunk["tokens"] <= 500 for chunk in plan["chunks"])
    assert plan["requests"] > len(plan["chunks"])  # the answers are merged


def test_sizes_come_from_the_one_diff_that_git_writes(repo: "Repo", run: Run) -> None:
    write(repo, {"a.txt": lines(300)})
    (plan,) = planned(run, "HEAD", "--budget", "500")
    for chunk in plan["chunks"]:
        assert chunk["tokens"] == sum(-(-len(file["diff"].encode()) // 3) for file in chunk["files"])


def test_neighbours_share_a_chunk(repo: "Repo", run: Run) -> None:
    write(repo, {f"{folder}/{n}.txt": lines(20) for folder in "abcd" for n in range(10)})
    (plan,) = planned(run, "HEAD", "--budget", "2200")
    assert len(plan["chunks"]) <= 1.10 * -(-plan["tokens"] // 2200)
    where: dict[str, set[int]] = {}
    for number, chunk in enumerate(plan["chunks"]):
        for file in chunk["files"]:
            where.setdefault(file["path"], set()).add(number)
    for folder in "abcd":
        assert all(where[f"{folder}/{n}.txt"] & where[f"{folder}/{n + 1}.txt"] for n in range(9))


def test_only_what_cannot_be_sent_is_a_placeholder_that_says_why(repo: "Repo", run: Run) -> None:
    write(repo, {"p.png": b"\x89PNG\0" + bytes(2000), "min.js": b"x" * 9000 + b"\n" + lines(3), "a.txt": lines(3)})
    (plan,) = planned(run, "HEAD", "--budget", "1000")
    files = [file for chunk in plan["chunks"] for file in chunk["files"]]
    kept = {file["path"]: file for file in files if file.get("placeholder")}
    assert {path: (file["reason"], file["bytes"]) for path, file in kept.items()} == {
        "p.png": ("binary", 2005),
        "min.js": ("long-line", 9002),
    }
    assert "9,002 bytes, about 3,001 tokens" in kept["min.js"]["diff"]
    assert sum("+line number 2\n" in file["diff"] for file in files if file["path"] == "min.js") == 1
    told = run("plan", "HEAD", "--budget", "1000").out
    assert "p.png: binary, 2,005 bytes" in told
    assert "min.js: a line too long for a chunk, 9,002 bytes, 3,001 tokens" in told


def test_what_is_left_out_is_named_and_nothing_is_by_itself(repo: "Repo", run: Run) -> None:
    attributes = b"gen/** linguist-generated\ngen/kept.py -linguist-generated\n"
    named = {
        ".gitattributes": attributes,
        "yarn.lock": lines(3),
        "gen/x.py": lines(3),
        "gen/kept.py": lines(3),
        "d/a.md": lines(3),
    }
    write(repo, named)

    def sent(*arguments: str) -> set[str]:
        (plan,) = planned(run, "HEAD", "--budget", "9000", *arguments)
        return {file["path"] for chunk in plan["chunks"] for file in chunk["files"]} & named.keys()

    assert sent() == named.keys()
    assert sent("--ignore", "@lock") == named.keys() - {"yarn.lock"}
    assert sent("--ignore", "@generated") == named.keys() - {"gen/x.py"}
    assert sent("--ignore", "d/", "--ignore", "*.py", "--ignore", "!x.py") == named.keys() - {"d/a.md", "gen/kept.py"}
    told = run("plan", "HEAD", "--budget", "9000", "--ignore", "@lock").out
    assert "yarn.lock: left out by @lock" in told
    (repo.root / ".inlay.toml").write_text('[commits]\nignore = ["@lock"]\n')
    assert sent() == named.keys() - {"yarn.lock"}


def test_a_bare_repository_and_attributes_of_the_work_tree_change_nothing(
    repo: "Repo", run: Run, tmp_path: Path
) -> None:
    write(repo, {"a.txt": lines(5), "b.dat": lines(5)})
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare"))
    (repo.root / ".gitattributes").write_text("* -diff\n")
    repo.git("config", "diff.noprefix", "true")
    repo.git("config", "diff.external", "false")
    repo.git("config", "color.ui", "always")
    here, there = (planned(run, "HEAD", "--budget", "900", "-C", str(root)) for root in (repo.root, tmp_path / "bare"))
    assert here == there
    assert not any(file.get("placeholder") for chunk in here[0]["chunks"] for file in chunk["files"])


def test_a_merge_is_compared_to_its_first_parent(repo: "Repo", run: Run) -> None:
    repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    write(repo, {"side.txt": lines(2)})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    (plan,) = planned(run, "HEAD", "--budget", "900")
    assert {"side.txt"} <= {file["path"] for chunk in plan["chunks"] for file in chunk["files"]}


def test_an_empty_commit_and_an_empty_range(repo: "Repo", run: Run) -> None:
    repo.git("commit", "-q", "--allow-empty", "-m", "Nothing")
    repo.git("commit", "-q", "--allow-empty", "-m", "Nothing again")
    assert [plan["chunks"] for plan in planned(run, "HEAD~2..HEAD", "--budget", "900")] == [[], []]
    assert planned(run, "HEAD..HEAD", "--budget", "900") == []


def test_names_that_are_no_text_survive(repo: "Repo", run: Run) -> None:
    blob = repo.git("hash-object", "-w", "--stdin", data=b"\xff\xfe bytes\n")
    repo.git("update-index", "-z", "--index-info", data=b'100644 %s\tna\xefve "x".txt\0' % blob.encode())
    repo.git("commit", "-q", "-m", "Odd")
    (plan,) = planned(run, "HEAD", "--budget", "900")
    (file,) = plan["chunks"][0]["files"]
    assert file["path"].encode("utf-8", "surrogateescape") == b'na\xefve "x".txt'
    assert b"+\xff\xfe bytes\n" in file["diff"].encode("utf-8", "surrogateescape")


def test_a_model_brings_its_own_tokens_and_prices(repo: "Repo", run: Run) -> None:
    write(repo, {"a.txt": lines(50)})
    (plan,) = planned(run, "HEAD", "--model", "anthropic:claude-sonnet-5")
    assert plan["cost"] > 0
    told = run("plan", "HEAD", "--model", "anthropic:claude-sonnet-5").out
    assert "about $" in told
    (lower,) = planned(run, "HEAD", "--model", "anthropic:claude-sonnet-5", "--budget", "200")
    assert len(lower["chunks"]) > 1


def test_wrong_usage_says_what_is_wrong(repo: "Repo", run: Run) -> None:
    assert run("plan", "nosuch", "--budget", "900").code == 2
    assert run("plan", "HEAD:file0-main", "--budget", "900").code == 2
    assert run("plan", "HEAD", "--budget", "7").code == 2
    outcome = run("plan", "HEAD")
    assert outcome.code == 2
    assert "--budget" in outcome.err
    told = run("plan", "nosuch", "--budget", "900", "--json")
    assert json.loads(told.out)["error"] == "UnknownCommit"


def test_objects_that_are_missing_are_told_in_gits_words(repo: "Repo", run: Run) -> None:
    write(repo, {"gone.txt": lines(3)})
    blob = repo.git("rev-parse", "HEAD:gone.txt")
    (repo.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    outcome = run("plan", "HEAD~1..HEAD", "--budget", "900")
    assert outcome.code == 5
    assert blob in outcome.err
