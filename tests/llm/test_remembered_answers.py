"""An answer that was paid for is on the disk before anybody sees it, and is never asked for again."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from inlay.errors import EnvironmentFailure, ProviderFailure
from inlay.llm.cache import key_of, remember
from inlay.model.answer import Answer, Usage
from inlay.storage.stores.answer_cache import AnswerCache
from loopback import Loopback, Reply, replies
from loopback.wired import answered, opened, request


def test_the_same_question_is_asked_once(wire: str, tmp_path: Path) -> None:
    pieces: list[str] = []
    with Loopback("the answer") as server:
        first = answered(remember(opened(server, wire), AnswerCache(tmp_path / "a")), request())
        again = answered(
            remember(opened(server, wire), AnswerCache(tmp_path / "a")), request(label="other"), pieces.append
        )
    assert len(server.seen) == 1
    assert again == replace(first, remembered=True)
    assert pieces == ["the answer"]


def test_another_question_is_another_answer() -> None:
    keys = {
        key_of("a", request()),
        key_of("b", request()),
        key_of("a", request(max_output=5)),
        key_of("a", request(system="x")),
        key_of("a", replace(request(), temperature=0.5)),
        key_of("a", replace(request(), json=True)),
    }
    assert len(keys) == 6
    assert key_of("a", request(timeout=1, label="x")) == key_of("a", request())


@pytest.mark.parametrize(
    ("reply", "asked"),
    [(replies.max_tokens("half"), 1), (replies.refusal(), 2), (replies.empty(), 2)],
    ids=["truncated", "refused", "empty"],
)
def test_only_what_is_worth_keeping_is_kept(tmp_path: Path, reply: Reply, asked: int) -> None:
    with Loopback(lambda seen: reply) as server:
        model = remember(opened(server, "anthropic"), AnswerCache(tmp_path))
        for _ in range(2):
            answered(model, request())
    assert len(server.seen) == asked


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    with Loopback(replies.cut(), "whole") as server:
        model = remember(opened(server, "openai"), AnswerCache(tmp_path))
        with pytest.raises(ProviderFailure):
            answered(model, request())
        assert not list(tmp_path.iterdir())
        assert answered(model, request()).text == "whole"


def test_answers_are_for_their_user_only_and_leave_nothing_else(tmp_path: Path) -> None:
    answers = AnswerCache.of_project(tmp_path)
    answer = Answer("grüße\n", "truncated", Usage(1, 2, 3, 4), 0.5, "m", 1.5)
    answers.write("k", answer)
    answers.write("k", answer)
    assert answers.read("k") == answer
    folder = tmp_path / ".inlay" / "answers"
    assert [path.name for path in folder.iterdir()] == ["k.json"]
    assert (folder.stat().st_mode & 0o777, (folder / "k.json").stat().st_mode & 0o777) == (0o700, 0o600)
    assert (tmp_path / ".inlay" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("damage", [b"", b"{", b'{"text": 1}', b"[]", b'{"usage": {"x": 1}}'])
def test_a_damaged_answer_is_asked_for_again(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "k.json").write_bytes(damage)
    assert AnswerCache(tmp_path).read("k") is None
    assert AnswerCache(tmp_path / "nowhere").read("k") is None


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    os.symlink("elsewhere", tmp_path / "link")
    with pytest.raises(EnvironmentFailure, match="could not be stored"):
        AnswerCache(tmp_path / "link").write("k", Answer("x", "end"))
    assert not list((tmp_path / "elsewhere").iterdir())


def test_many_writers_at_once(tmp_path: Path) -> None:
    async def all_of_them() -> None:
        store = AnswerCache(tmp_path)
        tasks = [asyncio.to_thread(store.write, f"k{n % 3}", Answer("x" * 1000, "end")) for n in range(60)]
        await asyncio.gather(*tasks)

    asyncio.run(all_of_them())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k0.json", "k1.json", "k2.json"]
