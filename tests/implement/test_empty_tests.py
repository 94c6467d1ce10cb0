"""Tests that cannot fail are found; tests that can are left alone; tests made weaker are noticed."""

import textwrap

import pytest

from inlay.implement.test_quality.empty_tests import find_empty_tests, names_of_tests
from inlay.implement.test_quality.weakened_tests import weakened

HEAD = "import pytest\nfrom unittest.mock import Mock\nfrom shop import Cart, total\nimport shop\n\n"


def reasons(body: str, head: str = HEAD) -> list[str]:
    text = head + "def test_it(tmp_path):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"
    return [found.reason for found in find_empty_tests("tests/test_shop.py", text)]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("pass", "has an empty body"),
        ("...", "has an empty body"),
        ("'''Only a docstring.'''", "has an empty body"),
        ("'''Told.'''\nreturn", "has an empty body"),
        ("total([1])", "has no assertion"),
        ("x = total([1])\nprint(x)", "has no assertion"),
        ("assert True", "asserts True"),
        ("assert 1", "asserts 1"),
        ("assert 'works'", "asserts 'works'"),
        ("total([])\nassert True", "asserts True"),
        ("assert (total([1]) == 1, 'sum')", "asserts a tuple"),
        ("assert 1 + 1 == 2", "asserts only about constants"),
        ("x = total([1])\nassert x == x", "compares a thing with itself"),
        ("cart = Cart()\nassert cart is cart", "compares a thing with itself"),
        ("assert total([1]) == 1 or True", "asserts what is always true"),
        ("assert len(Cart().items) >= 0", "asserts what is always true"),
        ("assert isinstance(Cart(), object)", "asserts what is always true"),
        ("expected = 3\nresult = 3\nassert result == expected", "asserts about its own values only"),
        ("m = Mock(return_value=3)\nassert m() == 3", "asserts about its own values only"),
        ("m = Mock()\nm.add(1)\nm.add.assert_called_once_with(1)", "uses nothing of the project"),
        ("pytest.fail('TODO')", "only says that it is not written yet"),
        ("raise NotImplementedError", "only says that it is not written yet"),
        ("assert False, 'not yet'", "only says that it is not written yet"),
        ("pytest.skip('later')\nassert total([1]) == 1", "always ends in skip"),
        ("return\nassert total([1]) == 1", "has an empty body"),
        ("try:\n    assert total([1]) == 2\nexcept AssertionError:\n    pass", "catches its own failures"),
        ("try:\n    assert total([1]) == 2\nexcept Exception as error:\n    print(error)", "catches its own failures"),
        ("try:\n    assert total([1]) == 2\nexcept:\n    return", "catches its own failures"),
        (
            "import contextlib\nwith contextlib.suppress(Exception):\n    assert total([1]) == 2",
            "catches its own failures",
        ),
        ("with pytest.raises(ValueError):\n    raise ValueError", "raises what it expects by itself"),
    ],
)
def test_what_shows_nothing_is_refused(body: str, reason: str) -> None:
    (found,) = reasons(body)
    assert found.startswith(reason), found


@pytest.mark.parametrize(
    "body",
    [
        "assert total([1]) == 1",
        "assert shop.LIMIT == 3",
        "with pytest.raises(ValueError):\n    total(None)",
        "with pytest.raises(ValueError), Cart():\n    pass",
        "pytest.raises(ValueError, total, None)",
        "cart = Cart()\ncart.add(1)\nassert cart.items == [1]",
        "seen = []\nCart(on_add=seen.append).add(1)\nassert seen == [1]",
        "calls = []\nfor n in (1, 2):\n    calls.append(total([n]))\nassert calls == [1, 2]",
        "m = Mock()\nCart(store=m).add(1)\nm.save.assert_called_once_with(1)",
        "try:\n    total(None)\nexcept ValueError:\n    return\nelse:\n    pytest.fail('no')\nassert total([])",
        "try:\n    total(None)\nexcept ValueError as error:\n    assert 'none' in str(error)",
        "try:\n    assert total([1]) == 1\nfinally:\n    shop.reset()",
        "result = total([1])\nexpected = 1\nassert result == expected",
        "assert True\nassert total([1]) == 1",
        "shop.LIMIT = 3\nassert shop.LIMIT == 3",
        "all = shop.kinds()\nassert set(all) >= {1}",
        "assert hash(Cart()) == hash(Cart())",
        "hit = False\ntry:\n    total(None)\nexcept ValueError:\n    hit = True\nassert hit",
        "n = 0\nfor each in Cart():\n    n += 1\nassert n == 3",
        "first, second = total([1]), 2\nassert second == first + 1",
        "import subprocess\nsubprocess.run(['shop'], check=True)",
        "if not total([1]):\n    raise AssertionError('nothing')",
        "(tmp_path / 'x').write_text('1')\nassert shop.load(tmp_path) == 1",
    ],
)
def test_what_can_fail_is_left_alone(body: str) -> None:
    assert reasons(body) == []


def test_marks_that_switch_tests_off_are_seen_wherever_they_stand() -> None:
    text = HEAD + textwrap.dedent("""
        @pytest.mark.skip
        def test_a(): assert total([1]) == 1

        @pytest.mark.xfail(reason="later")
        def test_b(): assert total([1]) == 1

        @pytest.mark.skipif(True, reason="always")
        def test_c(): assert total([1]) == 1

        @pytest.mark.skipif("win" in shop.PLATFORM, reason="sometimes")
        def test_d(): assert total([1]) == 1

        class TestAll:
            pytestmark = [pytest.mark.skip]
            def test_e(self): assert total([1]) == 1
    """)
    assert [found.test for found in find_empty_tests("test_a.py", text)] == [
        "test_a",
        "test_b",
        "test_c",
        "TestAll::test_e",
    ]
    whole = HEAD + "pytestmark = pytest.mark.skip\ndef test_a(): assert total([1]) == 1\n"
    assert [found.reason for found in find_empty_tests("test_a.py", whole)] == ["is in a file or class that is skipped"]


def test_helpers_and_classes_of_unittest_count() -> None:
    text = HEAD + textwrap.dedent("""
        import unittest
        from helpers import check_total

        def same(a, b):
            inner(a, b)

        def inner(a, b):
            assert a == b

        def test_through_two_helpers(): same(total([1]), 1)

        def test_through_an_imported_one(): check_total(Cart())

        class CartCase(unittest.TestCase):
            def setUp(self): self.cart = Cart()
            def test_empty(self): self.assertEqual(self.cart.items, [])
            def test_hollow(self): self.assertTrue(True)
            def test_same(self): self.assertEqual(self.cart, self.cart)
            def test_mixin(self): self.check_order(self.cart)
            def test_handed(self): shop.compare(self, self.cart)
            def test_alias(self):
                equal = self.assertEqual
                equal(self.cart.items, [])
    """)
    found = find_empty_tests("test_a.py", text)
    assert [each.test for each in found] == ["CartCase::test_hollow", "CartCase::test_same"]
    assert names_of_tests("test_a.py", text)[:3] == (
        "test_through_two_helpers",
        "test_through_an_imported_one",
        "CartCase::test_empty",
    )


def test_a_function_of_the_project_called_check_is_no_assertion() -> None:
    assert reasons("check_order(1)", "from shop import check_order\n") == ["has no assertion"]


def test_files_without_tests_and_files_that_do_not_parse() -> None:
    assert [found.reason for found in find_empty_tests("test_a.py", "x = 1\n")] == ["has no test in it"]
    (found,) = find_empty_tests("test_a.py", "def test_a(:\n")
    assert (found.test, found.line) == ("", 1)
    assert "does not parse" in found.reason


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("cart.test.ts", "it('adds', () => { add(1) })", "has no assertion"),
        ("cart.test.ts", "it('adds', () => { expect(true).toBe(true) })", "asserts only what is always true"),
        ("cart.test.ts", "it.skip('adds', () => { expect(add(1)).toBe(1) })", "skips every test"),
        ("cart.test.ts", "const x = 1", "has no test that could be recognised"),
        ("cart_test.go", "func TestAdd(t *testing.T) {\n\tAdd(1)\n}", "has no assertion"),
        ("lib.rs", "#[test]\nfn adds() { assert!(true) }", "asserts only what is always true"),
    ],
)
def test_other_languages_are_read_by_the_plainest_signs(path: str, text: str, reason: str) -> None:
    assert [found.reason for found in find_empty_tests(path, text)] == [reason]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("cart.test.ts", "it('adds', () => { expect(add(1)).toBe(1) })"),
        ("cart_test.go", 'func TestAdd(t *testing.T) {\n\tif Add(1) != 1 {\n\t\tt.Fatal("no")\n\t}\n}'),
        ("lib.rs", "#[test]\nfn adds() { assert_eq!(add(1), 1) }"),
        ("CartTest.java", "@Test\nvoid adds() { assertEquals(1, add(1)); }"),
    ],
)
def test_sound_tests_of_other_languages_pass(path: str, text: str) -> None:
    assert find_empty_tests(path, text) == ()


BEFORE = HEAD + textwrap.dedent("""
    @pytest.mark.parametrize("n", [1, 2, 3])
    def test_many(n):
        assert total([n]) == n

    def test_two():
        assert total([]) == 0
        assert total([1, 2]) == 3, "sums"

    def test_error():
        with pytest.raises(ValueError):
            total(None)
""")


@pytest.mark.parametrize(
    ("old", "new", "reasons"),
    [
        ("    assert total([]) == 0\n", "", ["no longer asserts: total([]) == 0"]),
        ("total([1, 2]) == 3,", "total([1, 2]) >= 0,", ["no longer asserts: total([1, 2]) == 3"]),
        (
            "pytest.raises(ValueError)",
            "pytest.raises(Exception)",
            ["no longer asserts: pytest.raises(ValueError)"],
        ),
        ("[1, 2, 3]", "[1]", ["is run with 1 cases instead of 3"]),
        ("def test_two", "@pytest.mark.skip\ndef test_two", ["is marked skip now"]),
        ("def test_two", "def helper", ["is gone"]),
        ("    assert total([n]) == n\n", "    pass\n", ["shows nothing now: has an empty body"]),
        ("def test_error():\n", "def test_error(:\n", ["no longer parses"]),
    ],
)
def test_tests_that_demand_less_are_noticed(old: str, new: str, reasons: list[str]) -> None:
    assert old in BEFORE
    found = [each.reason for each in weakened("test_a.py", BEFORE, BEFORE.replace(old, new))]
    assert len(found) == len(reasons)
    assert all(said.startswith(reason) for said, reason in zip(found, reasons, strict=True)), found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[1, 2, 3]", "[1, 2, 3, 4]"),
        ("def test_two():", "def test_sums_of_two():"),
        ('3, "sums"', '3, "adds up"'),
        ("def test_two():\n", "def test_two():\n    assert total([5]) == 5\n"),
        ("def test_error", "def test_more(): assert total([9]) == 9\n\ndef test_error"),
    ],
)
def test_tests_that_demand_as_much_are_not(old: str, new: str) -> None:
    assert old in BEFORE
    assert weakened("test_a.py", BEFORE, BEFORE.replace(old, new)) == ()


def test_weaker_tests_of_other_languages() -> None:
    before = "it('a', () => { expect(f()).toBe(1) })\nit('b', () => { expect(g()).toBe(2) })\n"
    after = "it('a', () => { f() })\nit.skip('b', () => { expect(g()).toBe(2) })\n"
    assert [each.reason for each in weakened("a.test.js", before, after)] == [
        "has 1 tests instead of 2",
        "has 1 assertions instead of 2",
        "skips 1 tests instead of 0",
    ]
    assert weakened("a.test.js", before, before) == ()
    assert weakened("test_a.py", "def broken(:", BEFORE) == ()
