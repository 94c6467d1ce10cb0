"""What is understood of a design document, however it is written."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inlay.implement.spec.document import TestPlan
from inlay.implement.spec.markdown import CodeBlock, Heading, Item, Table, blocks
from inlay.implement.spec.parse_document import parse
from inlay.implement.spec.planned_tests import conventional
from inlay.implement.spec.traceability import share, trace

WHOLE = """\
# 12 - Feature: Coupons for carts

<!-- ## 2.1 Files Changed
| File | Change Type |
|---|---|
| `commented.py` | Add |
-->

## 1. Context & Goal
* **Objective:** Let a cart take coupons
* **Status:** Approved (by all)

### Open Questions
- [x] ~~May coupons be combined?~~ No.
- [ ] Do they expire?

## 2. Proposed Changes

### 2.1 Files Changed

| File | Change Type | Description |
|------|-------------|-------------|
| `shop/coupons.py` | Add | Codes \\| discounts |
| `shop/cart.py` | Modify | Takes `a|b` |
| `shop/legacy/` | Delete (Directory) | Gone |
| shop/__init__.py | **Update** | Exports |
| `tests/test_coupons.py` | New | Tests |

### 2.1.1 Path Validation

- Files below `src/` must exist

### 2.3 Data Structures

```python
class Coupon(TypedDict):
    code: str
MAX_COUPONS: int = 3
```

### 2.4 Function Signatures

```python
# coupons.py
def redeem(
    code: str,
) -> Coupon:
    '''Look a code up.

    ## 3. Requirements
    '''
    ...

# shop/cart.py
class Cart:
    def apply(self, coupon: Coupon) -> None: ...
```

### 2.5 Logic Flow (Pseudocode)

```
1. redeem
2. apply
```

## 3. Requirements

1. **Lookup:** A known code gives its coupon
2. An unknown code is refused
   - even with blanks around it
3. At most three coupons to a cart

## 10. Verification & Testing

Test command: `make check`

### 10.0 Test Plan

| Test ID | Test Description | Expected Behavior | Requirement |
|---------|------------------|-------------------|-------------|
| T010 | test_known_code | The coupon | R1 |
| T020 | test_unknown_code | Refused | REQ-2, 3 |

**Coverage Target:** ≥95% for all new code

- [ ] Test file created at: `tests/test_coupons.py`

### 10.1 Test Scenarios

| ID | Scenario | Input | Expected Output |
|----|----------|-------|-----------------|
| 010 | A code that is there | SAVE5 | 5% off |
| 020 | A code that is not | NOPE | UnknownCode |

### 10.3 Manual Tests

| ID | Scenario | Why Not Automated | Steps |
|----|----------|-------------------|-------|
| M01 | Looks | Eyes needed | Look |

## 11. Risks & Mitigations

| Risk | Impact | Likelihood | Mitigation |
|------|--------|------------|------------|
| Guessing codes | High | Low | `redeem` waits |

## 12. Definition of Done

### Code
- [x] Reviewed
- [ ] `docs/coupons.md` written
"""


def test_every_part_is_found() -> None:
    spec = parse(WHOLE, "coupons.md")
    assert (spec.title, spec.objective, spec.status) == (
        "Feature: Coupons for carts",
        "Let a cart take coupons",
        "Approved (by all)",
    )
    assert [(file.path, file.change, file.directory) for file in spec.files] == [
        ("shop/coupons.py", "add", False),
        ("shop/cart.py", "modify", False),
        ("shop/legacy", "delete", True),
        ("shop/__init__.py", "modify", False),
        ("tests/test_coupons.py", "add", False),
    ]
    assert spec.files[0].description == "Codes | discounts"
    assert [(each.name, each.kind, each.file) for each in spec.signatures] == [
        ("Coupon", "class", ""),
        ("MAX_COUPONS", "constant", ""),
        ("redeem", "function", "shop/coupons.py"),
        ("Cart", "class", "shop/cart.py"),
        ("Cart.apply", "function", "shop/cart.py"),
    ]
    assert spec.flow == "\n```\n1. redeem\n2. apply\n```".strip("\n")
    assert [(each.id, each.text) for each in spec.requirements] == [
        ("1", "Lookup: A known code gives its coupon"),
        ("2", "An unknown code is refused"),
        ("3", "At most three coupons to a cart"),
    ]
    assert [(each.id, each.name, each.scenario, each.requirements, each.manual) for each in spec.tests] == [
        ("T010", "test_known_code", "A code that is there", ("1",), False),
        ("T020", "test_unknown_code", "A code that is not", ("2", "3"), False),
        ("M01", "", "Looks", (), True),
    ]
    assert spec.test_files == ("tests/test_coupons.py",)
    assert spec.plan == TestPlan(command="make check", coverage=95.0)
    assert [(risk.text, risk.mitigation) for risk in spec.risks] == [("Guessing codes", "`redeem` waits")]
    assert [(item.text, item.checked) for item in spec.done] == [
        ("Reviewed", True),
        ("`docs/coupons.md` written", False),
    ]
    assert [question.text for question in spec.open_questions] == ["Do they expire?"]
    assert [file.path for file in spec.code_files] == ["shop/coupons.py", "shop/cart.py", "shop/__init__.py"]


def test_everything_has_its_line() -> None:
    spec, lines = parse(WHOLE), WHOLE.split("\n")
    assert "shop/coupons.py" in lines[spec.files[0].line - 1]
    assert "def redeem(" in lines[spec.signatures[2].line - 1]
    assert lines[spec.requirements[1].line - 1].startswith("2. An unknown")
    assert "test_unknown_code" in lines[spec.tests[1].line - 1]
    assert "Guessing" in lines[spec.risks[0].line - 1]
    assert "docs/coupons.md" in lines[next(each.line for each in spec.mentions if each.role == "done") - 1]


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends_mean_nothing(newline: str) -> None:
    assert parse("\ufeff" + WHOLE.replace("\n", newline)) == parse(WHOLE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n## 11. Risks & Mitigations", "\n#### 11. Risks & Mitigations"),
        ("\n### 2.4 Function Signatures", "\n## 2.4. Function Signatures ##"),
        ("\n## 3. Requirements\n", "\n**3. Requirements**\n-------------------\n"),
        ("\n## 10. Verification & Testing", "\n# Section 10 – Verification & Testing"),
        ("\n### 2.1 Files Changed", "\n##### Files changed"),
        ("\n## 3. Requirements", "\n## 3. What must hold"),
    ],
)
def test_headings_may_be_of_any_level_and_in_any_dress(old: str, new: str) -> None:
    assert old in WHOLE
    plain, changed = parse(WHOLE), parse(WHOLE.replace(old, new))
    assert [file.path for file in changed.files] == [file.path for file in plain.files]
    assert [each.text for each in changed.requirements] == [each.text for each in plain.requirements]
    assert [each.text for each in changed.risks] == [each.text for each in plain.risks]
    assert [each.name for each in changed.signatures] == [each.name for each in plain.signatures]
    assert [each.id for each in changed.tests] == [each.id for each in plain.tests]


def test_a_project_may_have_other_titles() -> None:
    text = WHOLE.replace("Files Changed", "Touched").replace("### 2.1 ", "### ").replace("3. Requirements", "Musts")
    assert parse(text).files == ()
    named = parse(text, "", {"files": "Touched", "requirements": ["Needs", "musts"]})
    assert (named.files, named.requirements) == (parse(WHOLE).files, parse(WHOLE).requirements)


def test_a_list_of_files_does_where_there_is_no_table() -> None:
    spec = parse(
        textwrap.dedent("""
        ## Affected Files / Modules
        - `lib/a.ts` (modify): the loop, see `lib/c.ts`
        - Add lib/b.ts
        - **Remove** `lib/old.ts`
        - `lib/c.ts`
        - talks about nothing
        """)
    )
    assert [(file.path, file.change) for file in spec.files] == [
        ("lib/a.ts", "modify"),
        ("lib/b.ts", "add"),
        ("lib/old.ts", "delete"),
        ("lib/c.ts", "unknown"),
    ]


def test_numbers_alone_mean_nothing_in_a_document_that_counts_otherwise() -> None:
    spec = parse("# A\n\n## Sketch\n\n### 3. Harden the tool\n\n1. Check\n\n## Definition of Done\n- [ ] ok\n")
    assert spec.requirements == ()
    assert [role for role, _, _ in spec.sections] == ["done"]


def test_a_fence_that_is_never_closed_is_told() -> None:
    spec = parse(WHOLE.replace("1. redeem\n2. apply\n```", "1. redeem\n2. apply"))
    assert [remark.rule for remark in spec.remarks] == ["open-fence"]


def test_signatures_of_other_languages() -> None:
    fence = textwrap.dedent("""
        ## Signatures
        ```ts
        // web/cart.ts
        export async function load(id: string): Promise<Cart>
        export interface Cart { id: string }
        export const add = (cart: Cart) => cart
        ```
        ```go
        func (c *Cart) Total() int
        type Price struct {}
        ```
        ```rust
        pub fn total(cart: &Cart) -> u64;
        pub enum Kind { A }
        ```
        - `reset(cart)` empties it
        """)
    found = [(each.name, each.kind) for each in parse(fence).signatures]
    assert found == [
        ("load", "function"),
        ("Cart", "class"),
        ("add", "function"),
        ("Total", "function"),
        ("Price", "class"),
        ("total", "function"),
        ("Kind", "class"),
        ("reset", "function"),
    ]


def test_requirements_may_be_a_table_and_tests_may_be_mapped_apart() -> None:
    spec = parse(
        textwrap.dedent("""
        ## Requirements
        | ID | Requirement |
        |----|-------------|
        | R1 | Fast |
        | R2 | Small |
        | R3 | Quiet |

        ## Test Plan
        | Test | Scenario |
        |------|----------|
        | `tests/test_a.py::TestSpeed::test_fast` | quick |
        | `tests/test_a.py::test_small` | little |

        | Requirement | Covered by |
        |-------------|------------|
        | R1 | test_fast |
        | R2–R3 | test_small |
        """)
    )
    assert [(each.name, each.file) for each in spec.tests] == [
        ("test_fast", "tests/test_a.py"),
        ("test_small", "tests/test_a.py"),
    ]
    assert spec.test_files == ("tests/test_a.py",)
    assert [[test.name for test in each.tests] for each in trace(spec)] == [
        ["test_fast"],
        ["test_small"],
        ["test_small"],
    ]


def test_without_a_mapping_words_decide_and_say_so() -> None:
    spec = parse(
        textwrap.dedent("""
        ## Requirements
        1. Expired coupons are refused with a message
        2. Every redemption is logged
        3. Discounts are rounded to cents

        ## Tests
        | ID | Scenario | Expected |
        |----|----------|----------|
        | T1 | Coupon that has expired | Refusal, message shown |
        | T2 | Redeem twice | Both redemptions in the log |
        | T3 | Empty cart | Nothing happens |
        """)
    )
    found = trace(spec)
    assert [[test.id for test in each.tests] for each in found] == [["T1"], ["T2"], []]
    assert not any(each.said for each in found)
    assert share(found) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pkg/mod.py", "tests/test_mod.py"),
        ("pkg/__init__.py", ""),
        ("cmd/run.go", "cmd/run_test.go"),
        ("web/cart.tsx", "web/cart.test.tsx"),
        ("notes.txt", ""),
    ],
)
def test_tests_stand_where_they_usually_do(path: str, expected: str) -> None:
    assert conventional(path) == expected
    spec = parse(f"## Files Changed\n- Add `{path}`\n\n## Tests\n| ID | Scenario |\n|--|--|\n| 1 | x |\n")
    assert spec.test_files == ((expected,) if expected else ())


def test_how_tests_run_is_said_in_words() -> None:
    plan = parse("Test command: `tox -e py`\n\n* **Working directory:** `backend`\n\nTest timeout: 2 min\n").plan
    assert plan == TestPlan("tox -e py", "backend", 120.0)
    assert parse("nothing").plan == TestPlan()


def test_blocks_of_markdown() -> None:
    text = "a\n===\n| x | `a|b` \\| c |\n|---|---|\n| 1 |\n\n~~~~ py\n# no\n~~~\n~~~~\n3) [ ] do\n   it\n"
    heading, table, fence, item = blocks(text)
    assert isinstance(heading, Heading)
    assert (heading.level, heading.title) == (1, "a")
    assert isinstance(table, Table)
    assert table.header == ("x", "`a|b` | c")
    assert table.rows[0].cells == ("1", "")
    assert isinstance(fence, CodeBlock)
    assert fence.lines == ("# no", "~~~")
    assert isinstance(item, Item)
    assert (item.number, item.checked, item.text) == ("3", False, "do it")


def test_comments_keep_the_lines_and_code_keeps_its_comments() -> None:
    text = "`<!--` is how one begins\n<!-- gone\n# gone\n-->\n# here\n```\n<!-- kept -->\n```\n"
    found = blocks(text)
    assert [block.line for block in found if isinstance(block, Heading)] == [5]
    assert [block.lines for block in found if isinstance(block, CodeBlock)] == [("<!-- kept -->",)]


@given(st.lists(st.sampled_from([*WHOLE.split("\n"), "```", "|", "<!--", "-->", "\t- x", "\x00"]), max_size=40))
def test_no_text_is_too_odd_property(lines: list[str]) -> None:
    text = "\n".join(lines)
    spec = parse(text)
    everything = [*spec.files, *spec.requirements, *spec.tests, *spec.risks, *spec.signatures, *spec.mentions]
    assert all(1 <= each.line <= len(lines) for each in everything)


def test_reading_takes_time_in_proportion() -> None:
    import time

    row = "| `src/a_{0}.py` | Modify | text `x` <!-- c --> |\n"
    long = WHOLE + "## Appendix\n| File | Change |\n|---|---|\n" + "".join(row.format(n) for n in range(5_000))
    started = time.process_time()
    parse(long)
    assert time.process_time() - started < 3.0
