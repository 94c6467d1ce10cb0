"""What lands, and what is refused, by all that a reply says about a place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inlay.engine.staging.located import NotLocated
from inlay.engine.staging.update import Updated, update
from inlay.errors import Misfit
from inlay.model.edit import Block, Edit, Hunk, Op
from inlay.model.match import IN_PLACE

LETTERS = "".join(f"line {letter * 4}\n" for letter in "abcdefghij")


def block(find: str, new: str, **hints: object) -> Edit:
    return Edit(1, (Block(tuple(find.split("\n")), tuple(new.split("\n"))),), **hints)  # type: ignore[arg-type]


def hunk(*lines: str, **hints: object) -> Edit:
    ops: list[Op] = [(line[0], line[1:]) for line in lines]  # type: ignore[misc]
    return Edit(1, (Hunk(tuple(ops)),), **hints)  # type: ignore[arg-type]


def done(text: str, *edits: Edit, is_base: bool | None = None) -> Updated:
    return update(text, tuple(replace(edit, number=n) for n, edit in enumerate(edits, 1)), is_base=is_base)


def refused(text: str, *edits: Edit, is_base: bool | None = None) -> Misfit:
    with pytest.raises(NotLocated) as caught:
        done(text, *edits, is_base=is_base)
    return caught.value.misfits[0]


class TestNumbers:
    def test_an_addition_lands_by_its_number_in_the_text_it_was_made_from(self) -> None:
        result = done("a\nb\nc\n", hunk("+new", line=2), is_base=True)
        assert (result.text, result.matches[0].rule) == ("a\nb\nnew\nc\n", "line number")

    def test_an_addition_at_the_top(self) -> None:
        assert done("a\n", hunk("+new", line=0), is_base=True).text == "new\na\n"

    @pytest.mark.parametrize("is_base", [None, False])
    def test_a_number_alone_is_no_place(self, is_base: bool | None) -> None:
        assert refused("a\nb\nc\n", hunk("+new", line=2), is_base=is_base).code == "no-anchor"

    def test_a_file_as_long_as_the_number_says_ends_there(self) -> None:
        assert done("a\nb\n", hunk("+new", line=2)).text == "a\nb\nnew\n"
        assert refused("a\nb\n", hunk("+new", line=2), is_base=False).code == "no-anchor"

    def test_a_hunk_below_shows_that_nothing_moved(self) -> None:
        edits = hunk("+new", line=2), hunk("-line dddd", "+D", line=4)
        assert done(LETTERS, *edits).text.split("\n")[1:5] == ["line bbbb", "new", "line cccc", "D"]

    def test_a_hunk_above_says_nothing_about_what_is_below_it(self) -> None:
        edits = hunk("-line bbbb", "+B", line=2), hunk("+new", line=6)
        assert refused(LETTERS, *edits).code == "no-anchor"

    def test_hunks_on_both_sides_that_moved_alike_move_it(self) -> None:
        text = "x\ny\n" + LETTERS
        edits = hunk("-line bbbb", "+B", line=2), hunk("+new", line=3), hunk("-line eeee", "+E", line=5)
        assert done(text, *edits).text.split("\n")[3:7] == ["B", "line cccc", "new", "line dddd"]

    def test_hunks_that_moved_differently_leave_it_open(self) -> None:
        text = LETTERS.replace("line dddd", "line dddd\nmore")
        edits = hunk("-line bbbb", "+B", line=2), hunk("+new", line=4), hunk("-line ffff", "+F", line=6)
        assert refused(text, *edits).code == "no-anchor"

    def test_of_two_places_the_number_picks_one_unless_the_file_is_another(self) -> None:
        text = "same\nx\nsame\n"
        assert done(text, hunk("-same", "+other", line=3)).text == "same\nx\nother\n"
        assert refused(text, hunk("-same", "+other", line=3), is_base=False).code == "ambiguous"

    def test_a_number_that_other_hunks_belie_picks_nothing(self) -> None:
        text = "new\nsame\nline aaaa\nsame\nline bbbb\n"
        edits = hunk("-line aaaa", "+A", line=2), hunk("-same", "+other", line=4)
        assert refused(text, *edits).code == "ambiguous"

    def test_a_copy_on_the_other_side_of_a_hunk_is_not_meant(self) -> None:
        text = "copy of it\nline aaaa\nline bbbb\n"
        edits = hunk("-line aaaa", "+A", line=2), hunk("-copy of it", "+B", line=9)
        misfit = refused(text, *edits)
        assert (misfit.code, misfit.candidates) == ("contradiction", (1, 9))

    def test_invented_numbers_contradict_nothing(self) -> None:
        edits = hunk("-line aaaa", "+A", line=7), hunk("-line cccc", "+C", line=5)
        assert done(LETTERS, *edits).text.startswith("A\nline bbbb\nC\n")


class TestSections:
    CODE = "def f():\n    return 0\n\n\ndef g():\n    return None\n"

    def test_a_copy_outside_of_the_section_is_not_meant(self) -> None:
        misfit = refused(self.CODE, hunk("-    return None", "+    return 1", sections=("def f():",)))
        assert (misfit.code, misfit.candidates) == ("contradiction", (6, 1))

    def test_the_line_number_outweighs_the_section(self) -> None:
        edit = hunk("-    return None", "+    return 1", sections=("def f():",), line=6)
        assert done(self.CODE, edit).text.endswith("return 1\n")

    def test_a_section_ends_where_its_like_begins(self) -> None:
        text = "def f():\n    return 0\n\n\nLIMIT = 1\n\n\ndef g():\n    pass\n"
        assert "LIMIT = 2" in done(text, hunk("-LIMIT = 1", "+LIMIT = 2", sections=("def f():",))).text

    def test_a_section_that_git_cut_off_is_recognised(self) -> None:
        heading = "def " + "long_name_" * 9 + "():"
        text = f"{heading}\n    return None\n\n\ndef g():\n    return None\n"
        edit = hunk("-    return None", "+    return 1", sections=(heading[:80],))
        assert done(text, edit).text == text.replace("return None", "return 1", 1)

    def test_an_addition_with_a_number_does_not_go_below_its_section(self) -> None:
        assert refused(self.CODE, hunk("+    x = 1", sections=("def f():",), line=2)).code == "no-anchor"

    @pytest.mark.parametrize("name", ["}", "end"])
    def test_a_word_that_is_everywhere_is_no_section(self, name: str) -> None:
        text = f"only once\n{name}\n"
        assert done(text, hunk("-only once", "+twice", sections=(name,))).text == f"twice\n{name}\n"


class TestMadeBefore:
    def test_surroundings_prove_it(self) -> None:
        result = done("head\nnew text\ntail\n", block("head\nold thing\ntail", "head\nnew text\ntail"))
        assert (result.text, result.matches[0].rule) == ("head\nnew text\ntail\n", IN_PLACE)

    def test_new_text_alone_does_not(self) -> None:
        misfit = refused("unrelated\nreturn []\n", block("raise KeyError(name)", "return []"))
        assert misfit.code == "not-found"
        assert "line 2 has the new text" in misfit.message

    def test_nor_does_it_where_the_old_place_is_still_there(self) -> None:
        text = "[light]\nwarn = 1\nerror = red\nradius = 5\n\n[dark]\nwarn = 1\nerror = crimson\nradius = 4\n"
        edit = block("warn = 1\nerror = red\nradius = 4", "warn = 1\nerror = crimson\nradius = 4")
        assert refused(text, edit).code == "not-found"

    def test_what_the_reply_itself_writes_does_not(self) -> None:
        edits = block("a = 1\nb = 22", "a = 1\nb = 99"), block("pass", "pass\na = 1\nb = 99")
        assert refused("a = 1\nb = 2\n\npass\n", *edits).code == "not-found"

    def test_look_alikes_do_not(self) -> None:
        edit = block("# 2014–2016 Foo\n# grantd", "# 2014-2016 Foo\n# granted")
        assert refused("# 2014–2016 Foo\n# granted\n", edit).code == "not-found"

    def test_nor_do_other_blanks_where_blanks_are_changed(self) -> None:
        assert refused("head\nword  \ntail\nx\n", block("head\nword \ntail\ny", "head\nword\ntail")).code == "not-found"

    def test_lines_joined_where_others_were_removed(self) -> None:
        edit = block("above it\ngone for good\nbelow it", "above it\nbelow it")
        assert done("above it\nbelow it\n", edit).matches[0].rule == IN_PLACE
        assert refused("above it\nbelow it\ngone for good\n", edit).code == "not-found"

    def test_removed_lines_that_are_still_around_disprove_it(self) -> None:
        text = "start\nfirst removed\nsecond removed\nend of it\nlast line\n"
        edit = block("7: start\nfirst removed\nsecond removed\n9: end of it\nlast line", "end of it\nlast line")
        assert refused(text, edit).code == "not-found"

    def test_together_they_need_less_proof(self) -> None:
        text = "PORT = 9000\nHOST = 1\n\nserve(HOST, PORT, tls=True)\n"
        made = block("PORT = 8000\nHOST = 1", "PORT = 9000\nHOST = 1")
        other = block("serve(HOST, PORT)", "serve(HOST, PORT, tls=True)")
        assert [match.rule for match in done(text, made, other).matches] == [IN_PLACE, IN_PLACE]
        assert refused(text, other).code == "not-found"


class TestChains:
    def test_an_edit_may_quote_what_an_earlier_one_wrote(self) -> None:
        edits = block("a = 1", "a = 1\nb = 2"), block("b = 2", "b = 3")
        assert done("a = 1\n", *edits).text == "a = 1\nb = 3\n"

    def test_but_not_what_a_later_one_writes(self) -> None:
        assert refused("a = 1\n", block("b = 2", "b = 3"), block("a = 1", "a = 1\nb = 2")).code == "not-found"

    def test_nor_where_the_file_has_nearly_the_same(self) -> None:
        text = 'def one():\n    """Sett the size."""\n\n\ndef two():\n    """Old."""\n'
        edits = (
            block('def two():\n    """Old."""', 'def two():\n    """Set the size."""'),
            block('    """Set the size."""', '    """Set the width."""'),
        )
        misfit = refused(text, *edits)
        assert (misfit.code, misfit.candidates) == ("contradiction", (2,))

    def test_lines_of_the_file_around_it_prove_the_place(self) -> None:
        text = "if v4:\n    use(v4)\nelif v6:\n    use(v6)\nthe end\n"
        edits = (
            block("elif v6:\n    use(v6)", "else:\n    use(v6, 1)"),
            block("    use(v6, 1)\nthe end", "    use(v6, 2)\nthe end"),
        )
        assert done(text, *edits).text == "if v4:\n    use(v4)\nelse:\n    use(v6, 2)\nthe end\n"

    def test_a_chain_of_many(self) -> None:
        edits = [block(f"step {n}", f"step {n + 1}") for n in range(40)]
        assert done("head\nstep 0\n", *edits).text == "head\nstep 40\n"

    def test_an_edit_that_quotes_across_removed_lines(self) -> None:
        edits = hunk(" line aaaa", "-line bbbb", " line cccc"), block("line aaaa\nline cccc\nline dddd", "line X")
        assert done(LETTERS, *edits).text.startswith("line X\nline eeee\n")


class TestPhrases:
    def test_two_phrases_of_one_line(self) -> None:
        result = done("f(alpha, beta, gamma)\n", block("alpha", "one"), block("gamma", "three"))
        assert (result.text, len(result.matches)) == ("f(one, beta, three)\n", 2)

    def test_phrases_over_two_lines(self) -> None:
        result = done("head one\ntail two end\n", block("one\ntail", "1\nTail"), block("two", "2"))
        assert result.text == "head 1\nTail 2 end\n"

    def test_phrases_that_share_letters_collide(self) -> None:
        assert refused("f(alpha, beta)\n", block("(alpha, b", "(a, b"), block("a, beta)", "a, b)")).code == "overlap"

    def test_what_follows_a_phrase_stays_on_its_line(self) -> None:
        assert refused("with:\n  args: x  # note\n", block("with:\n  args: x", "with:\n  args: x\nmore: y")).code


class TestRules:
    def test_slips_of_two_kinds_cannot_be_weighed(self) -> None:
        text = "def outer():\n    def f(a):\n        return a\n\n    return f\n\n\ndef f(a):\n    return a\nX = 1\n"
        misfit = refused(text, block("def f(a):\n    return a\n", "def f(a):\n    return -a\n"))
        assert (misfit.code, misfit.candidates) == ("ambiguous", (2, 8))

    def test_a_twin_of_a_misquoted_block_is_a_rival(self) -> None:
        text = (
            "if a:\n  value = compute(x)\nelse\n  value = 0\nend\nlog\n  value = compute(x)\nelse\n  value = 0\nend\n"
        )
        find = "  value = compute(x)\nelsse\n  value = 0"
        assert refused(text, block(find, find.replace("0", "1"))).code == "not-found"

    def test_other_lines_with_the_same_words_do_not_match_in_part(self) -> None:
        text = "case:\n  one()\n  end\nend\n"
        assert refused(text, block("  one( )\nend", "  two()\nend")).code == "not-found"


class TestOneSide:
    @pytest.mark.parametrize(
        ("text", "new", "expected"),
        [
            ("if (a < b) {\n  go();\n}\n", "if (a &lt; b) {\n  go(1);\n}", "if (a < b) {\n  go(1);\n}\n"),
            ('say("x");\ngo();\n', 'say(\\"x\\");\ngo(1);', 'say("x");\ngo(1);\n'),
            ("- two\n- three\n", "- two\\n- new\\n- three", "- two\n- new\n- three\n"),
        ],
    )
    def test_an_escape_of_the_new_text_alone_is_undone(self, text: str, new: str, expected: str) -> None:
        assert done(text, block(text.removesuffix("\n"), new)).text == expected

    @pytest.mark.parametrize(
        ("find", "new"),
        [
            ("<p>a & b</p>", "<p>a &amp; b</p>"),
            ("<p>a < b</p>\n<i>", "&lt;p&gt;a &lt; b&lt;/p&gt;\n&lt;i&gt;"),
            ('say("x")\ngo()', 'say("x\\n")\ngo()'),
        ],
    )
    def test_an_escape_that_is_the_change_is_kept(self, find: str, new: str) -> None:
        assert done(f"{find}\n", block(find, new)).text == f"{new}\n"

    def test_no_break_spaces_of_new_indentation_become_blanks(self) -> None:
        assert done("use a;\n", block("use a;", "use {\n\u00a0\u00a0a,\n};")).text == "use {\n  a,\n};\n"
        odd = "\u00a0x\nuse a;\n"
        assert done(odd, block("use a;", "use {\n\u00a0\u00a0a,\n};")).text == "\u00a0x\nuse {\n\u00a0\u00a0a,\n};\n"

    CLASS = "class A:\n    def f(self):\n        x = 1\n        y = 2\n"

    def test_only_find_lost_its_indentation(self) -> None:
        edit = block("x = 1\ny = 2", "        x = 1\n        y = 3")
        assert done(self.CLASS, edit).text == self.CLASS.replace("y = 2", "y = 3")

    def test_where_nothing_tells_whose_indentation_it_is(self) -> None:
        assert refused(self.CLASS, block("x = 1\ny = 2", "        z = 3")).code == "unclear"

    def test_both_sides_lost_it(self) -> None:
        edit = block("x = 1\ny = 2", "if x:\n    x = 1\ny = 2")
        assert done(self.CLASS, edit).text.endswith("        if x:\n            x = 1\n        y = 2\n")


class TestEndings:
    def test_a_changed_line_keeps_its_own_ending(self) -> None:
        assert done("one\ntwo\r\n", block("two", "TWO")).text == "one\nTWO\r\n"
        assert done("one\r\ntwo\nthree\r\n", block("two", "TWO\nmore")).text == "one\r\nTWO\nmore\nthree\r\n"

    def test_an_exact_deletion_beside_blank_lines(self) -> None:
        assert done("a b\n\n\nc d\n", hunk("-a b", "-")).text == "\nc d\n"

    def test_a_hunk_that_lost_its_signs_is_no_success(self) -> None:
        edits = hunk("-line aaaa", "+A"), hunk(" line cccc", " invented", " line dddd")
        assert refused(LETTERS, *edits).code == "not-found"
