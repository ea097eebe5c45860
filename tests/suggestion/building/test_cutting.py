"""What is left of a test class when some of its members cannot compile."""

from __future__ import annotations

import re

from nl2fix.suggestion.building.cutting import Cut, restored, without_names, without_places

TEST = """package a;

import java.util.List;
import org.gone.Thing;
import static org.gone.Checks.check;

public class BoxTest {
    private final Box box = new Box();
    private Thing thing;

    @BeforeEach
    void fill() { box.add(1); }

    @Test
    void first() { assertEquals(1, box.first()); }

    @Test
    void ofThing() {
        thing.use(box);
    }

    @Test
    void checked() { check(box); }

    @Special(value = Thing.class) @ParameterizedTest @MethodSource("numbers")
    void marked(int n) { }

    static List<Integer> numbers() { return List.of(1); }

    @Test
    void helped() { assertTrue(isFull(box)); }

    private boolean isFull(Box box) { return box.missing(); }

    @Nested
    class Inside {
        @Test
        void inner() { box.alsoMissing(); }

        @Test
        void other() { }
    }

    static class Helper implements Runnable {
        @Override
        public void run() { Gone.call(); }
    }
}
"""


def cut_at(text: str, *words: str) -> Cut | None:
    return without_places(text, [text.index(word) for word in words])


def names(cut: Cut | None) -> list[str]:
    """Methods that are still declared."""
    assert cut is not None
    return re.findall(r"\b(?:void|boolean|List<Integer>) (\w+)\(", cut.text)


def test_what_is_imported_from_a_missing_package_goes_with_what_uses_it() -> None:
    """One annotation took commons-text's WordUtilsTest, and with it the test that fails."""
    cut = without_names(TEST, (), ["org.gone"])
    assert cut is not None
    assert cut.methods == ("checked", "marked")
    assert "gone" not in cut.text and "Thing thing" not in cut.text
    assert names(cut) == ["fill", "first", "ofThing", "numbers", "helped", "isFull", "inner", "other", "run"]
    assert cut_at(cut.text, "thing.use").methods == ("ofThing",)  # type: ignore[union-attr]
    assert [len(line) for line in cut.text.splitlines()] == [len(line) for line in TEST.splitlines()]


def test_a_class_that_is_gone_goes_with_what_uses_it() -> None:
    assert names(without_names(TEST, ["Gone"]))[-1] == "other"


def test_only_the_test_around_an_error_goes() -> None:
    cut = cut_at(TEST, "missing()")
    assert cut is not None and cut.methods == ("isFull",)
    assert "isFull(Box" not in cut.text and "isFull(box)" in cut.text
    assert cut_at(cut.text, "isFull(box)").methods == ("helped",)  # type: ignore[union-attr]


def test_a_test_of_a_nested_class_goes_alone() -> None:
    cut = cut_at(TEST, "alsoMissing")
    assert cut is not None and cut.methods == ("inner",)
    assert "other" in names(cut)


def test_what_a_framework_calls_is_not_taken_away() -> None:
    """Other tests would fail for the want of it."""
    assert cut_at(TEST, "box.add(1)") is None
    assert cut_at(TEST, "List.of(1)") is None


def test_an_error_of_the_class_itself_is_the_class_s() -> None:
    assert cut_at(TEST, "public class") is None
    assert without_places(TEST, [-1]) is None
    assert without_names(TEST.replace("class BoxTest", "class BoxTest extends Gone"), ["Gone"]) is None


def test_a_nested_class_goes_with_a_method_that_it_must_have() -> None:
    cut = cut_at(TEST, "Gone.call")
    assert cut is not None and "Helper" not in cut.text


def test_no_class_is_kept_without_a_test() -> None:
    text = "class ATest { @Test void a() { x(); } void testB() { y(); } void help() { } }"
    assert cut_at(text, "x()", "y()") is None
    assert cut_at(text, "x()").methods == ("a",)  # type: ignore[union-attr]
    assert cut_at(text, "y()").methods == ("testB",)  # type: ignore[union-attr]


def test_a_call_of_a_helper_that_is_gone_does_not_become_one_of_its_namesake() -> None:
    text = (
        "class ATest { @Test void a() { is(1); } @Test void b() { run(this::is); } @Test void c() { } "
        "void is(int n) { gone(); } void is(Object o) { } }"
    )
    cut = cut_at(text, "gone()")
    assert cut is not None and cut.methods == ("a", "b", "is")
    assert names(cut) == ["c", "is"]


def test_all_of_a_missing_package_goes_and_javac_tells_what_used_it() -> None:
    """Tests of t-digest and picocli went with such an import."""
    text = TEST.replace("gone.Thing", "gone.*")
    cut = without_names(text, (), ["org.gone"])
    assert cut is not None and cut.methods == ("checked",)
    assert "gone" not in cut.text and "Thing thing" in cut.text
    assert "Thing thing" not in cut_at(cut.text, "Thing thing").text  # type: ignore[union-attr]


def test_an_import_of_a_class_that_is_not_there() -> None:
    cut = cut_at(TEST, "Checks.check;")
    assert cut is not None and cut.methods == ("checked",)


def test_what_was_cut_is_there_again_beside_what_was_edited_of_the_rest() -> None:
    cut = without_names(TEST, (), ["org.gone"])
    assert cut is not None
    assert restored(TEST, cut.text, cut.text) == TEST
    for edit in (
        ("assertEquals(1, box.first());", "assertEquals(2, box.first());\n        // twice"),
        ("import java.util.List;\n", "import java.util.List;\nimport java.util.Map;\n"),
        ("    static List<Integer> numbers() { return List.of(1); }\n", ""),
    ):
        assert restored(TEST, cut.text, cut.text.replace(*edit)) == TEST.replace(*edit)
    blank = next(line for line in cut.text.split("\n") if line.strip() == "" and line)
    added = cut.text.replace(f"{blank}\n", "import java.util.Map;\n", 1)
    assert added != cut.text and sorted(restored(TEST, cut.text, added)) == sorted(
        TEST + "import java.util.Map;\n"
    ), "what an edit puts where something was cut stands beside it"


def test_what_cannot_be_parsed_is_left_to_javac() -> None:
    assert without_places("class ATest { @Test void a() { int } @Test void b() { } }", [31]) is None


def test_a_constructor_that_throws_still_calls_another() -> None:
    text = """class Box extends Base {
    final int size;
    Box(int n) { super(n, true); this.size = gone(n); }
    Box() { this(gone()); }
    <T> T first() throws java.io.IOException { return gone(); }
}
"""
    cut = without_places(text, [text.index(word) for word in ("gone(n)", "gone(); }\n}")], throws=True)
    assert cut is not None and cut.methods == ("Box", "first")
    assert "super(n, true);throw new" in cut.text and "size = gone" not in cut.text
    assert "first() throws java.io.IOException {throw new" in cut.text
    assert without_places(text, [text.index("gone())")], throws=True) is None, "it cannot do without"
    again = cut.text.index("throw new")
    assert without_places(cut.text, [again], throws=True) is None, "nothing is left to leave out"


def test_of_a_program_what_has_no_body_goes() -> None:
    text = (
        "class Box { private Gone gone = Gone.make(); Gone get() { return gone; } int size() { return 1; } }"
    )
    cut = without_names(text, ["Gone"], throws=True)
    assert cut is not None and cut.methods == ("get",)
    assert " ".join(cut.text.split()) == "class Box { int size() { return 1; } }"
    assert cut.size == 2


def test_a_method_of_a_constant_throws() -> None:
    """One of sshj's types of keys calls a library's newer version."""
    text = """enum Key {
    RSA { @Override int size() { return gone(); } },
    NONE { @Override int size() { return 0; } };
    abstract int size();
}
"""
    cut = without_places(text, [text.index("gone")], throws=True)
    assert cut is not None and cut.methods == ("size",)
    assert "return 0" in cut.text and "gone" not in cut.text


def test_what_is_only_visible_for_tests_is_none() -> None:
    text = "class Box { @VisibleForTesting Gone gone() { return null; } int testSize() { return 1; } }"
    assert without_names(text, ["Gone"]) is None, "something may ask for what is annotated"
    text = "class Box { Gone testGone() { return null; } int size() { return 1; } }"
    assert without_names(text, ["Gone"]) is None
    cut = without_names(text, ["Gone"], throws=True)
    assert cut is not None and cut.methods == ("testGone",)
