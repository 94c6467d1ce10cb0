"""A server on this machine that speaks the wire formats of Anthropic and OpenAI, and fails as it is told to.

The real client libraries talk to it, so a test needs no key, no network and no stand-in for our own code:

    from loopback import Loopback, replies

    with Loopback(replies.failed(500), "the answer") as server:
        model = open_model("anthropic:claude-test", Settings.of(), server.environ("anthropic"))
        …
    assert len(server.seen) == 2

The script is a sequence of replies, used up in the order in which requests arrive (a plain string is said as it is),
or one function that makes a reply of each request, which is how a simulated model is written:

    with Loopback(lambda seen: f"you said {seen.last}") as server: …

A script that is used up answers with status 418, which no client tries again. `server.seen` holds every request.
`pythonpath = ["tests"]` in pyproject.toml makes the import work from any test.
"""

from loopback import replies
from loopback.files import FileServer
from loopback.replies import Reply
from loopback.seen import Seen
from loopback.server import KEY, Loopback

__all__ = ["KEY", "FileServer", "Loopback", "Reply", "Seen", "replies"]
