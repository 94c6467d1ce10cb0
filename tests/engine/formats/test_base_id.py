"""The blob id that a diff names as its old side."""

from __future__ import annotations

import pytest

from inlay.engine import formats
from inlay.model.edit import Update

_DIFF = """\
diff --git a/a.txt b/a.txt
{index}--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-one
+two
"""


@pytest.mark.parametrize(
    ("index", "base_id"),
    [
        ("index 5626abf..814f4a4 100644\n", "5626abf"),
        (
            "index 5626ABF0F72E58D7A153368BA57DB4C673C0E171..814f4a422927b82f5f8a43f8fc25d1e8a5e9c7d1\n",
            "5626abf0f72e58d7a153368ba57db4c673c0e171",
        ),
        ("index 0000000..814f4a4 100644\n", None),
        ("index abc..def\n", None),
        ("", None),
    ],
)
def test_the_old_id_of_the_index_line_is_kept(index: str, base_id: str | None) -> None:
    [part] = formats.read(_DIFF.format(index=index)).parts
    assert isinstance(part, Update)
    assert part.base_id == base_id


def test_two_diffs_of_one_file_have_no_common_base() -> None:
    first = _DIFF.format(index="index 5626abf..814f4a4 100644\n")
    second = _DIFF.format(index="index 814f4a4..1111111 100644\n").replace("-one\n+two", "-two\n+three")
    [part] = formats.read(first + second).parts
    assert isinstance(part, Update)
    assert len(part.edits) == 2
    assert part.base_id is None
