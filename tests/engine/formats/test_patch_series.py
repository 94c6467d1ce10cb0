"""Several commits in one text, as git prints them."""

from __future__ import annotations

import pytest

from inlay.engine.formats import read
from inlay.engine.staging import stage
from inlay.errors import ReplyMalformed
from inlay.model.edit import Create, Delete, Update
from inlay.model.file import Snapshot

ID = "0123456789abcdef0123456789abcdef01234567"
MESSAGE = """\
Fix it

    @@ -1 +1 @@
    -a
    +b
"""


def diff(old: str, new: str, ids: str = "") -> str:
    index = f"index {ids} 100644\n" if ids else ""
    return f"diff --git a/f b/f\n{index}--- a/f\n+++ b/f\n@@ -1 +1 @@\n-{old}\n+{new}\n"


def logged(*diffs: str) -> str:
    head = f"commit {ID}\nAuthor: A <a@example.org>\nDate:   Mon Nov 16 10:00:00 2026 +0000\n\n    {MESSAGE}\n"
    return "\n".join(head + each for each in diffs)


def mailed(*diffs: str, subjects: tuple[str, ...] = ()) -> str:
    names = subjects or ("[PATCH] Fix it",) * len(diffs)
    return "".join(
        f"From {ID} Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\nSubject: {name}\n\n{MESSAGE}---\n f | 2 +-\n"
        f" 1 file changed, 1 insertion(+), 1 deletion(-)\n\n{each}-- \n2.39.5 (Apple Git-154)\n\n"
        for name, each in zip(names, diffs, strict=True)
    )


def after(reply: str, text: str = "1\n") -> str | None:
    return stage(read(reply), Snapshot.of({"f": text})).changes[0].after


@pytest.mark.parametrize(
    "reply",
    [
        logged(diff("1", "2")),
        logged(diff("2", "3"), diff("1", "2")),
        logged(diff("3", "4"), diff("2", "3"), diff("1", "2")),
        mailed(diff("1", "2"), diff("2", "3")),
        mailed(diff("2", "3"), diff("1", "2"), subjects=("[PATCH v2 02/02] b", "[PATCH v2 01/02] a")),
        logged(diff("1", "2", "aaaaaaa..bbbbbbb"), diff("2", "3", "bbbbbbb..ccccccc")),
        mailed(diff("2", "3", "bbbbbbb..ccccccc"), diff("1", "2", "aaaaaaa..bbbbbbb")),
        f"Here is the patch:\n\n```diff\n{mailed(diff('1', '2'))}```\n",
    ],
)
def test_commits_are_applied_from_the_oldest(reply: str) -> None:
    newest = max(int(line[1:]) for line in reply.split("\n") if line.startswith("+") and line[1:].isdecimal())
    assert after(reply) == f"{newest}\n"


def test_a_signature_is_no_removed_line() -> None:
    (part,) = read(mailed(diff("1", "2"))).parts
    assert isinstance(part, Update)
    (edit,) = part.edits
    assert edit.variants[0].ops == (("-", "1"), ("+", "2"))  # type: ignore[union-attr]


def test_a_removed_line_may_look_like_a_signature() -> None:
    reply = "--- a/f\n+++ b/f\n@@ -1,2 +1 @@\n 1\n-- \n"
    assert after(reply, "1\n- \n") == "1\n"


def test_a_file_is_followed_through_the_series() -> None:
    made = "diff --git a/g b/g\nnew file mode 100644\n--- /dev/null\n+++ b/g\n@@ -0,0 +1 @@\n+new\n"
    moved = (
        "diff --git a/g b/h\nsimilarity index 50%\nrename from g\nrename to h\n--- a/g\n+++ b/h\n"
        "@@ -1 +1 @@\n-new\n+newer\n"
    )
    gone = "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"
    reading = read(mailed(made, moved, gone))
    assert [(type(part), part.path) for part in reading.parts] == [(Create, "g"), (Update, "g"), (Delete, "f")]
    changes = stage(reading, Snapshot.of({"f": "1\n"})).changes
    assert [(str(change.target), change.action, change.after) for change in changes] == [
        ("h", "created", "newer\n"),
        ("f", "deleted", None),
    ]


def test_what_is_made_and_deleted_again_is_no_change() -> None:
    made = "diff --git a/g b/g\nnew file mode 100644\n--- /dev/null\n+++ b/g\n@@ -0,0 +1 @@\n+new\n"
    gone = "diff --git a/g b/g\ndeleted file mode 100644\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n"
    changes = stage(read(mailed(made, diff("1", "2"), gone)), Snapshot.of({"f": "1\n"})).changes
    assert [(str(change.path), change.after) for change in changes] == [("f", "2\n")]
    assert stage(read(mailed(gone, made)), Snapshot.of({"g": "new\n"})).changes[0].is_noop


def test_an_order_that_cannot_be_is_refused() -> None:
    diffs = diff("1", "2", "aaaaaaa..bbbbbbb"), diff("2", "3", "bbbbbbb..ccccccc"), diff("0", "1", "9999999..bbbbbbb")
    with pytest.raises(ReplyMalformed, match="neither in the order"):
        read(mailed(*diffs))


def test_the_diff_of_a_merge_is_refused() -> None:
    merge = "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n- 1\n -2\n++3\n"
    with pytest.raises(ReplyMalformed, match="diff of a merge"):
        read(logged(merge))


def test_prose_about_a_commit_is_no_stream() -> None:
    reply = f"commit {ID} broke it:\n\nf\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n"
    assert read(reply).format == "search_replace"
