"""Workers that wait for whoever takes one next."""

from __future__ import annotations

from nl2fix.sandboxes.idle import Idle


class Worker:
    def __init__(self, name: str) -> None:
        self.name, self.ended = name, False

    def close(self) -> None:
        self.ended = True


def test_the_last_kept_that_fits_is_taken_once() -> None:
    idle, workers = Idle[Worker](3), [Worker(name) for name in "aba"]
    for worker in workers:
        idle.keep(worker)
    assert idle.take(lambda worker: worker.name == "a") is workers[2]
    assert idle.take(lambda worker: worker.name == "a") is workers[0]
    assert idle.take(lambda worker: worker.name == "a") is None
    assert idle.take() is workers[1] and idle.take() is None
    assert not any(worker.ended for worker in workers)


def test_what_has_waited_longest_ends_where_there_are_too_many() -> None:
    idle, workers = Idle[Worker](2), [Worker(name) for name in "abc"]
    for worker in workers:
        idle.keep(worker)
    assert [worker.ended for worker in workers] == [True, False, False]


def test_once_closed_all_end_and_so_does_what_is_kept_later() -> None:
    idle, waiting, late = Idle[Worker](2), Worker("a"), Worker("b")
    idle.keep(waiting)
    idle.close()
    idle.keep(late)
    assert waiting.ended and late.ended and idle.take() is None
