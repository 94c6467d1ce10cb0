"""Inlay applies a language model's edits to a repository: exactly where they belong, or not at all.

>>> import inlay
>>> reading = inlay.read('''greet.py
... <<<<<<< SEARCH
... hello
... =======
... goodbye
... >>>>>>> REPLACE
... ''')
>>> changes = inlay.stage(reading, inlay.Snapshot.of({"greet.py": "# say\\nhello\\n"}))
>>> changes.changes[0].after
'# say\\ngoodbye\\n'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inlay.engine.formats import FORMATS, read
    from inlay.engine.staging.stage import stage
    from inlay.errors import (
        EditsRefused,
        EnvironmentFailure,
        ImplementationError,
        InlayError,
        LimitReached,
        LogDamaged,
        MergeRefused,
        Misfit,
        Nearest,
        NeedsDecision,
        NoEditsFound,
        NoModel,
        PathTraversalError,
        ProviderFailure,
        ReplyMalformed,
        ReplyRejected,
        ReplyTruncated,
        SafeFileWriteError,
        StaleFile,
        UnknownReceipt,
    )
    from inlay.generation.events import (
        Answered,
        AttemptFailed,
        AttemptStarted,
        Event,
        Landed,
        Proposed,
        Retrying,
        TextArrived,
        Validating,
    )
    from inlay.generation.generate import agenerate, generate, generate_many, land_proposal, propose, stream
    from inlay.generation.propose import Proposal
    from inlay.landing.approval import preview
    from inlay.landing.decisions_json import read_decisions
    from inlay.landing.embed import EmbedRequest, EmbedResult, embed
    from inlay.landing.land import Landing, land
    from inlay.landing.land_options import LandOptions
    from inlay.landing.write import Write, write, write_all
    from inlay.llm import Model, Provider, open_model
    from inlay.model.allowance import Allowance
    from inlay.model.answer import Answer, Limits, ModelInfo, Usage
    from inlay.model.audit import AuditEvent, AuditRecord
    from inlay.model.change import Change, ChangeSet
    from inlay.model.decision import Approve, Decision, Need, Reason, fingerprint
    from inlay.model.edit import Block, Create, Delete, Edit, Hunk, Overwrite, Reading, Splice, Update
    from inlay.model.file import BaseText, Encoding, File, RepoPath, Snapshot
    from inlay.model.finding import Finding
    from inlay.model.match import Match
    from inlay.model.prompt import Message, Prompt, Request
    from inlay.model.protection import Policy, Protection
    from inlay.model.receipt import Collected, Contents, Receipt, Recovery, Written
    from inlay.model.settings import Settings
    from inlay.model.task import Attempt, GenerateOptions, Task
    from inlay.storage import Workspace

__version__ = "0.1.0"

# The modules of all public names, imported on first use: a program that needs one type should not load the engine.
_HOMES = {
    "inlay.engine.formats": "FORMATS read",
    "inlay.engine.staging": "stage",
    "inlay.errors": (
        "EditsRefused EnvironmentFailure ImplementationError InlayError LimitReached LogDamaged MergeRefused "
        "Misfit Nearest NeedsDecision NoEditsFound NoModel PathTraversalError ProviderFailure ReplyMalformed "
        "ReplyRejected ReplyTruncated SafeFileWriteError StaleFile UnknownReceipt"
    ),
    "inlay.generation.events": (
        "Answered AttemptFailed AttemptStarted Event Landed Proposed Retrying TextArrived Validating"
    ),
    "inlay.generation.generate": "agenerate generate generate_many land_proposal propose stream",
    "inlay.generation.propose": "Proposal",
    "inlay.landing.approval": "preview",
    "inlay.landing.decisions_json": "read_decisions",
    "inlay.landing.embed": "EmbedRequest EmbedResult embed",
    "inlay.landing.land": "Landing land",
    "inlay.landing.land_options": "LandOptions",
    "inlay.landing.write": "Write write write_all",
    "inlay.llm": "Model Provider open_model",
    "inlay.model.allowance": "Allowance",
    "inlay.model.answer": "Answer Limits ModelInfo Usage",
    "inlay.model.audit": "AuditEvent AuditRecord",
    "inlay.model.change": "Change ChangeSet",
    "inlay.model.decision": "Approve Decision Need Reason fingerprint",
    "inlay.model.edit": "Block Create Delete Edit Hunk Overwrite Reading Splice Update",
    "inlay.model.file": "BaseText Encoding File RepoPath Snapshot",
    "inlay.model.finding": "Finding",
    "inlay.model.match": "Match",
    "inlay.model.prompt": "Message Prompt Request",
    "inlay.model.protection": "Policy Protection",
    "inlay.model.receipt": "Collected Contents Receipt Recovery Written",
    "inlay.model.settings": "Settings",
    "inlay.model.task": "Attempt GenerateOptions Task",
    "inlay.storage": "Workspace",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

# Written out, because type checkers export only what they can read here.
__all__ = [
    "FORMATS", "Allowance", "Answer", "Answered", "Approve", "Attempt", "AttemptFailed", "AttemptStarted", "AuditEvent",
    "AuditRecord", "BaseText", "Block", "Change", "ChangeSet", "Collected", "Contents", "Create", "Decision", "Delete",
    "Edit", "EditsRefused", "EmbedRequest", "EmbedResult", "Encoding", "EnvironmentFailure", "Event", "File", "Finding",
    "GenerateOptions", "Hunk", "ImplementationError", "InlayError", "LandOptions", "Landed", "Landing", "LimitReached",
    "Limits", "LogDamaged", "Match", "MergeRefused", "Message", "Misfit", "Model", "ModelInfo", "Nearest", "Need",
    "NeedsDecision", "NoEditsFound", "NoModel", "Overwrite", "PathTraversalError", "Policy", "Prompt", "Proposal",
    "Proposed", "Protection", "Provider", "ProviderFailure", "Reading", "Reason", "Receipt", "Recovery",
    "ReplyMalformed", "ReplyRejected", "ReplyTruncated", "RepoPath", "Request", "Retrying", "SafeFileWriteError",
    "Settings", "Snapshot", "Splice", "StaleFile", "Task", "TextArrived", "UnknownReceipt", "Update", "Usage",
    "Validating", "Workspace", "Write", "Written", "__version__", "agenerate", "embed", "fingerprint", "generate",
    "generate_many", "land", "land_proposal", "open_model", "preview", "propose", "read", "read_decisions", "stage",
    "stream", "write", "write_all",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'inlay' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
