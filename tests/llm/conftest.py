"""Tests that take `wire` run over both wire formats."""

import pytest


@pytest.fixture(params=["anthropic", "openai"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)
