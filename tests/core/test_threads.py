"""Work side by side: as it comes, and no more of it once nobody waits."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from nl2fix.core import threads


def test_each_item_comes_with_what_became_of_it() -> None:
    with threads.side_by_side(lambda n: 6 // n, [1, 0, 3], 2, "test") as done:
        told = {n: future for n, future in done}
    assert (told[1].result(), told[3].result()) == (6, 2)
    with pytest.raises(ZeroDivisionError):
        told[0].result()


def test_what_has_not_begun_when_somebody_stops_never_does(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, cancelled = list[int](), threading.Event()

    class Pool(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            super().shutdown(wait and cancelled.is_set(), cancel_futures=cancel_futures)
            cancelled.set()

    def work(n: int) -> None:
        begun.append(n)
        if n:
            cancelled.wait()

    monkeypatch.setattr(threads, "ThreadPoolExecutor", Pool)
    with pytest.raises(KeyboardInterrupt), threads.side_by_side(work, range(9), 1, "test") as done:
        next(done)
        raise KeyboardInterrupt
    assert begun in ([0], [0, 1])
