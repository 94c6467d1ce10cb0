"""What commands tell about their steps: shown, kept, and never with a secret."""

import logging
from pathlib import Path

import pytest

from inlay.cli.log_setup import log_steps
from inlay.cli.options import Logging
from inlay.errors import EnvironmentFailure

STEPS = logging.getLogger("inlay.some.step")


def test_steps_are_shown_and_kept_while_it_lasts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "steps.log"
    with log_steps(Logging(verbose=True, log=str(file))):
        STEPS.info("asking %s", "a model")
        STEPS.debug("line one\nline two\x1b[31m")
    with log_steps(Logging(verbose=False, log=str(file))):
        STEPS.warning("added")
    STEPS.info("nobody listens")
    assert capsys.readouterr().err == "asking a model\nline one␊line two␛[31m\n"
    kept = file.read_text().splitlines()
    assert [line.split(maxsplit=4)[2:] for line in kept[:1]] == [["INFO", "inlay.some.step", "asking a model"]]
    assert len(kept) == 3
    assert kept[-1].endswith("WARNING inlay.some.step added")
    assert file.stat().st_mode & 0o077 == 0


def test_no_secret_is_shown_or_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plain-canary-value")
    file = tmp_path / "steps.log"
    with log_steps(Logging(verbose=True, log=str(file))):
        STEPS.info("sent plain-canary-value and sk-ant-api03-0123456789abcdef")
        try:
            raise ValueError("plain-canary-value")
        except ValueError:
            STEPS.exception("failed")
    told = capsys.readouterr().err + file.read_text()
    assert "canary" not in told
    assert "sk-ant" not in told
    assert told.count("[secret]") >= 4


def test_nothing_is_told_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    with log_steps(Logging(verbose=False, log=None)):
        STEPS.info("quiet")
    assert capsys.readouterr().err == ""


def test_a_log_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(EnvironmentFailure, match=r"the log file .*missing/x: no such file"),
        log_steps(Logging(verbose=False, log=str(tmp_path / "missing/x"))),
    ):
        pass
