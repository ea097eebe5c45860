"""Stored runs and an open browser page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from nl2fix.core.records import Problem
from nl2fix.core.results import results
from nl2fix.core.store import RunStore
from nl2fix.report import contents, html
from tests.report import runs

if TYPE_CHECKING:
    from playwright.sync_api import Page

BUGS, SAMPLES = 40, 30


class Stored(NamedTuple):
    folder: Path
    problems: list[Problem]
    page: Path


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    """A run with its report, one bug of it excluded."""
    folder = tmp_path_factory.mktemp("report") / "run"
    problems = runs.build(folder, BUGS, SAMPLES)
    with RunStore(folder, writable=True) as store:
        store.set_excluded({problems[3].id: f"fails gold {runs.HOSTILE}"}, [problems[3].id])
        told = contents.exchanges(store, problems)
        html.write_run_report(results(store, problems, SAMPLES), folder / "report.html", told)
    return Stored(folder, problems, folder / "report.html")


class Opened(NamedTuple):
    """A page, and all that it asked of the network or complained of."""

    page: Page
    requests: list[str]
    errors: list[str]


@pytest.fixture
def opened(browser: str) -> Iterator[Opened]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(color_scheme="light")
        requests: list[str] = []
        errors: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        yield Opened(page, requests, errors)
        chromium.close()


BROKEN = """all => all.flatMap((node) => {
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT), broken = [];
    while (texts.nextNode()) {
        for (const word of texts.currentNode.data.matchAll(/[\\w$]+/g)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, word.index);
            range.setEnd(texts.currentNode, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map((box) => box.top)).size > 1) broken.push(word[0]);
        }
    }
    return broken;
})"""
"""Words of elements that go on in a second line."""
