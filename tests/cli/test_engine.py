"""`inlay engine`: one answer for every line, whatever the line is."""

import json
from typing import Any

import pytest

from .conftest import Run

REPLY = "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"


def answers(run: Run, *requests: object, arguments: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in requests]
    done = run("engine", *arguments, stdin=b"\n".join(lines) + b"\n")
    assert (done.code, done.err) == (0, "")
    told = [json.loads(line) for line in done.out.splitlines()]
    assert len(told) == len(requests)
    return told


def request(**fields: object) -> dict[str, object]:
    return {"id": 1, "path": "a.py", "original": "x = 1\n", "response": REPLY, **fields}


def test_an_edit_is_applied(run: Run) -> None:
    (told,) = answers(run, request(id="e1", format="search_replace"))
    assert {**told, "ms": 0} == {"id": "e1", "status": "applied", "content": "x = 2\n", "rule": "exact", "ms": 0}
    assert told["ms"] > 0


@pytest.mark.parametrize("fields", [{"format": None}, {"format": ""}, {}])
def test_the_format_may_be_left_out(run: Run, fields: dict[str, object]) -> None:
    assert answers(run, request(**fields))[0]["content"] == "x = 2\n"


def test_a_refusal_has_no_content(run: Run) -> None:
    (told,) = answers(run, request(original="y = 1\n"))
    assert (told["status"], told["code"]) == ("refused", "not-found")
    assert "content" not in told
    assert told["feedback"].startswith("Nothing was changed.")


def test_bad_lines_are_answered_and_the_engine_stays_up(run: Run) -> None:
    deep = b"[" * 100_000
    bad = [b"", b"not json", b"[1]", b"\xff\xfe", deep, {"id": 7}, request(id=8, response=5)]
    bad += [request(id=9, original=5), request(id=10, format="nonsense"), request(id=11, path=[])]
    *refused, good = answers(run, *bad, request())
    assert all(told["status"] == "refused" for told in refused)
    assert all(told["code"] == "bad-request" for told in refused)
    assert [told["id"] for told in refused] == [None] * 5 + [7, 8, 9, 10, 11]
    assert good["status"] == "applied"


def test_a_bug_of_ours_does_not_end_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(request: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("inlay.landing.embed.embed", broken)
    (told,) = answers(run, request())
    assert (told["status"], told["code"]) == ("refused", "bug")


def test_a_deletion_is_told(run: Run) -> None:
    (told,) = answers(run, request(response="*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n"))
    assert (told["status"], told["content"], told["deleted"]) == ("applied", None, True)


def test_a_missing_file_and_a_byte_order_mark(run: Run) -> None:
    new = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** End Patch\n"
    first, second = answers(run, request(original=None, response=new), request(original="\ufeffx = 1\n"))
    assert first["content"] == "x = 1\n"
    assert second["content"] == "\ufeffx = 2\n"


def test_checks_only_with_check(run: Run) -> None:
    broken = request(response=REPLY.replace("x = 2", "x = (2"))
    assert answers(run, broken)[0]["status"] == "applied"
    assert answers(run, broken, arguments=("--check",))[0]["code"] == "syntax"


def test_markup_can_be_allowed(run: Run) -> None:
    request = {"id": 1, "path": "a.txt", "original": "a\n", "response": "@@ -1 +1,2 @@\n a\n+</invoke>\n"}
    refused, applied = (
        json.loads(run("engine", *options, stdin=json.dumps(request)).out) for options in ([], ["--allow", "tool-tags"])
    )
    assert (refused["status"], refused["code"]) == ("refused", "tool-tag")
    assert applied["content"] == "a\n</invoke>\n"
