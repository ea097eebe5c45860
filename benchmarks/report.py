"""The report of a run of 283 bugs × 100 samples: time to write, size, and time to open in Chromium.

Baseline, side by side on the same run: the same facts as one plain page, every candidate's code and
evidence an element of the document. Needs playwright and an installed Chromium.

    python benchmarks/report.py [--bugs 283] [--samples 100]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ended

from nl2fix.core import serial
from nl2fix.core.results import RunResults, results
from nl2fix.core.store import RunStore
from nl2fix.report import contents, html
from tests.report import runs

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPENINGS = 5
T = TypeVar("T")


def main() -> None:
    """Print the figures."""
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bugs", type=int, default=283)
    parser.add_argument("--samples", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report, plain = _write(Path(folder), options.bugs, options.samples)
        empty = Path(folder) / "empty.html"
        empty.write_text("<!doctype html><p>nothing", encoding="utf-8")
        floor, _, least = _open(empty, "p", opens_bug=False)
        ours, first, busy = _open(report, "#bugs tbody tr", opens_bug=True)
        print(
            f"open: {ours:.3f} s (an empty page: {floor:.3f} s); a bug after a click: {first:.3f} s\n"
            f"CPU of the page's thread while opening: {busy:.3f} s (an empty page: {least:.3f} s)",
            flush=True,
        )
        theirs, _, _ = _open(plain, "pre", opens_bug=False)
    print(f"plain page: {theirs:.3f} s, ours opens {theirs / ours:.1f} times faster")


def _write(folder: Path, bugs: int, samples: int) -> tuple[Path, Path]:
    problems = runs.build(folder / "run", bugs, samples)
    report, plain = folder / "report.html", folder / "plain.html"
    with RunStore(folder / "run") as store:
        start = time.perf_counter()
        with _decoded() as counts:
            found = results(store, problems, samples)
            html.write_run_report(found, report)
        seconds = time.perf_counter() - start
        plain.write_text(_plain_page(found), encoding="utf-8")
    print(f"records decoded: {dict(counts)}")
    sizes = [file.stat().st_size / 1e6 for file in (report, plain)]
    print(f"{bugs} bugs x {samples} samples: written in {seconds:.1f} s")
    print(f"size: {sizes[0]:.1f} MB, plain page {sizes[1]:.1f} MB: {sizes[1] / sizes[0]:.1f} times smaller")
    return report, plain


@contextmanager
def _decoded() -> Iterator[Counter[str]]:
    """How many stored records of each kind are decoded meanwhile."""
    counts: Counter[str] = Counter()
    read = serial.read

    def counted(kind: type[T], text: str) -> T:
        counts[kind.__name__.lower()] += 1
        return read(kind, text)

    with patch.object(serial, "read", counted):
        yield counts


def _plain_page(found: RunResults) -> str:
    parts = ["<!doctype html><meta charset=utf-8><title>plain</title>"]
    for item in found.problems:
        block = contents.bug_block(item, None)
        parts.append(f"<h2>{escape(block['title'])}</h2><pre>{escape(block['before'])}</pre>")
        for candidate in block["candidates"]:
            facts = "".join(f"<dt>{escape(a)}</dt><dd>{escape(b)}</dd>" for a, b in candidate["evidence"])
            parts.append(f"<pre>{escape(candidate['code'])}</pre><dl>{facts}</dl>")
    return "\n".join(parts)


def _open(file: Path, selector: str, *, opens_bug: bool) -> tuple[float, float, float]:
    """Median seconds from navigation to a painted, answering page, and from a click to the bug shown.

    Last, the median CPU seconds of the page's main thread up to then, which say more on a busy machine.
    """
    path = next(filter(None, map(shutil.which, BROWSERS)))
    loads, clicks, works = [], [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(OPENINGS if opens_bug else 1):
            page = browser.new_page()
            page.set_default_timeout(300_000)
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            start = time.perf_counter()
            page.goto(file.as_uri(), wait_until="load")
            page.wait_for_selector(selector)
            page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
            loads.append(time.perf_counter() - start)
            metrics = session.send("Performance.getMetrics")["metrics"]
            works.append(next(item["value"] for item in metrics if item["name"] == "TaskDuration"))
            if opens_bug:
                start = time.perf_counter()
                page.click(f"{selector} >> nth=0 >> a")
                page.wait_for_selector("table.diff")
                clicks.append(time.perf_counter() - start)
            page.close()
        browser.close()
    return statistics.median(loads), statistics.median(clicks or [0.0]), statistics.median(works)


if __name__ == "__main__":
    main()
