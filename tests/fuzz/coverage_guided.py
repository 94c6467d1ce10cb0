"""Coverage-guided fuzzing of the whole pure engine: `make fuzz` runs it; it stops at the first thing it finds.

The first byte chooses the format, the rest is cut into a file and a reply. Nothing but a refusal may be raised, and
no input may take longer than atheris allows.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["inlay"]):
    from inlay.engine import formats
    from inlay.engine.staging import stage
    from inlay.errors import ReplyRejected
    from inlay.landing.target_file import redirect
    from inlay.model.file import Snapshot

NAMES = [None, *formats.FORMATS]
SCENARIOS = Path(__file__).parent.parent / "scenarios"


def try_one(data: bytes) -> None:
    """Read a reply and stage it on a file; only a refusal may come of what does not fit."""
    provider = atheris.FuzzedDataProvider(data)
    name = NAMES[provider.ConsumeIntInRange(0, len(NAMES) - 1)]
    before, _, reply = provider.ConsumeUnicode(sys.maxsize).partition("\0")
    try:
        reading = redirect(formats.read(reply, name), "file.py")
        stage(reading, Snapshot.of({"file.py": before}))
    except ReplyRejected as refusal:
        refusal.feedback()


def write_seeds(folder: Path) -> None:
    """The scenarios' replies as a start, so that fuzzing begins where markup already is."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, reply in enumerate(sorted(SCENARIOS.glob("*/*/reply.md"))):
        before = next((file for file in sorted(reply.parent.glob("before/**/*")) if file.is_file()), None)
        content = before.read_bytes() if before else b""
        # The first byte is the format, the second tells atheris the string is plain bytes.
        (folder / f"{number}").write_bytes(b"\0\1" + content + b"\0" + reply.read_bytes())


if __name__ == "__main__":
    write_seeds(Path(sys.argv[1]))
    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()
