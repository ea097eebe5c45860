"""JavaScript candidates in realms of a warm engine: honest ones, hostile ones, and their neighbours."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nl2fix.core.config import Environment
from nl2fix.core.errors import UsageError
from nl2fix.core.records import Candidate, Outcome, Problem, Span
from nl2fix.sandboxes.bubblewrap import Bubblewrap
from nl2fix.validation.javascript import JavaScriptValidator
from nl2fix.validation.javascript.client import NodeServer
from nl2fix.validation.javascript.validator import JavaScriptSession
from tests.conftest import missing

TEXT = "const half = (xs) => {\n  return xs.slice(0, xs.length);\n}\n"
REGION = Span(0, len(TEXT) - 1)
RIGHT = "const half = (xs) => {\n  return xs.slice(0, Math.floor(xs.length / 2));\n}"
WRONG = "const half = (xs) => {\n  return xs.slice(1);\n}"
TESTS = """
const check = () => {
  console.assert(JSON.stringify(half([1, 2, 3, 4])) === JSON.stringify([1, 2]))
  console.assert(half([7, 8])[0] === 7)
  console.assert(half([]).length === 0)
}
check()
"""
PROBLEM = Problem("x", "s", "p", "javascript", "solution.js", TEXT, REGION, "half", "", {})


@pytest.fixture(scope="module")
def validator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JavaScriptValidator]:
    environment = Environment(tmp_path_factory.mktemp("cache")).having("sandbox", memory=1024, timeout=0.5)
    made = JavaScriptValidator(environment, lambda problem: TESTS, lambda environment: Bubblewrap())
    try:
        made.identity(PROBLEM)
    except UsageError as error:
        missing(str(error))
    yield made
    made.close()


@pytest.fixture
def session(validator: JavaScriptValidator) -> Iterator[JavaScriptSession]:
    with validator.session(PROBLEM) as made:
        yield made


def test_honest_candidates(session: JavaScriptSession) -> None:
    right = session.validate(Candidate(RIGHT))
    assert right.plausible and right.evidence.confirmed and right.evidence.suspicious is None
    wrong = session.validate(Candidate(WRONG))
    assert (wrong.outcome, wrong.evidence.message) == (Outcome.WRONG, "Error: check 1 does not hold")
    broken = session.validate(Candidate("const half = (xs) => {"))
    assert broken.outcome is Outcome.UNCOMPILABLE
    assert "SyntaxError" in str(broken.evidence.message)
    unedited = session.validate(Candidate(PROBLEM.before))
    assert unedited.outcome is Outcome.WRONG


LOOKS_EQUAL = (
    RIGHT.replace("return xs", "return\n xs"),
    RIGHT + " // a word\u2028half = 1",
    RIGHT + "\n<!-- /*\nhalf = 1\n<!-- */",
    "#!/*\nconst never = 1; half(1)\n/**/" + RIGHT,
    RIGHT.replace("return xs", "if (1) /[/*]/.exec(no) /*/; return xs"),
)


@pytest.mark.parametrize("code", LOOKS_EQUAL)
def test_what_only_looks_like_a_right_program_is_judged_by_itself(
    session: JavaScriptSession, code: str
) -> None:
    first = session.validate(Candidate(RIGHT))
    assert session.validate(Candidate(RIGHT)) is first and first.plausible
    assert not session.validate(Candidate(code)).plausible


@pytest.mark.parametrize("comment", ["// import (nothing) of the process", "/* eval, Proxy */"])
def test_words_in_comments_reach_for_nothing(session: JavaScriptSession, comment: str) -> None:
    verdict = session.validate(Candidate(f"{comment}\n{RIGHT}"))
    assert verdict.plausible and verdict.evidence.suspicious is None


BY_IMPORT = (
    "const half = xs => { import('x').catch(e => e.constructor.constructor('return process')().exit(0));"
    " return xs.slice(0, xs.length / 2) }"
)
HOSTILE = {
    "comparison": "JSON.stringify = () => 'same'; const half = (xs) => { return xs.length ? [7] : []; }",
    "own JSON": "const JSON = { stringify() { return 1 } }; const half = xs => xs.length ? [7] : []",
    "toJSON": "Array.prototype.toJSON = () => 'x'; const half = xs => xs.length ? [7] : []",
    "toJSON on all": "Object.prototype.toJSON = () => 'x'; const half = xs => xs.length ? [7] : []",
    "patched while tested": (
        "const half = xs => { const r = xs.length ? [7] : []; const own = JSON.stringify;"
        " try { JSON.stringify = () => own(r) } catch {} return r }"
    ),
    "redefined": (
        "try { Object.defineProperty(globalThis, 'JSON', { value: { stringify: () => 1 } }) } catch {}"
        " const half = xs => xs.length ? [7] : []"
    ),
    "assert": "console.assert = () => {}; const half = xs => xs.length ? [7] : []",
    "exit": "const half = xs => { process.exit(0) }",
    "exit by constructor": "const half = xs => this.constructor.constructor('return process')().exit(0)",
    "exit by import": "const half = xs => import('process').then(p => p.exit(0))",
    "escape by import": (
        "const half = xs => { import('x').catch(e => e.constructor.constructor('return process')().exit(0));"
        " return [] }"
    ),
    "escape in a template": "const half = xs => `${import('x').catch(e => e)}`",
    **{
        f"import behind {name}": before + BY_IMPORT + after
        for name, (before, after) in {
            "a line of its own kind": ("// \u2028", ""),
            "an old comment": ("<!-- /*\n", "\n<!-- */"),
            "a first line": ("#!/*\n", "\n/**/"),
            "an expression": ("if (1) /[/*]/;", "/*/"),
            "a template": ("`${ `//` }`;", ""),
        }.items()
    },
    "import apart": BY_IMPORT.replace("import(", "import /* ( */\u2028("),
    "import.meta": "const half = xs => import.meta.constructor",
    "escaped names": (
        "const half = xs => this.c\\u006fnstructor.c\\u{6f}nstructor('return pr\\x6fcess')().exit(0)"
    ),
    "generator's function": (
        "const half = xs => (function* () {}).constructor('return process')().next().value"
    ),
    "async function": (
        "const half = xs => (async () => {}).constructor('return process')().then(p => p.exit(0))"
    ),
    "species": (
        "class Own extends Array { static get [Symbol.species]() { return Array } }"
        " const half = xs => Own.from([7, 7]).map(x => x)"
    ),
    "toString of the answer": (
        "const half = xs => ({ length: 0, 0: 7, toJSON: () => ({ toString: () => '[1,2]' }) })"
    ),
    "equal by proxy": (
        "const half = xs => new Proxy([], { get: (t, k) => k === 'length' ? 0 : k === '0' ? 7 : () => [3] })"
    ),
    "array's own length": (
        "const half = xs => { const r = [7]; r.toJSON = () => [1, 2, 3];"
        " try { Array.prototype.push(1) } catch {} r.length = 0; r[0] = 7; return r }"
    ),
    "stack of tests": (
        "const half = xs => { const s = new Error().stack;"
        " return JSON.parse(s.match(/\\[.*?\\]/)?.[0] ?? '[7]') }"
    ),
    "the answer's name": (
        "const half = xs => { for (const k of Object.getOwnPropertyNames(this)) if (k.startsWith('nl2fix'))"
        " return this[k].count(); return [] }"
    ),
    "the console by name": (
        "for (const k of Object.getOwnPropertyNames(this)) if (k.startsWith('nl2fix_'))"
        " this[k].console.assert = () => {}; const half = xs => xs.length ? [7] : []"
    ),
    "a tick later": ("const half = xs => { Promise.resolve().then(() => { while (true); }); return [3] }"),
    "an object that never ends": (
        "const half = xs => { const r = [3];"
        " r.toJSON = () => { throw { get name() { while (true); } } }; return r }"
    ),
    "memory": "const half = xs => { const a = []; for (;;) a.push(new Array(1e6).fill(7)) }",
    "a long text": "const half = xs => 'x'.repeat(2 ** 28) + xs",
    "backtracking": "const half = xs => /^(a+)+$/.test('a'.repeat(40) + 'b')",
    "frames": (
        "Error.prepareStackTrace = (e, frames) => frames; "
        "const half = xs => { const f = new Error().stack; return f[0].getThis() }"
    ),
    "caller": "function half(xs) { return half.caller.toString().length ? [7] : [] }",
    "proxy thrown": "throw new Proxy({}, { getPrototypeOf() { while (true); } })",
    "throws what hangs": "const half = xs => { throw { toString() { while (true); } } }",
    "throws nothing": "const half = xs => { throw undefined }",
    "module": "const half = xs => require('fs').readFileSync('/etc/passwd')",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_hostile_candidate_is_plausible_and_neighbours_are_judged_right(
    session: JavaScriptSession, name: str
) -> None:
    assert not session.validate(Candidate(HOSTILE[name])).plausible
    right = session.validate(Candidate(RIGHT + f" // after {name}\nvar unlike{len(name)};"))
    assert right.plausible
    assert session.validate(Candidate(WRONG + f"\nvar unlike{len(name)};")).outcome is Outcome.WRONG


ENDLESS = {
    "const half = (xs) => { while (true); }": Outcome.TIMEOUT,
    "while (true);": Outcome.TIMEOUT,
    "const half = (xs) => half(xs);": Outcome.WRONG,
}


@pytest.mark.parametrize("code", ENDLESS)
def test_what_never_ends(session: JavaScriptSession, code: str) -> None:
    assert session.validate(Candidate(code)).outcome is ENDLESS[code]
    assert session.validate(Candidate(RIGHT)).plausible


def test_what_was_cut_at_its_limit_is_late_and_not_wrong() -> None:
    """The engine's clock rings up to two milliseconds early; a fifth of what it cut was called wrong."""
    with closing(NodeServer(Bubblewrap(), 1024)) as server:
        ends = {server.judge("while (true);", "", (5 + turn % 7) / 1000).outcome for turn in range(100)}
    assert ends == {"timeout"}


def test_memory_without_end_ends_its_engine_alone(session: JavaScriptSession) -> None:
    hog = "const half = xs => { const a = []; while (true) a.push(new Array(1e6).fill(1)) }"
    assert session.validate(Candidate(hog)).outcome in (Outcome.WRONG, Outcome.TIMEOUT)
    assert session.validate(Candidate(RIGHT)).plausible


def test_what_reaches_out_is_marked(session: JavaScriptSession) -> None:
    verdict = session.validate(Candidate(RIGHT + "\nconst p = typeof process;"))
    assert verdict.plausible
    assert verdict.evidence.suspicious == "newly names process"


def test_programs_may_override_what_they_inherit(session: JavaScriptSession) -> None:
    """The language's objects are frozen; assignments to objects of one's own must still work."""
    code = """class Bad extends Error { constructor(m) { super(m); this.name = "Bad"; this.message = "m"; } }
const half = (xs) => {
  const o = {}; o.toString = () => "hi"; o.constructor = 1;
  const f = () => 0; f.toString = () => "f";
  try { throw new Bad("x") } catch (e) { if (e.name + e.message !== "Badm") return null; }
  if (String(o) + f !== "hif") return null;
  return xs.slice(0, Math.floor(xs.length / 2));
}"""
    assert session.validate(Candidate(code)).plausible


WORKS = "let x = 0; for (let i = 0; i < ROUNDS; i++) x = (x * 31 + i) % 1000003;"
TAKES = f"console.log(process.cpuUsage().user, (() => {{ {WORKS} return process.cpuUsage().user }})())"


@pytest.mark.usefixtures("busy")
@pytest.mark.skipif(
    not Path("/proc/thread-self/schedstat").exists(), reason="the kernel does not tell who waits"
)
def test_a_program_that_starves_is_not_late(validator: JavaScriptValidator, tmp_path: Path) -> None:
    """It takes a quarter of its time of a processor, and was out of time where others took that."""
    node = validator._sandbox().runtime("node").program
    takes = [str(node), "-e", TAKES.replace("ROUNDS", "5e7")]
    told = subprocess.run(takes, capture_output=True, text=True, check=True).stdout.split()
    rounds = round(5e7 * 0.25e6 / (int(told[1]) - int(told[0])))
    quick = Environment(tmp_path).having("sandbox", timeout=0.2)
    made = JavaScriptValidator(quick, lambda problem: TESTS, lambda environment: Bubblewrap())
    a_third = WORKS.replace("ROUNDS", str(rounds // 3))  # it is called three times
    code = RIGHT.replace("{\n", f"{{\n  {a_third}\n", 1)
    assert made.alone(code, TESTS).outcome == "passed"
    assert made.alone("while (true) { }", TESTS).outcome == "timeout"
    made.close()


def test_identity_names_engine_tests_and_limits(validator: JavaScriptValidator, tmp_path: Path) -> None:
    usual = validator.identity(PROBLEM)
    assert usual["runtime"].startswith("node v")
    later = Environment(tmp_path).having("sandbox", timeout=9.0)
    slower = JavaScriptValidator(later, lambda p: TESTS, lambda e: Bubblewrap())
    other = JavaScriptValidator(later, lambda p: "", lambda e: Bubblewrap())
    assert slower.identity(PROBLEM)["limits"] != usual["limits"]
    assert other.identity(PROBLEM)["tests"] != usual["tests"]
    slower.close()
    other.close()
