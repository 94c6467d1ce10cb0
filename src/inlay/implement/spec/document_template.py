"""An empty design document, with a line on what belongs into each of its parts."""

from __future__ import annotations

_BLANK = """\
# {title}

<!-- `inlay spec check` holds this document to the project, `inlay implement` turns it into code. What stands in
     comments is for you and may go. Sections that are not needed may go as well, except those marked as needed. -->

## 1. Context & Goal

* **Objective:** <one sentence>
* **Status:** Draft

### Open Questions

- [ ] <a question that must be answered first, or none>

## 2. Proposed Changes

### 2.1 Files Changed

<!-- Needed. Add, Modify or Delete; Add (Directory) for a new folder. Paths from the project's root. Tests too. -->

| File | Change Type | Description |
|------|-------------|-------------|
| `path/to/module.py` | Modify | <what changes in it> |
| `tests/test_module.py` | Add | <what it tests> |

### 2.3 Data Structures

```python
```

### 2.4 Function Signatures

<!-- The names that tests and other files may rely on. A comment with a file's name says where they belong. -->

```python
# path/to/module.py
```

### 2.5 Logic Flow

```
1. <step>
```

## 3. Requirements

<!-- Needed. What must be true when this is done; each needs a test in section 10. -->

1. <what must be true>

## 10. Verification & Testing

<!-- Needed. How tests are run, where pytest alone will not do: "Test command: `make test`". -->

**Coverage Target:** 90%

| ID | Test | Scenario | Expected | Requirement |
|----|------|----------|----------|-------------|
| T010 | test_<name> | <given what> | <then what> | 1 |

## 11. Risks & Mitigations

<!-- Name the function of 2.4 that answers the risk. -->

| Risk | Impact | Likelihood | Mitigation |
|------|--------|------------|------------|

## 12. Definition of Done

<!-- Files that are named here must be listed in 2.1. -->

- [ ] All tests pass
"""


def blank(title: str) -> str:
    """The document to begin with; the gate blocks it until it is filled in."""
    return _BLANK.replace("{title}", title)
