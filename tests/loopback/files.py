"""A server of files that knows ranges, and can be told to fail."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType


class FileServer:
    """Files by path; `cuts` holds, by path, after how many bytes the next transfers break off."""

    def __init__(self, files: Mapping[str, bytes], cuts: Mapping[str, list[int]] | None = None) -> None:
        self.files = dict(files)
        self.cuts = {path: list(after) for path, after in (cuts or {}).items()}
        self.asked: list[tuple[str, str]] = []  # path and range
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.files = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> FileServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    files: FileServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A transfer that breaks off is asked for."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        files = self.server.files
        wanted = self.headers.get("Range", "")
        files.asked.append((self.path, wanted))
        data = files.files.get(self.path)
        if data is None:
            self.send_error(404)
            return
        found = re.fullmatch(r"bytes=(\d+)-", wanted)
        start = int(found[1]) if found else 0
        if start and start >= len(data):
            self.send_error(416)
            return
        self.send_response(206 if found else 200)
        self.send_header("Content-Length", str(len(data) - start))
        if found:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.end_headers()
        cuts = files.cuts.get(self.path)
        self.wfile.write(data[start : start + cuts.pop(0)] if cuts else data[start:])
