"""Class files that are changed: units that tell of their calls, tests in which constants are others."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from nl2fix.validation.calls.heard import COPY
from nl2fix.validation.jvm.classedit import ClassEdit
from nl2fix.validation.jvm.tapping import Unit, descriptor, quiet, tapped, varied

SOURCE = """package acme;
public class A {
    public static void main(String[] all) throws Exception {
        if (all.length == 0) { new A(4L).all(); }
        for (java.lang.reflect.Method each : A.class.getMethods()) {
            if (all.length > 0 && each.getName().startsWith(all[0])) { each.invoke(new A(1L)); }
        }
    }
    final long start;
    A(long start) { super(); this.start = start > 3 ? start : 0; }
    static boolean flag(
            boolean a, char b, byte c, short d, int e, long f, float g, double h, Object i, int[][] j) {
        return a && (b + c + d + e + f + g + h > 0 || i == null || j != null);
    }
    double half(double all) { if (all < 0) { throw new IllegalStateException(); } return all / 2; }
    void nothing() { }
    float f() { return 1f; } long l() { return 2L; } char c() { return 'c'; }
    byte b() { return 1; } short s() { return 2; }
    synchronized String text(String... all) { return String.join("", all) + start; }
    void all() {
        System.out.println(flag(true, 'x', (byte) 1, (short) 2, 3, 4L, 5f, 6d, null, new int[1][1]));
        System.out.println(half(3)); nothing(); System.out.println(f() + l() + c() + b() + s());
        try { half(-1); } catch (IllegalStateException e) { System.out.println("thrown"); }
        System.out.println(text("a", "b"));
    }
    public void testNumbers() {
        int small = 3, byteful = 100, shortful = 1000, large = 100000;
        long l = 77777777777L; double d = 2.5, one = 1;
        int[] list = {5, 6}; String text = "first"; String other = "second";
        switch (small) { case 1: byteful++; break; case 900: large++; break; default: shortful++; }
        System.out.println(small + " " + byteful + " " + shortful + " " + large + " " + l + " " + d
            + " " + one + text + other + " " + list.length);
    }
}
"""
TAP = """package nl2fix.jvm;
public final class Tap {
    public static void enter(String unit, Object receiver, Object[] all) {
        String first = all.length + " " + (all.length > 0 ? all[0] : "");
        System.out.println("> " + unit + " " + (receiver != null) + " " + first);
    }
    public static void returned() { System.out.println("<"); }
    public static void returned(Object result) {
        System.out.println("< " + (result instanceof acme.A ? "made" : result));
    }
    public static void threw(Throwable thrown) { System.out.println("! " + thrown); }
}
"""


class Compiled(NamedTuple):
    folder: Path
    plain: bytes

    def ran(self, content: bytes, *arguments: str) -> list[str]:
        """What a verified class prints."""
        (self.folder / "acme/A.class").write_bytes(content)
        command = ["java", "-Xverify:all", "-cp", str(self.folder), "acme.A", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    folder = tmp_path_factory.mktemp("classes")
    for name, text in (("A", SOURCE), ("Tap", TAP)):
        (folder / f"{name}.java").write_text(text)
    files = [str(folder / "A.java"), str(folder / "Tap.java")]
    command = ["javac", "-nowarn", "--release", "8", "-d", str(folder), *files]
    subprocess.run(command, check=True, capture_output=True)
    return Compiled(folder, (folder / "acme/A.class").read_bytes())


UNITS = {
    "flag": ("boolean", "char", "byte", "short", "int", "long", "float", "double", "java.lang.Object", "[[I"),
    "half": ("double",),
    "text": ("[Ljava.lang.String;",),
    "<init>": ("long",),
    **dict.fromkeys(("nothing", "f", "l", "c", "b", "s"), ()),
}


def test_units_of_every_kind_tell_of_their_calls_and_do_what_they_did(compiled: Compiled) -> None:
    before, content = compiled.ran(compiled.plain), compiled.plain
    for name, types in UNITS.items():
        changed = tapped(content, Unit("acme.A", name, descriptor(types)))
        assert changed != content, name
        content = changed
    told = compiled.ran(content)
    assert [line for line in told if line[0] not in "<>!"] == before
    heard = [line for line in told if line[0] in "<>!"]
    assert heard[:4] == ["> new A false 1 4", "< made", "> flag false 10 true", "< true"]
    assert heard[heard.index("> half true 1 -1.0") + 1] == "! java.lang.IllegalStateException"
    assert heard[heard.index("> nothing true 0 ") + 1] == "<"
    assert {"< ab4", "< 1.0", "< 2", "< c", "< 1"} <= {*heard}


def test_what_is_not_there_is_left_alone(compiled: Compiled) -> None:
    assert tapped(compiled.plain, Unit("acme.A", "half", "(I)")) == compiled.plain
    assert tapped(compiled.plain, Unit("acme.A", "none", "()")) == compiled.plain


def test_copies_of_tests_have_other_constants_and_are_sound(compiled: Compiled) -> None:
    copied = varied(compiled.plain, ["testNumbers"], 6, "seed")
    assert copied == varied(compiled.plain, ["testNumbers"], 6, "seed")
    assert copied != varied(compiled.plain, ["testNumbers"], 6, "other")
    names = [each.name for each in ClassEdit(copied).methods if COPY in each.name]
    told = compiled.ran(copied, "testNumbers")
    assert "3 100 1001 100000 77777777777 2.5 1.0firstsecond 2" in told
    assert len(told) == 1 + len(names) and len({*told}) >= 4, "most copies do something else"
    assert all(line.endswith("2") for line in told), "lengths of arrays stay"


@pytest.mark.parametrize("content", [b"", b"\xff" * 300])
def test_what_is_no_class_file_is_refused(content: bytes) -> None:
    with pytest.raises((ValueError, IndexError)):
        quiet(content)
