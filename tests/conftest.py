"""How long the property tests try: a little in `make test`, a lot in `make fuzz`."""

import os

from hypothesis import HealthCheck, settings

# A deadline measures the machine, not the code; what must be quick has a test of its own.
_CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("test", max_examples=100, **_CALM)  # type: ignore[arg-type]
settings.register_profile("fuzz", max_examples=10_000, **_CALM)  # type: ignore[arg-type]
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))
