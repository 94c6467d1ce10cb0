"""What a person may declare to be content, although it looks like the markup of a reply."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from inlay.codes import Code

Allowance: TypeAlias = Literal["tool-tags", "markers"]
#: The code of the refusal that each prevents.
ALLOWANCES: Mapping[Allowance, Code] = MappingProxyType({"tool-tags": "tool-tag", "markers": "conflict-marker"})
EVERYTHING: frozenset[Allowance] = frozenset(ALLOWANCES)
