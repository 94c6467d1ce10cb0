"""Failures are classified in one place, in one short line, without any key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.llm import provider_errors
from loopback import KEY


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "permanent"),
        (401, "permanent"),
        (408, "transient"),
        (409, "transient"),
        (418, "permanent"),
        (422, "permanent"),
        (429, "rate-limit"),
        (500, "transient"),
        (520, "transient"),
        (529, "overloaded"),
    ],
)
def test_kinds(status: int, kind: str) -> None:
    failure = provider_errors.from_status("it", status, "why", {})
    assert (failure.kind, failure.status, failure.transient) == (kind, status, kind != "permanent")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "5"}, 5.0),
        ({"retry-after": " 2.5 "}, 2.5),
        ({"RETRY-AFTER-MS": "250", "Retry-After": "9"}, 0.25),
        ({"Retry-After": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90.0),
        ({"Retry-After": "Thu, 01 Jan 1970 00:00:01 GMT"}, 0.0),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "1e9"}, None),
        ({"Retry-After": "nan"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert provider_errors.retry_after(headers, now=10.0) == seconds


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "too long", "type": "x"}}, "too long"),
        ({"type": "error", "error": {"type": "x", "message": "no"}}, "no"),
        ({"detail": "not here"}, "not here"),
        ({"error": "plain words"}, "plain words"),
        (b'{"message": "bytes"}', "bytes"),
        ("<html><b>Bad gateway</b></html>", "Bad gateway"),
        ("just words", "just words"),
        (None, ""),
    ],
)
def test_the_sentence_in_a_body(body: object, said: str) -> None:
    assert provider_errors.clean(provider_errors.said_in(body)) == said


def test_one_short_line_without_secrets() -> None:
    key = "house-key-without-a-pattern"
    said = provider_errors.clean(f"bad\n\x1b[31mkey {key}\u202e and {KEY} " + "x" * 900, [key])
    assert key not in said
    assert KEY not in said
    assert said.startswith("bad [31mkey [secret] and [secret] xxx")
    assert (len(said), said.isprintable()) == (300, True)


def test_short_values_are_no_secrets() -> None:
    assert provider_errors.clean("the local server", ["local"]) == "the local server"


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=60), st.text(), st.text())
def test_a_key_in_use_never_shows_property(key: str, before: str, after: str) -> None:
    body = {"error": {"message": f"{before}{key}{after}"}}
    for status in (400, 500):
        failure = provider_errors.from_status("it", status, provider_errors.said_in(body), {}, [key])
        assert key not in str(failure).removeprefix("it answered").replace("[secret]", "")
