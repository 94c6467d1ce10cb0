"""Weak evidence never decides: replies that were once written to the wrong place, lost lines or left markup behind.

Each case says which results are right; none means that the reply must be refused. Both faces are asked: the engine with
one text in memory, and the landing in a project, where nothing may change when the reply is refused.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import NamedTuple

import pytest

from inlay import EmbedRequest, LandOptions, Workspace, embed, land
from inlay.errors import InlayError


class Case(NamedTuple):
    """A file, a reply, and what may come of it."""

    path: str
    before: str
    reply: str
    right: tuple[str, ...] = ()


def blocks(path: str, *pairs: tuple[str, str]) -> str:
    """A reply with SEARCH and REPLACE."""
    return "".join(f"{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n\n" for old, new in pairs)


def patch(path: str, *hunks: str) -> str:
    return f"*** Begin Patch\n*** Update File: {path}\n" + "".join(hunks) + "*** End Patch\n"


def diff(path: str, *hunks: str) -> str:
    return f"--- a/{path}\n+++ b/{path}\n" + "".join(hunks)


MENU = "# Menu\n" + "".join(f"\n\ndef dish_{n}(guests):\n    return guests * {n}\n" for n in range(12))
ROOMS = "[hall]\nlamps = 2\nheat = low\ndoors = 3\n\n[attic]\nlamps = 2\nheat = off\ndoors = 1\n"
NESTED = (
    "def shop():\n    def price(items):\n        net = add(items)\n        return net\n\n    return price\n\n\n"
    "def price(items):\n    net = add(items)\n    return net\nRATE = 7\n"
)
TWINS = "open(a)\nwrite(row)\nclose(a)\n\nrest()\n\nopen(b)\nwrite(row)\nclose(b)\n"
LAMP = "class Lamp:\n    def on(self):\n        volt = 12\n        watt = 40\n        return volt\n"

CASES = {
    "a quoted function is not the new file": Case(
        "menu.py",
        MENU,
        "It is here:\n\n`menu.py`:\n```python\ndef dish_4(guests):\n    return guests * 4\n```\n\nShall I?\n",
    ),
    "a changed line alone is not the new file": Case(
        "menu.py",
        MENU,
        "menu.py\n```python\ndef dish_4(guests):\n    return guests * 44\n```\n",
        (MENU.replace("guests * 4\n", "guests * 44\n"),),
    ),
    "markers with blanks are not content": Case(
        "rooms.ini",
        ROOMS,
        "rooms.ini\n```ini\n< < < < < < < SEARCH\nheat = off\n= = = = = = =\nheat = on\n> > > > > > > REPLACE\n```\n",
        (ROOMS.replace("off", "on"),),
    ),
    "elements around both sides are not content": Case(
        "rooms.ini",
        ROOMS,
        "rooms.ini\n```ini\n<old_text>\nheat = off\n</old_text>\n<new_text>\nheat = on\n</new_text>\n```\n",
        (ROOMS.replace("off", "on"),),
    ),
    "the wanted result in another section is no proof": Case(
        "rooms.ini",
        ROOMS,
        blocks("rooms.ini", ("lamps = 2\nheat = low\ndoors = 1\n", "lamps = 2\nheat = off\ndoors = 1\n")),
    ),
    "what the reply itself writes is no proof": Case(
        "run.py",
        "speed = 1\nturns = 3\nend = 9\n\n\ndef go():\n    pass\n",
        blocks(
            "run.py",
            ("speed = 1\nturns = 33\n", "speed = 1\nturns = 77\n"),
            ("def go():\n    pass\n", "def go():\n    pass\n\n\ndef stop():\n    speed = 1\n    turns = 77\n"),
        ),
    ),
    "look-alikes are no proof that a dash was replaced": Case(
        "note.txt",
        "Open 9\u201317 daily\n\nClosed on holidays\n",
        blocks("note.txt", ("Open 9\u201317 daily\n \nClosd on holdays\n", "Open 9-17 daily\n\nClosed on holidays\n")),
    ),
    "of two twins none is chosen because a letter is wrong": Case(
        "copy.rb",
        TWINS.replace("open(a)", "open(x)")
        .replace("open(b)", "open(x)")
        .replace("close(a)", "close(x)")
        .replace("close(b)", "close(x)"),
        blocks("copy.rb", ("open(x)\nwrrite(row)\nclose(x)\n", "open(x)\nwrrite(row)\nshut(x)\n")),
    ),
    "an indented twin does not win by a blank line": Case(
        "shop.py",
        NESTED,
        blocks(
            "shop.py",
            (
                "def price(items):\n    net = add(items)\n    return net\n\n",
                "def price(items):\n    net = add(items)\n    return net * 2\n\n",
            ),
        ),
        (NESTED.replace("    return net\nRATE", "    return net * 2\nRATE"),),
    ),
    "a section whose lines have changed is not looked for elsewhere": Case(
        "pair.py",
        "def left():\n    return 'a'\n\n\ndef right():\n    return 'b'\n",
        patch("pair.py", "@@ def left():\n-    return 'b'\n+    return 'c'\n"),
    ),
    "indentation that only FIND lost is not added twice": Case(
        "lamp.py",
        LAMP,
        blocks("lamp.py", ("volt = 12\nwatt = 40\n", "        volt = 12\n        watt = 60\n")),
        (LAMP.replace("40", "60"),),
    ),
    "context without its sign does not move the added line": Case(
        "list.yml",
        "rooms:\n  - hall\n  - attic\n  - cellar\n",
        diff("list.yml", "@@ -2,3 +2,4 @@\n  - hall\n+  - loft\n  - attic\n  - cellar\n"),
        ("rooms:\n  - hall\n  - loft\n  - attic\n  - cellar\n",),
    ),
    "newlines that are spelt out are not written": Case(
        "todo.md",
        "* wake\n* eat\n* work\n",
        blocks("todo.md", ("* eat\n* work\n", "* eat\\n* rest\\n* work\n")),
        ("* wake\n* eat\n* rest\n* work\n",),
    ),
    "entities in the new side alone are not written": Case(
        "loop.js",
        "while (i < n && n > 0) {\n  step(i);\n}\n",
        blocks(
            "loop.js",
            ("while (i < n && n > 0) {\n  step(i);\n}\n", "while (i &lt; n &amp;&amp; n &gt; 0) {\n  step(i, 1);\n}\n"),
        ),
        ("while (i < n && n > 0) {\n  step(i, 1);\n}\n",),
    ),
    "quotes escaped in the new side alone are not written": Case(
        "say.js",
        'say("hello");\nsay("bye");\n',
        blocks("say.js", ('say("hello");\nsay("bye");\n', 'say(\\"hello\\");\nsay(\\"good night\\");\n')),
        ('say("hello");\nsay("good night");\n',),
    ),
    "no-break spaces do not indent": Case(
        "mod.rs",
        "mod red;\nmod blue;\n",
        blocks(
            "mod.rs",
            (
                "mod red;\nmod blue;\n",
                "mod colours {\n\u00a0\u00a0\u00a0\u00a0mod red;\n\u00a0\u00a0\u00a0\u00a0mod blue;\n}\n",
            ),
        ),
        ("mod colours {\n    mod red;\n    mod blue;\n}\n",),
    ),
    "a change behind the numbers is not lost": Case(
        "abc.txt",
        "alpha\nbeta\ngamma\ndelta\nomega\n",
        diff("abc.txt", "@@ -2,4 +2,3 @@ -beta\n-gamma\n+GAMMA\n delta\n omega\n"),
        ("alpha\nGAMMA\ndelta\nomega\n",),
    ),
    "a change behind the sign of a hunk is not lost": Case(
        "abc.txt",
        "alpha\nbeta\ngamma\ndelta\n",
        patch("abc.txt", "@@ @@ -beta\n+BETA\n gamma\n delta\n"),
        ("alpha\nBETA\ngamma\ndelta\n",),
    ),
    "an edit is not led away by what a later one writes": Case(
        "doc.py",
        'def one():\n    """Opne the door."""\n    return 1\n\n\ndef two():\n    """Old."""\n    return 2\n',
        blocks(
            "doc.py",
            ('    """Open the door."""\n', '    """Open the gate."""\n'),
            ('def two():\n    """Old."""\n', 'def two():\n    """Open the door."""\n'),
        ),
    ),
    "the rest of a line stays on it": Case(
        "ci.yml",
        "  with:\n    args: fast  # see notes\nend: 1\n",
        blocks("ci.yml", ("  with:\n    args: fast\n", "  with:\n    args: fast\n\n  more:\n    name: two\n")),
        ("  with:\n    args: fast  # see notes\n\n  more:\n    name: two\nend: 1\n",),
    ),
    "a line that is replaced keeps its own ending": Case(
        "ends.txt", "one\ntwo\r\nthree\n", blocks("ends.txt", ("two\n", "TWO\n")), ("one\nTWO\r\nthree\n",)
    ),
    "a space after the signs alone does not indent": Case(
        "tab.go",
        "\tone()\n\ttwo()\n\tthree()\n",
        diff("tab.go", "@@ -1,3 +1,4 @@\n \tone()\n+ \tnew()\n \ttwo()\n \tthree()\n"),
        ("\tone()\n\tnew()\n\ttwo()\n\tthree()\n",),
    ),
    "carriage returns twice are one line end": Case(
        "cr.txt",
        "one\ntwo\n\nthree\nfour\n",
        diff("cr.txt", "@@ -1,5 +1,7 @@\n one\n two\n \n+new\n+newer\n three\n four\n").replace("\n", "\r\r\n"),
        ("one\ntwo\n\nnew\nnewer\nthree\nfour\n",),
    ),
    "a mark for omitted lines does not delete them": Case(
        "guide.md",
        "# Guide\n\nFirst read this.\n\nThen that.\n\nMind the gap.\n\nThe end is here.\n",
        blocks(
            "guide.md",
            (
                "# Guide\n\nFirst read this.\n\nThen that.\n\nMind the gap.\n\nThe end is here.\n",
                "# Guide\n\nFirst read it all.\n\n/* ... */\nThe end is here.\n",
            ),
        ),
        ("# Guide\n\nFirst read it all.\n\nThen that.\n\nMind the gap.\n\nThe end is here.\n",),
    ),
    "a stray closing tag is not content": Case(
        "links.md",
        "- one\n- two\n",
        blocks("links.md", ("- one\n- two\n", "- one\n- new\n</parameter>\n- two\n")),
        ("- one\n- new\n- two\n",),
    ),
    "blanks that the edit removes are not there already": Case(
        "map.xml",
        "<set \n  x=1>\n\n<u>\n",
        patch("map.xml", "@@\n-<set \n+<set\n+  x=1>\n \n <u>\n"),
        ("<set\n  x=1>\n\n<u>\n",),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_in_memory(name: str) -> None:
    case = CASES[name]
    result = embed(EmbedRequest(case.path, case.before, case.reply))
    assert result.refusal is not None or result.content in case.right


@pytest.mark.parametrize("name", CASES)
def test_in_a_project(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    (tmp_path / case.path).write_bytes(case.before.encode())
    try:
        land(case.reply, Workspace(tmp_path), options=LandOptions(yes=True))
        allowed = case.right
    except InlayError:
        allowed = (case.before,)
    assert (tmp_path / case.path).read_bytes().decode() in allowed


LANDS = {
    "two phrases of one line": Case(
        "one.py",
        "price = net(a) + tax(b) + tip(c)\n",
        '{"path": "one.py", "edits": [{"old_string": "net(a)", "new_string": "gross(a)"},'
        ' {"old_string": "tip(c)", "new_string": "tip(d)"}]}\n',
        ("price = gross(a) + tax(b) + tip(d)\n",),
    ),
    "dots that are code": Case(
        "stub.pyi",
        "class Box:\n    def put(self): ...\n\nLAST = 1\n",
        blocks(
            "stub.pyi",
            (
                "class Box:\n    def put(self): ...\n",
                "class Box:\n    def put(self): ...\n    def take(self):\n        ...\n",
            ),
        ),
        ("class Box:\n    def put(self): ...\n    def take(self):\n        ...\n\nLAST = 1\n",),
    ),
    "an edit of what an earlier edit made": Case(
        "step.py",
        "a = 1\nb = 2\nc = 3\n",
        blocks("step.py", ("a = 1\n", "a = one()\n"), ("a = one()\nb = 2\n", "a = one()\nb = two()\n")),
        ("a = one()\nb = two()\nc = 3\n",),
    ),
    "elements named like the tags of tools": Case(
        "ui.xml",
        '<panel>\n  <function name="a"/>\n</panel>\n',
        blocks("ui.xml", ('  <function name="a"/>\n', '  <function name="a"/>\n  <parameter name="b" />\n')),
        ('<panel>\n  <function name="a"/>\n  <parameter name="b" />\n</panel>\n',),
    ),
    "an edit beside one that was made before": Case(
        "made.py",
        "alpha = 1\nbeta = 22\ngamma = 3\n\n\ndef f():\n    return 1\n",
        blocks(
            "made.py",
            ("alpha = 1\nbeta = 2\ngamma = 3\n", "alpha = 1\nbeta = 22\ngamma = 3\n"),
            ("    return 1\n", "    return 2\n"),
        ),
        ("alpha = 1\nbeta = 22\ngamma = 3\n\n\ndef f():\n    return 2\n",),
    ),
}


@pytest.mark.parametrize("name", LANDS)
def test_strong_evidence_lands(name: str) -> None:
    case = LANDS[name]
    result = embed(EmbedRequest(case.path, case.before, case.reply))
    assert (result.refusal, result.content) == (None, case.right[0])


def test_another_file_that_is_quoted_is_left_alone(tmp_path: Path) -> None:
    """Two lines of another file "for reference" are not that file."""
    rates = "".join(f"rate_{n} = {n}\n" for n in range(30))
    (tmp_path / "rates.py").write_text(rates)
    (tmp_path / "main.py").write_text("use(rate_1)\nend()\n")
    edit = blocks("main.py", ("use(rate_1)\n", "use(rate_2)\n"))
    quoted = "For reference:\n\nrates.py\n```python\nrate_1 = 1\nrate_2 = 2\n```\n"
    for reply in (f"{edit}\n{quoted}", f"{quoted}\n{edit}"):
        with contextlib.suppress(InlayError):
            land(reply, Workspace(tmp_path), options=LandOptions(force=True))
        assert (tmp_path / "rates.py").read_text() == rates
        assert (tmp_path / "main.py").read_text() in ("use(rate_1)\nend()\n", "use(rate_2)\nend()\n")


def test_a_result_that_stands_in_another_file_is_no_proof(tmp_path: Path) -> None:
    """The named file does not exist; that its new text is somewhere else does not make the edit done."""
    (tmp_path / "done.py").write_text("speed = 2\nturns = 4\n")
    with pytest.raises(InlayError):
        land(blocks("engine/gone.py", ("speed = 1\nturns = 4\n", "speed = 2\nturns = 4\n")), Workspace(tmp_path))


def test_a_line_ending_that_git_shows_is_meant(tmp_path: Path) -> None:
    """The headers of the diff end in LF, so the CR of its lines is content."""
    head = "diff --git a/n.csv b/n.csv\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/n.csv\n"
    land(f"{head}@@ -0,0 +1,2 @@\n+a,b\r\n+1,2\r\n", Workspace(tmp_path), options=LandOptions(force=True))
    assert (tmp_path / "n.csv").read_bytes() == b"a,b\r\n1,2\r\n"
