"""Work done side by side in threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def side_by_side(
    work: Callable[[T], R], items: Iterable[T], jobs: int, name: str
) -> Iterator[Iterator[tuple[T, Future[R]]]]:
    """Each item with what became of it, as it comes; what has not begun when the block is left never does.

    ``name`` is how the threads are called.
    """
    with ThreadPoolExecutor(max(1, jobs), thread_name_prefix=name) as pool:
        futures = {pool.submit(work, item): item for item in items}
        try:
            yield ((futures[future], future) for future in as_completed(futures))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
