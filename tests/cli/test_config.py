"""`inlay config`: what holds, and why."""

import json
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))


def test_each_value_is_shown_with_its_origin(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".inlay.toml").write_text('format = "json_edits"\nbase_url = "http://evil.example"\n')
    monkeypatch.setenv("INLAY_MAX_COST", "0.5")
    done = run("config")
    lines = {line.split()[0]: line.split()[1:] for line in done.out.splitlines()}
    assert lines["format"] == ["json_edits", ".inlay.toml"]
    assert lines["max_cost"] == ["0.5", "INLAY_MAX_COST"]
    assert lines["base_url"] == ["-", "default"]
    assert "base_url was ignored, only the user may set it" in done.err
    told = json.loads(run("config", "--json").out)
    assert told["settings"]["format"]["origin"] == ".inlay.toml"
    assert "base_url" in told["notes"][0]
    assert told["user_file"].endswith("home/inlay/config.toml")


def test_one_setting_is_explained(run: Run) -> None:
    done = run("config", "max_attempts")
    assert "max_attempts = 3" in done.out
    assert "INLAY_MAX_ATTEMPTS" in done.out
    assert "may only be lowered by the edited repository" in done.out
    assert list(json.loads(run("config", "model", "--json").out)["settings"]) == ["model"]


def test_a_misspelt_name_is_a_wrong_usage(run: Run) -> None:
    done = run("config", "max_atempts")
    assert done.code == 2
    assert "Did you mean 'max_attempts'?" in done.err
    assert run("config", "zzzzzz").code == 2


def test_a_wrong_value_is_told_with_file_and_key(run: Run, project: Path) -> None:
    (project / ".inlay.toml").write_text('max_attempts = "three"\n')
    done = run("config")
    assert done.code == 5
    assert ".inlay.toml: max_attempts must be a whole number, not 'three'" in done.err


def test_an_addresss_password_is_not_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INLAY_BASE_URL", "http://me:hunter22@host/v1")
    for arguments in (("config",), ("config", "base_url"), ("config", "--json")):
        done = run(*arguments)
        assert "hunter22" not in done.out + done.err
        assert "host/v1" in done.out
