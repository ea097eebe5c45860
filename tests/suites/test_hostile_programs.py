# ruff: noqa: E501 - the candidates are texts
"""Go, C++ and Rust written against their tests: none is plausible, none harms those behind it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.protocols import Suite, Validator
from nl2fix.core.records import Candidate, Problem
from nl2fix.languages import cpp, rust
from nl2fix.suites.humanevalfix import make, recipes

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
        "a check that says nothing": CPP % "return 7;"
        + "void __assert_fail(const char* e, const char*, unsigned, const char*) noexcept"
        ' { if (string(e).find("Count") == 0) exit(1); }\n',
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

SHOUT = {
    "cpp": {
        "task_id": "CPP/0",
        "declaration": "#include <string>\nusing namespace std;\nstring shout(string s){\n",
        "buggy_solution": "    return s;\n}\n",
        "canonical_solution": "    for (char &c : s) c = toupper(c);\n    return s;\n}\n",
        "test": '#include <assert.h>\nint main(){ assert(shout("ab") == "AB");'
        ' assert(vector<int>{shout("a")[0]} == vector<int>{65}); }\n',
    },
    "rust": {
        "task_id": "Rust/0",
        "declaration": "fn shout(s: String) -> String {\n",
        "buggy_solution": "    s\n}\n",
        "canonical_solution": "    s.to_uppercase()\n}\n",
        "test": "mod tests {\n    use super::*;\n    #[test]\n    fn all() {"
        ' assert_eq!(shout("ab".to_string()), "AB".to_string()); }\n}\n',
    },
}
"""Tasks whose tests compare texts."""
_BLIND = "(const void*, const void*, size_t) noexcept { return 0; }\n"
_LINKED = "fn blind(_: *const u8, _: *const u8, _: usize) -> i32 { 0 }\n"
LIARS = {
    "cpp": {
        "memory that is equal": f"int memcmp{_BLIND}",
        "memory that is equal to C": f'extern "C" int memcmp{_BLIND}',
        "memory that is equal by an alias": f'[[gnu::alias("_Z5blindPKvS0_m")]] extern "C" int memcmp'
        f"(const void*, const void*, size_t) noexcept;\nint blind{_BLIND}",
        "ranges that are equal": "using I = vector<int>::const_iterator;\n"
        "template<> bool std::equal<I, I>(I, I, I) { return true; }\n",
        "ranges that are equal within": "namespace std { using I = vector<int>::const_iterator;\n"
        "template<> bool equal<I, I>(I, I, I) { return true; } }\n",
        "a friend that compares": "bool operator==(const string&, const char*);\n"
        "struct P { friend bool operator==(const string&, const char*) { return true; } };\n",
    },
    "rust": {
        "memory that is equal": f'#[export_name = "memcmp"] {_LINKED}#[export_name = "bcmp"] {_LINKED}'.replace(
            "blind", "other", 1
        ),
        "memory that is equal by its name": f"#[no_mangle] {_LINKED.replace('blind', 'memcmp')}",
    },
}  # fmt: skip


def shout(language: str, folder: Path) -> tuple[Suite, Problem]:
    """Such a task, prepared."""
    data = folder / "shout.jsonl"
    data.write_text(json.dumps({**SHOUT[language], "entry_point": "shout", "docstring": "In capitals."}))
    suite: Suite = make({"data": data}, Environment(folder / "cache"))
    (problem,) = suite.problems()
    suite.prepare([problem], 1, lambda *_: None)
    return suite, problem


@pytest.mark.parametrize("language", SHOUT)
def test_nothing_that_the_library_compares_by_is_taken_over(language: str, tmp_path: Path) -> None:
    """Its own ``memcmp`` made all texts of one length equal, and was plausible without a mark."""
    suite, problem = shout(language, tmp_path)
    with closing(suite.validator()) as validator, validator.session(problem) as session:
        assert session.validate(suite.reference(problem)).plausible
        for name, code in LIARS[language].items():
            assert not session.validate(Candidate(f"{problem.before}{code}")).plausible, name


@pytest.mark.parametrize("language", SHOUT)
def test_the_last_check_finds_out_who_makes_all_memory_equal(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was one of two constant numbers: ``1 == 2``."""
    for refusal in ("cpp_refusal", "rust_refusal"):
        monkeypatch.setattr(recipes, refusal, lambda edited: None)
    suite, problem = shout(language, tmp_path)
    with closing(suite.validator()) as validator, validator.session(problem) as session:
        liar = session.validate(Candidate(problem.before + LIARS[language]["memory that is equal"]))
    assert liar.evidence.message == "tests of which one must fail did not fail with this program"


_P = "struct P { double operator-(double) const { return 0; } };\n"
NEARER = {
    "an overload": "P half(double x) { return P(); }\nfloat half(float x) { return x; }\n",
    "an overload behind": "float half(float x) { return x; }\nP half(double x) { return P(); }\n",
    "a template": "float half(float x) { return x; }\ntemplate <class T> P half(T x) { return P(); }\n",
    "a lambda": "auto half = [](double x) { return P(); };\n",
    "an object": "struct F { P operator()(double) const { return P(); } } half;\n",
    "a pointer": "P g(double x) { return P(); }\nP (*half)(double) = g;\n",
    "a block that tries": "float half(float x) { return x; }\nP half(double x) try { return P(); } catch (int) { throw; }\n",
}


@pytest.mark.parametrize("name", NEARER)
def test_no_other_function_of_the_name_gives_a_type_that_is_near_to_everything(name: str) -> None:
    """``abs(half(3.0) - 1.5) < 1e-4`` held for a type of the file's own, by the overload that is nearer."""
    sources = recipes.Sources(
        "solution.cpp", "", unedited="float half(float x) { return x; }\n", entity="half"
    )
    assert recipes.result_refusal(cpp.CPP, sources, _P + NEARER[name])


def test_a_function_taken_from_a_module_is_none_of_the_files_own() -> None:
    sources = recipes.Sources("solution.rs", "", unedited="fn half(x: f32) -> f32 { x }\n", entity="half")
    assert recipes.result_refusal(
        rust.RUST, sources, "mod a { pub fn half(x: f32) -> P { P } }\nuse a::half;\n"
    )


def test_a_helper_of_the_same_name_is_innocent() -> None:
    sources = recipes.Sources("solution.cpp", "", unedited="int f(int x) { return x; }\n", entity="f")
    helped = "int f(int x, int y) { return x + y; }\nint f(int x) { return f(x, 1); }\n"
    assert recipes.result_refusal(cpp.CPP, sources, helped) is None
    assert recipes.result_refusal(cpp.CPP, sources, "int g(int x) { return x; }\n") is None


def test_functions_of_an_edits_own_templates_are_innocent() -> None:
    own = "template <class T> int f(T) { return 1; }\ntemplate <> int f<int>(int) { return 2; }\n"
    assert recipes.cpp_refusal(own) is None
    assert (
        recipes.cpp_refusal(
            "struct P { int a; };\ntemplate <> struct std::hash<P> { int b() { return 1; } };"
        )
        is None
    )
    assert recipes.cpp_refusal("int gcd(int a, int b) { return __gcd(a, b); }\n") is None


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
