"""Is the method found in an installation of Defects4J the one that the published dataset has?

    python benchmarks/methods.py [--bugs Math-3,…] [--config FILE] [--defects4j DIR] [--set KEY=VALUE …]

For each bug of an imported dataset the buggy and the fixed file, as prepared or else from a new checkout,
must hold its two methods, the buggy one where the index says; ends of lines do not count. Prints
the bugs that differ; the exit code is 1 if there is one.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import ended
import flags

from nl2fix.core.errors import Nl2fixError
from nl2fix.pipeline import make_suite, parse
from nl2fix.suites.defects4j.checkout import CHECKOUT
from nl2fix.suites.defects4j.index import Row, read
from nl2fix.suites.defects4j.issue_texts import PublishedMethod, load_methods
from nl2fix.suites.defects4j.suite import Nl2fixSuite, method_in


def files(suite: Nl2fixSuite, row: Row) -> tuple[str, str]:
    """The buggy and the fixed file."""
    bug, reference = suite.places.bug(row.bug) / CHECKOUT / row.path, suite.places.reference(row.bug)
    if bug.is_file() and reference.is_file():
        return text(bug), text(reference)
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / CHECKOUT
        suite.installation().check_out(row.project, row.number, "f", checkout)
        fixed = text(checkout / row.path)
        suite.installation().check_out(row.project, row.number, "b", checkout)
        return text(checkout / row.path), fixed


def text(file: Path) -> str:
    """Any encoding will do: what is compared is ASCII but for comments."""
    return file.read_bytes().decode("utf-8", errors="replace")


def plain(code: str) -> list[str]:
    return [line.rstrip() for line in code.encode("ascii", errors="replace").decode().splitlines()]


def difference(suite: Nl2fixSuite, row: Row, published: PublishedMethod) -> str:
    """What is not as published; empty where all is."""
    try:
        buggy, fixed = files(suite, row)
        span = method_in(row, buggy).span
    except (Nl2fixError, OSError) as error:
        return str(error)
    if plain(buggy[span.start : span.end]) != plain(published.before):
        return "another buggy method"
    if "\n".join(plain(published.after)) not in "\n".join(plain(fixed)):
        return "another fixed method"
    return ""


def main() -> int:
    ended.by_sigterm()
    options = flags.arguments(__doc__).parse_args()
    settings, environment = parse(flags.settings(options))
    suite = make_suite(settings.suite, environment)
    assert isinstance(suite, Nl2fixSuite)
    published = load_methods(suite.texts_folder)
    wanted = options.bugs.split(",") if options.bugs else list(published)
    rows = [row for row in read() if row.bug in wanted and row.bug in published]
    count = 0
    for row in rows:
        differs = difference(suite, row, published[row.bug])
        count += bool(differs)
        if differs:
            print(f"{row.bug}: {differs}", flush=True)
    print(f"{len(rows) - count} of {len(rows)} bugs have the published methods")
    return int(count > 0 or not rows)


if __name__ == "__main__":
    sys.exit(main())
