"""The user's editor, started on a copy of a text."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from inlay.errors import EnvironmentFailure


def edit(text: str, name: str) -> str | None:
    """The text as the user saves it; None where the editor ends with an error, which cancels.

    The copy has the file's own `name`, which tells an editor the language. There is no time-out.
    """
    with tempfile.TemporaryDirectory(prefix="inlay-") as folder:
        copy = Path(folder, name)
        copy.write_bytes(text.encode("utf-8", "surrogateescape"))
        is_dumb = os.environ.get("TERM", "dumb") == "dumb"
        editor = (None if is_dumb else os.environ.get("VISUAL")) or os.environ.get("EDITOR") or "vi"
        command = [*(shlex.split(editor) or ["vi"]), str(copy)]
        try:
            done = subprocess.run(command, check=False)
        except OSError as error:
            raise EnvironmentFailure(f"the editor {command[0]!r} cannot be started: {error.strerror}") from None
        if done.returncode != 0:
            return None
        return copy.read_bytes().decode("utf-8", "surrogateescape")
