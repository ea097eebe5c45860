"""The embeddings client against a real HTTP server."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
import stamina

from nl2fix.core.config import Environment
from nl2fix.core.errors import InfrastructureError, UsageError
from nl2fix.ranking.embedders import make


class Server(ThreadingHTTPServer):
    """Answers with the counts of a, b and c; ``failures`` are statuses to give first."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[dict[str, object]] = []
        self.keys: list[str | None] = []
        self.failures: list[int] = []
        self.drop = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        self.server.keys.append(self.headers["Authorization"])
        if self.server.failures:
            self._answer(self.server.failures.pop(0), {"error": {"message": "try later"}})
            return
        rows = [[text.count(c) + 0.5 for c in "abc"] for text in body["input"]]
        data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
        data = data[::-1][: len(data) - self.server.drop]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        self._answer(200, {"object": "list", "model": "m", "data": data, "usage": usage})

    def _answer(self, status: int, body: object) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        with stamina.set_testing(True, attempts=4, cap=True):
            yield running
        running.shutdown()
        thread.join()


def options(server: Server, **more: object) -> dict[str, object]:
    return {"base_url": server.url, "model": "m", **more}


def test_batches_order_and_unit_length(server: Server, tmp_path: Path) -> None:
    embedder = make("openai", options(server, batch=2), Environment(cache=tmp_path))
    vectors = embedder.embed(["aaa", "b", "cc ab"])
    expected = np.array([[3.5, 0.5, 0.5], [0.5, 1.5, 0.5], [1.5, 1.5, 2.5]])
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-3)
    assert [request["input"] for request in server.requests] == [["aaa", "b"], ["cc ab"]]
    assert {request["model"] for request in server.requests} == {"m"}


def test_seen_texts_are_not_asked_again(server: Server, tmp_path: Path) -> None:
    for _ in range(2):
        make("openai", options(server), Environment(cache=tmp_path)).embed(["a", "b"])
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_overload_and_faults_are_retried(server: Server, tmp_path: Path, status: int) -> None:
    server.failures = [status, status]
    assert make("openai", options(server), Environment(cache=tmp_path)).embed(["a"]).shape == (1, 3)
    assert len(server.requests) == 3


def test_refusals_are_not_retried(server: Server, tmp_path: Path) -> None:
    server.failures = [400] * 9
    with pytest.raises(InfrastructureError, match="try later"):
        make("openai", options(server), Environment(cache=tmp_path)).embed(["a"])
    assert len(server.requests) == 1


def test_endless_overload_ends_in_one_line(server: Server, tmp_path: Path) -> None:
    server.failures = [503] * 9
    with pytest.raises(InfrastructureError, match="embeddings of m"):
        make("openai", options(server, attempts=3), Environment(cache=tmp_path)).embed(["a"])
    assert len(server.requests) == 3


def test_too_few_vectors_are_noticed(server: Server, tmp_path: Path) -> None:
    server.drop = 1
    with pytest.raises(InfrastructureError, match="1 vectors for 2 texts"):
        make("openai", options(server), Environment(cache=tmp_path)).embed(["a", "b"])


def test_no_server_is_one_line(server: Server, tmp_path: Path) -> None:
    dead = {"base_url": "http://127.0.0.1:9/v1", "attempts": 1}
    with pytest.raises(InfrastructureError, match="embeddings"):
        make("openai", dead, Environment(cache=tmp_path)).embed(["a"])


def test_long_texts_are_cut_between_lines_and_blank_ones_not_sent(server: Server, tmp_path: Path) -> None:
    embedder = make("openai", options(server, longest=8), Environment(cache=tmp_path))
    vectors = embedder.embed(["aaaaa\nbbbbb\n", "  "])
    assert [request["input"] for request in server.requests] == [["aaaaa\n", "bbbbb\n"]]
    assert not vectors[1].any()


def test_key_from_the_environment(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "secret")
    make("openai", options(server, api_key_env="MY_KEY"), Environment(cache=tmp_path)).embed(["a"])
    assert server.keys == ["Bearer secret"]


def test_openai_itself_needs_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        make("openai", {}, Environment(cache=tmp_path)).embed(["a"])


def test_the_cosine_ranker_with_this_embedder(server: Server, tmp_path: Path) -> None:
    from nl2fix.ranking.cosine import make as cosine
    from tests.ranking.pools import pool, problem

    ranker = cosine({"embedder": "openai", "embedder_options": options(server)}, Environment(cache=tmp_path))
    one = pool(problem("int a = b;"), "int a = c;", "int a = b; ", "abc(cc)")
    [order] = ranker.rank([one])
    assert sorted(order) == [0, 1, 2]
    assert order.index(0) < order.index(1)
