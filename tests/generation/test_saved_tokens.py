"""What edits save against whole files, told by the program itself after a real exchange."""

import json
from pathlib import Path

import pytest

from inlay.cli.main import main
from loopback import Loopback

_EDITS = "".join(
    f"### CHANGE {n}: another number\nFIND:\n```python\ndef f{n}(x):\n    return x + {n}\n```\n"
    f"REPLACE WITH:\n```python\ndef f{n}(x):\n    return x - {n}\n```\n\n"
    for n in (3, 90, 170)
)


def test_edits_of_a_large_file_cost_at_most_a_fifth_of_writing_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "large.py"
    file.write_text("".join(f"def f{n}(x):\n    return x + {n}\n\n\n" for n in range(201)))
    assert file.read_text().count("\n") == 804
    with Loopback(_EDITS) as server:
        for name, value in server.environ("anthropic").items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        words = ["edit", "large.py", "-m", "subtract in f3, f90 and f170", "--model", "anthropic:m", "--auto", "-q"]
        assert _code(words) == 0
    assert file.read_text().count("return x - ") == 3
    assert server.seen[0].max_tokens > 0
    assert _code(["stats", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["output_tokens"] == len(_EDITS) // 4
    assert told["whole_tokens"] >= 5 * told["output_tokens"]
    assert told["saved"] >= 0.8


def _code(words: list[str]) -> object:
    with pytest.raises(SystemExit) as left:
        main(words)
    return left.value.code
