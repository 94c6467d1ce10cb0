"""A model file is run in this process, behind a server that wants a key; the file here is whole but knows nothing."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest

from inlay.errors import NoModel
from inlay.llm import Model, open_model
from inlay.llm.providers import local
from inlay.model.answer import Answer
from inlay.model.settings import Settings
from loopback import tiny_gguf
from loopback.wired import answered, request


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    home = tmp_path_factory.mktemp("home")
    folder = home / "inlay" / "models"
    folder.mkdir(parents=True)
    tiny_gguf.write(folder / "tiny.gguf")
    own = {"local:tiny": {"context": 512, "max_output": 64}}
    return open_model("local:tiny", Settings.of(models=own, threads=1), {"XDG_DATA_HOME": str(home)})


def test_a_file_answers(model: Model) -> None:
    pieces: list[str] = []
    answer = answered(model, replace(request(max_output=8, timeout=60), temperature=0.0), pieces.append)
    assert (answer.stop, answer.usage.output, answer.cost) == ("truncated", 8, 0.0)
    assert answer.usage.input > 0
    assert "".join(pieces) == answer.text


def test_several_at_once(model: Model) -> None:
    async def three() -> list[Answer]:
        asked = replace(request(max_output=4, timeout=60), temperature=0.0)
        return list(await asyncio.gather(*(model.provider.ask(asked) for _ in range(3))))

    assert [answer.usage.output for answer in asyncio.run(three())] == [4, 4, 4]


def test_the_server_wants_its_key(model: Model) -> None:
    answered(model, request(max_output=1, timeout=60))
    address = next(iter(local._SERVERS.values()))[0].listening_address
    assert address.startswith("http://127.0.0.1:")
    body = b'{"messages": [{"role": "user", "content": "hi"}]}'
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(urllib.request.Request(f"{address}/v1/chat/completions", body))
    caught.value.close()
    assert caught.value.code == 401


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NoModel, match="no model file"):
        open_model("local:/nowhere/x.gguf", Settings.of(), {})
    with pytest.raises(NoModel, match=r"no model 'x' was pulled \(pulled: none\); `inlay model pull x`"):
        open_model("local:x", Settings.of(), {"XDG_DATA_HOME": str(tmp_path)})


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"not a model")
    model = open_model(f"local:{tmp_path / 'x.gguf'}", Settings.of(), {})
    with pytest.raises(NoModel, match="cannot be loaded"):
        answered(model, request())


def test_idle_cores_are_at_least_one() -> None:
    assert local.idle_cores() >= 1
