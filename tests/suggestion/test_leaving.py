"""What of a project can be compiled when packages or classes are missing."""

from __future__ import annotations

from nl2fix.suggestion.leaving import Usable, is_outside

SOURCES = {
    "a/Good.java": "package a; import java.util.*; import static a.Other.x; class Good { }",
    "a/Other.java": "package a; import javax.swing.JFrame; class Other { static int x; }",
    "a/Server.java": "package a; import org.eclipse.jetty.Server; class Server { }",
    "a/UsesServer.java": "package a; class UsesServer { Server s; }",
    "b/Far.java": "package b; import a.UsesServer; class Far { UsesServer u; }",
    "b/Namesake.java": "package b; class Namesake { String Server; /* UsesServer */ }",
    "c/Star.java": "package c; import a.*; class Star { Server s; }",
    "c/Bind.java": "package c; import javax.xml.bind.JAXB; class Bind { }",
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
    assert usable.explain("b/Far.java") == ("a/Server.java", "package org.eclipse.jetty does not exist")
    assert usable.explain("a/Good.java") == ("a/Good.java", "")


def test_tests_of_what_was_left_out_go_too() -> None:
    tests = {"a/ServerTest.java": "package a; class ServerTest { Server s; }"}
    usable = Usable(tests, {"a"}, [("a", "Server")])
    assert (usable.kept, usable.gone, usable.missing) == ({}, {("a", "ServerTest")}, {})
    assert usable.explain("a/ServerTest.java") == ("a/ServerTest.java", "a.Server is left out")


def test_what_the_compiler_refuses_goes_with_its_users() -> None:
    usable = Usable(SOURCES, {"a", "b", "c", "org.eclipse.jetty", "javax.xml.bind"})
    assert usable.without({"a/Server.java": "1: nonsense", "somewhere/Else.java": "1: nonsense"})
    assert not usable.without({"a/Server.java": "1: nonsense"})
    assert "a/UsesServer.java" not in usable.kept
    assert usable.explain("a/UsesServer.java") == ("a/Server.java", "1: nonsense")


def test_a_class_with_a_lower_case_name_is_no_package() -> None:
    """``import lombok.val`` was taken for a package that nothing provides."""
    assert not Usable({"a/B.java": "package a; import lombok.val; class B { }"}, {"a", "lombok"}).missing
