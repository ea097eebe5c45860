"""Annotations that stand in for those that no jar here has."""

from __future__ import annotations

from pathlib import Path

from nl2fix.core.config import Environment
from nl2fix.suggestion.building import plain
from nl2fix.suggestion.building.standins import stood_in
from tests.suggestion.conftest import write

BOX = """package a;
import org.gone.Empty;
import org.gone.Since;
import org.gone.Level;
import org.gone.Thing;
import lombok.Data;
import org.there.Known;

/** {@link Empty} */
@Since(value = "1." + "2", strict = true, times = 3) @Data @Known public class Box {
    @Empty private Thing thing;
    java.util.List<@Empty String> names;
    @Since({"1", "2"}) @Level(Level.HIGH) public @Empty String of(@Empty String name) { return name; }
}
"""


def test_what_annotations_have_is_read_from_their_uses() -> None:
    made = stood_in({"a/Box.java": BOX}, {"org.there.Known"})
    assert sorted(made) == ["org/gone/Empty.java", "org/gone/Since.java"]
    assert "@interface Empty {  }" in made["org/gone/Empty.java"]
    for element in ("String[] value() default {};", "boolean strict()", "int times()"):
        assert element in made["org/gone/Since.java"]
    other = "package a; import org.gone.Empty; class B { Class<?> is = Empty.class; }"
    assert list(stood_in({"a/Box.java": BOX, "a/B.java": other}, {"org.there.Known"})) == [
        "org/gone/Since.java"
    ]


def test_a_class_with_annotations_that_are_not_there_is_whole(tmp_path: Path, cache: Path) -> None:
    """Of spring-retry ``@Nullable`` took RetryTemplate along, and 75 tests."""
    code = (
        BOX.replace("import lombok.Data;", "")
        .replace("@Data @Known ", "")
        .replace("import org.there.Known;", "")
    )
    code = code.replace("import org.gone.Thing;", "").replace("Thing thing", "Object thing")
    code = code.replace("import org.gone.Level;", "").replace("@Level(Level.HIGH) ", "")
    file = write(tmp_path, "src/main/java/a/Box.java", code)
    write(tmp_path, "src/test/java/a/BoxTest.java", "package a; class BoxTest { Box box = new Box(); }")
    found, out = plain.layout(tmp_path, file), (tmp_path / "out/main", tmp_path / "out/test")
    compiled = plain.compile_all(found, *out, (), Environment(cache=cache))
    assert (compiled.left_out, compiled.methods_left_out, compiled.missing) == ((), (), ())
    assert (out[0] / "a/Box.class").is_file() and (out[1] / "a/BoxTest.class").is_file()
