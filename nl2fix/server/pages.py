"""Serve one page to one person: loopback by default, a secret token in every address.

Only what a page object offers is served; nothing here runs code of unknown origin. Requests with
another Host header are refused, so a page elsewhere cannot reach us through a name it controls.
"""

from __future__ import annotations

import hmac
import json
import secrets
import socket
import threading
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any, Protocol
from urllib.parse import urlsplit

from nl2fix.core.errors import Nl2fixError, UsageError

MAX_BODY = 2_000_000
"""Bytes of a request body."""
EVERYWHERE = ("0.0.0.0", "::")
"""What listens at each address of this machine, and is none that a browser can open."""
PATIENCE = 30.0
"""Seconds without a word after which a client is waited for no longer."""


class Page(Protocol):
    """What is shown; ``UsageError`` where it is no longer there."""

    def html(self, base: str) -> str:
        """The page; ``base`` is the path below which it finds its data."""
        ...

    def result(self) -> dict[str, Any]:
        """The data as it stands."""
        ...

    def apply(self, rank: int, code: str, line: int | None) -> str:
        """Apply a suggestion, or write a test of a line that it changes, and say so.

        Raises ``Nl2fixError`` when that cannot be.
        """
        ...


class Server:
    """Runs until ``close``; ``url`` is what to open."""

    def __init__(self, page: Page, host: str = "127.0.0.1", port: int = 0) -> None:
        self._token = secrets.token_urlsafe(24)
        self._host = host
        try:
            self._http = _Http((host, port), page, self._token)
        except OSError as error:
            reason = f"cannot listen on {_bracketed(host)}:{port}: {error.strerror}"
            raise UsageError(f"{reason}; choose another --host or --port") from error
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        host = self._host if self._host not in EVERYWHERE else _outward(self._http.address_family)
        return f"http://{_bracketed(host)}:{self._http.server_port}/{self._token}/"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _outward(family: int) -> str:
    """The address by which other machines find this one, or this machine's own where it is on no network."""
    v6 = family == socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as never_sent, suppress(OSError):
        never_sent.connect(("2001:db8::1" if v6 else "192.0.2.1", 9))
        return str(never_sent.getsockname()[0])
    return "::1" if v6 else "127.0.0.1"


def _wanted(body: bytes) -> tuple[int, str, int | None]:
    """Rank, code and perhaps a line in a request's body; raises ``ValueError`` for anything else."""
    try:
        asked = json.loads(body)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    rank, code, line = map(asked.get, ("rank", "code", "line")) if isinstance(asked, dict) else [None] * 3
    if type(rank) is not int or not isinstance(code, str) or type(line) not in (int, type(None)):
        raise ValueError("wants rank and code")
    return rank, code, line


def _ours(named: str, host: str) -> bool:
    """Whether a Host header is a name of ours: an address, or what needs no name server to be us.

    A page elsewhere can have a name of its own lead here, but no address.
    """
    try:
        name = urlsplit(f"//{named}").hostname or ""
        return name in (host.lower(), "localhost") or bool(ip_address(name))
    except ValueError:
        return False


class _Http(ThreadingHTTPServer):
    """Hands page and token to the handlers."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], page: Page, token: str) -> None:
        self.page, self.token, self.host = page, token, address[0]
        self.address_family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        super().__init__(address, _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def setup(self) -> None:
        self.request.settimeout(PATIENCE)
        super().setup()

    def do_GET(self) -> None:
        try:
            match self._path():
                case "":
                    self._send(HTTPStatus.OK, "text/html", self.server.page.html(f"/{self.server.token}"))
                case "result":
                    self._send(HTTPStatus.OK, "application/json", json.dumps(self.server.page.result()))
                case _:
                    self._send(HTTPStatus.NOT_FOUND, "text/plain", "not found")
        except UsageError as error:
            self._send(HTTPStatus.GONE, "text/plain", str(error))
        except Nl2fixError as error:
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, "text/plain", str(error))

    def do_POST(self) -> None:
        if self._path() != "apply":
            self._send(HTTPStatus.NOT_FOUND, "text/plain", "not found")
            return
        try:
            length = int(self.headers.get("Content-Length", "0"))
            if not 0 < length <= MAX_BODY:
                raise ValueError("bad length")
            said = self.server.page.apply(*_wanted(self.rfile.read(length)))
        except ValueError:
            self._send(HTTPStatus.BAD_REQUEST, "text/plain", "wants JSON with rank and code")
        except Nl2fixError as error:
            self._send(HTTPStatus.CONFLICT, "text/plain", str(error))
        else:
            self._send(HTTPStatus.OK, "text/plain", said)

    def handle(self) -> None:
        """A client that hangs up is no news; the thread ends quietly."""
        with suppress(ConnectionError, TimeoutError):
            super().handle()

    def finish(self) -> None:
        with suppress(ConnectionError, TimeoutError):
            super().finish()

    def _path(self) -> str | None:
        """The path below the token; ``None`` for whoever does not know it or comes by another name."""
        given, _, rest = self.path.partition("?")[0].lstrip("/").partition("/")
        authorised = hmac.compare_digest(given.encode(), self.server.token.encode())
        return rest if authorised and _ours(self.headers.get("Host", ""), self.server.host) else None

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """No log: addresses hold the token."""
