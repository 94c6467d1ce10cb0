"""Settings from every place: which wins, what a repository may not do, and what is said about mistakes."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from inlay.errors import EnvironmentFailure
from inlay.model.settings import SETTINGS, Settings, Value
from inlay.storage.config.load_settings import load


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def loaded(
    root: Path, user: str = "", environ: Mapping[str, str] | None = None, flags: Mapping[str, Value] | None = None
) -> Settings:
    home = root.parent / "home"
    (home / "inlay").mkdir(parents=True, exist_ok=True)
    (home / "inlay/config.toml").write_text(user)
    return load(root, {"XDG_CONFIG_HOME": str(home), **(environ or {})}, flags)


def pyproject(root: Path, text: str) -> None:
    (root / "pyproject.toml").write_text(f'[project]\nname = "x"\n\n[tool.inlay]\n{text}\n')


def own(root: Path, text: str) -> None:
    (root / ".inlay.toml").write_text(text)


def test_every_place_wins_over_the_one_before_it(root: Path) -> None:
    def model(**more: str | None) -> tuple[str | None, str]:
        found = loaded(
            root, more.get("user") or "", {"INLAY_MODEL": more.get("env") or ""}, {"model": more.get("flag")}
        )
        return found.text("model"), found.origins["model"]

    assert model() == (None, "default")
    pyproject(root, 'model = "openai:a"')
    assert model() == ("openai:a", "pyproject.toml")
    own(root, 'model = "openai:b"')
    assert model() == ("openai:b", ".inlay.toml")
    user = 'model = "openai:c"'
    assert model(user=user) == ("openai:c", str(root.parent / "home/inlay/config.toml"))
    assert model(user=user, env="openai:d") == ("openai:d", "INLAY_MODEL")
    assert model(user=user, env="openai:d", flag="openai:e") == ("openai:e", "--model")


def test_every_kind_is_read_from_files_and_variables(root: Path) -> None:
    user = 'max_cost = 1\nmax_attempts = 5\n[models."openai:x"]\ncontext = 9\n'
    found = loaded(root, user, {"INLAY_MAX_SECONDS": "2.5", "INLAY_EDIT_LINES": "7", "INLAY_FORMAT": "json_edits"})
    assert (found.number("max_cost"), found.integer("max_attempts")) == (1, 5)
    assert found.table("models") == {"openai:x": {"context": 9}}
    assert (found.number("max_seconds"), found.integer("edit_lines"), found.text("format")) == (2.5, 7, "json_edits")


def test_a_repository_never_sets_what_is_the_users(root: Path) -> None:
    for setting in (setting for setting in SETTINGS if setting.scope == "user"):
        value = {"table": '{ "openai:x" = { input_price = 0 } }', "flag": "true", "texts": '["x"]'}.get(
            setting.kind, '"x"' if setting.kind == "text" else "1"
        )
        for write in (pyproject, own):
            write(root, f"{setting.key} = {value}\n")
            found = loaded(root)
            assert found.values[setting.key] == setting.default, setting.key
            assert found.origins[setting.key] == "default"
            assert any(f"{setting.key} was ignored, only the user" in note for note in found.notes)
            write(root, "")


def test_what_names_commands_addresses_or_prices_is_the_users() -> None:
    scopes = {setting.key: setting.scope for setting in SETTINGS}
    assert {scopes[key] for key in ("base_url", "check", "models")} == {"user"}
    assert {scopes[key] for key in ("max_attempts", "max_tokens", "max_cost", "max_seconds", "threshold")} == {"lower"}
    for setting in SETTINGS:
        assert setting.scope == "user" or not any(word in setting.key for word in ("command", "cmd", "key", "url"))


@pytest.mark.parametrize(
    ("repository", "user", "holds", "origin"),
    [
        (2, None, 2, ".inlay.toml"),
        (3, None, 3, ".inlay.toml"),
        (9, None, 3, "default"),
        (2, 5, 2, ".inlay.toml"),
        (4, 5, 4, ".inlay.toml"),
        (9, 5, 5, "config.toml"),
        (2, 1, 1, "config.toml"),
    ],
)
def test_of_two_limits_the_lower_holds(root: Path, repository: int, user: int | None, holds: int, origin: str) -> None:
    own(root, f"max_attempts = {repository}\n")
    found = loaded(root, f"max_attempts = {user}\n" if user else "")
    assert found.integer("max_attempts") == holds
    assert found.origins["max_attempts"].endswith(origin)
    assert bool(found.notes) == (repository > holds)
    assert loaded(root, flags={"max_attempts": 7}).integer("max_attempts") == 7
    assert loaded(root, environ={"INLAY_MAX_ATTEMPTS": "8"}).integer("max_attempts") == 8


def test_a_repository_may_set_a_limit_where_there_is_none(root: Path) -> None:
    own(root, "max_cost = 0.5\n")
    assert loaded(root).number("max_cost") == 0.5
    assert loaded(root, "max_cost = 0.2").number("max_cost") == 0.2


@pytest.mark.parametrize("model", ["recorded:/etc/passwd", "local:../../evil.gguf", "local:evil.gguf"])
def test_a_repository_names_no_file_as_a_model(root: Path, model: str) -> None:
    own(root, f'model = "{model}"\n')
    found = loaded(root)
    assert found.text("model") is None
    assert "only the user may name a file" in found.notes[0]
    assert loaded(root, f'model = "{model}"').text("model") == model


def test_a_link_in_the_repository_is_not_followed(root: Path) -> None:
    (root.parent / "outside.toml").write_text('model = "openai:secret-name"\n')
    (root / ".inlay.toml").symlink_to("../outside.toml")
    found = loaded(root)
    assert found.text("model") is None
    assert "symbolic link" in found.notes[0]
    assert "secret-name" not in str(found.notes)


def test_a_fifo_in_the_repository_does_not_hang(root: Path) -> None:
    os.mkfifo(root / ".inlay.toml")
    assert "FIFO" in loaded(root).notes[0]


def test_a_users_file_inside_the_repository_is_none(root: Path) -> None:
    (root / "inlay").mkdir()
    (root / "inlay/config.toml").write_text("max_attempts = 99\n")
    found = load(root, {"XDG_CONFIG_HOME": str(root)}, {})
    assert found.integer("max_attempts") == 3
    assert "it is in the edited repository" in found.notes[0]


def test_a_file_that_is_no_toml_stops_nobody_from_mending_it(root: Path) -> None:
    (root / "pyproject.toml").write_text("[tool.inlay\n")
    assert "it is not TOML" in loaded(root).notes[0]
    (root / "pyproject.toml").write_bytes(b"\xff")
    assert "it is not TOML" in loaded(root).notes[0]


def test_a_key_nobody_knows_is_a_note_in_the_repository_and_an_error_of_the_users(root: Path) -> None:
    own(root, "max_atempts = 2\n[later]\nthing = 1\n")
    notes = loaded(root).notes
    assert notes[0] == ".inlay.toml: 'max_atempts' is no setting (did you mean 'max_attempts'?); it was ignored"
    assert "'later' is no setting" in notes[1]
    with pytest.raises(
        EnvironmentFailure, match=r"config\.toml: 'max_csot' is no setting \(did you mean 'max_cost'\?\)"
    ):
        loaded(root, "max_csot = 2\n")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("max_attempts = 0", "max_attempts must be a number from 1 on, not 0"),
        ("max_attempts = true", "max_attempts must be a whole number, not True"),
        ("max_attempts = 2.5", "max_attempts must be a whole number, not 2.5"),
        ('max_cost = "2"', "max_cost must be a number, not '2'"),
        ("max_cost = -1", "max_cost must be a number from 0 on, not -1"),
        ("max_cost = nan", "max_cost must be a number from 0 on, not nan"),
        ("max_cost = inf", "max_cost must be a number from 0 on, not inf"),
        ("model = 3", "model must be text, not 3"),
        ('models = "x"', "models must be a table, not 'x'"),
    ],
)
def test_a_value_of_the_wrong_kind_names_file_and_key(root: Path, text: str, complaint: str) -> None:
    with pytest.raises(EnvironmentFailure, match=r"config\.toml: ") as raised:
        loaded(root, text)
    assert str(raised.value).endswith(complaint)
    pyproject(root, text)
    with pytest.raises(EnvironmentFailure, match=r"^pyproject\.toml: "):
        loaded(root)


def test_a_variable_is_named_when_it_is_wrong_or_misspelt(root: Path) -> None:
    with pytest.raises(EnvironmentFailure, match="INLAY_MAX_ATTEMPTS must be a whole number, not 'many'"):
        loaded(root, environ={"INLAY_MAX_ATTEMPTS": "many"})
    with pytest.raises(EnvironmentFailure, match="INLAY_MAX_ATEMPTS sets nothing; did you mean INLAY_MAX_ATTEMPTS"):
        loaded(root, environ={"INLAY_MAX_ATEMPTS": "3"})
    assert not loaded(root, environ={"INLAY_DEBUG": "1", "INLAY_SOMETHING_ELSE": "x"}).notes


def test_a_users_file_that_cannot_be_read_is_named(root: Path) -> None:
    with pytest.raises(EnvironmentFailure, match=r"config\.toml cannot be read"):
        loaded(root, "[")


def test_no_users_file_and_no_repository_files_are_the_defaults(root: Path) -> None:
    found = load(root, {"XDG_CONFIG_HOME": str(root.parent / "nowhere")}, {"max_cost": None})
    assert set(found.origins.values()) == {"default"}
    assert found.values == Settings.of().values


def test_flags_are_lists_and_truths_too() -> None:
    from inlay.model.settings import Setting

    assert Setting("x", "flag", False, "").accept_text(" Yes ") is True
    assert Setting("x", "flag", False, "").accept(False) is False
    assert Setting("x", "texts", (), "").accept_text("a, b,,c") == ("a", "b", "c")
    assert Setting("x", "texts", (), "").accept(["a"]) == ("a",)
    for kind, value in (("flag", 1), ("texts", "a"), ("texts", [1])):
        with pytest.raises(ValueError, match="must be"):
            Setting("x", kind, None, "").accept(value)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one of a, b"):
        Setting("x", "text", None, "", choices=("a", "b")).accept("c")


def test_settings_given_by_a_caller_are_told_apart() -> None:
    found = Settings.of(model="openai:x")
    assert (found.origins["model"], found.origins["format"]) == ("given", "default")
