"""Extending Python: new members join what is there, and nothing else moves."""

from __future__ import annotations

import ast
from collections.abc import Callable
from textwrap import dedent

import pytest

from inlay.engine.merging import merge
from inlay.errors import MergeRefused
from inlay.model.file import RepoPath

MODULE = dedent('''\
    #!/usr/bin/env python
    # licence

    """Doc."""

    import os
    from a import b

    LIMIT = 1


    class A(Base):
        """What it is."""

        x = 1

        def f(self):
            return 1

        # about g
        @property
        def g(self):
            return 2


    class B:
      def only(self): ...


    def helper():
        pass


    if __name__ == "__main__":
        helper()
    ''')


def added(before: str, after: str) -> str:
    """The one run of lines that was added, without blank lines at its edges."""
    old, new = before.splitlines(), after.splitlines()
    first = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old))
    count = len(new) - len(old)
    assert new[:first] + new[first + count :] == old, "something else changed"
    return "\n".join(new[first : first + count]).strip("\n")


def test_a_method_goes_to_the_end_of_its_class(extended: Callable[..., str]) -> None:
    merged = extended(MODULE, "class A:\n    def new(self):\n        return 3\n")
    assert "        return 2\n\n    def new(self):\n        return 3\n\n\nclass B:" in merged
    assert added(MODULE, merged) == "    def new(self):\n        return 3"


def test_a_field_joins_the_fields(extended: Callable[..., str]) -> None:
    merged = extended(MODULE, "class A:\n    y: int = 2\n")
    assert "    x = 1\n    y: int = 2\n\n    def f" in merged


def test_decorators_and_comments_come_along(extended: Callable[..., str]) -> None:
    new = "class A:\n    # why\n    @cached\n    def new(self): pass\n"
    assert added(MODULE, extended(MODULE, new)) == "    # why\n    @cached\n    def new(self): pass"


def test_a_comment_that_stands_apart_is_not_lost(extended: Callable[..., str]) -> None:
    new = "class A:\n    # --- more ---\n\n    def new(self): pass\n"
    assert "# --- more ---" in extended(MODULE, new)


def test_new_members_take_the_indentation_of_the_class(extended: Callable[..., str]) -> None:
    merged = extended(MODULE, "class B:\n\tdef new(self):\n\t\treturn 1\n")
    assert added(MODULE, merged) == "  def new(self):\n    return 1"


def test_tabs_stay_tabs(extended: Callable[..., str]) -> None:
    before = "class A:\n\tdef f(self):\n\t\tpass\n"
    assert extended(before, "class A:\n    def g(self):\n        if 1:\n            pass\n") == (
        before + "\n\tdef g(self):\n\t\tif 1:\n\t\t\tpass\n"
    )


def test_text_inside_strings_is_not_reindented_but_docstrings_are(extended: Callable[..., str]) -> None:
    body = '        """Doc.\n\n        More.\n        """\n        return """a\n        b"""\n'
    new = f"class B:\n    def new(self):\n{body}"
    merged = extended(MODULE, new)
    assert '  def new(self):\n    """Doc.\n\n    More.\n    """\n    return """a\n        b"""' in merged


def test_as_many_blank_lines_as_the_class_has(extended: Callable[..., str]) -> None:
    dense = "class A:\n    def f(self): pass\n    def g(self): pass\n"
    assert extended(dense, "class A:\n    def h(self): pass\n") == dense + "    def h(self): pass\n"
    wide = "class A:\n    def f(self): pass\n\n\n    def g(self): pass\n"
    assert extended(wide, "class A:\n    def h(self): pass\n") == wide + "\n\n    def h(self): pass\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("class A: pass\n", "class A:\n    def f(self): ...\n"),
        ("class A: ...  # why\n", "class A:  # why\n    def f(self): ...\n"),
        ("class A: x = 1\n", "class A:\n    x = 1\n    def f(self): ...\n"),
        ("class A:\n  pass\n", "class A:\n  def f(self): ...\n"),
        ('class A:\n    """Doc."""\n', 'class A:\n    """Doc."""\n\n    def f(self): ...\n'),
        ('class A:\n    """Doc."""\n\n    pass\n', 'class A:\n    """Doc."""\n\n    def f(self): ...\n'),
        ("class A:\n    pass", "class A:\n    def f(self): ..."),
        ("class A:\r\n\tpass\r\n", "class A:\r\n\tdef f(self): ...\r\n"),
        ("class A:\n    x = 1\n\n    # the end\n", "class A:\n    x = 1\n\n    # the end\n\n    def f(self): ...\n"),
    ],
)
def test_bodies_that_hold_nothing_yet_are_opened(before: str, after: str, extended: Callable[..., str]) -> None:
    merged = extended(before, "class A:\n    def f(self): ...\n")
    assert merged.replace("\n\n    def", "\n    def") == after.replace("\n\n    def", "\n    def")
    ast.parse(merged)


def test_a_setter_follows_its_property_and_a_getter_goes_before_its_setter(extended: Callable[..., str]) -> None:
    merged = extended(MODULE, "class A:\n    @g.setter\n    def g(self, value): pass\n")
    assert merged.index("@property") < merged.index("@g.setter")
    lonely = "class A:\n    x = 1\n\n    @g.setter\n    def g(self, value): pass\n"
    merged = extended(lonely, "class A:\n    @property\n    def g(self): pass\n")
    assert merged.index("@property") < merged.index("@g.setter")


def test_a_comment_stays_with_the_call_below_it(extended: Callable[..., str]) -> None:
    before = "def f(): pass\n\n\n# about the call\nf()\n"
    assert extended(before, "def g(): pass\n") == "def f(): pass\n\n\ndef g(): pass\n\n\n# about the call\nf()\n"


def test_members_that_share_a_line_get_a_line_each(extended: Callable[..., str]) -> None:
    assert extended("a = 1\n", "b = 2; c = 3\n") == "a = 1\nb = 2\nc = 3\n"
    merged = extended("class A:\n    a = 1\n", "class A:\n    b = 2; c = 3\n")
    assert merged == "class A:\n    a = 1\n    b = 2\n    c = 3\n"


def test_a_member_of_several_lines_that_shares_one_is_refused(refused: Callable[..., MergeRefused]) -> None:
    assert refused("a = 1\n", "b = 2; c = (3,\n 4)\n").misfits[0].code == "shared-line"


def test_an_overload_goes_before_the_implementation(extended: Callable[..., str]) -> None:
    before = (
        "class A:\n    @overload\n    def f(self, a: int): ...\n    def f(self, a): pass\n\n    def z(self): pass\n"
    )
    merged = extended(before, "class A:\n    @overload\n    def f(self, a: str): ...\n")
    assert merged.index("a: int") < merged.index("a: str") < merged.index("def f(self, a):")


def test_an_alias_keeps_what_it_names_before_it(extended: Callable[..., str]) -> None:
    before = "class A:\n    def z(self): pass\n\n    alias = f\n"
    merged = extended(before, "class A:\n    def f(self): pass\n")
    assert merged.index("def f") < merged.index("alias = f")


def test_a_builtin_that_the_class_shadows_keeps_its_meaning(extended: Callable[..., str]) -> None:
    before = "class A:\n    def a(self): pass\n\n    def list(self): pass\n"
    merged = extended(before, "class A:\n    def f(self) -> list[int]: pass\n")
    assert merged.index("def f") < merged.index("def list")


def test_what_a_class_now_needs_is_defined_before_it(extended: Callable[..., str]) -> None:
    new = "class Options: pass\n\nclass A:\n    def new(self, options: Options): pass\n"
    merged = extended(MODULE, new)
    assert merged.index("class Options") < merged.index("class A")


def test_new_functions_stand_before_the_part_that_runs(extended: Callable[..., str]) -> None:
    merged = extended(MODULE, "def new():\n    pass\n")
    assert "    pass\n\n\ndef new():\n    pass\n\n\nif __name__" in merged
    assert extended("import os\n", "def new():\n    pass\n") == "import os\n\n\ndef new():\n    pass\n"


def test_imports_join_the_imports_once(extended: Callable[..., str]) -> None:
    merged = extended(MODULE, "from __future__ import annotations\nimport os\nfrom a import b, c\nimport sys\n")
    assert '"""Doc."""\n\nfrom __future__ import annotations\n\nimport os\n' in merged
    assert "\nfrom a import b\nfrom a import c\nimport sys\n\nLIMIT" in merged
    assert extended(MODULE, "import os\n") == MODULE


def test_an_import_that_is_tried_is_not_made_certain(extended: Callable[..., str]) -> None:
    before = "try:\n    import json\nexcept ImportError:\n    json = None\n"
    assert extended(before, "import json\n") == before


def test_an_import_for_type_checkers_does_not_stand_in_for_a_real_one(extended: Callable[..., str]) -> None:
    before = "import os\n\nif TYPE_CHECKING:\n    from a import T\n"
    assert extended(before, "from a import T\n").startswith("import os\nfrom a import T\n")


def test_methods_without_a_class_join_the_only_one(extended: Callable[..., str]) -> None:
    before = "class A:\n    def f(self): pass\n"
    for new in ("    def g(self): pass\n", "def g(self): pass\n"):
        assert extended(before, new) == before + "\n    def g(self): pass\n"
    assert extended(before, "@staticmethod\ndef g(): pass\n").endswith("\n    @staticmethod\n    def g(): pass\n")


def test_nested_classes_are_joined_too(extended: Callable[..., str]) -> None:
    before = "class A:\n    class Meta:\n        x = 1\n\n    def f(self): pass\n"
    merged = extended(before, "class A:\n    class Meta:\n        y = 2\n")
    assert "        x = 1\n        y = 2\n\n    def f" in merged


def test_what_is_there_already_is_left_alone(extended: Callable[..., str]) -> None:
    new = "class A:\n    def f(self):\n        return 1   # same\n\n    def new(self): pass\n"
    assert added(MODULE, extended(MODULE, new)) == "    def new(self): pass"


def test_existing_members_are_replaced_when_asked(extended: Callable[..., str]) -> None:
    new = "class A:\n    @property\n    def g(self):\n        return 3\n"
    merged = extended(MODULE, new, replace_existing=True)
    assert merged == MODULE.replace("return 2", "return 3")
    assert "# about g" in merged


def test_conditional_definitions_survive(extended: Callable[..., str]) -> None:
    before = "if X:\n    def f(): pass\nelse:\n    def f(): return 1\n\n\nclass A:\n    if X:\n        y = 1\n"
    merged = extended(before, "class A:\n    def g(self): pass\n")
    assert merged == before + "\n    def g(self): pass\n"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_endings_and_a_missing_final_newline_survive(ending: str, extended: Callable[..., str]) -> None:
    before = ending.join(["class A:", "    def f(self):", "        pass"])
    new = "class A:\n    def g(self):\n        pass\n"
    assert extended(before, new) == before + ending.join(["", "", "    def g(self):", "        pass"])


def test_notes_say_what_was_left_as_it_is() -> None:
    new = 'class A:\n    """Other."""\n    def f(self):\n        return 1\n'
    merged = merge("extend", MODULE, new, path=RepoPath("a.py"))
    assert merged.text == MODULE
    assert merged.notes == ("f is there already", "the docstring stays as it is")


def test_an_empty_file_takes_the_new_content(extended: Callable[..., str]) -> None:
    assert extended("", "x = 1\n") == "x = 1\n"
    assert extended("x = 1\n", "\n") == "x = 1\n"


def test_a_string_below_a_field_stays_with_it(extended: Callable[..., str]) -> None:
    before = "class A:\n    x = 1\n\n    def f(self): pass\n"
    merged = extended(before, 'class A:\n    y = 2\n    """What y is."""\n\n    def g(self): pass\n')
    assert '    x = 1\n    y = 2\n    """What y is."""\n\n    def f' in merged


def test_the_last_comment_of_a_class_is_not_lost(extended: Callable[..., str]) -> None:
    before = "class A:\n    def f(self): pass\n"
    new = "class A:\n    def g(self): pass\n    # more to come\n"
    assert extended(before, new) == before + "\n    def g(self): pass\n    # more to come\n"


def test_an_import_goes_below_the_comment_on_top(extended: Callable[..., str]) -> None:
    assert extended("# licence\nx = 1\n", "import os\n") == "# licence\n\nimport os\n\nx = 1\n"
