"""Unified diffs."""

import pytest

from inlay.engine.formats import FORMATS, read
from inlay.errors import NoEditsFound, ReplyMalformed, ReplyTruncated
from inlay.model.edit import Create, Delete, Edit, Hunk, Op, Update

HEAD = "--- a/f.py\n+++ b/f.py\n"
SWAP: tuple[Op, ...] = ((" ", "x"), ("-", "a"), ("+", "b"))
BODY = " x\n-a\n+b\n"


def edits(reply: str) -> tuple[Edit, ...]:
    (part,) = read(reply).parts
    assert isinstance(part, Update)
    return part.edits


def ops(reply: str) -> list[tuple[Op, ...]]:
    return [variant.ops for edit in edits(reply) for variant in edit.variants if isinstance(variant, Hunk)]


@pytest.mark.parametrize("numbers", ["@@ -1,2 +1,2 @@", "@@ -9,7 +1,1 @@", "@@ @@", "@@ ... @@", "@@", "@@ -1 +1"])
@pytest.mark.parametrize("fence", ["```diff\n{}```\n", "````\n{}````\n"])
def test_numbers_need_not_be_right(numbers: str, fence: str) -> None:
    assert ops(fence.format(f"{HEAD}{numbers}\n{BODY}")) == [SWAP]


def test_numbers_and_sections_are_hints() -> None:
    (edit,) = edits(f"{HEAD}@@ -12,2 +14,2 @@ def f():\n{BODY}")
    assert (edit.line, edit.sections) == (12, ("def f():",))
    assert edits(f"{HEAD}@@ ... @@ def f():\n{BODY}")[0].sections == ("def f():",)


@pytest.mark.parametrize(
    ("head", "path"),
    [
        (HEAD, "f.py"),
        ("--- f.py\n+++ f.py\n", "f.py"),
        ("--- a/f g.py\t2024-01-01\n+++ b/f g.py\t2024-01-02\n", "f g.py"),
        ('--- "a/caf\\303\\251.txt"\n+++ "b/caf\\303\\251.txt"\n', "café.txt"),
        ("diff --git a/f.py b/f.py\nindex 12ab..34cd 100644\n" + HEAD, "f.py"),
        ("--- f.py.orig\n+++ f.py\n", "f.py"),
        ("--- original.go\n+++ updated.go\n", None),
        ("+++ b/f.py\n", "f.py"),
        ("", None),
        ("f.py\n```diff\n", "f.py"),
    ],
)
def test_the_name_is_read_from_any_header(head: str, path: str | None) -> None:
    (part,) = read(f"{head}@@ -1,2 +1,2 @@\n{BODY}" + ("```\n" if "```" in head else "")).parts
    assert part.path == path


def test_a_header_may_be_all_there_is() -> None:
    assert read(f"{HEAD}{BODY}").parts[0].path == "f.py"


def test_two_different_names_are_refused() -> None:
    with pytest.raises(ReplyMalformed, match="two files"):
        read(f"--- a/f.py\n+++ b/g.py\n@@ -1,2 +1,2 @@\n{BODY}")


def test_git_says_what_happens_to_files() -> None:
    reply = (
        "diff --git a/x.py b/y.py\nsimilarity index 100%\nrename from x.py\nrename to y.py\n"
        "diff --git a/e b/e\nnew file mode 100644\nindex 000..e69\n"
        "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n"
        "+a\n+b\n\\ No newline at end of file\n"
        "diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    )
    assert read(reply).parts == (Update("x.py", (), "y.py"), Create("e", ""), Create("n", "a\nb"), Delete("d", ("a",)))


def test_a_change_of_mode_is_read() -> None:
    mode = "diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n"
    reading = read(f"{mode}diff --git a/f.py b/f.py\n{HEAD}@@\n{BODY}")
    assert reading.parts[0] == Update("x.sh", (), executable=True)
    assert [part.path for part in reading.parts] == ["x.sh", "f.py"]
    back = "diff --git a/x.sh b/x.sh\nold mode 100755\nnew mode 100644\n"
    assert read(back).parts == (Update("x.sh", (), executable=False),)
    moved = "diff --git a/x b/y\nold mode 100644\nnew mode 100755\nsimilarity index 100%\nrename from x\nrename to y\n"
    assert read(moved).parts == (Update("x", (), "y", executable=True),)
    new = "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n"
    assert read(new).parts == (Create("n", "a\n", executable=True),)


@pytest.mark.parametrize(
    "header",
    [
        "new file mode 120000\nindex 0000000..1234567\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+target\n",
        "new file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+Subproject commit 1\n",
        "index 1234567..89abcde 160000\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
        "index 1234567..89abcde 120000\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n",
        "old mode 100644\nnew mode 120000\n",
    ],
)
def test_links_and_submodules_are_no_files(header: str) -> None:
    with pytest.raises(ReplyMalformed, match=r"is about a (symbolic link|submodule)"):
        read(f"diff --git a/x b/x\n{header}")


def test_binary_diffs_are_refused() -> None:
    with pytest.raises(ReplyMalformed, match="no diff of text"):
        read("diff --git a/x.png b/x.png\nindex 1..2\nBinary files a/x.png and b/x.png differ\n")


@pytest.mark.parametrize(
    ("body", "flags"),
    [
        ("-a\n\\ No newline at end of file\n+b\n", (True, False)),
        ("-a\n+b\n\\ No newline at end of file\n", (False, True)),
        ("-a\n+b\n c\n\\ No newline at end of file\n", (True, True)),
    ],
)
def test_a_missing_final_newline_belongs_to_the_line_above(body: str, flags: tuple[bool, bool]) -> None:
    (edit,) = edits(f"{HEAD}@@\n{body}")
    (hunk,) = edit.variants
    assert isinstance(hunk, Hunk)
    assert (hunk.old_open, hunk.new_open) == flags


def test_an_empty_line_is_blank_context_but_not_at_the_end() -> None:
    assert ops(f"{HEAD}@@ @@\n x\n\n-a\n+b\n\n\n") == [((" ", "x"), (" ", ""), ("-", "a"), ("+", "b"))]
    assert ops(f"{HEAD}@@ -1,3 +1,3 @@\n x\n-a\n+b\n\n") == [(*SWAP, (" ", ""))]


def test_counts_promise_nothing_where_one_side_has_too_many_lines() -> None:
    for end in ("", "\n\n", "\n\nDone.\n"):
        assert ops(f"{HEAD}@@ -1,2 +1,1 @@\n{BODY}{end}") == [SWAP]


@pytest.mark.parametrize("before", ["", f"@@ -1,2 +1,2 @@\n{BODY}"])
def test_a_hunk_without_lines_is_refused(before: str) -> None:
    with pytest.raises(ReplyMalformed, match="hunk without lines"):
        read(f"{HEAD}{before}@@ -8 +8 @@\n@@ -9,2 +9,2 @@\n{BODY}")


def test_lines_that_look_like_headers_are_content_where_counts_say_so() -> None:
    assert ops(f"{HEAD}@@ -1,2 +1,2 @@\n x\n--- a\n+++ b\n@@ -9,2 +9,2 @@\n{BODY}") == [
        ((" ", "x"), ("-", "-- a"), ("+", "++ b")),
        SWAP,
    ]


def test_several_files_follow_each_other() -> None:
    reading = read(f"{HEAD}@@\n{BODY}--- a/g.py\n+++ b/g.py\n@@\n{BODY}")
    assert [(part.path, len(part.edits)) for part in reading.parts if isinstance(part, Update)] == [
        ("f.py", 1),
        ("g.py", 1),
    ]


def test_prose_ends_a_raw_diff() -> None:
    for numbers in ("@@ -1,2 +1,2 @@", "@@"):
        reading = read(f"Here you are:\n\n{HEAD}{numbers}\n{BODY}\nHope this helps!\n\n- one\n- two\n")
        (part,) = reading.parts
        assert isinstance(part, Update)
        assert part.edits[0].variants == (Hunk(SWAP),)
        assert len(reading.wrapping) == 2


def test_a_line_without_a_prefix_is_context_inside_a_fence() -> None:
    assert ops(f"```diff\n{HEAD}@@\n{BODY}stray\n```\n") == [(*SWAP, (" ", "stray"))]


def test_fences_of_a_markdown_file_are_content() -> None:
    assert ops(f"```diff\n{HEAD}@@\n ```\n-a\n+b\n ```\n```\n") == [
        ((" ", "```"), ("-", "a"), ("+", "b"), (" ", "```"))
    ]


def test_a_fence_that_closes_inside_a_hunk_is_refused() -> None:
    with pytest.raises(ReplyMalformed, match="closes inside"):
        read(f"```diff\n{HEAD}@@\n{BODY}```\n+more\n```\n")


@pytest.mark.parametrize("reply", [f"```diff\n{HEAD}@@\n{BODY}", f"{HEAD}@@ -1,9 +1,9 @@\n{BODY}"])
def test_a_diff_that_is_cut_off_is_noticed(reply: str) -> None:
    with pytest.raises(ReplyTruncated):
        read(reply)


def test_hunks_before_the_cut_are_complete() -> None:
    with pytest.raises(ReplyTruncated, match=r"1 edit before that complete: f.py"):
        read(f"```diff\n{HEAD}@@\n{BODY}@@\n x\n-c")


@pytest.mark.parametrize("reply", ["- one\n- two\n+ three\n", "@@ is an operator\n", "--- \n+++ \n"])
def test_lists_and_rules_are_no_diff(reply: str) -> None:
    with pytest.raises(NoEditsFound):
        read(reply)


def test_the_prompt_teaches_what_is_read_and_has_patch_rules() -> None:
    prompt = FORMATS["unified_diff"].prompt
    assert "Patch rules" in prompt
    assert ops(prompt)[0][2] == ("-", "        total += item.price")
