"""Which of a build's own arguments count."""

from __future__ import annotations

from nl2fix.suggestion.building import arguments


def test_what_changes_classes_is_kept_for_the_compiler() -> None:
    given = "-d target -Xlint:all -Werror -parameters -Akey=value --add-exports java.base/x=ALL -Xplugin:Z"
    assert arguments.of_javac(given.split()) == (
        "-parameters",
        "-Akey=value",
        "--add-exports=java.base/x=ALL",
    )


def test_what_opens_modules_or_sets_properties_is_kept_for_the_tests() -> None:
    given = "-Xmx1g -javaagent:jacoco.jar -Dfoo=bar --add-opens=java.base/java.lang=A --add-opens b/c=A"
    assert arguments.of_java([*given.split(), "-Djava.io.tmpdir=/x"]) == (
        "-Dfoo=bar",
        "--add-opens=java.base/java.lang=A",
        "--add-opens=b/c=A",
    )


def test_what_a_build_file_opens_is_found_in_its_text() -> None:
    text = """<argLine>-Xss2m --add-opens java.base/java.util=ALL-UNNAMED
        --add-opens=java.base/java.util=ALL-UNNAMED --add-opens ${more}=ALL-UNNAMED</argLine>
    jvmArgs '--add-exports', 'java.base/sun.nio.ch=ALL-UNNAMED'  // --add-opens of others
    """
    assert arguments.opened_in(text) == (
        "--add-opens=java.base/java.util=ALL-UNNAMED",
        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
    )
