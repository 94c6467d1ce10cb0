"""What is read from diffs of every kind, git's own and those that went through other hands."""

import subprocess
from pathlib import Path

import pytest

from inlay.commits.diff.hunks import hunks
from inlay.commits.diff.sections import parse
from inlay.commits.diff.split import split
from inlay.errors import DiffMalformed
from inlay.llm.tokens import plain

HEAD = b"diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n"
ONE = HEAD + b"@@ -1 +1 @@\n-old\n+new\n"


def test_nothing_is_no_section() -> None:
    assert parse(b"") == ()
    assert parse(b"no diff at all\n") == ()


@pytest.mark.parametrize(
    ("header", "path", "old_path", "status"),
    [
        (b"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", "x", "x", "modified"),
        (b"diff --git a/a b/c b/a b/c\nold mode 100644\nnew mode 100755\n", "a b/c", "a b/c", "modified"),
        (b'diff --git "a/t\\tb" "b/t\\tb"\nnew file mode 100644\nindex 0..1\n', "t\tb", "t\tb", "added"),
        (b'diff --git "a/\\377" "b/\\377"\ndeleted file mode 100644\nindex 1..0\n', "\udcff", "\udcff", "deleted"),
        (b"diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", "y", "x", "renamed"),
        (b'diff --git a/x "b/\\""\nsimilarity index 100%\ncopy from x\ncopy to "\\""\n', '"', "x", "copied"),
        (b"diff --git x x\nold mode 100644\nnew mode 100755\n", "x", "x", "modified"),
    ],
)
def test_headers_say_which_file(header: bytes, path: str, old_path: str, status: str) -> None:
    (file,) = parse(header)
    assert (file.path, file.old_path, file.status, file.data) == (path, old_path, status, header)
    assert (file.header, hunks(file)) == (header, ())


def test_binaries_are_known() -> None:
    plain_words = b"diff --git a/p b/p\nindex 1..2 100644\nBinary files a/p and b/p differ\n"
    packed = b"diff --git a/p b/p\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZQzU|?Vb00IC2\n\n"
    assert [file.binary for file in parse(plain_words + packed + ONE)] == [True, True, False]


def test_what_looks_like_a_diff_within_a_hunk_is_a_line() -> None:
    data = HEAD + b"@@ -1,2 +1,4 @@\n diff --git a/g b/g\n--- a/g\n+@@ -9 +9 @@\n+++ b/g\n+diff --git a/h b/h\n"
    (file,) = parse(data)
    (hunk,) = hunks(file)
    assert (hunk.old[0].count, hunk.new.count, hunk.end) == (2, 4, len(data))


def test_text_between_commits_is_passed_over() -> None:
    log = b"commit 1\nAuthor: A\n\n    diff --git a/no b/no\n\n" + ONE + b"\ncommit 2\n\n    message\n\n" + ONE
    assert [file.data for file in parse(log)] == [ONE, ONE]


def test_a_mail_ends_with_a_signature() -> None:
    mail = b"From 1 Mon Sep\nSubject: x\n\n---\n f | 2 +-\n\n" + ONE + b"-- \n2.39.5\n\n"
    assert [file.data for file in parse(mail)] == [ONE]
    empty = b"diff --git a/e b/e\nnew file mode 100644\nindex 0..1\n"
    assert [file.data for file in parse(empty + b"-- \n2.39.5\n\n")] == [empty]


def test_a_blank_that_was_cut_off_is_context() -> None:
    data = HEAD + b"@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n"
    (file,) = parse(data)
    assert hunks(file)[0].end == len(data)


@pytest.mark.parametrize(
    "lines", [b"@@ -1,2 +1,2 @@\n a\n", b"@@ -1 +1 @@\n-a\n+b\n+c\n", b"@@ -1 +1,2 @@\n-a\nb\n+c\n", b"@@ x @@\n a\n"]
)
def test_counts_that_do_not_fit_are_refused(lines: bytes) -> None:
    (file,) = parse(HEAD + lines)
    with pytest.raises(DiffMalformed):
        hunks(file)


def test_combined_diffs_are_read_and_split() -> None:
    lines = b"".join(b"++new %d\n" % n for n in range(60)) + b"- old\n -old\n  both\n"
    data = b"diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,2 -1,2 +1,61 @@@ head\n" + lines
    (file,) = parse(data)
    (hunk,) = hunks(file)
    assert (file.path, file.parents, hunk.end) == ("f", 2, len(data))
    pieces = split(file, 90, plain)
    assert len(pieces) > 2
    assert all(piece.tokens <= 90 for piece in pieces)
    for piece in pieces:
        (part,) = parse(piece.data)
        assert len(hunks(part)) == 1
    bodies = [piece.data.partition(b"@@@ head\n")[2] for piece in pieces]
    assert b"".join(bodies) == lines


def test_a_real_conflict_is_read(tmp_path: Path) -> None:
    def git(*arguments: str) -> bytes:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        return subprocess.run(["git", "-C", str(tmp_path), *identity, *arguments], capture_output=True).stdout

    git("init", "-q", "-b", "main")
    for branch, content in (("main", "1\n2\n3\n"), ("one", "1\nleft\n3\n"), ("two", "1\nright\n3\n")):
        git("checkout", "-q", "-B", branch, "main")
        (tmp_path / "f").write_text(content)
        git("add", "f")
        git("commit", "-qm", branch)
    git("merge", "one")
    (file,) = parse(git("diff"))
    assert (file.path, file.parents) == ("f", 2)
    assert len(hunks(file)) == 1


def test_a_missing_newline_stays_with_its_line() -> None:
    data = HEAD + b"@@ -1,2 +1,2 @@\n one\n-" + b"x" * 200 + b"\n\\ No newline at end of file\n+" + b"y" * 200
    data += b"\n\\ No newline at end of file\n"
    (file,) = parse(data)
    for piece in split(file, 130, plain):
        assert piece.placeholder is None
        (part,) = parse(piece.data)
        assert hunks(part)


def test_a_line_beyond_the_budget_gives_way_to_a_note_that_says_so() -> None:
    data = HEAD + b"@@ -1 +1,3 @@\n one\n+" + b"x" * 9000 + b"\n+three\n"
    (file,) = parse(data)
    pieces = split(file, 1000, plain)
    (note,) = [piece for piece in pieces if piece.placeholder]
    assert note.placeholder is not None
    assert (note.placeholder.reason, note.placeholder.bytes, note.placeholder.tokens) == ("long-line", 9002, 3001)
    assert b"[added line 2: 9,002 bytes, about 3,001 tokens;" in note.data
    assert [b"+three\n" in piece.data for piece in pieces].count(True) == 1
