"""The audit log says everything that happened, nothing secret, and cannot be changed unnoticed."""

import hashlib
import json
from pathlib import Path

import pytest

from inlay import Change, ChangeSet, RepoPath, Workspace
from inlay.errors import LogDamaged
from inlay.model.audit import AuditEvent
from inlay.storage import audit_log
from inlay.text.redact import redact


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("a0\n")
    return tmp_path


@pytest.fixture
def log(project: Path) -> Path:
    """A log with a few records, the last of them about a change."""
    workspace = Workspace(project)
    workspace.record(AuditEvent("proposal", path="a.py", before="0" * 64), AuditEvent("blocked", path="../x"))
    write(project, "a1\n")
    return project / ".inlay/log/000001.jsonl"


def write(project: Path, text: str) -> None:
    workspace = Workspace(project)
    path = RepoPath("a.py")
    workspace.commit(ChangeSet((Change(path, workspace.read(path), text),)))


def test_a_file_that_was_not_there_has_no_hash(project: Path) -> None:
    workspace = Workspace(project)
    path = RepoPath("new.py")
    workspace.commit(ChangeSet((Change(path, None, "new\n"),)))
    workspace.commit(ChangeSet((Change(path, workspace.read(path), None),)))
    events = [record.event for record in workspace.records() if record.event.state == "intent"]
    digest = hashlib.sha256(b"new\n").hexdigest()
    assert [(event.before, event.after) for event in events] == [("", digest), (digest, "")]


def test_every_event_is_there_in_order_with_the_original_hash(project: Path, log: Path) -> None:
    workspace = Workspace(project)
    workspace.record(AuditEvent("decision", path="a.py", decision="replace", by="person"))
    workspace.undo()
    told = [(r.number, r.event.event, r.event.state, r.event.receipt) for r in workspace.records()]
    assert told == [
        (1, "proposal", "", ""),
        (2, "blocked", "", ""),
        (3, "write", "intent", "1"),
        (4, "write", "done", "1"),
        (5, "decision", "", ""),
        (6, "undo", "intent", "2"),
        (7, "undo", "done", "2"),
    ]
    intent = workspace.records()[2].event
    assert (intent.path, intent.before) == ("a.py", workspace.receipt("1").files[0].before)
    assert workspace.verify_log() == ()


def test_a_failed_write_is_said_to_be_rolled_back(project: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(call: str) -> None:
        if call == "exchange":
            raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr("inlay.storage.state.syscalls.before", failing)
        with pytest.raises(Exception, match="input/output error"):
            write(project, "a2\n")
    last = Workspace(project).records()[-1].event
    assert (last.event, last.receipt, last.state) == ("recovery", "2", "rolled back")


def test_no_text_can_break_out_of_its_line(project: Path) -> None:
    nasty = 'x\n{"number": 99}\r\u2028\x1b[31m"\\\0é'
    workspace = Workspace(project)
    workspace.record(AuditEvent("blocked", path=nasty, detail=nasty))
    data = (project / ".inlay/log/000001.jsonl").read_bytes()
    assert data.count(b"\n") == 1
    assert data.isascii()
    assert json.loads(data)["path"] == nasty
    assert workspace.records()[0].event.path == nasty


SECRETS = (
    "sk-" + "Ab1" * 10,
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "xoxb-123456789012-abcdefghij",
    "AIzaSyA1234567890abcdefghijklmnopqrstuvw",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijk",
    "password=hunter2hunter2",
    "Authorization: Bearer abcdefgh12345678",
    "postgres://user:s3cr3tpass@db/x",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
)


@pytest.mark.parametrize("secret", SECRETS)
def test_secrets_are_struck_out(project: Path, secret: str) -> None:
    Workspace(project).record(AuditEvent("blocked", path=f"x/{secret}/y", detail=f"because {secret} came up"))
    data = (project / ".inlay/log/000001.jsonl").read_text()
    assert secret not in data
    for part in ("hunter2", "s3cr3tpass", "MIIEow", "abcdefgh12345678", "EXAMPLE"):
        assert part not in data


@pytest.mark.parametrize("plain", ["src/token.py", "the secret garden", "tokens: 12", "skeleton-key.md", "a" * 64])
def test_ordinary_text_is_left_alone(plain: str) -> None:
    assert redact(plain) == plain


def test_long_text_is_shortened() -> None:
    assert len(redact("x" * 10_000)) < 600


def problems(project: Path) -> tuple[str, ...]:
    """What verifying finds; writing must find it as well."""
    found = Workspace(project).verify_log()
    if found:
        with pytest.raises(LogDamaged, match="inlay log --restart"):
            write(project, "never\n")
        assert (project / "a.py").read_text() == "a1\n"
    return found


@pytest.mark.slow
def test_every_bit_flip_is_noticed(project: Path, log: Path) -> None:
    for file in (log, log.with_name("head")):
        data = file.read_bytes()
        for position in range(len(data)):
            for bit in range(8):
                changed = bytearray(data)
                changed[position] ^= 1 << bit
                file.write_bytes(changed)
                assert Workspace(project).verify_log(), f"{file.name}: byte {position}, bit {bit}"
        file.write_bytes(data)
    assert problems(project) == ()


def test_every_bit_flip_stops_writing(project: Path, log: Path) -> None:
    data = log.read_bytes()
    for position in range(0, len(data), 37):
        changed = bytearray(data)
        changed[position] ^= 4
        log.write_bytes(changed)
        assert problems(project)


def test_every_cut_is_noticed(project: Path, log: Path) -> None:
    data = log.read_bytes()
    for length in range(len(data)):
        log.write_bytes(data[:length])
        assert Workspace(project).verify_log(), length
    log.unlink()
    assert problems(project)


def test_a_log_written_anew_is_noticed(project: Path, log: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "a.py").write_text("a0\n")
    Workspace(other).record(AuditEvent("proposal", path="harmless.py"))
    write(other, "a1\n")
    for name in ("000001.jsonl", "head"):
        log.with_name(name).write_bytes((other / ".inlay/log" / name).read_bytes())
    assert "recorded in another log" in Workspace(project).verify_log()[0]


def test_a_log_grown_anew_on_the_same_chain_is_noticed(project: Path, log: Path) -> None:
    """Somebody who knows how the chain works and moves the head, but not what the receipts say."""
    from inlay.storage.state import state_dir

    workspace = Workspace(project)
    with state_dir.existing(workspace._descriptor) as at:
        assert at is not None
        head = audit_log.load(at)
        assert head is not None
        log.write_bytes(b"")
        audit_log.save(at, audit_log.Head(head.chain, last=head.last))
        for number in range(4):
            audit_log.append(at, AuditEvent("proposal", path=f"{number}.py"))
    assert "was written when record 3 was another" in Workspace(project).verify_log()[0]


def test_a_missing_head_or_log_is_noticed(project: Path, log: Path) -> None:
    head = log.with_name("head")
    data = head.read_bytes()
    head.unlink()
    assert problems(project)
    head.write_bytes(data)
    log.rename(log.with_name("000002.jsonl"))
    assert problems(project)


def test_half_a_line_of_a_process_that_died_is_cut_off(project: Path, log: Path) -> None:
    with log.open("ab") as stream:
        stream.write(b'{"number":5,"ev')
    assert problems(project) == ()
    write(project, "a2\n")
    assert Workspace(project).verify_log() == ()
    assert b'"ev\n' not in log.read_bytes()


def test_records_that_the_head_does_not_count_yet_are_kept(project: Path, log: Path) -> None:
    head = log.with_name("head")
    before = head.read_bytes()
    Workspace(project).record(AuditEvent("decision", path="a.py"))
    head.write_bytes(before)
    assert problems(project) == ()
    Workspace(project).record(AuditEvent("decision", path="b.py"))
    assert [record.event.path for record in Workspace(project).records()[-2:]] == ["a.py", "b.py"]


def test_rotation_keeps_the_chain(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_log, "_ROTATE", 1000)
    workspace = Workspace(project)
    for number in range(40):
        workspace.record(AuditEvent("proposal", path=f"{number}.py"))
    segments = sorted((project / ".inlay/log").glob("*.jsonl"))
    assert len(segments) > 3
    assert [record.event.path for record in workspace.records()] == [f"{number}.py" for number in range(40)]
    assert workspace.verify_log() == ()
    for segment in segments:
        data = segment.read_bytes()
        segment.write_bytes(data.replace(b"proposal", b"decision", 1))
        assert workspace.verify_log()
        segment.unlink()
        assert workspace.verify_log()
        segment.write_bytes(data)
    assert workspace.verify_log() == ()


def test_a_process_that_died_while_rotating_is_no_damage(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_log, "_ROTATE", 10)
    workspace = Workspace(project)
    workspace.record(AuditEvent("proposal", path="1.py"))
    head = (project / ".inlay/log/head").read_bytes()
    workspace.record(AuditEvent("proposal", path="2.py"))
    (project / ".inlay/log/head").write_bytes(head)
    assert workspace.verify_log() == ()
    workspace.record(AuditEvent("proposal", path="3.py"))
    assert [record.event.path for record in workspace.records()] == ["1.py", "2.py", "3.py"]


def test_a_damaged_log_can_be_set_aside(project: Path, log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-1])
    assert problems(project)
    aside = Workspace(project).restart_log()
    assert (project / aside / "000001.jsonl").exists()
    write(project, "a2\n")
    workspace = Workspace(project)
    assert workspace.verify_log() == ()
    assert workspace.records()[0].event.event == "restart"
    workspace.undo("2")
    workspace.undo("1")
    assert (project / "a.py").read_text() == "a0\n"
