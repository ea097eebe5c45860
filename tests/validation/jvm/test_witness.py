"""What edits do when they are called, seen in real JVMs; hostile edits and their neighbours among them."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from nl2fix.core.apart import differences
from nl2fix.core.protocols import Observing
from nl2fix.core.records import INSTRUMENT, Behaviour, Candidate, Observation
from nl2fix.languages.java import JAVA
from nl2fix.ranking.examples import count_kept
from nl2fix.validation.jvm.worker import Build, JavaWorker
from tests.validation.jvm.conftest import BUG, CALC, Maker, Project

SHAPES = """package acme;
import java.util.*;
public class Calc {
    enum Colour { RED, BLUE }
    static class Point {
        final int x; final int y;
        Point(int x, int y) { this.x = x; this.y = y; }
    }
    static class Basket {
        private final List<String> items = new ArrayList<>();
        private int size;
        Basket(int size) { this.size = size; }
        boolean put(String item) { size = items.size() + 1; return items.add(item); }
    }
    public static int mean(int a, int b) { return (a + b) / 2 + 1; }
    public static int twice(int a) { return 2 * a; }
    static String where(Point point, Colour colour) { return colour + "@" + point.x; }
    private static int sum(List<Integer> numbers) { int s = 0; for (int n : numbers) { s += n; } return s; }
    static void sort(int[] numbers) { Arrays.sort(numbers); }
    static Map<String, Set<Integer>> index(String... words) {
        Map<String, Set<Integer>> found = new HashMap<>();
        for (String word : words) { found.computeIfAbsent(word, w -> new HashSet<>()).add(word.length()); }
        return found;
    }
    static double part(double a, double b) { return a / b; }
    static Object fresh(int a) { return a > 5 ? new Object() : new Random(); }
    static double chance(int a) { return a > 3 ? Math.random() : a; }
    static int slow(int a) { while (a > 3) { Thread.yield(); } return a; }
    interface Curve { double at(double x) throws Exception; }
    static double area(Curve curve, int steps) throws Exception {
        double sum = 0; for (int i = 0; i < Math.min(steps, 100); i++) { sum += curve.at(i); } return sum;
    }
    static <T> T top(List<T> all, Comparator<T> by) {
        return all.isEmpty() ? null : Collections.max(all, by);
    }
    static int count(List<Integer> all, java.util.function.Predicate<Integer> wanted) {
        int n = 0; for (Integer each : all) { if (wanted.negate().test(each)) { n++; } } return n;
    }
    abstract static class Shape {
        double scale = 1;
        double grown(double by) { scale *= by; return size() * scale; }
        double size() { return 0; }
        abstract int corners();
    }
    static class Square extends Shape {
        private final int side; Square(int side) { this.side = side; }
        double size() { return side * side; } int corners() { return 4; }
    }
    interface Coin { int value(); String name(); }
    static class Penny implements Coin {
        private final int count; Penny(int count) { this.count = count; }
        public int value() { return count; } public String name() { return "penny"; }
    }
    static int worth(Coin one, Coin other) { return one.value() + other.value(); }
    static int spoil(int[] all) { all[0] = 7; return all[1]; }
    static <T> List<T> only(List<T> all, Iterator<T> more) { return all; }
}
"""


def unit(project: Project, entity: str) -> Project:
    """The project with that unit to be edited."""
    text = project.problem.text
    span = JAVA.find(text, entity).span  # type: ignore[union-attr]
    problem = replace(project.problem, region=span, entity=entity, visible=text[slice(*span)])
    return replace(project, problem=problem)


@pytest.fixture(scope="module")
def shapes(make: Maker) -> Project:
    return make(sources={"acme/Calc.java": SHAPES})


def watch(
    project: Project, *bodies: tuple[str, str], most: int = 40
) -> tuple[Observation, Sequence[Behaviour | None]]:
    """What the unedited program and edits, each one text replaced by another, do."""
    validator = project.validator()
    assert isinstance(validator, Observing)
    candidates = [Candidate(project.problem.before.replace(*body)) for body in bodies]
    assert all(candidate.code != project.problem.before for candidate in candidates)
    with validator.witness(project.problem, most) as witness:
        seen = witness.unedited()
        return seen, witness.behaviours(candidates)


def differing(one: Behaviour, other: Behaviour | None) -> int:
    assert other is not None
    return sum(a != b for a, b in zip(one.digests, other.digests, strict=True))


def test_an_edit_is_told_by_what_it_does_and_not_by_its_text(calc: Project) -> None:
    mean = unit(calc, "mean(int, int)")
    seen, (fixed, same, fails) = watch(
        mean,
        (BUG, "return (a + b) / 2;"),
        (BUG, "int sum = b + a; return 1 + sum / 2;"),
        (BUG, 'throw new IllegalStateException("" + a);'),
    )
    assert len(seen.calls) == 40 and seen.dropped == 0
    assert seen.calls[0].startswith("mean(") and seen.unedited.told[0].lstrip("-").isdigit()
    assert same == seen.unedited
    assert differing(seen.unedited, fixed) == 40
    assert fails is not None and set(fails.told) == {"throws java.lang.IllegalStateException"}


def test_what_passed_is_not_compiled_again_to_be_observed(
    make: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 68 edits of commons-geometry that passed, that took 14 of 20 s."""
    project, compiled, compile_ = unit(make(), "mean(int, int)"), list[str](), JavaWorker.compile

    def noted(worker: JavaWorker, sources: dict[str, str], *args: Any, **options: Any) -> Build:
        compiled.extend(sources.values())
        return compile_(worker, sources, *args, **options)

    monkeypatch.setattr(JavaWorker, "compile", noted)
    fix = Candidate(project.problem.before.replace(BUG, "return (a + b) / 2;"))
    validator = project.validator()
    with validator.session(project.problem) as session:
        assert session.validate(fix).plausible
    judging = len(compiled)
    with validator.witness(project.problem, 20) as witness:
        witness.unedited()
        [behaviour] = witness.behaviours([fix])
    assert behaviour is not None
    assert not any("(a + b) / 2;" in text for text in compiled[judging:])


def test_calls_are_the_same_each_time(calc: Project) -> None:
    mean = unit(calc, "mean(int, int)")
    assert watch(mean)[0] == watch(mean)[0]


@pytest.mark.parametrize(
    ("entity", "edit", "call", "told"),
    [
        ("where(Point, Colour)", ("point.x", "point.y"), "where(Point(x=", '"'),
        ("sum(List)", ("s += n", "s -= n"), "sum(List.of(", ""),
        ("sort(int[])", ("Arrays.sort(numbers);", ""), "sort({", "argument 1 becomes {"),
        ("index(String...)", ("word.length()", "1"), "index({", "Map.of("),
        ("Basket#put(String)", ("items.size() + 1", "0"), "put(", "true; this becomes Basket("),
        ("Basket#Basket(int)", ("= size", "= size + 1"), "new Calc$Basket(", "Basket(items=List.of(), size="),
    ],
)
def test_units_of_all_kinds_are_called(
    shapes: Project, entity: str, edit: tuple[str, str], call: str, told: str
) -> None:
    seen, (edited,) = watch(unit(shapes, entity), edit, most=30)
    assert len(seen.calls) > 20
    assert all(each.startswith(call) or "null" in each for each in seen.calls)
    assert any(each.startswith(told) for each in seen.unedited.told)
    assert differing(seen.unedited, edited) > 5


@pytest.mark.parametrize(
    ("entity", "edit", "function"),
    [
        ("area(Curve, int)", ("curve.at(i)", "curve.at(i + 1)"), "x -> x * x - 2, "),
        ("top(List, Comparator)", ("Collections.max", "Collections.min"), ", (x, y) -> x.compareTo(y))"),
        ("count(List, Predicate)", ("n++", "n += 2"), ", x -> 0 > 0)"),
    ],
)
def test_functions_stand_for_interfaces_of_one_method(
    shapes: Project, entity: str, edit: tuple[str, str], function: str
) -> None:
    seen, (edited, same) = watch(unit(shapes, entity), edit, ("{", "{ ;"))
    assert len(seen.calls) > 20
    assert any(function in call for call in seen.calls), seen.calls
    assert differing(seen.unedited, edited) > 5
    assert same == seen.unedited


@pytest.mark.parametrize(
    ("entity", "edit", "made"),
    [
        ("Shape#grown(double)", ("*= by", "+= by"), "on Square("),
        ("worth(Coin, Coin)", ("+ other", "- other"), "Penny(count="),
    ],
)
def test_classes_of_the_package_stand_for_abstract_ones(
    shapes: Project, entity: str, edit: tuple[str, str], made: str
) -> None:
    seen, (edited,) = watch(unit(shapes, entity), edit)
    assert len(seen.calls) > 20 and any(made in call for call in seen.calls), seen.calls
    assert differing(seen.unedited, edited) > 5


def test_a_method_that_is_always_overridden_is_not_called(shapes: Project) -> None:
    seen, _ = watch(unit(shapes, "Shape#size()"), ("return 0", "return 1"))
    assert not seen.calls


def test_what_became_of_objects_counts_only_where_a_call_returned(shapes: Project) -> None:
    seen, (edited,) = watch(unit(shapes, "spoil(int[])"), ("all[0] = 7", "all[0] = 8"))
    assert edited is not None
    threw = [told.startswith("throws") for told in seen.unedited.told]
    same = [a == b for a, b in zip(seen.unedited.digests, edited.digests, strict=True)]
    assert any(threw) and not all(threw) and same == threw


def test_order_of_hashes_and_last_digits_make_no_difference(shapes: Project) -> None:
    seen, (linked,) = watch(
        unit(shapes, "index(String...)"),
        ("new HashMap<>()", "new java.util.concurrent.ConcurrentHashMap<>()"),
    )
    assert linked == seen.unedited
    seen, (rounded,) = watch(unit(shapes, "part(double, double)"), ("a / b", "a * 3 / b / 3"))
    assert rounded is not None and rounded.digests == seen.unedited.digests


def test_identities_are_no_behaviour_and_chance_is_dropped(shapes: Project) -> None:
    seen, _ = watch(unit(shapes, "fresh(int)"))
    assert seen.dropped == 0 and set(seen.unedited.told) == {"Object", "Random"}
    seen, _ = watch(unit(shapes, "chance(int)"), most=30)
    assert seen.dropped > 5 and len(seen.calls) > 5
    assert all(int(call.removeprefix("chance(").removesuffix(")")) <= 3 for call in seen.calls)


CLOCK = """package acme;
public class Calc {
    /** In words where it is late; a file is the clock. */
    static String now(int a) throws Exception {
        try (java.io.InputStream clock = Calc.class.getResourceAsStream("/clock")) {
            return a > 3 ? "at " + (char) clock.read() : "before " + a;
        }
    }
    public static int mean(int a, int b) { return (a + b) / 2 + 1; }
    public static int twice(int a) { return 2 * a; }
}
"""


def test_what_only_time_has_changed_is_no_edit_s_doing(make: Maker) -> None:
    """A clock's second is the same in two runs one upon the other, and another when edits are called."""
    project = make(sources={"acme/Calc.java": CLOCK}, resources={"classes/clock": "1"})
    now = unit(project, "now(int)")
    with now.validator().witness(now.problem, 30) as witness:
        seen, code = witness.unedited(), now.problem.before
        edits = [Candidate(code.replace(*body)) for body in (("int a", "final int a"), ("before", "by"))]
        assert '"at 1"' in seen.unedited.told
        for time in "23":
            (now.workspace.root / "classes/clock").write_text(time)
            same, other = witness.behaviours(edits)
            assert same == seen.unedited
            changed = differences(seen.calls, seen.unedited, other) if other else []
            assert changed and all("before" in change.before for change in changed)


def test_calls_that_do_not_end_come_last_and_only_two_are_waited_for(shapes: Project) -> None:
    slow = unit(shapes, "slow(int)")
    seen, (ends, same) = watch(slow, ("while (a > 3)", "if (a > 3)"), ("a > 3", "3 < a"), most=12)
    told = seen.unedited.told
    first = told.index("does not end")
    assert told[first : first + 2] == ("does not end",) * 2 and not any(told[first + 2 :])
    assert same == seen.unedited
    assert ends is not None and all(ends.digests) and "does not end" not in ends.told
    assert differing(seen.unedited, ends) == len(told) - first > 2


def _stand_still(seconds: float) -> None:
    """Stop the JVMs of this process for a while."""
    jvms = [each for each in psutil.Process().children(recursive=True) if each.name() == "java"]
    for jvm in jvms:
        jvm.suspend()
    time.sleep(seconds)
    for jvm in jvms:
        jvm.resume()


def test_a_call_during_which_the_machine_stands_still_ends_all_the_same(shapes: Project) -> None:
    twice = unit(shapes, "twice(int)")
    naps = "for (int i = 0; i < 40; i++) { try { Thread.sleep(10); } catch (InterruptedException e) { } }"
    with twice.validator().witness(twice.problem, 8) as witness:
        seen = witness.unedited()
        still = threading.Timer(1.5, _stand_still, [4.6])
        still.start()
        [slow] = witness.behaviours([Candidate(twice.problem.before.replace("return 2", f"{naps} return 2"))])
        still.join()
    assert slow == seen.unedited


def test_what_cannot_be_made_is_not_called_with(shapes: Project) -> None:
    seen, _ = watch(unit(shapes, "only(List, Iterator)"))
    assert seen.calls and all(call.endswith(", null)") for call in seen.calls)


HOSTILE = {
    "loops": "while (a == a) { }",
    "loops and swallows": "while (a == a) { try { while (a == a) { } } catch (Throwable t) { } }",
    "exits": "System.exit(0);",
    "halts by reflection": "try {"
    ' Runtime.class.getMethod("halt", int.class).invoke(Runtime.getRuntime(), 0); } catch (Exception e) { }',
    "recurses": "mean(a, b);",
    "takes all memory": "java.util.List<long[]> all = new java.util.ArrayList<>();"
    " while (a == a) { all.add(new long[1 << 20]); }",
    "prints": 'for (int i = 0; i < 100000; i++) { System.out.println("noise " + i); }',
    "starts threads": "for (int i = 0; i < 50; i++) { new Thread(() -> { while (true) { } }).start(); }",
    "spoils the default": "java.util.Locale.setDefault(java.util.Locale.GERMANY);"
    ' System.setProperty("line.separator", "x"); System.setOut(null);',
    "interrupts": "Thread.currentThread().interrupt();",
    "throws what cannot be read": "throw new RuntimeException() {"
    " public String getMessage() { while (true) { } } public int hashCode() { System.exit(1); return 0; } };",
}


def test_hostile_edits_harm_no_neighbour(calc: Project) -> None:
    mean = unit(calc, "mean(int, int)")
    names = list(HOSTILE)
    bodies = [(BUG, HOSTILE[name] + (BUG if not HOSTILE[name].startswith("throw") else "")) for name in names]
    neighbour = (BUG, "return (a + b) / 2;")
    mixed = [
        each for i, body in enumerate(bodies) for each in (body, (BUG, f"int n{i} = {i}; {neighbour[1]}"))
    ]
    seen, (alone,) = watch(mean, neighbour, most=15)
    _, told = watch(mean, *mixed, most=15)
    assert all(each == alone for each in told[1::2])
    found = dict(zip(names, told[::2], strict=True))
    assert found["exits"] is None and found["halts by reflection"] is None
    for name in ("loops", "loops and swallows"):
        assert (stuck := found[name]) is not None
        assert stuck.told[:2] == ("does not end", "does not end") and not any(stuck.digests[2:])
    assert (deep := found["recurses"]) is not None and set(deep.told) == {
        "throws java.lang.StackOverflowError"
    }
    assert found["prints"] == seen.unedited and found["interrupts"] == seen.unedited


def test_where_threads_cannot_be_stopped_the_rest_is_called_in_another_jvm(make: Maker) -> None:
    homes = sorted(Path("/usr/lib/jvm").glob("*2[1-9]*/release"))
    if not homes:
        pytest.skip("no JDK of 21 or later, where no thread can be stopped")
    mean = unit(make(jdk=str(homes[-1].parent)), "mean(int, int)")
    _, (loops, fixed) = watch(
        mean, (BUG, f"while (a > 20) {{ }} {BUG}"), (BUG, "return (a + b) / 2;"), most=15
    )
    assert loops is not None and fixed is not None
    assert loops.digests[loops.told.index("does not end") + 1], "the call after it was made"
    assert all(fixed.digests) and "does not end" not in fixed.told


def test_what_does_not_compile_has_no_behaviour(calc: Project) -> None:
    mean = unit(calc, "mean(int, int)")
    _, (broken, renamed, lone) = watch(
        mean, (BUG, "return x;"), ("mean(int", "average(int"), (BUG, "// \ud800\n" + BUG)
    )
    assert broken is None and lone is None
    assert renamed is None or set(renamed.told) == {"is not there"}


def test_a_whole_class_has_no_unit_to_call(calc: Project) -> None:
    assert CALC in calc.problem.text
    seen, _ = watch(calc)
    assert seen == Observation((), 0, Behaviour((), ()), instrument=INSTRUMENT)


STATED = """package acme;
public class Calc {
    /** mean(2, 4) = 3, mean(0, 0) = 0, mean(5, 0) throws ArithmeticException */
    public static int mean(int a, int b) { return (a + b) / 2 + 1; }
    public static int twice(int a) { return 2 * a; }
    /** The first of {@code upTo(3)} is 0; upTo(3) == [0, 1, 2] */
    public static int[] upTo(int a) { while (a > 2) { Thread.yield(); } return new int[a]; }
}
"""


def test_stated_examples_are_called_first_and_tell_who_keeps_them(make: Maker) -> None:
    project = unit(make(sources={"acme/Calc.java": STATED}), "mean(int, int)")
    seen, [fixed, other] = watch(project, (" + 1", ""), (" + 1", " + 2"), most=12)
    assert seen.calls[:3] == ("mean(2, 4)", "mean(0, 0)", "mean(5, 0)")
    assert [(each.call, each.outcome) for each in seen.stated] == [
        (0, "3"),
        (1, "0"),
        (2, "throws ArithmeticException"),
    ]
    assert fixed and other
    assert [count_kept(seen.stated, each) for each in (seen.unedited, fixed, other)] == [0, 2, 0]


def test_an_example_on_which_the_method_does_not_end_is_kept(make: Maker) -> None:
    project = unit(make(sources={"acme/Calc.java": STATED}), "upTo(int)")
    body = (
        "while (a > 2) { Thread.yield(); } return new int[a];",
        "int[] r = new int[a]; while (a-- > 0) r[a] = a; return r;",
    )
    seen, [fixed] = watch(project, body, most=20)
    [stated] = seen.stated
    assert seen.calls[stated.call] == "upTo(3)" and seen.unedited.told[stated.call] == "does not end"
    assert fixed and count_kept(seen.stated, fixed) == 1
