"""Ten thousand edits over every kind of file: not a byte may change outside of them."""

from __future__ import annotations

import random

import pytest

from inlay.engine.staging import stage
from inlay.model.edit import Block, Edit, Reading, Update
from inlay.model.file import File, RepoPath, Snapshot

pytestmark = pytest.mark.slow

CODECS = [
    ("utf-8", b""),
    ("utf-8", b"\xef\xbb\xbf"),
    ("utf-16-le", b"\xff\xfe"),
    ("utf-16-be", b"\xfe\xff"),
    ("cp1252", b""),
]
ENDINGS = [("\n",), ("\r\n",), ("\r",), ("\n", "\r\n"), ("\n", "\r\n", "\r")]


def random_file(rng: random.Random) -> tuple[list[str], list[str], str, bytes]:
    """Lines, their endings, and how they become bytes."""
    codec, mark = rng.choice(CODECS)
    ends = rng.choice(ENDINGS)
    blanks = ["", " ", "\t", "  \t"]
    lines = [f"{rng.choice(blanks)}naïve{n} é{rng.choice(blanks)}" for n in range(rng.randint(3, 30))]
    endings = [rng.choice(ends) for _ in lines]
    if rng.random() < 0.4:
        endings[-1] = ""
    return lines, endings, codec, mark


def test_bytes_outside_ten_thousand_edits_stay_as_they_are() -> None:
    rng = random.Random(7)
    for _ in range(10_000):
        lines, endings, codec, mark = random_file(rng)
        at = rng.randrange(1, len(lines) - 1)
        before = mark + "".join(map("".join, zip(lines, endings, strict=True))).encode(codec)
        noisy = [line.rstrip() + rng.choice(["", " ", "\t"]) for line in lines[at - 1 : at + 2]]
        new = [noisy[0], *["added"] * rng.randint(0, 2), noisy[2]]
        if codec == "cp1252":  # bytes that are no UTF-8 cannot be quoted, so the block shows only what it changes
            lines[at] = "plain"
            before = mark + "".join(map("".join, zip(lines, endings, strict=True))).encode(codec)
            noisy, new = ["plain"], ["added"]
        file = File.of("f.txt", before)
        reading = Reading("x", (Update("f.txt", (Edit(1, (Block(tuple(noisy), tuple(new)),)),)),))
        (change,) = stage(reading, Snapshot({"f.txt": RepoPath("f.txt")}, {file.path: file})).changes
        above = mark + "".join(map("".join, zip(lines[:at], endings[:at], strict=True))).encode(codec)
        below = "".join(map("".join, zip(lines[at + 1 :], endings[at + 1 :], strict=True))).encode(codec)
        assert change.content is not None
        assert change.content.startswith(above)
        assert change.content.endswith(below)
