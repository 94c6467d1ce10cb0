"""What becomes of a text: every rule through the one function that weaves edits in."""

from __future__ import annotations

import pytest

from inlay.engine.staging.located import NotLocated
from inlay.engine.staging.update import Updated, update
from inlay.errors import Misfit
from inlay.model.edit import Block, Edit, Hunk, Op, Splice


def block(find: str, replace: str, **hints: object) -> Edit:
    return Edit(1, (Block(tuple(find.split("\n")), tuple(replace.split("\n")) if replace else ()),), **hints)  # type: ignore[arg-type]


def hunk(*lines: str, **hints: object) -> Edit:
    ops: list[Op] = [(line[0], line[1:]) for line in lines]  # type: ignore[misc]
    return Edit(1, (Hunk(tuple(ops)),), **hints)  # type: ignore[arg-type]


def numbered(*edits: Edit) -> tuple[Edit, ...]:
    return tuple(
        Edit(n, e.variants, e.line, e.sections, e.at_end, e.everywhere, e.description) for n, e in enumerate(edits, 1)
    )


def done(text: str, *edits: Edit) -> Updated:
    return update(text, numbered(*edits))


def refused(text: str, *edits: Edit) -> tuple[Misfit, ...]:
    with pytest.raises(NotLocated) as caught:
        done(text, *edits)
    return caught.value.misfits


class TestRules:
    @pytest.mark.parametrize(
        ("text", "find", "replace", "expected", "rule"),
        [
            ("a\nb\nc\n", "b", "B", "a\nB\nc\n", "exact"),
            ("a  \nb\t\nc\n", "a\nb \nc", "a\nB\nc", "a  \nB\nc\n", "trailing blanks"),
            ("x = “1”\ny\n", 'x = "1"\ny', 'x = "1"\nz', "x = “1”\nz\n", "look-alike characters"),
            ("    if x:\n        y\n", "if x:\n    y", "if x:\n    z", "    if x:\n        z\n", "indentation"),
            ("\tif x:\n\t\ty\n", "if x:\n    y", "if x:\n    z\n    w", "\tif x:\n\t\tz\n\t\tw\n", "indentation"),
            ("if x:\n  y\n    \nz\n", "if x:\n    y\n\nz", "if x:\n    q\n\nz", "if x:\n  q\n    \nz\n", "indentation"),
            ("a\n\n\nb\nc\n", "a\nb\nc", "a\nb\nC", "a\n\n\nb\nC\n", "blank lines"),
            ("def f( a,b ):\n    go( )\n",
             "def f(a, b):\n    go()", "def f(a, b):\n    stop()", "def f( a,b ):\n    stop()\n", "inner blanks"),
            ("one\ntwo words\nthree\n", "words\nthr", "more\nthr", "one\ntwo more\nthree\n", "part of a line"),
            ("total = price\ncount = 1\nend\n",
             "totl = price\ncount = 1\nend", "totl = price\ncount = 2\nend",
             "total = price\ncount = 2\nend\n", "near miss"),
        ],
    )  # fmt: skip
    def test_each_rule_finds_its_place_and_keeps_what_the_edit_does_not_change(
        self, text: str, find: str, replace: str, expected: str, rule: str
    ) -> None:
        result = done(text, block(find, replace))
        assert (result.text, result.matches[0].rule) == (expected, rule)

    def test_a_stricter_rule_wins_over_a_looser_one(self) -> None:
        assert done("    go()\ngo()\n", block("go()", "stop()")).text == "    go()\nstop()\n"

    def test_a_looser_rule_never_settles_what_a_stricter_one_leaves_open(self) -> None:
        (misfit,) = refused("go()\nx\ngo()\n  go()\n", block("go()", "stop()"))
        assert (misfit.code, misfit.candidates) == ("ambiguous", (1, 3))

    def test_only_the_first_line_lost_its_indentation(self) -> None:
        text = "class A:\n    def f(self):\n        return 1\n"
        edit = block("def f(self):\n        return 1", "def g(self):\n        return 1\n        # end")
        assert done(text, edit).text == "class A:\n    def g(self):\n        return 1\n        # end\n"

    def test_a_shift_shared_by_the_reply_reaches_an_edit_that_shows_no_indentation(self) -> None:
        text = "a {\n    b\n}\nc {\n}\n"
        edits = block("a {\n\tb", "a {\n\tB"), block("c {\n}", "c {\n\td\n}")
        assert done(text, *edits).text == "a {\n    B\n}\nc {\n    d\n}\n"

    def test_uneven_indentation_is_kept_where_a_line_replaces_a_line(self) -> None:
        text = "\t\t\tone\n\t\t\ttwo\n\t\tthree\n"
        assert (
            done(text, block("  one\n  two\n  three", "  one\n  TWO\n  three")).text
            == "\t\t\tone\n\t\t\tTWO\n\t\tthree\n"
        )

    def test_a_new_line_that_no_shift_explains_is_refused(self) -> None:
        text = "\t\t\tone\n\t\t\ttwo\n\t\tthree\n"
        (misfit,) = refused(text, block("  one\n  two\n  three", "  one\n  new\n  two\n  three"))
        assert misfit.code == "unclear"

    def test_re_wrapped_context_keeps_its_breaks(self) -> None:
        text = "call(a,\n     b)\nlast = 1\n"
        assert done(text, block("call(a, b)\nlast = 1", "call(a, b)\nlast = 2")).text == "call(a,\n     b)\nlast = 2\n"

    def test_a_stretch_wrapped_otherwise_goes_as_a_whole(self) -> None:
        assert done("x\ncall(\n    a,\n)\ny\n", block("x\ncall(a,)\ny", "x\ncall(b)\ny")).text == "x\ncall(b)\ny\n"


class TestEndings:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_new_lines_take_the_ending_of_the_file(self, end: str) -> None:
        text = end.join(["a", "b", "c", ""])
        assert done(text, block("b", "b\nB")).text == end.join(["a", "b", "B", "c", ""])

    def test_mixed_endings_stay_line_by_line_and_new_lines_follow_the_line_above(self) -> None:
        assert done("a\r\nb\nc\rd\n", block("a\nb\nc", "a\nX\nb\nY\nc")).text == "a\r\nX\r\nb\nY\nc\rd\n"

    @pytest.mark.parametrize("last", ["c", "C\nD", ""])
    def test_an_absent_final_newline_stays_absent(self, last: str) -> None:
        expected = "a\nb" + (f"\n{last}" if last else "")
        assert done("a\nb\nc", block("b\nc", f"b\n{last}" if last else "b")).text in (expected, "a\nb\nc")

    def test_a_diff_may_say_that_the_final_newline_goes_or_comes(self) -> None:
        gone = Edit(1, (Hunk(((" ", "a"), ("-", "b"), ("+", "B")), old_open=False, new_open=True),))
        come = Edit(1, (Hunk(((" ", "a"), ("-", "b"), ("+", "B")), old_open=True, new_open=False),))
        assert (update("a\nb\n", (gone,)).text, update("a\r\nb", (come,)).text) == ("a\nB", "a\r\nB\r\n")

    @pytest.mark.parametrize("odd", ["\x0c", "\x0b", "\x85", "\u2028"])
    def test_only_real_line_ends_end_lines(self, odd: str) -> None:
        assert done(f"a{odd}b\nc\n", block(f"a{odd}b", "x")).text == "x\nc\n"


class TestSeveral:
    def test_edits_in_any_order_land_where_they_belong(self) -> None:
        assert done("a\nb\nc\n", block("c", "C"), block("a", "A")).text == "A\nb\nC\n"

    def test_an_edit_may_change_what_another_made(self) -> None:
        assert done("a\nb\n", block("a", "one\ntwo"), block("two", "2")).text == "one\n2\nb\n"

    def test_edits_may_show_each_others_lines(self) -> None:
        result = done("a\nb\nc\nd\ne\n", block("a\nb\nc", "A\nb\nc"), block("c\nd\ne", "c\nd\nE"))
        assert result.text == "A\nb\nc\nd\nE\n"

    @pytest.mark.parametrize(
        "rivals", [("x\ny", "X\ny", "Z\ny"), ("x\ny", "x\nn\ny", "x\nm\ny"), ("x\ny", "x\n", "X\ny")]
    )
    def test_rivals_for_one_place_are_refused(self, rivals: tuple[str, str, str]) -> None:
        find, first, second = rivals
        assert [m.code for m in refused("x\ny\n", block(find, first), block(find, second))] == ["overlap"]

    def test_as_many_identical_edits_as_places_land_one_each(self) -> None:
        assert done("x\na\nx\nb\n", block("x", "y"), block("x", "y")).text == "y\na\ny\nb\n"

    def test_any_other_count_of_identical_edits_is_refused(self) -> None:
        misfits = refused("x\na\nx\nx\n", block("x", "y"), block("x", "y"))
        assert {m.message for m in misfits} == {"2 identical edits, but 3 places for them"}

    def test_all_misfits_come_at_once(self) -> None:
        misfits = refused("x\nx\ny\n", block("x", "1"), block("nowhere", "2"))
        assert [(m.edit, m.code) for m in misfits] == [(1, "ambiguous"), (2, "not-found")]

    def test_every_occurrence_on_request(self) -> None:
        assert done("a a\nb\na\n", block("a", "c", everywhere=True)).text == "c c\nb\nc\n"

    def test_every_occurrence_by_a_looser_rule(self) -> None:
        assert done("  x\n  y\nb\n  x\n  y\n", block("x\ny", "x\nz", everywhere=True)).text == "  x\n  z\nb\n  x\n  z\n"


class TestHints:
    def test_a_line_number_picks_only_the_place_it_names(self) -> None:
        assert done("x\na\nx\n", block("x", "y", line=3)).text == "x\na\ny\n"
        assert refused("x\na\nx\n", block("x", "y", line=2))[0].code == "ambiguous"

    def test_text_wins_over_a_wrong_line_number(self) -> None:
        assert done("x\na\nb\n", block("x", "y", line=3)).text == "y\na\nb\n"

    def test_a_section_picks_the_place_inside_it(self) -> None:
        text = "class A:\n    def f():\n        go\nclass B:\n    def f():\n        go\n"
        assert done(text, hunk("-        go", "+        stop", sections=("class B:",))).text == text[:-3] + "stop\n"

    def test_nested_sections_narrow_the_search(self) -> None:
        text = "class A:\n    def f():\n        go\n    def g():\n        go\nclass B:\n    def g():\n        go\n"
        edit = hunk("-        go", "+        stop", sections=("class A:", "def g():"))
        assert done(text, edit).text.split("\n")[4] == "        stop"

    def test_the_end_of_the_file_picks_the_last_place(self) -> None:
        assert done("x\na\nx\n", hunk("-x", "+y", at_end=True)).text == "x\na\ny\n"

    def test_an_addition_needs_an_anchor(self) -> None:
        assert refused("a\nb\n", hunk("+new"))[0].code == "no-anchor"
        assert done("a\nb\n", hunk("+new", sections=("a",))).text == "a\nnew\nb\n"
        assert done("a\nb", hunk("+new", at_end=True)).text == "a\nb\nnew"
        assert done("", hunk("+new")).text == "new\n"

    def test_pasted_line_numbers_become_the_hint(self) -> None:
        assert done("x\na\nx\na\n", block("3 | x\n4 | a", "3 | y\n4 | a")).text == "x\na\ny\na\n"


class TestRanges:
    def splice(self, start: int, end: int, *new: str) -> Edit:
        return Edit(1, (Splice(start, end, new),))

    @pytest.mark.parametrize(
        ("start", "end", "new", "expected"),
        [(2, 2, ("B",), "a\nB\nc\n"), (2, 1, ("x",), "a\nx\nb\nc\n"), (4, 3, ("d",), "a\nb\nc\nd\n"), (1, 3, (), "")],
    )
    def test_lines_are_replaced_inserted_and_removed_by_number(
        self, start: int, end: int, new: tuple[str, ...], expected: str
    ) -> None:
        assert done("a\nb\nc\n", self.splice(start, end, *new)).text == expected

    @pytest.mark.parametrize(("start", "end"), [(0, 1), (2, 4), (3, 1), (5, 4), (-1, 0)])
    def test_bounds_and_order_are_checked(self, start: int, end: int) -> None:
        assert refused("a\nb\nc\n", self.splice(start, end, "x"))[0].code == "range"

    def test_overlapping_ranges_are_refused(self) -> None:
        assert refused("a\nb\nc\n", self.splice(1, 2, "x"), self.splice(2, 3, "y"))[0].code == "overlap"


class TestSlipsOfTheReply:
    def test_html_escapes_are_undone_on_both_sides_of_all_edits(self) -> None:
        result = done("if a < b:\n    x\ny\n", block("if a &lt; b:", "if a &gt; b:"), block("y", "y &amp; z"))
        assert result.text == "if a > b:\n    x\ny & z\n"
        assert "HTML escapes undone" in result.matches[0].adapted

    def test_entities_that_the_file_has_stay(self) -> None:
        assert done("a &amp; b\n", block("a &amp; b", "a &lt; b")).text == "a &lt; b\n"

    def test_an_edit_about_escapes_is_not_undone_for_another_that_does_not_fit(self) -> None:
        misfits = refused("a -> b\nc\n", block("a -> b", "a -&gt; b"), block("nowhere &amp; never", "x"))
        assert [(m.edit, m.code) for m in misfits] == [(2, "not-found")]

    def test_over_escaped_quotes_and_breaks_are_undone(self) -> None:
        assert done('say("hi")\n', block('say(\\"hi\\")', 'say(\\"ho\\")')).text == 'say("ho")\n'
        assert done("a\nb\n", block("a\\nb", "a\\nc")).text == "a\nc\n"

    def test_a_literal_backslash_n_in_new_text_is_never_touched(self) -> None:
        assert done("a\n", block("a", 'b = "\\n"')).text == 'b = "\\n"\n'

    def test_pasted_line_numbers_go(self) -> None:
        assert done("a\nb\n", block("  7\ta\n  8\tb", "a\nc")).text == "a\nc\n"
        assert done("a\nb\n", hunk(" 1: a", "-2: b", "+2: c")).text == "a\nc\n"


class TestElision:
    def test_marks_on_both_sides_keep_what_is_between(self) -> None:
        text = "def f():\n    a\n    b\n    c\n    return 1\n"
        edit = block("def f():\n    ...\n    return 1", "def f():\n    ...\n    return 2")
        assert done(text, edit).text == text.replace("return 1", "return 2")

    def test_a_mark_only_in_the_replacement_is_refused(self) -> None:
        (misfit,) = refused("a\nb\nc\nd\n", block("a\nb\nc\nd", "a\n# ... rest unchanged ...\nD"))
        assert misfit.code == "elided"

    def test_a_changed_stretch_must_be_unique(self) -> None:
        text = "def f():\n    a\n    return 1\ndef g():\n    a\n    return 1\n"
        edit = block("def f():\n    ...\n    return 1", "def f():\n    ...\n    return 2")
        assert refused(text, edit)[0].code == "ambiguous"

    def test_stretches_must_come_in_order(self) -> None:
        assert refused("z\na\n", block("a\n...\nz", "a\n...\nZ"))[0].code == "not-found"

    def test_dots_as_a_body_are_code(self) -> None:
        assert (
            done("class A:\n    x\n", block("class A:", "class A:\n    def f(self):\n        ...")).text.count("...")
            == 1
        )


class TestBlankLines:
    def test_blank_edges_that_the_file_lacks_are_dropped_on_both_sides(self) -> None:
        assert done("a\nb\n", block("\na\nb\n", "\na\nB\n")).text == "a\nB\n"

    def test_an_addition_stays_beside_the_line_it_touches(self) -> None:
        assert done("a\n\n\nb\n", hunk(" a", "+x", " ", " b")).text == "a\nx\n\n\nb\n"
        assert done("a\n\n\nb\n", hunk(" a", " ", "+x", " b")).text == "a\n\n\nx\nb\n"

    def test_an_addition_between_unseen_blank_lines_is_refused(self) -> None:
        assert refused("a\n\nb\n", hunk(" a", "+x", " b"))[0].code == "unclear"

    def test_a_replacement_stands_where_the_removed_line_stood(self) -> None:
        assert done("a\n\nb\n\nc\n", hunk(" a", "-b", "+B", " c")).text == "a\n\nB\n\nc\n"

    def test_blank_lines_removed_among_unseen_ones_are_refused(self) -> None:
        assert refused("a\n\n  \nb\n", hunk(" a", "-", "+x", " b"))[0].code == "unclear"
        assert done("a\n\n\n", hunk(" a", "-", "+x")).text == "a\nx\n\n"


class TestDone:
    def test_an_edit_made_before_is_reported_and_changes_nothing(self) -> None:
        result = done("aa\nnew\nc\n", block("aa\nold\nc", "aa\nnew\nc"))
        assert (result.text, result.matches[0].rule) == ("aa\nnew\nc\n", "already in place")

    def test_the_other_edits_still_land(self) -> None:
        assert done("aa\nnew\nc\n", block("aa\nold", "aa\nnew"), block("c", "C")).text == "aa\nnew\nC\n"

    @pytest.mark.parametrize(("find", "replace"), [("a\ngone\nc", "a\nc"), ("nothing", "}")])
    def test_what_leaves_no_trace_is_not_taken_for_done(self, find: str, replace: str) -> None:
        assert refused("a\nc\n}\n", block(find, replace))[0].code == "not-found"

    def test_an_edit_that_changes_nothing_is_skipped_with_a_warning(self) -> None:
        result = done("a\nb\n", block("a", "a"), block("b", "B"))
        assert (result.text, result.warnings) == ("a\nB\n", ("edit 1 changes nothing and was skipped",))

    def test_an_edit_that_changes_nothing_must_at_least_be_there(self) -> None:
        assert refused("a\n", block("zzz", "zzz"))[0].code == "not-found"


class TestNewText:
    @pytest.mark.parametrize("line", ["...", "....", "# ...", "# ... and the rest", "...rest,"])
    def test_dots_that_no_line_gives_way_to_are_content(self, line: str) -> None:
        assert done("a\nb\n", block("a", f"a\n{line}")).text == f"a\n{line}\nb\n"

    @pytest.mark.parametrize("line", ["# ...", "# ... and the rest", "// ... existing code ..."])
    def test_dots_that_lines_give_way_to_are_refused(self, line: str) -> None:
        assert refused("a\nb\nc\nd\n", block("a\nb\nc\nd", f"a\n{line}\nd"))[0].code == "elided"

    def test_a_placeholder_for_code_is_refused_even_if_nothing_gives_way(self) -> None:
        assert refused("a\nb\n", block("a", "a\n# ... existing code ..."))[0].code == "elided"

    @pytest.mark.parametrize("text", ["$& $' \\1 \\g<0>", "%s {0}"])
    def test_nothing_in_new_text_is_expanded(self, text: str) -> None:
        assert done("a\n", block("a", text)).text == f"{text}\n"

    def test_characters_the_edit_does_not_change_stay_the_files(self) -> None:
        assert done("say “one” – two\n", block('say "one" - two', 'say "one" - three')).text == "say “one” – three\n"

    def test_odd_blanks_in_the_indentation_of_new_lines_become_plain(self) -> None:
        edit = block("if x:\n\u00a0\u00a0go()", "if x:\n\u00a0\u00a0go()\n\u00a0\u00a0stop()")
        assert done("if x:\n  go()\n", edit).text == "if x:\n  go()\n  stop()\n"

    def test_odd_quotes_in_new_lines_are_refused_where_the_file_has_plain_ones(self) -> None:
        assert refused('a "b"\nc\n', block("a “b”\nc", "a “b”\nc\nd “e”"))[0].code == "unclear"

    def test_a_repeated_closing_line_is_warned_of(self) -> None:
        result = done("f {\n  a\n}\n", block("  a", "  b\n}"))
        assert result.warnings == ("edit 1 ends with the line that follows it in the file",)


class TestNearMiss:
    @pytest.mark.parametrize(
        ("have", "want"),
        [
            ("item = 1", "items = 1"),
            ("value1 = 1", "value2 = 1"),
            ("timeoutA = 1", "timeoutB = 1"),
            ("Total = 1", "total = 1"),
        ],
    )
    def test_another_name_is_no_slip(self, have: str, want: str) -> None:
        text = f"{have}\nmiddle\nend\n"
        assert refused(text, block(f"{want}\nmiddle\nend", f"{want}\nMIDDLE\nend"))[0].code == "not-found"

    def test_a_word_that_stands_elsewhere_is_no_slip(self) -> None:
        text = "total = 1\nmiddle\nend\ntotl = 5\n"
        assert refused(text, block("totl = 1\nmiddle\nend", "totl = 1\nMIDDLE\nend"))[0].code == "not-found"

    def test_a_slip_on_a_changed_line_is_refused(self) -> None:
        assert refused("total = 1\nend\n", block("totl = 1\nend", "totl = 2\nend"))[0].code == "not-found"

    def test_a_rival_nearly_as_good_is_refused(self) -> None:
        text = "total = one, a\nmiddle\nend\nx\ntotal = one, b\nmiddle\nend\n"
        assert refused(text, block("totl = one, a\nmiddle\nend", "totl = one, a\nMIDDLE\nend"))[0].code == "not-found"

    def test_swapped_letters_are_a_slip(self) -> None:
        text = "return total\nmiddle\nend\n"
        assert (
            done(text, block("retrun total\nmiddle\nend", "retrun total\nMIDDLE\nend")).text
            == "return total\nMIDDLE\nend\n"
        )


class TestExplained:
    def test_the_nearest_place_shows_what_differs(self) -> None:
        (misfit,) = refused("one\ndef load(path):\n    return 1\n", block("def load(file):\n    return 1", "x"))
        assert misfit.nearest is not None
        assert (misfit.nearest.line, misfit.nearest.differing) == (2, (0,))

    def test_a_block_in_other_capitals_still_has_a_nearest_place(self) -> None:
        (misfit,) = refused("MAX_RETRIES = 3\n", block("max_retries = 3", "max_retries = 4"))
        assert misfit.nearest is not None
        assert misfit.nearest.line == 1

    def test_short_words_point_to_the_nearest_place_where_there_are_no_others(self) -> None:
        (misfit,) = refused("import os\n\ndef load(path):\n    go\n", block("def lod(file):", "x"))
        assert misfit.nearest is not None
        assert misfit.nearest.line == 3

    def test_a_cut_that_would_double_a_line_says_so(self) -> None:
        assert refused("x = call(a)\n", block("x = call(a", "x = call(a, b)"))[0].code == "cut-line"

    @pytest.mark.parametrize(
        ("text", "find"), [("subtotal = 1\n", "total"), ("x2y = 1\n", "y"), ("totals = 1\n", "total")]
    )
    def test_a_part_of_a_word_is_no_place(self, text: str, find: str) -> None:
        assert refused(text, block(find, "sum"))[0].code == "cut-line"

    def test_a_part_of_a_line_is_judged_where_the_hint_says(self) -> None:
        text = "go(a) # one\nx = go(a)y\n"
        assert done(text, block("go(a)", "go(b)", line=1)).text == "go(b) # one\nx = go(a)y\n"
        assert refused("f(a b)\nf(a c)\n", block("f(a", "f(z c)", line=2))[0].code == "cut-line"

    def test_a_phrase_may_be_cut_within_a_word(self) -> None:
        assert done('tag = "v1.2.3"\n', block("1.2.3", "1.2.4")).text == 'tag = "v1.2.4"\n'

    def test_an_empty_find_in_a_file_with_content_is_refused(self) -> None:
        assert refused("a\n", Edit(1, (Block((), ("b",)),)))[0].code == "empty-find"
        assert update("", (Edit(1, (Block((), ("b",)),)),)).text == "b\n"


class TestReadings:
    def variants(self, *readings: tuple[str, str]) -> Edit:
        return Edit(1, tuple(Block(tuple(f.split("\n")), tuple(r.split("\n"))) for f, r in readings))

    def test_the_reading_that_fits_is_meant(self) -> None:
        assert done("a\n=======\nb\n", self.variants(("zzz", "q"), ("a\n=======\nb", "c"))).text == "c\n"

    def test_the_longest_find_at_one_place_is_meant(self) -> None:
        edit = self.variants(("Top", "x\n=======\nNew"), ("Top\n=======\nx", "New"))
        assert done("Top\n=======\nx\n", edit).text == "New\n"

    def test_readings_with_other_effects_are_refused(self) -> None:
        assert refused("a\nb\n", self.variants(("a", "1"), ("b", "2")))[0].code == "unclear"

    def test_a_second_divider_is_never_written(self) -> None:
        assert refused("one\n", self.variants(("one", "two\n=======\nthree"), ("nope", "x")))[0].code == "malformed"

    def test_a_heading_with_its_underline_is_written(self) -> None:
        edit = self.variants(("one", "Changes\n=======\n\nthree"), ("nope", "x"))
        assert done("one\n", edit).text == "Changes\n=======\n\nthree\n"
