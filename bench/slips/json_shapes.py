"""Slips in the JSON of an edit: literals of Python, comments, calls inside calls, quotes that are not escaped."""

from __future__ import annotations

import json
import re

from bench.draft import Draft
from bench.slips.registry import slip

_JSON = ("json_edits",)


@slip("json", "apply", _JSON)
def json_as_python(draft: Draft) -> bool:
    """As Python prints it."""
    draft.wraps.append(lambda reply: repr(json.loads(reply)) + "\n")
    return True


@slip("json", "apply", _JSON)
def json_in_a_string(draft: Draft) -> bool:
    draft.wraps.append(lambda reply: json.dumps(reply) + "\n")
    return True


@slip("json", "apply", _JSON)
def json_with_comments(draft: Draft) -> bool:
    draft.wraps.append(lambda reply: reply.replace('\n "edits": [', '\n // what changes\n "edits": [', 1))
    return True


@slip("json", "apply", _JSON)
def json_as_tool_calls(draft: Draft) -> bool:
    """As the interface of a provider returns it."""

    def wrap(reply: str) -> str:
        call = {"name": "edit_file", "arguments": json.dumps(json.loads(reply))}
        return json.dumps({"tool_calls": [{"id": "call_1", "type": "function", "function": call}]}, indent=1) + "\n"

    draft.wraps.append(wrap)
    return True


@slip("json", "apply", _JSON)
def json_one_object_a_line(draft: Draft) -> bool:
    draft.wording.shape = "list"
    draft.wraps.append(lambda reply: "".join(json.dumps(one) + "\n" for one in json.loads(reply)))
    return len(draft.said) > 1


@slip("json", "either", _JSON)
def json_quotes_bare(draft: Draft) -> bool:
    """Quotes inside strings are not escaped."""
    draft.wraps.append(lambda reply: reply.replace('\\"', '"'))
    return any('"' in text for p in draft.said for _, text in p.ops)


@slip("json", "either", _JSON)
def json_backslashes_single(draft: Draft) -> bool:
    """A backslash of the text is not doubled; at least one then escapes nothing that JSON knows."""
    draft.wraps.append(lambda reply: reply.replace("\\\\", "\\"))
    texts = [text for p in draft.said for _, text in p.ops if "\\" in text]
    if any("\\\\" in text or text.endswith("\\") for text in texts):
        return False  # what is left is JSON that says something else
    return any(re.search(r'\\[^"\\/bfnrtu]', text) for text in texts)


@slip("json", "either", _JSON)
def json_single_quotes(draft: Draft) -> bool:
    draft.wraps.append(lambda reply: reply.replace('\\"', "\0").replace('"', "'").replace("\0", '"'))
    return True


@slip("json", "either", _JSON)
def json_as_parameters(draft: Draft) -> bool:
    """As elements, one for each parameter, values not escaped."""
    if len(draft.said) != 1:
        return False
    passage = draft.said[0]
    old, new = "\n".join(passage.old()), "\n".join(passage.new())
    rows = [("path", draft.change.path), ("old_string", old), ("new_string", new)]
    body = "".join(f'<parameter name="{name}">{value}</parameter>\n' for name, value in rows)
    draft.crop = lambda _: f'<function_calls>\n<invoke name="edit">\n{body}</invoke>\n</function_calls>\n'
    return "</parameter>" not in old + new
