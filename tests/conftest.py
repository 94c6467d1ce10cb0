"""How long the property tests try, and how root becomes somebody whom permissions hold back."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A deadline measures the machine, not the code; what must be quick has a test of its own.
_CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("test", max_examples=100, **_CALM)  # type: ignore[arg-type]
settings.register_profile("fuzz", max_examples=10_000, **_CALM)  # type: ignore[arg-type]
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))

# A shell that starts us in the background has us and all our children ignore an interrupt, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A client loads every root certificate there is, which takes longer than most tests; none here speaks TLS.
os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent)

_NOBODY = 65534
collect_ignore = ["greeting/right"]  # a sample project with tests of its own


@pytest.fixture
def powerless(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], AbstractContextManager[None]]:
    """Run as a user whom permissions do hold back; `powerless(folder)` may still be walked into."""

    @contextlib.contextmanager
    def drop(folder: Path) -> Iterator[None]:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(folder.parent / "config"))
        for each in (folder, *folder.parents):
            if each.stat().st_uid == os.getuid() and each.stat().st_mode & 0o055 != 0o055:
                each.chmod(each.stat().st_mode & 0o7777 | 0o055)
        was_root, group = os.geteuid() == 0, os.getegid()
        try:
            if was_root:
                os.setegid(_NOBODY)
                os.seteuid(_NOBODY)
            yield
        finally:
            if was_root:
                os.seteuid(0)
                os.setegid(group)

    return drop
