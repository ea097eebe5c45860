"""Speed of the metrics on real methods, against plain baselines in the same run.

    python benchmarks/metrics.py nl2fix_dataset.json [--triples 28300] [--jobs 2]

The data file is that of the NL2Fix study: bug → {"src", "fixed_src", …}. Candidates are made from it by
token edits, each bug with 100 samples of which about half repeat an earlier one. Prints:

* processor time of all metrics on all triples, with start-up (that of as many triples as there are jobs) and
  without, against one triple at a time without sharing (on a part);
* Excision Score by token, against the same score on a textbook dynamic-programming LCS (on a part),
  with the largest difference between their values.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ended

from nl2fix.languages import language
from nl2fix.metrics.excision import excise, excision_token, score_regions
from nl2fix.metrics.measure import Triple, measure, measure_all
from nl2fix.metrics.texts import Edit, Revision
from tests.metrics.plain import lcs_blocks

REPEATED = 0.5
JAVA = language("java")


def make_triples(data: Path, count: int) -> list[Triple]:
    """``count`` triples, spread evenly over the bugs."""
    bugs = list(json.loads(data.read_text(encoding="utf-8")).values())
    rng = random.Random(0)
    triples = []
    for number, bug in enumerate(bugs):
        share = count * (number + 1) // len(bugs) - count * number // len(bugs)
        drawn: list[str] = []
        for _ in range(share):
            if not drawn or rng.random() > REPEATED:
                drawn.append(mutate(bug["fixed_src"] if rng.random() < 0.2 else bug["src"], rng))
                candidate = drawn[-1]
            else:
                candidate = rng.choice(drawn)
            triples.append(Triple(bug["src"], (bug["fixed_src"],), candidate))
    return triples


def mutate(code: str, rng: random.Random) -> str:
    """Up to four words deleted, doubled elsewhere or replaced; formatting kept."""
    words = code.split(" ")
    for _ in range(rng.randint(0, 4)):
        place = rng.randrange(len(words))
        words[place : place + rng.randint(0, 1)] = [rng.choice(words)] if rng.random() < 0.7 else []
        words = words or ["x"]
    return " ".join(words)


def timed(work: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def plain_token_score(revision: Revision) -> float | None:
    """``excision_token`` on the textbook LCS."""
    if revision.exact or revision.unchanged:
        return float(revision.exact)
    texts = (revision.before.tokens, revision.references[0].tokens, revision.candidate.tokens)
    return score_regions(excise(*texts, lcs_blocks))


def revise(triple: Triple) -> Revision:
    return Edit(triple.before, triple.references, JAVA).revision(triple.candidate)


def spent(work: Callable[[], object]) -> tuple[float, object]:
    """Seconds of processor time of this process and of those it waited for."""
    before = os.times()
    result = work()
    return sum(os.times()[:4]) - sum(before[:4]), result


def all_metrics(triples: Sequence[Triple], jobs: int) -> None:
    part = triples[:: max(1, len(triples) // 300)]
    naive, one_by_one = spent(lambda: [measure(triple, JAVA) for triple in part])
    first = list({triple.before: triple for triple in triples}.values())[:jobs]
    start, _ = spent(lambda: measure_all(first, "java", jobs=jobs))
    began = time.perf_counter()
    whole, scores = spent(lambda: measure_all(triples, "java", jobs=jobs))
    wall = time.perf_counter() - began
    assert isinstance(scores, list)
    assert one_by_one == scores[:: max(1, len(triples) // 300)]
    per_triple, baseline = whole / len(triples), naive / len(part)
    work = max(0.0, whole - start) / len(triples)
    print(f"all metrics, {len(triples)} triples ({len(set(triples))} distinct), {jobs} jobs, equal values:")
    print(f"  processor time {whole:.1f} s, {start:.1f} s of it start-up; {wall:.1f} s on the clock")
    print(f"  processor time per triple {1e3 * per_triple:.2f} ms, without start-up {1e3 * work:.2f} ms")
    print(f"  one at a time {1e3 * baseline:.2f} ms on {len(part)}: ratio {baseline / per_triple:.1f}")


def excision(triples: Sequence[Triple]) -> None:
    part = [t for t in triples[:: max(1, len(triples) // 150)] if not revise(t).exact]
    fast, found = timed(lambda: [excision_token(revise(triple)) for triple in part])
    slow, wanted = timed(lambda: [plain_token_score(revise(triple)) for triple in part])
    assert isinstance(found, list)
    assert isinstance(wanted, list)
    worst = max(abs((a or 0) - (b or 0)) for a, b in zip(found, wanted, strict=True))
    print(f"excision_token, {len(part)} triples: {1e3 * fast / len(part):.2f} ms each")
    print(f"  textbook LCS in Python: {1e3 * slow / len(part):.2f} ms each")
    print(f"  ratio {slow / fast:.1f}, largest difference of values {worst:g}")


def main() -> None:
    ended.by_sigterm()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--triples", type=int, default=28_300)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    triples = make_triples(arguments.data, arguments.triples)
    excision(triples)
    all_metrics(triples, arguments.jobs)


if __name__ == "__main__":
    main()
