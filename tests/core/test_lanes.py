"""Slices of lanes for judges elsewhere."""

from __future__ import annotations

import threading

from nl2fix.core.lanes import SLICE, WORTH, Lanes
from tests.core.samples import problem

LEAST, _ = SLICE


def filled(**counts: int) -> Lanes:
    lanes = Lanes(1)
    for name, count in counts.items():
        for number in range(count):
            lanes.add(problem(name), str(number))
    return lanes


def drained(lanes: Lanes, judges: int) -> list[tuple[str, int]]:
    lanes.finish()
    taken = []
    while (task := lanes.slice(judges)) is not None:
        taken.append((task[0].problem.id, len(task[1])))
    return taken


def test_longest_first_every_problem_before_a_second_session_and_slices_shrink_at_the_end() -> None:
    taken = drained(filled(A=100, B=300, C=5), judges=3)
    assert [name for name, _ in taken[:3]] == ["B", "A", "C"]
    assert taken[0] == ("B", 60)
    assert sum(size for _, size in taken) == 405
    sizes = [size for name, size in taken if name == "B"]
    assert sizes[:-1] == sorted(sizes[:-1], reverse=True)
    assert LEAST <= sizes[-1] < 2 * LEAST


def test_a_problem_of_slow_tests_comes_first_and_is_shared_out_in_small_slices() -> None:
    lanes = Lanes(1, lambda problem: 2.0 if problem.id == "slow" else 0.02)
    for name, count in (("A", 100), ("slow", 60), ("B", 80)):
        for number in range(count):
            lanes.add(problem(name), str(number))
    taken = drained(lanes, judges=2)
    slow = [size for name, size in taken if name == "slow"]
    assert taken[0] == ("slow", 15), "a quarter of all seconds"
    assert max(slow) == 15
    assert sum(slow) == 60


def test_a_problem_of_quick_tests_is_not_cut_into_slices_that_cost_more_than_they_hold() -> None:
    lanes = Lanes(1, lambda problem: 0.03)
    for name in "ABCD":
        for number in range(90):
            lanes.add(problem(name), str(number))
    assert sorted(drained(lanes, judges=2)) == [(name, 90) for name in "ABCD"]


def test_no_slice_takes_minutes() -> None:
    lanes = Lanes(1, lambda problem: 5.0)
    for number in range(200):
        lanes.add(problem("A"), str(number))
    sizes = [size for _, size in drained(lanes, judges=1)]
    assert max(sizes) == 12
    assert sum(sizes) == 200


def judged_beside(took: float) -> tuple[list[str], list[str]]:
    """Which of nine candidates two judges get, each thought to take 0.03 s, that take ``took``.

    The second asks before the first has judged any; the first waits for it where it may be needed.
    """
    lanes = Lanes(2, lambda problem: 0.03)
    for number in range(9):
        lanes.add(problem("A"), str(number))
    lanes.finish()
    helped = threading.Event()
    first: list[str] = []
    second: list[str] = []

    def help_() -> None:
        if (task := lanes.take(None)) is not None:
            second.append(task[1])
            helped.set()

    task = lanes.take(None)
    helper = threading.Thread(target=help_)
    helper.start()
    while task is not None:
        first.append(task[1])
        lanes.took(task[0], took)
        if len(first) > 1 and took >= WORTH:
            assert helped.wait(30)
        task = lanes.take(task[0])
    helper.join(30)
    assert not helper.is_alive()
    return first, second


def test_a_judge_here_helps_where_more_waits_than_a_session_costs() -> None:
    assert judged_beside(0.03) == ([str(number) for number in range(9)], [])


def test_a_judge_here_helps_as_soon_as_a_problem_turns_out_to_be_slow() -> None:
    """argparse4j's first edits were judged by one of two: its tests take 60 ms, a verdict took a second."""
    assert judged_beside(WORTH) == (["0", "1", "3", "4", "5", "6", "7", "8"], ["2"])


def test_a_judge_here_takes_the_problem_with_most_seconds_to_come() -> None:
    lanes = Lanes(2, lambda problem: 2.0 if problem.id == "slow" else 0.02)
    for name, count in (("A", 100), ("slow", 10), ("B", 80)):
        for number in range(count):
            lanes.add(problem(name), str(number))
    first = lanes.take(None)
    second = lanes.take(None)
    assert first is not None
    assert second is not None
    assert [first[0].problem.id, second[0].problem.id] == ["slow", "A"]


def test_no_key_is_handed_out_twice() -> None:
    lanes = filled(A=50)
    lanes.finish()
    keys: list[str] = []
    while (task := lanes.slice(2)) is not None:
        keys += task[1]
    assert keys == [str(number) for number in range(50)]


def test_a_few_latecomers_wait_for_the_session_their_problem_has() -> None:
    lanes = filled(A=3)
    first = lanes.slice(8)
    assert first is not None
    lanes.add(problem("A"), "late")
    got: list[list[str]] = []

    def take() -> None:
        if (task := lanes.slice(8)) is not None:
            got.append(task[1])

    thread = threading.Thread(target=take)
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    lanes.release(first[0])
    thread.join(10)
    assert got == [["late"]]


def test_who_waits_for_a_slice_is_let_go_when_all_is_stopped() -> None:
    lanes = Lanes(1)
    thread = threading.Thread(target=lambda: lanes.slice(2))
    thread.start()
    lanes.stop()
    thread.join(10)
    assert not thread.is_alive()
