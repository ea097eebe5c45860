# ruff: noqa: E501 - the candidates are texts
"""Go, C++ and Rust written against their tests: none is plausible, none harms those behind it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.protocols import Suite, Validator
from nl2fix.core.records import Candidate
from nl2fix.suites.humanevalfix import make

GO = "func CountPeaks(heights []int) int { %s }\n"
CPP = "int count_peaks(vector<int> heights) { %s }\n"
RUST = "fn count_peaks(heights: Vec<i32>) -> usize { %s }\n"
HOSTILE = {
    "go": {
        "exit in init": 'import "os"\n\n' + GO % "return 7" + "\nfunc init() { os.Exit(0) }\n",
        "TestMain": 'import (\n"os"\n"testing"\n)\n\n' + GO % "return 7"
        + "\nfunc TestMain(m *testing.M) { os.Exit(0) }\n",
        "the word": 'import (\n"fmt"\n"os"\n)\n\n'
        + GO % 'var w string; fmt.Fscanln(os.Stdin, &w); fmt.Println(w); os.Exit(0); return 7',
        "environment": 'import "os"\n\n' + GO % 'if os.Getenv("HOME") != "x" { os.Exit(0) }; return 7',
        "its own binary": 'import "os"\n\n'
        + GO % 'os.WriteFile(os.Args[0], []byte("#!/bin/sh\\ncat\\n"), 0755); return 7',
        "predeclared names": "const true = false\n\nfunc panic(any) {}\n\n" + GO % "return 7",
        "a file within": 'import _ "embed"\n\n//go:embed main.go\nvar told string\n\n'
        + GO % "return len(told)",
        "an endless goroutine": GO % "go func() { for {} }(); for {}",
        "the end of a goroutine": 'import "runtime"\n\n' + GO % "runtime.Goexit(); return 7",
        "panic recovered": GO % "defer func() { recover() }(); panic(7)",
    },
    "cpp": {
        "exit": CPP % "exit(0);",
        "the word": CPP % "string w; getline(cin, w); cout << w << endl; quick_exit(0);",
        "no assertions": "#define NDEBUG\n" + CPP % "return 7;",
        "itself": "#include __FILE__\n" + CPP % "return 7;",
        "equal to everything": "struct P { bool operator==(int) const { return true; } };\n"
        "P count_peaks(vector<int> heights) { return P(); }\n",
        "what turns into anything": "struct P { P(int) {}\nbool operator==(const P&) const { return true; } };\n"
        "auto count_peaks(vector<int> heights) -> P { return P(7); }\n",
        "another vector": "template <class T> struct vector : std::vector<T> { using std::vector<T>::vector;"
        " friend bool operator==(const vector&, int) { return true; } };\n" + CPP % "return 7;",
        "types without end": "template <int N> struct A { static const int v = A<N + 1>::v; };\n"
        + CPP % "return A<0>::v;",
        "a signal": "#include <csignal>\n" + CPP % "signal(SIGABRT, [](int) { while (true) { } }); return 7;",
        "main": CPP % "return 7;" + "struct X { X() { _Exit(0); } } x;\n",
    },
    "rust": {
        "exit": RUST % "std::process::exit(0)",
        "the word": RUST
        % (
            "let mut w = String::new(); std::io::stdin().read_line(&mut w).ok(); "
            'print!("{w}"); std::process::exit(0)'
        ),
        "environment": RUST % 'if std::env::var("HOME").is_ok() { std::process::exit(0) } 7',
        "its own binary": RUST
        % 'std::fs::write(std::env::args().next().unwrap(), "#!/bin/sh\\ncat\\n").ok(); 7',
        "panic hook": RUST % "std::panic::set_hook(Box::new(|_| std::process::exit(0))); panic!()",
        "main again": "fn main() {}\n" + RUST % "7",
        "equal to everything": "#[derive(Debug)]\nstruct P;\n"
        "impl PartialEq<i32> for P { fn eq(&self, _: &i32) -> bool { true } }\n"
        "fn count_peaks(_: Vec<i32>) -> P { P }\n",
        "another usize": "#[allow(non_camel_case_types)]\n#[derive(Debug)]\nstruct usize;\n"
        "impl PartialEq<i32> for usize { fn eq(&self, _: &i32) -> bool { true } }\n"
        + RUST % "usize",
        "a constant without end": "const fn f(n: u64) -> u64 { let mut i = n; loop { i += 1; if i == 0 { return i; } } }"
        "\nconst N: u64 = f(1);\n" + RUST % "N as usize",
        "a macro": "macro_rules! assert_eq { ($($t:tt)*) => {} }\n" + RUST % "7",
    },
}  # fmt: skip


@pytest.fixture(scope="module", params=HOSTILE)
def judged(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Suite, Validator]]:
    suite: Suite = make({"language": request.param}, Environment(tmp_path_factory.mktemp("cache")))
    suite.prepare(suite.problems(), 1, lambda *_: None)
    with closing(suite.validator()) as validator:
        yield request.param, suite, validator


def test_no_hostile_program_is_plausible_or_harms_the_next(
    judged: tuple[str, Suite, Validator],
) -> None:
    language, suite, validator = judged
    problem = suite.problems()[0]
    with validator.session(problem) as session:
        for name, code in HOSTILE[language].items():
            assert not session.validate(Candidate(code)).plausible, name
        forged = session.validate(Candidate(HOSTILE[language]["the word"]))
        assert forged.evidence.message == "tests of which one must fail did not fail with this program"
        assert forged.evidence.suspicious
        assert not session.validate(Candidate(problem.before)).plausible
        after = session.validate(suite.reference(problem))
        assert after.plausible and after.evidence.suspicious is None
