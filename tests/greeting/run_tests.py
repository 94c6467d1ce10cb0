"""Runs test functions of files and writes a JUnit report: what pytest does for a project this small, and sooner."""

import importlib.util
import os
import pathlib
import sys
import traceback
from xml.sax.saxutils import quoteattr


def main(report, *files):
    sys.path.insert(0, os.getcwd())
    sys.modules["pytest"] = _pytest()
    cases = []
    for file in files or [str(path) for path in sorted(pathlib.Path("tests").glob("test_*.py"))]:
        cases += _cases(file)
    lines = [_line(*case) for case in cases]
    pathlib.Path(report).write_text("<testsuites><testsuite>" + "".join(lines) + "</testsuite></testsuites>")
    return int(any(error for _, _, error in cases))


def _cases(file):
    try:
        spec = importlib.util.spec_from_file_location(pathlib.Path(file).stem, file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception:  # noqa: BLE001 - whatever a test raises is its failure
        return [(file, "collection failure", _traceback())]
    return [(file, name, _ended(getattr(module, name))) for name in vars(module) if name.startswith("test_")]


def _ended(test):
    try:
        test()
    except Exception:  # noqa: BLE001 - whatever a test raises is its failure
        return _traceback()
    return ""


def _traceback():
    """The frames of the project in the short style of pytest, then the error."""
    kind, error, trace = sys.exc_info()
    here = os.getcwd() + "/"
    frames = [
        frame for frame in traceback.extract_tb(trace) if frame.filename.startswith(here) or "/" not in frame.filename
    ]
    lines = [
        f"{frame.filename.removeprefix(here)}:{frame.lineno}: in {frame.name}\n    {frame.line}" for frame in frames
    ]
    return "\n".join(
        [*lines, *(f"E   {line}" for line in "".join(traceback.format_exception_only(kind, error)).splitlines())]
    )


def _line(file, name, error):
    owner = file.removesuffix(".py").replace("/", ".")
    head = f'<testcase file={quoteattr(file)} classname={quoteattr(owner)} name={quoteattr(name)} time="0"'
    if not error:
        return f"{head}/>"
    said = error.strip().splitlines()[-1].removeprefix("E   ")
    tag = "error" if name == "collection failure" else "failure"
    message = "collection failure" if name == "collection failure" else said
    return f"{head}><{tag} message={quoteattr(message)}>{_escaped(error)}</{tag}></testcase>"


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _pytest():
    import contextlib
    import re
    import types

    @contextlib.contextmanager
    def raises(kind, match=""):
        try:
            yield
        except kind as error:
            if not re.search(match, str(error)):
                raise
        else:
            raise AssertionError(f"DID NOT RAISE {kind}")

    module = types.ModuleType("pytest")
    module.raises = raises
    return module


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
