"""Tokens are counted where a tokenizer is there, else estimated from above; room is what everything else leaves."""

import subprocess
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from inlay.commits.diff.chunk import chunk
from inlay.commits.diff.sections import parse
from inlay.commits.diff.split import split
from inlay.errors import EnvironmentFailure
from inlay.llm import context_budget
from inlay.llm.context_budget import Calibration, Overhead
from inlay.llm.tokens import counter, estimate, is_exact, measure, plain
from inlay.model.answer import ModelInfo, Usage

ROOT = Path(__file__).parents[2]
GPT = ModelInfo("openai:gpt-5", 400_000, 128_000, tokenizer="o200k")
CLAUDE = ModelInfo("anthropic:claude-sonnet-5", 1_000_000, 64_000, tokenizer="claude")
OTHER = ModelInfo("ollama:something", 32_768, 4_096)
HASHES = b"".join(b"+golang.org/x/sys v0.0.0/go.mod h1:%sUvXhGk9Q2bT7e=\n" % (b"aZ3%d" % n) for n in range(200))
TEXTS = {
    "code": (ROOT / "src/inlay/commits/diff/split.py").read_bytes(),
    "prose": (ROOT / "README.md").read_bytes(),
    "data": (ROOT / "requirements.lock").read_bytes()[:20_000],
    "hashes": HASHES,
    "blanks": b" " * 4000 + b"\n" * 100,
}


def exact(data: bytes) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it reads its data in a deprecated way, once
        from bpe_openai import get_encoding

        encoding = get_encoding("o200k_base")
    return len(encoding.encode_ordinary(data.decode("utf-8", "replace")))


@pytest.mark.parametrize("kind", TEXTS)
def test_counts_are_exact_where_the_tokenizer_is_installed(kind: str) -> None:
    assert is_exact(GPT)
    assert measure(GPT)(TEXTS[kind]) == exact(TEXTS[kind])
    assert counter(GPT)(TEXTS[kind].decode()) == exact(TEXTS[kind])


def test_long_texts_are_counted_in_stretches() -> None:
    long = TEXTS["code"] * 200
    assert measure(GPT)(long) == pytest.approx(exact(TEXTS["code"]) * 200, rel=0.03)
    assert measure(GPT)(b"x" * 1_200_000) > 100_000


@pytest.mark.parametrize("kind", TEXTS)
def test_estimates_are_never_below_the_count(kind: str) -> None:
    assert estimate(GPT)(TEXTS[kind]) >= exact(TEXTS[kind])
    assert estimate(CLAUDE)(TEXTS[kind]) > estimate(replace(CLAUDE, name="anthropic:claude-3-5-sonnet"))(TEXTS[kind])
    assert measure(OTHER)(TEXTS[kind]) >= exact(TEXTS[kind])


def test_without_a_model_three_bytes_are_a_token() -> None:
    assert [measure(None)(b"x" * n) for n in (0, 1, 3, 4)] == [0, 1, 1, 2]
    assert measure(None) is plain


@pytest.mark.slow
def test_chunks_measured_by_a_tokenizer_fit_it() -> None:
    command = ["git", "diff", "--no-index", "docs/decisions", "src/inlay/commits/diff"]
    files = parse(subprocess.run(command, cwd=ROOT, capture_output=True).stdout)
    count = measure(GPT)
    made = chunk(files, 4_000, count)
    assert len(made) > 3
    for each in made:
        real = exact(b"".join(piece.data for piece in each.pieces))
        assert real <= 4_000
        assert each.tokens == pytest.approx(real, rel=0.03)
    for file in files[:40]:
        for piece in split(file, 300, count):
            assert piece.placeholder or exact(piece.data) <= 300


def test_room_is_what_everything_else_leaves() -> None:
    overhead = Overhead(system=1, template=2, envelope=3, metadata=4, message=5, summary=6)
    assert overhead.total == 21
    assert context_budget.room(OTHER, overhead, output=1_000) == 32_768 - 1_000 - 21
    assert context_budget.room(OTHER, overhead, output=10**9) == 32_768 - OTHER.max_output - 21
    assert context_budget.room(OTHER) == 32_768 - context_budget.OUTPUT - Overhead().total
    assert context_budget.room(GPT, overhead, output=1_000) <= int((400_000 - 1_021) / 1.01)


def test_a_model_without_room_is_refused_in_words() -> None:
    with pytest.raises(EnvironmentFailure, match=r"has 8,000 tokens.*for a diff"):
        context_budget.room(replace(OTHER, context=8_000))


def test_what_a_provider_reports_corrects_the_next_request() -> None:
    known = Calibration().observed(1_000, Usage(input=1_300))
    assert known.safe == pytest.approx(1.3)
    assert context_budget.room(OTHER, calibration=known) < context_budget.room(OTHER)
    for _ in range(60):
        known = known.observed(1_000, Usage(input=700))
    assert 0.7 < known.safe < 0.8  # and then what was estimated too high is used
    assert known.observed(0, Usage(input=5)) == known == known.observed(5, Usage())
    assert Calibration().observed(1_000, Usage(input=500)).safe == 1.0  # one answer proves little
