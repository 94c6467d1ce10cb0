"""The server itself: one thread per connection, the script shared by all."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import TypeAlias

from loopback import wires
from loopback.replies import Reply
from loopback.seen import Seen

#: looks like a real one, so that a test can search everything for it
KEY = "sk-ant-canary-0123456789abcdefABCDEF"
_USED_UP = Reply("the script is used up", status=418)
_MODELS = [{"id": "first-model", "object": "model"}, {"id": "second-model", "object": "model"}]
_LISTING = Reply(body=json.dumps({"object": "list", "data": _MODELS}).encode())
_WIRES = {"/v1/messages": "anthropic", "/v1/chat/completions": "openai"}

Line: TypeAlias = Reply | str
Script: TypeAlias = Callable[[Seen], Line]


class Loopback:
    """A scripted server on a free port of this machine; a context manager."""

    def __init__(self, *script: Line | Script) -> None:
        self.seen: list[Seen] = []
        self.most_at_once = 0
        self.listing = _LISTING  # what GET /v1/models is answered with
        self.listed = 0  # how often
        self.closing = threading.Event()
        self._lines = list(script)
        self._lock = threading.Lock()
        self._at_once = 0
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.loopback = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def environ(self, wire: str, key: str = KEY) -> dict[str, str]:
        """What points a provider at this server."""
        if wire == "anthropic":
            return {"ANTHROPIC_API_KEY": key, "ANTHROPIC_BASE_URL": self.url}
        return {"OPENAI_API_KEY": key, "OPENAI_BASE_URL": f"{self.url}/v1"}

    def __enter__(self) -> Loopback:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def reply_to(self, seen: Callable[[int], Seen]) -> tuple[Seen, Reply]:
        """Note a request and take the next line of the script."""
        with self._lock:
            request = seen(len(self.seen) + 1)
            self.seen.append(request)
            line = self._next()
        said = line(request) if callable(line) else line
        return request, Reply(said) if isinstance(said, str) else said

    def _next(self) -> Line | Script:
        if not self._lines:
            return _USED_UP
        return self._lines[0] if callable(self._lines[0]) else self._lines.pop(0)

    def enter(self) -> None:
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)

    def leave(self) -> None:
        with self._lock:
            self._at_once -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    loopback: Loopback

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what half of the tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # pieces arrive one by one, as from a real server, and at once
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        loopback = self.server.loopback
        loopback.listed += 1
        self._send(loopback.listing.status, loopback.listing.body or b"", dict(loopback.listing.headers))

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        wire = _WIRES.get(self.path.split("?")[0])
        if wire is None:
            self._send(404, json.dumps(wires.error("openai", 404, "no such path")).encode(), {})
            return
        loopback = self.server.loopback
        loopback.enter()
        try:
            request, reply = loopback.reply_to(
                lambda number: Seen(number, wire, self.path, dict(self.headers.items()), json.loads(data))  # type: ignore[arg-type]
            )
            self._answer(request, reply)
        finally:
            loopback.leave()

    def _answer(self, request: Seen, reply: Reply) -> None:
        if self.server.loopback.closing.wait(reply.delay) and reply.delay:
            return
        if reply.body is not None:
            self._send(reply.status, reply.body, dict(reply.headers))
        elif reply.status >= 400:
            body = wires.error(request.wire, reply.status, reply.text)
            self._send(reply.status, json.dumps(body).encode(), dict(reply.headers))
        elif request.streamed:
            self._stream(request, reply)
        else:
            self._plain(request, reply)

    def _plain(self, request: Seen, reply: Reply) -> None:
        if reply.stall_after is not None or reply.pings_after is not None:
            self.server.loopback.closing.wait()
        elif reply.cut_after is not None or reply.ends_after is not None:
            self._hang_up()
        elif reply.garbage_after is not None:
            self._send(200, b'{"id": "msg_1", "cont', {})
        elif reply.error_after is not None:
            self._send(529, json.dumps(wires.error(request.wire, 529, "Overloaded")).encode(), {})
        else:
            self._send(200, json.dumps(wires.whole(request.wire, request.model, reply)).encode(), {})

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, request: Seen, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in wires.before(request.wire, request.model, reply):
            self._chunk(event)
        for number, text in enumerate(reply.cut()):
            if self._interrupts(request, reply, number):
                return
            if reply.pace:
                time.sleep(reply.pace)
            self._chunk(wires.piece(request.wire, request.model, text))
        for event in wires.after(request.wire, request.model, reply):
            self._chunk(event)
        self._chunk("")

    def _interrupts(self, request: Seen, reply: Reply, number: int) -> bool:
        """Whether the fault that was asked for happens before this piece."""
        if number == reply.cut_after:
            self._hang_up()
        elif number == reply.stall_after:
            self.server.loopback.closing.wait()
            self._hang_up()
        elif number == reply.pings_after:
            while not self.server.loopback.closing.wait(0.05):
                self._chunk(wires.ping(request.wire))
        elif number == reply.ends_after:
            self._chunk("")
        elif number == reply.garbage_after:
            self._chunk(wires.garbage(request.wire))
            self._chunk("")
        elif number == reply.error_after:
            self._chunk(wires.in_stream_error(request.wire, reply.error))
            self._chunk("")
        else:
            return False
        return True

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _hang_up(self) -> None:
        """Gone without a word: the other side sees a reset."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
