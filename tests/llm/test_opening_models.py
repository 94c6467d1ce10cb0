"""A model is found by its name, by a key, on a server or as a file, with what is known about it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from inlay.errors import EnvironmentFailure, NoModel
from inlay.llm import open_model
from inlay.llm.models import discovery, model_names, registry
from inlay.llm.models.discovery import Server
from inlay.llm.models.model_names import ModelName
from inlay.model.answer import Usage
from inlay.model.settings import Settings
from loopback import KEY, Loopback, Reply
from loopback.wired import answered, request


@pytest.fixture
def nowhere(tmp_path: Path) -> dict[str, str]:
    """An environment in which nothing can be found, unless something really listens on the usual ports."""
    return {"HOME": str(tmp_path), "OLLAMA_HOST": "127.0.0.1:9"}


@pytest.mark.parametrize(
    ("name", "parsed"),
    [
        ("anthropic:claude-opus-5-5", "anthropic:claude-opus-5-5"),
        ("openrouter:qwen/qwen3-coder:free", "openrouter:qwen/qwen3-coder:free"),
        ("ollama:qwen2.5-coder:7b", "ollama:qwen2.5-coder:7b"),
        ("claude-opus-5-5", "anthropic:claude-opus-5-5"),
        ("gpt-5", "openai:gpt-5"),
        ("o4-mini", "openai:o4-mini"),
        ("models/mine.gguf", "local:models/mine.gguf"),
    ],
)
def test_names(name: str, parsed: str) -> None:
    assert str(model_names.parse(name)) == parsed


@pytest.mark.parametrize("name", ["llama", "azure:gpt-5", "anthropic:", "qwen2.5-coder:7b"])
def test_names_of_nothing(name: str) -> None:
    with pytest.raises(NoModel, match=r"write (PROVIDER|anthropic):NAME"):
        model_names.parse(name)


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("anthropic:claude-opus-5-5", "ANTHROPIC_API_KEY"),
        ("openai:gpt-5", "OPENAI_API_KEY"),
        ("openrouter:x/y", "OPENROUTER_API_KEY"),
    ],
)
def test_a_missing_key_is_named(name: str, variable: str) -> None:
    with pytest.raises(NoModel, match=f"set {variable}"):
        open_model(name, Settings.of(), {variable: " "})


def test_the_setting_holds_where_no_name_is_given() -> None:
    environ = {"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY}
    assert open_model(None, Settings.of(model="openai:gpt-5"), environ).info.name == "openai:gpt-5"
    assert open_model("openai:gpt-4o", Settings.of(model="openai:gpt-5"), environ).info.name == "openai:gpt-4o"


def test_keys_are_found_in_order(nowhere: dict[str, str]) -> None:
    keys = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"]
    found = []
    for count in range(len(keys)):
        model = open_model(None, Settings.of(), nowhere | dict.fromkeys(keys[count:], KEY))
        assert f"{keys[count]} is set" in model.notes[0]
        assert model.info.known
        found.append(model_names.parse(model.info.name).provider)
    assert found == ["anthropic", "openai", "openrouter"]


def test_a_server_of_ones_own_is_asked_what_it_offers(nowhere: dict[str, str]) -> None:
    with Loopback("hello") as server:
        environ = nowhere | {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{server.url}/v1"}
        model = open_model(None, Settings.of(), environ)
        assert model.info.name == "openai:first-model"
        assert answered(model, request()).text == "hello"
        named = open_model(None, Settings.of(base_url=f"{server.url}/v1/"), nowhere)
        assert named.info.name == "openai:first-model"
        ollama = open_model(None, Settings.of(), nowhere | {"OLLAMA_HOST": server.url})
        assert (ollama.info.name, ollama.info.input_price) == ("ollama:first-model", 0.0)
    assert "is not in the table of models" in model.notes[1]


def test_a_key_goes_to_no_server_but_the_one_it_is_for(nowhere: dict[str, str]) -> None:
    with Loopback("hello") as server:
        environ = nowhere | {
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
            "OLLAMA_HOST": server.url,
        }
        model = open_model(None, Settings.of(), environ)
        answered(model, request())
    assert model.info.name == "ollama:first-model"
    assert KEY not in str(server.seen[0].headers)


def test_a_pulled_model_is_found_last(nowhere: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / ".local/share/inlay/models"
    folder.mkdir(parents=True)
    (folder / "small.gguf").write_bytes(b"x")
    (folder / "large.gguf").write_bytes(b"xx")
    assert str(discovery.find(Settings.of(), nowhere, ()).name) == "local:large"
    with Loopback() as server:
        listening = Server("a server", "openai", f"{server.url}/v1")
        assert str(discovery.find(Settings.of(), nowhere, (listening,)).name) == "openai:first-model"


def test_three_ways_to_get_one(nowhere: dict[str, str]) -> None:
    with pytest.raises(NoModel) as caught:
        discovery.find(Settings.of(), nowhere, ())
    for way in ("ANTHROPIC_API_KEY", "Ollama", "inlay model pull"):
        assert way in str(caught.value)


def test_an_address_must_be_one() -> None:
    with pytest.raises(NoModel, match="http"):
        open_model("openai:x", Settings.of(base_url="ftp://example.org"), {})


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434/v1"),
        ("box", "http://box:11434/v1"),
        ("box:99", "http://box:99/v1"),
        ("https://box:99", "https://box:99/v1"),
    ],
)
def test_where_ollama_listens(host: str, url: str) -> None:
    assert discovery.ollama_url({"OLLAMA_HOST": host}) == url


@pytest.mark.parametrize(
    ("name", "context", "price"),
    [
        (ModelName("anthropic", "claude-sonnet-5-5"), 1_000_000, 2),
        (ModelName("anthropic", "claude-sonnet-4-5-20250929"), 200_000, 3),
        (ModelName("openrouter", "anthropic/claude-sonnet-5.5"), 1_000_000, 2),
        (ModelName("openrouter", "openai/gpt-6.1-sol:batch"), 1_050_000, 2),
        (ModelName("openai", "gpt-5-mini-2025-08-07"), 400_000, 0.25),
        (ModelName("openai", "gpt-5-2025-08-07"), 400_000, 1.25),
        (ModelName("local", "/models/qwen2.5-coder-1.5b.gguf"), 32_768, None),
    ],
    ids=str,
)
def test_a_longer_name_is_taken_for_what_it_begins_with(name: ModelName, context: int, price: float | None) -> None:
    info, notes = registry.look_up(name, {})
    assert (info.context, info.input_price, info.known, notes) == (context, price, True, ())


def test_our_own_table_is_sound() -> None:
    from inlay.engine.formats import FORMATS

    for name in registry.table():
        info, notes = registry.look_up(ModelName("openai", name), {})
        assert notes == ()
        assert 0 < info.max_output <= info.context
        assert info.format in FORMATS
        assert registry._checked(name, registry.table()[name])
    for _, name in discovery.KEYS:
        assert registry.is_listed(name)


def test_ones_own_table_goes_first() -> None:
    own = {"openai:gpt-5": {"context": 1000, "max_output": 100}, "house": {"input_price": 1, "output_price": 2.5}}
    info, _ = registry.look_up(ModelName("openai", "gpt-5"), own)
    assert (info.context, info.max_output, info.input_price) == (1000, 100, 1.25)
    info, notes = registry.look_up(ModelName("openai", "house-model-3"), own)
    assert (info.context, info.output_price, info.known, notes) == (32_768, 2.5, True, ())


def test_an_unknown_model_gets_safe_values_and_says_so() -> None:
    info, notes = registry.look_up(ModelName("openai", "nobody-knows"), {})
    assert (info.context, info.max_output, info.format, info.known) == (32_768, 4_096, "find_replace", False)
    assert info.price(Usage(1, 1)) is None
    assert "openai:nobody-knows is not in the table" in notes[0]
    assert "unknown price" in notes[0]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"contxt": 1}, "models.x.contxt is no setting"),
        ({"context": "big"}, "cannot be 'big'"),
        ({"context": True}, "cannot be True"),
        ({"input_price": -1}, "cannot be -1"),
        ({"tokenizer": "mine"}, "must be one of"),
        (3, "must be a table"),
    ],
)
def test_a_table_that_cannot_be_is_refused(said: object, why: str) -> None:
    with pytest.raises(EnvironmentFailure, match=why):
        registry.look_up(ModelName("openai", "x"), {"x": said})


@pytest.mark.parametrize(
    ("package", "name", "extra"),
    [
        ("pydantic_ai", "claude-opus-5-5", "llm"),
        ("pydantic_ai", "gpt-5", "llm"),
        ("xllamacpp", "local:x.gguf", "local"),
        ("pydantic_ai", "recorded:r.jsonl", None),
    ],
)
def test_a_missing_extra_is_named(package: str, name: str, extra: str | None, tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(b"x")
    (tmp_path / "r.jsonl").write_text('{"text": "said"}')
    code = (
        f"import sys, asyncio; sys.modules[{package!r}] = None\n"
        "from inlay import Message, Prompt, Request, Settings, open_model\n"
        "environ = {'ANTHROPIC_API_KEY': 'k' * 20, 'OPENAI_API_KEY': 'k' * 20}\n"
        "try:\n"
        f"    model = open_model({name!r}, Settings.of(), environ)\n"
        "    asked = Request(Prompt('', (Message('user', 'hi'),)), 10)\n"
        "    print(asyncio.run(model.provider.ask(asked)).text)\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    said = subprocess.check_output([sys.executable, "-c", code], text=True, cwd=tmp_path)
    wanted = f"NoModel asking this model needs an extra: pip install 'inlay[{extra}]'" if extra else "said"
    assert said.strip() == wanted


def test_opening_imports_nothing_heavy() -> None:
    code = (
        "import sys; from inlay.llm import open_model; from inlay.model.settings import Settings; "
        "open_model('claude-opus-5-5', Settings.of(), {'ANTHROPIC_API_KEY': 'k' * 20}); "
        "print(*[name for name in ('anthropic', 'openai', 'pydantic_ai', 'xllamacpp') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == []


def test_a_key_does_not_follow_a_redirection() -> None:
    moved = Reply(status=302, body=b"")
    with Loopback() as other, Loopback() as server:
        server.listing = replace(moved, headers={"Location": f"{other.url}/v1/models"})
        assert discovery.offers(f"{server.url}/v1", KEY) is None
        assert other.listed == 0
        assert discovery.offers(f"{other.url}/v1", KEY) == ("first-model", "second-model")
        assert other.listed == 1
