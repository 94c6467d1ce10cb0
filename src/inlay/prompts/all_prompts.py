"""The prompts there are, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from inlay.prompts import commit_message, commit_verdict, design_samples, samples
from inlay.prompts.template import Template

#: To add a prompt, write its module and name its template here.
PROMPTS: Mapping[str, Template] = MappingProxyType(
    {
        template.name: template
        for template in (
            samples.EDIT,
            samples.WHOLE,
            samples.RETRY,
            samples.CONTINUE,
            design_samples.TESTS,
            design_samples.CODE,
            design_samples.REPAIR,
            design_samples.COVERAGE,
            commit_verdict.VERDICT,
            commit_message.MESSAGE,
            commit_message.MERGE,
        )
    }
)
