"""What of a project can be compiled when packages or classes are missing."""

from __future__ import annotations

from nl2fix.suggestion.building.leaving import Usable, is_outside
from nl2fix.validation.jvm.worker import Fault

SOURCES = {
    "a/Good.java": "package a; import java.util.*; import static a.Other.x; class Good { }",
    "a/Other.java": "package a; import javax.swing.JFrame; class Other { static int x; }",
    "a/Server.java": "package a; import org.eclipse.jetty.Server; class Server { }",
    "a/UsesServer.java": "package a; class UsesServer extends Server { }",
    "b/Far.java": "package b; import a.UsesServer; class Far extends UsesServer { }",
    "b/Namesake.java": "package b; class Namesake { String Server; /* UsesServer */ }",
    "c/Star.java": "package c; import a.*; class Star extends Server { }",
    "c/Bind.java": "package c; import javax.xml.bind.JAXB; class Bind extends JAXB { }",
}


def test_what_needs_a_missing_package_is_left_out_with_what_uses_it() -> None:
    usable = Usable(SOURCES, {"a", "b", "c"})
    assert sorted(usable.kept) == ["a/Good.java", "a/Other.java", "b/Namesake.java"]
    assert ("b", "Far") in usable.gone
    assert ("c", "Star") in usable.gone
    assert usable.missing == {"org.eclipse.jetty": 4, "javax.xml.bind": 1}
    assert Usable(SOURCES, {"a", "b", "c", "org.eclipse.jetty", "javax.xml.bind"}).kept == SOURCES


def test_not_all_of_sun_s_packages_are_the_jdk_s() -> None:
    """Jars with com.sun.msv were not looked for: 18 of woodstox's classes were left out."""
    outside = (
        "com.sun.msv.grammar",
        "com.sun.jna",
        "com.sun.mail.smtp",
        "com.sun.xml.bind.v2",
        "com.sunny.Day",
    )
    assert all(map(is_outside, outside))
    inside = ("com.sun.net.httpserver", "com.sun.source.tree", "com.sun.xml.internal.bind", "sun.misc")
    assert not any(map(is_outside, inside))


def test_whose_fault_it_is() -> None:
    usable = Usable(SOURCES, {"a", "b", "c"})
    assert usable.faults["b/Far.java"] == ("a/Server.java", "package org.eclipse.jetty does not exist")
    assert "a/Good.java" not in usable.faults


def test_tests_of_what_was_left_out_go_too() -> None:
    tests = {"a/ServerTest.java": "package a; class ServerTest extends Server { }"}
    usable = Usable(tests, {"a"}, [("a", "Server")])
    assert (usable.kept, usable.gone, usable.missing) == ({}, {("a", "ServerTest")}, {})
    assert usable.faults["a/ServerTest.java"] == ("a/ServerTest.java", "a.Server is left out")


def test_what_the_compiler_refuses_goes_with_its_users() -> None:
    usable = Usable(SOURCES, {"a", "b", "c", "org.eclipse.jetty", "javax.xml.bind"})
    nonsense = Fault("1: nonsense", (0,))
    assert usable.without({"a/Server.java": nonsense, "somewhere/Else.java": nonsense})
    assert not usable.without({"a/Server.java": nonsense})
    assert "a/UsesServer.java" not in usable.kept
    assert usable.faults["a/UsesServer.java"] == ("a/Server.java", "1: nonsense")


def test_a_class_with_a_lower_case_name_is_no_package() -> None:
    """``import lombok.val`` was taken for a package that nothing provides."""
    assert not Usable({"a/B.java": "package a; import lombok.val; class B { }"}, {"a", "lombok"}).missing


def test_packages_with_capitals_are_there() -> None:
    """All of dnsjava's, ``org.xbill.DNS``, were left out for want of a package ``org.xbill``."""
    texts = {
        "org/acme/DNS/Zone.java": "package org.acme.DNS; class Zone { }",
        "org/acme/DNS/tools/Dig.java": "package org.acme.DNS.tools; import org.acme.DNS.Zone; class Dig { }",
        "org/acme/DNS/tools/All.java": "package org.acme.DNS.tools; import org.acme.DNS.*; class All { }",
    }
    assert Usable(texts, {"org.acme.DNS", "org.acme.DNS.tools"}).kept == texts
    assert Usable(texts, {"org.acme.DNS.tools", "junit"}).missing == {}


def test_of_test_classes_only_the_tests_go_that_need_what_is_gone() -> None:
    test = "package a; class BoxTest { @Test void one() { } @Test void two() { Server s; } }"
    whole = "package a; class ServerTest { Server s = new Server(); @Test void up() { s.run(); } }"
    heir = "package b; class HeirTest extends a.ServerTest { @Test void other() { } }"
    texts = {"a/BoxTest.java": test, "a/ServerTest.java": whole, "b/HeirTest.java": heir}
    usable = Usable(texts, {"a", "b"}, [("a", "Server")], are_tests=True)
    assert usable.methods == ["a.BoxTest::two"]
    assert "Server" not in usable.kept["a/BoxTest.java"]
    place = usable.kept["a/ServerTest.java"].index("s.run")
    assert usable.without({"a/ServerTest.java": Fault("1: cannot find symbol", (place,))})
    assert usable.gone == {("a", "ServerTest")} and usable.loss == (1, 1)


def test_once_it_takes_too_long_all_of_a_class_goes() -> None:
    test = "package a; class BoxTest { @Test void one() { } @Test void two() { gone(); } }"
    usable = Usable({"a/BoxTest.java": test}, {"a"}, are_tests=True)
    assert usable.without({"a/BoxTest.java": Fault("1: no", (test.index("gone"),))}, whole=True)
    assert usable.gone == {("a", "BoxTest")}


def test_packages_count_that_only_some_tests_of_a_class_lack() -> None:
    test = "package a; import org.x.Y; class ATest { @Test void one() { } @Test void two() { new Y(); } }"
    usable = Usable({"a/ATest.java": test}, {"a"}, are_tests=True)
    assert (usable.missing, usable.loss) == ({"org.x": 1}, (0, 1))


def test_a_method_that_needs_a_missing_package_throws_instead() -> None:
    """jackson-core was refused whole, as two methods need a parser of numbers; ez-vcard lost 302 classes."""
    text = (
        "package a; import org.fast.Parser;\nclass Numbers {\n"
        "  double fast(String s) {\n    // by far\n    return Parser.parse(s);\n  }\n"
        "  double slow(String s) { return 1; }\n"
        "  @Override public String toString() { return Parser.NAME; }\n}\n"
    )
    user = "package a; class User { Numbers n; double d = n.fast(null); }"
    usable = Usable({"a/Numbers.java": text, "a/User.java": user}, {"a"})
    assert usable.loss == (0, 2)
    assert usable.methods == ["a.Numbers::fast", "a.Numbers::toString"]
    assert usable.missing == {"org.fast": 1}
    assert usable.faults["a/Numbers.java"] == ("a/Numbers.java", "package org.fast does not exist")
    kept = usable.kept["a/Numbers.java"]
    assert "Parser" not in kept and "return 1;" in kept
    assert kept.count("throw new NoClassDefFoundError") == 2
    assert kept.count("\n") == text.count("\n")
    assert kept.index("double slow") - kept.rindex("\n", 0, kept.index("double slow")) == 3
