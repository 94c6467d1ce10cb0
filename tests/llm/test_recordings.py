"""What a model said can be written down without secrets, and said again."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from inlay.errors import EnvironmentFailure, ProviderFailure
from inlay.llm import Model, open_model
from inlay.model.answer import Usage
from inlay.model.settings import Settings
from loopback import KEY, Loopback, Reply, replies
from loopback.wired import NAMES, answered, request


def replayed(file: Path) -> Model:
    return open_model(f"recorded:{file}", Settings.of(), {})


def written(file: Path, *entries: dict[str, object]) -> Model:
    file.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return replayed(file)


def test_a_recording_says_it_again(wire: str, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    script = [
        Reply("password: str = 'abcdefgh'\n", cache_read=10),
        replies.rate_limited("3"),
        replies.max_tokens("half"),
    ]
    with Loopback(*script) as server:
        model = open_model(NAMES[wire], Settings.of(), server.environ(wire), record=str(file))
        first = answered(model, request(label="one"))
        with pytest.raises(ProviderFailure):
            answered(model, request(label="two"))
        third = answered(model, request(label="two"))
    again = replayed(file)
    assert again.info.context == model.info.context
    # In another order: the label decides.
    with pytest.raises(ProviderFailure, match="429") as caught:
        answered(again, request(label="two"))
    assert (caught.value.kind, caught.value.retry_after) == ("rate-limit", 3)
    for answer, label in ((third, "two"), (first, "one")):
        said = answered(again, request(label=label))
        assert (said.text, said.stop, said.usage, said.cost) == (answer.text, answer.stop, answer.usage, answer.cost)


def test_no_secret_is_written_down(wire: str, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    own = "correct-horse-battery"
    script = [f"the key is {KEY}, the token {own}", replies.failed(401, f"bad key {KEY}")]
    with Loopback(*script) as server:
        environ = server.environ(wire) | {"MY_TOKEN": own}
        model = open_model(NAMES[wire], Settings.of(), environ, record=str(file))
        assert KEY in answered(model, request(label=f"about {own}")).text
        with pytest.raises(ProviderFailure):
            answered(model, request())
    text = file.read_text()
    assert KEY not in text
    assert own not in text
    assert text.count("[secret]") == 4
    assert file.stat().st_mode & 0o777 == 0o600


def test_each_answer_is_there_at_once(tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    with Loopback("one", "two") as server:
        for _ in range(2):
            model = open_model(NAMES["openai"], Settings.of(), server.environ("openai"), record=str(file))
            before = len(file.read_text().splitlines())
            answered(model, request())
            assert len(file.read_text().splitlines()) == before + 1
    heads = [line for line in file.read_text().splitlines() if "model" in json.loads(line)]
    assert len(heads) == 1


def test_entries_without_a_label_serve_any(tmp_path: Path) -> None:
    model = written(
        tmp_path / "r", {"label": "b", "text": "for b"}, {"text": "for any"}, {"label": "a", "text": "for a"}
    )
    assert [answered(model, request(label=label)).text for label in ("a", "b", "a")] == ["for any", "for b", "for a"]


def test_a_recording_that_is_used_up_says_so(tmp_path: Path) -> None:
    model = written(tmp_path / "r", {"label": "b", "text": "for b"})
    with pytest.raises(
        ProviderFailure, match=r"no further answer for 'a': of its 1 answers 1 are left for other"
    ) as caught:
        answered(model, request(label="a"))
    assert caught.value.kind == "permanent"
    assert answered(model, request()).text == "for b"
    with pytest.raises(ProviderFailure, match=r"no further answer: of its 1 answers all are used"):
        answered(model, request())


def test_a_replay_streams_and_takes_the_time_it_is_told(tmp_path: Path) -> None:
    pieces: list[str] = []
    model = written(tmp_path / "r", {"text": "x" * 200, "delay": 0.3, "usage": {"input": 5, "output": 6}})
    began = time.monotonic()
    answer = answered(model, request(), pieces.append)
    assert time.monotonic() - began >= 0.3
    assert ("".join(pieces), len(pieces)) == ("x" * 200, 5)
    assert answer.usage == Usage(5, 6)


def test_a_failure_may_come_after_half_an_answer(tmp_path: Path) -> None:
    pieces: list[str] = []
    error = {"kind": "overloaded", "message": "Anthropic answered 529: Overloaded", "status": 529}
    model = written(tmp_path / "r", {"text": "half", "error": error})
    with pytest.raises(ProviderFailure, match="529"):
        answered(model, request(), pieces.append)
    assert pieces == ["half"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "it is not JSON"),
        ("[]", "Expected `object`, got `array`"),
        ('{"txt": "x"}', "an unknown key 'txt'"),
        ('{"stop": "never"}', r"'never' - at `\$\.stop`"),
        ('{"error": {"kind": "odd", "message": "x"}}', r"'odd' - at `\$\.error\.kind`"),
        ('{"usage": {"inputs": 1}}', "an unknown key 'inputs'"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: str, why: str) -> None:
    (tmp_path / "r").write_text(f'{{"text": "ok"}}\n\n{line}\n')
    with pytest.raises(EnvironmentFailure, match=f"line 3 of .*{why}"):
        replayed(tmp_path / "r")


def test_a_recording_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailure, match="cannot be read"):
        replayed(tmp_path / "nothing")
    with Loopback() as server, pytest.raises(EnvironmentFailure, match="cannot be written"):
        open_model(NAMES["openai"], Settings.of(), server.environ("openai"), record=str(tmp_path / "no" / "where"))
