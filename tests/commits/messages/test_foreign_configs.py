"""Configurations of commitlint and gitlint: read where they are plain, refused aloud where they are not."""

import json
import subprocess
import sys

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from inlay.commits.messages import Applied, Ruleset, check, commitlint, gitlint, parse, plain_js
from inlay.commits.messages.config_data import ConfigUnreadable, read_yaml
from inlay.commits.messages.presets import COMMITLINT_CONVENTIONAL
from inlay.commits.messages.resolve_rules import ruleset
from inlay.errors import BadSetting

YAML = """\
# rules of the house
extends: ['@commitlint/config-conventional']
rules:
  type-enum: [2, always, [feat, fix, "ui"]]
  header-max-length:
    - 1
    - always
    - 120
  subject-case: [0]
  scope-enum:
  - 2
  - always
  - - core
    - ui
"""
JSON = {
    "extends": ["@commitlint/config-conventional"],
    "rules": {
        "type-enum": [2, "always", ["feat", "fix", "ui"]],
        "header-max-length": [1, "always", 120],
        "subject-case": [0],
        "scope-enum": [2, "always", ["core", "ui"]],
    },
}
SCRIPT = """\
// commitlint
'use strict';
const scopes = ['core', `ui`]; /* two */
module.exports = {
  extends: ["@commitlint/config-conventional"],
  rules: {
    'type-enum': [2, 'always', ['feat', 'fix', 'ui']],
    "header-max-length": [1, 'always', 120],
    'subject-case': [0],
    'scope-enum': [2, 'always', scopes],
  },
};
"""
TYPED = SCRIPT.replace("'use strict';", "import type { UserConfig } from '@commitlint/types';").replace(
    "module.exports =", "const Configuration: UserConfig ="
).rstrip("\n") + "\nexport default Configuration;\n"  # fmt: skip


def by_name(rules: Ruleset | None) -> dict[str, Applied]:
    assert rules is not None
    return {applied.rule: applied for applied in rules.rules}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".commitlintrc.yml", YAML),
        (".commitlintrc", YAML),
        (".commitlintrc.json", json.dumps(JSON)),
        (".commitlintrc", json.dumps(JSON)),
        ("package.json", json.dumps({"name": "x", "commitlint": JSON})),
        ("commitlint.config.js", SCRIPT),
        ("commitlint.config.mjs", SCRIPT.replace("module.exports =", "export default")),
        ("commitlint.config.ts", TYPED),
    ],
)
def test_every_way_to_write_it_says_the_same(name: str, text: str) -> None:
    found = commitlint.read(name, text)
    rules = by_name(found)
    assert found is not None
    assert (found.source, found.notes, found.unreadable) == (name, (), ())
    assert rules["type-enum"] == Applied("type-enum", "error", ("feat", "fix", "ui"))
    assert rules["header-max-length"] == Applied("header-max-length", "warning", 120)
    assert rules["scope-enum"] == Applied("scope-enum", "error", ("core", "ui"))
    assert "subject-case" not in rules
    assert rules["type-empty"].never
    assert set(rules) == {applied.rule for applied in COMMITLINT_CONVENTIONAL} - {"subject-case"} | {"scope-enum"}


@pytest.mark.parametrize(
    "text",
    [
        "const x = require('./y');\nmodule.exports = { rules: {} };",
        "module.exports = { rules: { 'type-enum': [2, 'always', () => []] } };",
        "module.exports = { ...base };",
        "export default defineConfig({ rules: {} });",
        "module.exports = { extends: [name] };",
        "module.exports = { a: `x${1}` };",
        "module.exports = { a: 1 + 1 };",
        "module.exports = { a: 1 }; evil();",
        "module.exports = { a: [1, 2",
        "",
    ],
)
def test_a_script_that_is_no_plain_data_is_not_guessed_at(text: str) -> None:
    with pytest.raises(ConfigUnreadable):
        plain_js.read(text)
    found = commitlint.read("commitlint.config.js", text)
    assert found is not None
    assert found.rules == ()
    assert "could not be read" in found.unreadable[0]


@pytest.mark.parametrize(
    "text",
    [
        "a: &x 1\nb: *x",
        "a: !!str 1",
        "a: |\n  text",
        "a: >\n  text",
        "a: 1\n---\nb: 2",
        "<<: x",
        "a: [1, 2",
        "a: 'x",
        "a: yes",
        "a: b: c",
        "a: 1\na: 2",
        "a:\n\t- 1",
        "a: 0x1f",
        "a: 012",
        "a:\n  b: 1\n c: 2",
        "? a\n: b",
        "a: 1\n  b: 2",
        "a: x\n  y",
        "a: 12:30:00",
    ],
)
def test_yaml_beyond_the_plain_part_is_refused(text: str) -> None:
    with pytest.raises(ConfigUnreadable):
        read_yaml(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: &x 1", "line 2: an anchor is not allowed"),
        ("a: 1\nb: *x", "line 2: an alias is not allowed"),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "line 1: an anchor"),
        ("a: !!python/object/apply:os.system [id]", "line 1: a tag"),
        ("a: !x y", "line 1: a tag"),
        ("%TAG ! tag:x,2000:\n---\na: 1", "line 1: a directive"),
        ("a: 1\nb: 2\na: 3", "line 3: the key 'a' is there twice"),
        ("x: {a: 1, a: 2}", "line 1: the key 'a' is there twice"),
        ("x:\n  1: a", "line 2: the key 1 is not text"),
        ("[a]: 1", r"line 1: the key \['a'\] is not text"),
        ("x:\n  - on", "line 2: 'on' is text for some readers only"),
        ("Off: 1", "line 1: 'Off' is text"),
        ("a: No", "line 1: 'No' is text"),
        ("a: 2024-01-02", "line 1: '2024-01-02' is text"),
        ("a: 1e3", "line 1: '1e3' is text"),
        ("a: 0o17", "line 1: '0o17' is text"),
        ("a: .inf", "line 1: '.inf' is text"),
        ("a: .NaN", "line 1: '.NaN' is text"),
        ("a: " + "9" * 5000, "line 1: '999"),
        ("a: 1\n<<: {b: 2}", "line 2: '<<' is text"),
        ("a: 1\n---\nb: 2", "line 2: but found another document"),
        ("a:\n  " + "[" * 30 + "]" * 30, "line 2: it is nested more than 20 levels deep"),
        ("a:\n" + "[" * 100_000, "line 2: "),
        ("- " * 100_000, "line 1: it is nested more than 20"),
        ("\n".join(" " * depth + "a:" for depth in range(40)), "line 21: it is nested more than 20"),
        ("a: 1\nb: [1,\nc: 2", "line 3: "),
        ("a: 1\nb: \x07", r"line 2: special characters are not allowed \(#x0007\)"),
    ],
)
def test_hostile_yaml_is_refused_with_the_line(text: str, message: str) -> None:
    with pytest.raises(ConfigUnreadable, match=message):
        read_yaml(text)


def test_yaml_is_loaded_only_when_a_file_needs_it() -> None:
    code = "import sys, inlay.commits.messages.resolve_rules; sys.exit('yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


SCALARS = st.one_of(
    st.integers(-5, 500), st.booleans(), st.none(), st.text(alphabet="ab c-@/'\"#:,[]{}*&!%\\é\n0.", max_size=8)
)
KEYS = st.text(alphabet="abc-é/ @", min_size=1, max_size=6)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)


@given(VALUES, st.booleans())
def test_property_yaml_is_read_as_others_read_it_or_not_at_all(value: object, flow: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True)
    try:
        found = read_yaml(text)
    except ConfigUnreadable:
        return
    assert found == yaml.safe_load(text)


LINES = st.lists(st.text(alphabet="ab: -[]{},'\"#\n1", max_size=12), max_size=6)


@given(LINES)
def test_property_no_yaml_is_misread(lines: list[str]) -> None:
    text = "\n".join(lines)
    try:
        found = read_yaml(text)
    except ConfigUnreadable:
        return
    assert found == yaml.safe_load(text)


def test_yaml_that_people_write_is_read() -> None:
    text = "---\na: [x, 'y', \"z\"] # why\nb:\n- 1\n- c: d\n  e: f\n-\n  - g\n"
    text += "'q': {r: s, t: [u]}\nlong: [\n  1,\n  2 ]\nn:\n"
    assert read_yaml(text) == yaml.safe_load(text)
    assert read_yaml("") is None


def test_what_is_not_known_is_said() -> None:
    text = json.dumps({"extends": ["@other/config"], "plugins": ["x"], "rules": {"x/y": [2], "body-max-length": [2]}})
    found = commitlint.read(".commitlintrc.json", text)
    assert found is not None
    assert len(found.notes) == 3
    assert "'@other/config', whose rules are unknown here" in found.notes[0]
    assert commitlint.read("package.json", "{}") is None
    broken = commitlint.read(".commitlintrc.json", "{")
    assert broken is not None
    assert "it is not JSON" in broken.unreadable[0]


def test_what_commitlint_passes_over_is_passed_over() -> None:
    found = commitlint.read(".commitlintrc.json", json.dumps(JSON))
    assert found is not None
    for header in ("fixup! x", "v1.2.3", "chore: 1.2.3", "Merge branch 'x'", "Initial commit"):
        assert found.exceptions.why(parse(header)), header
    assert not found.exceptions.why(parse("something else"))


GITLINT = """\
[general]
ignore=body-is-missing,T3
contrib=contrib-title-conventional-commits,CC1
ignore-merge-commits=false
extra-path=rules/

[title-max-length]
line-length=50

[B1]
line-length=123

[title-must-not-contain-word]
words=crap,darn

[ignore-by-title]
regex=^Release(.*)
ignore=all

[my-own-rule]
a=b
"""


def test_gitlint() -> None:
    found = gitlint.read(".gitlint", GITLINT)
    rules = by_name(found)
    assert rules["header-max-length"].value == 50
    assert rules["body-max-line-length"].value == 123
    assert rules["header-forbidden"].value == ("crap", "darn")
    assert rules["signed-off-by"].severity == "error"
    assert "type-enum" in rules
    assert not {"body-empty", "header-full-stop"} & set(rules)
    assert not found.exceptions.merges
    assert found.exceptions.why(parse("Release 1")) == "its header is exempt"
    assert [note.split(": ", 1)[1] for note in found.notes] == [
        "[my-own-rule] is unknown here and not checked",
        "rules in Python (extra-path) are not run",
    ]


def test_a_gitlint_file_that_is_none_is_said_to_be() -> None:
    assert "could not be read" in gitlint.read(".gitlint", "no section\n").unreadable[0]
    odd = gitlint.read(".gitlint", "[title-max-length]\nline-length=many\n[title-match-regex]\nregex=(\n")
    assert len(odd.notes) == 2
    assert "header-max-length" not in by_name(odd)


def test_defaults_of_gitlint_hold_without_a_word_in_the_file() -> None:
    rules = gitlint.read(".gitlint", "")
    issues = {issue.rule for issue in check(parse("Fix it."), rules)}
    assert issues == {"header-full-stop", "body-empty"}


def test_which_rules_hold() -> None:
    files = [(".commitlintrc.yml", YAML), (".gitlint", GITLINT)]
    assert ruleset(None, {}, files=files).source == ".commitlintrc.yml"
    assert ".gitlint is ignored" in ruleset(None, {}, files=files).notes[0]
    assert ruleset("conventional", {}).source == "conventional"
    assert ruleset(None, {}).source == "plain"
    assert ruleset(None, {}, ["Me"]).exceptions.authors[-1] == "Me"


def test_single_rules_are_changed_by_settings() -> None:
    given_rules = {
        "header-max-length": 50,
        "subject-imperative": "error",
        "header-trim": "off",
        "header-full-stop": False,
        "ticket": r"PRJ-\d+",
        "signed-off-by": True,
        "type-enum": {"severity": "warning", "value": ["a", "b"]},
        "scope-empty": "error",
    }
    rules = by_name(ruleset(None, given_rules))
    assert rules["header-max-length"] == Applied("header-max-length", "warning", 50)
    assert rules["subject-imperative"].severity == "error"
    assert not {"header-trim", "header-full-stop"} & set(rules)
    assert rules["ticket"] == Applied("ticket", "error", r"PRJ-\d+")
    assert rules["signed-off-by"].value == "Signed-off-by"
    assert rules["type-enum"] == Applied("type-enum", "warning", ("a", "b"))
    assert rules["scope-empty"] == Applied("scope-empty", "error", never=True)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"no-such": 1}, "no rule 'no-such'"),
        ({"header-max-length": "long"}, "takes a number"),
        ({"header-max-length": True, "scope-enum": True}, "needs a value"),
        ({"ticket": "("}, "not a regular expression"),
        ({"type-enum": {"sev": "x"}}, "'sev' is unknown"),
        ({"type-enum": {"severity": "x"}}, "severity is one of"),
        ({"header-trim": 3}, "takes true or false"),
    ],
)
def test_a_setting_that_means_nothing_is_refused(rules: dict[str, object], said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        ruleset(None, rules)


def test_a_preset_that_is_not_there() -> None:
    with pytest.raises(BadSetting, match="no preset 'x'"):
        ruleset("x", {})
