"""A proxy in front of the server whose next answers are faults."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx


class FlakyProxy(ThreadingHTTPServer):
    """Its ``faults`` are used up one after another: a status, or ``lost`` for an answer that never arrives."""

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.target = target
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.faults: list[int | str] = []
        self.retry_after = "0"
        #: The Idempotency-Key of each request.
        self.keys: list[str | None] = []


class _Handler(BaseHTTPRequestHandler):
    server: FlakyProxy

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.keys.append(self.headers.get("Idempotency-Key"))
        fault = self.server.faults.pop(0) if self.server.faults else None
        if isinstance(fault, int):
            self.answer(fault, {"Retry-After": self.server.retry_after, "Content-Type": "text/html"}, b"<p>Busy")
            return
        headers = {name: value for name, value in self.headers.items() if name != "Host"}
        answer = httpx.request(self.command, self.server.target + self.path, headers=headers, content=body)
        if fault is None:
            self.answer(answer.status_code, {"Content-Type": answer.headers["Content-Type"]}, answer.content)

    do_POST = do_GET

    def answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serve_flaky(target: str) -> Iterator[FlakyProxy]:
    """A proxy that runs until the end of the context."""
    with FlakyProxy(target) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()
