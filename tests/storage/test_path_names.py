"""Names that no reply may use, and names that only look as if."""

import pytest

from inlay import PathTraversalError
from inlay.storage.paths import path_names

REFUSED = {
    "leaves": ["../x.py", "../../../../etc/passwd", "src/../../x.py", "src/./.././../x.py", "src/../README.md", ".."],
    "absolute": ["/etc/passwd", "//etc/passwd", "/dev/fd/0", "~/.bashrc", "~root/x", "$HOME/.bashrc", "${HOME}/x"],
    "url": ["file:///etc/passwd", "http://evil.example/x.py"],
    "windows": ["..\\..\\x.py", "src\\a.py", "C:\\Windows\\win.ini", "c:/x", "//?/C:/x"],
    "encoded": ["%2e%2e/x", "%2E%2E%2fetc", "..%2fx.py", "..%c0%af..%c0%afetc", "a%5cb"],
    "look-alike": ["．．/x", "‥/x.py", "..∕x.py", "a⁄b"],
    "control": ["src/a\0.py", "src/a\n.py", "src/a\r.py", "src/a\x1b[0m.py", "a\u2028b", "a\udce9.py"],
    "bidi": ["src/\u202eyp.exe", "src/a\u200b.py", "src/\u2066a\u2069.py", "\ufeffa.py"],
    "shape": ["", " ", ".", "./", "...", "src/", "src/. ./x"],
    "metadata": [".git/config", ".git", "src/.git", ".GIT/config", "GIT~1/hooks/x", ".git./config", ".git /config"],
    "metadata aliases": [
        "．git/config",
        ".g\u200cit/config",
        ".hg/hgrc",
        ".svn/entries",
        ".jj/repo",
        ".inlay/journal",
    ],
}
ALLOWED = [
    *("..foo", "foo..bar", "src/..hidden.py", ".hidden", ".gitignore", ".gitkeep", "src/git.py", "my.git.notes.txt"),
    *("docs/.github-notes.md", ".env.example", "src/100%.txt", "src/a%20b.txt", "src/foo~", "src/[id]/page.tsx"),
    *("src/(group)/page.tsx", "src/@scope/x.ts", "src/--help.py", "src/日本語/テスト.py", "src/ملف.py", "src/ﬁle.py"),
    *("a b/c d.txt", "$types.ts", "src/aux.c", "git/config", "e/" * 60 + "x.py", "n" * 250 + ".py"),
]


@pytest.mark.parametrize("name", [name for names in REFUSED.values() for name in names])
def test_a_name_that_could_lead_out_of_the_project_is_refused(name: str) -> None:
    with pytest.raises(PathTraversalError) as caught:
        path_names.parse(name)
    assert caught.value.misfits[0].path == name
    assert caught.value.misfits[0].code.startswith("path-")


@pytest.mark.parametrize("name", ALLOWED)
def test_an_unusual_but_plain_name_is_allowed(name: str) -> None:
    assert str(path_names.parse(name)) == name


@pytest.mark.parametrize("written", ["./src/a.py", "src//a.py", "././src/./a.py"])
def test_a_plain_path_written_clumsily_is_the_plain_path(written: str) -> None:
    assert str(path_names.parse(written)) == "src/a.py"


@pytest.mark.parametrize("name", ["src/notes.", "src/notes ", "README.md:hidden", "src/a.py::$DATA", "src /a.py", " a"])
def test_a_new_file_gets_no_name_that_some_system_reads_as_another(name: str) -> None:
    misfit = path_names.judge_new(path_names.parse(name))
    assert misfit is not None
    assert misfit.code == "path-alias"


@pytest.mark.parametrize("name", ["src/a.py", ".env.example", "..foo", "a b.txt"])
def test_a_new_file_may_have_an_ordinary_name(name: str) -> None:
    assert path_names.judge_new(path_names.parse(name)) is None


def test_twins_differ_by_case_or_composition_only() -> None:
    existing = frozenset({"a.py", "caf\u00e9.py"})
    assert path_names.twin("A.py", existing) == "a.py"
    assert path_names.twin("cafe\u0301.py", existing) == "caf\u00e9.py"
    assert path_names.twin("a.py", existing) is None
    assert path_names.twin("b.py", existing) is None
