// Judges JavaScript programs of unknown origin; runs inside a sandbox as `node server.js`.
//
// Speaks lines of JSON on standard input and output. First comes {"nonce"}, which every answer repeats. Then,
// for each program: {"source", "tests", "milliseconds"} -> {"outcome", "stage", "message", "checks", "seconds", "waited"}.
// Outcomes: passed, failed, timeout, uncompilable.
//
// Each program gets a realm of its own: built-in objects that no other program has touched, and nothing of
// Node (no process, no modules, no timers, no code from strings). No object of ours ever goes in and none of
// theirs comes out, only texts. The language's own objects are frozen before the program runs, as tests that
// share a realm with it compare by them. Tests see a console whose `assert` throws and counts.
"use strict";

const crypto = require("crypto");
const fs = require("fs");
const readline = require("readline");
const vm = require("vm");

const MESSAGE = 500;
// The engine's clock counts whole milliseconds and may ring up to two before its time; what it ends is late by ours.
const EARLY = 2;

// Runs in the realm before the program, so it meets untouched built-ins. Leaves one name, drawn anew for each
// program: the tests' console, how an error is told, how many checks held.
const PRELUDE = `const NAME = (() => {
  "use strict";
  const { ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { defineProperty, freeze, preventExtensions, getPrototypeOf } = Object;
  const ErrorType = Error, text = String;
  const quiet = () => {};
  const names = ["log", "error", "warn", "info", "debug", "table", "dir", "trace", "time", "timeEnd"];
  const make = assert => {
    const made = { assert };
    for (const name of names) made[name] = quiet;
    return made;
  };
  defineProperty(Error, "prepareStackTrace", { value: undefined });
  for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics", "console"]) delete globalThis[name];
  // A frozen property of a prototype cannot be overridden by assignment; where programs do that, it can.
  const guard = object => {
    for (const key of ownKeys(object)) {
      const it = getOwnPropertyDescriptor(object, key);
      if (!it.configurable || !("value" in it)) continue;
      const set = function (value) {
        if (this === object) throw new ErrorType("the language's own objects cannot be changed");
        defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
      };
      defineProperty(object, key, { get: () => it.value, set, enumerable: it.enumerable, configurable: false });
    }
    preventExtensions(object);
  };
  const errors = ownKeys(globalThis).map(key => globalThis[key]).filter(
    value => typeof value === "function" && (value === ErrorType || getPrototypeOf(value) === ErrorType));
  const guarded = new Set([Object.prototype, Function.prototype, ...errors.map(type => type.prototype)]);
  const done = new Set([globalThis]);
  const close = object => {
    if ((typeof object !== "object" && typeof object !== "function") || object === null || done.has(object)) return;
    done.add(object);
    // Neither iterators nor reads of what a descriptor lacks: both go slow ways once their prototypes are closed.
    const keys = ownKeys(object);
    for (let i = 0; i < keys.length; i++) {
      const it = getOwnPropertyDescriptor(object, keys[i]);
      if ("value" in it) close(it.value);
      else {
        close(it.get);
        close(it.set);
      }
    }
    close(getPrototypeOf(object));
    if (guarded.has(object)) guard(object);
    else freeze(object);
  };
  for (const key of ownKeys(globalThis)) {
    if (key === "globalThis") continue;
    const it = getOwnPropertyDescriptor(globalThis, key);
    close(it.value);
    if (it.configurable) defineProperty(globalThis, key, { ...it, writable: false, configurable: false });
  }
  close([][Symbol.iterator]());
  close(""[Symbol.iterator]());
  close("".matchAll(/x/g));
  close(new Map()[Symbol.iterator]());
  close(new Set()[Symbol.iterator]());
  close(function* () {});
  close(async function () {});
  close(async function* () {});
  globalThis.console = make(quiet);
  globalThis.module = { exports: {} };
  globalThis.exports = module.exports;
  globalThis.require = name => { throw new ErrorType("there is no module " + text(name)); };
  let checks = 0;
  const told = error => {
    try {
      if (error instanceof ErrorType) return text(error.name) + ": " + text(error.message);
      return "threw " + text(error);
    } catch (_) {
      return "threw what cannot be told";
    }
  };
  const console = make(holds => {
    if (!holds) throw new ErrorType("check " + (checks + 1) + " does not hold");
    checks++;
  });
  return { console, told, count: () => checks };
})();
`;

function judge(request) {
  const name = "nl2fix_" + crypto.randomBytes(12).toString("hex");
  const realm = vm.createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: "afterEvaluate",
  });
  const limit = Math.max(1, Math.round(request.milliseconds));
  const timeout = limit + EARLY;
  vm.runInContext(PRELUDE.replaceAll("NAME", name), realm, { filename: "prelude.js" });
  let program, tests;
  try {
    program = new vm.Script(request.source, { filename: "solution.js" });
  } catch (error) {
    return { outcome: "uncompilable", stage: "build", message: told(error), checks: 0 };
  }
  try {
    tests = new vm.Script(
      `(() => { "use strict"; try { ((console) => {${request.tests}\n})(${name}.console); ` +
        `return "passed " + ${name}.count(); } ` +
        `catch (error) { return "failed " + ${name}.count() + " " + ${name}.told(error); } })()`,
      { filename: "tests.js" },
    );
  } catch (error) {
    return { outcome: "failed", stage: "build", message: "tests: " + told(error), checks: 0 };
  }
  let stage = "load";
  let started = process.hrtime.bigint();
  try {
    program.runInContext(realm, { timeout });
    stage = "tests";
    started = process.hrtime.bigint();
    return read(tests.runInContext(realm, { timeout }));
  } catch (error) {
    // Nothing that a program threw is looked into: a proxy would run its code here.
    const late = Number(process.hrtime.bigint() - started) / 1e6 >= limit;
    const message = late ? "still running when its time was up" : `threw in stage ${stage}`;
    return { outcome: late ? "timeout" : "failed", stage, message, checks: 0 };
  }
}

// Seconds that programs have waited for a processor; 0 where the kernel does not tell.
function waited() {
  try {
    return Number(fs.readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[1]) / 1e9;
  } catch (_) {
    return 0;
  }
}

function read(answer) {
  const [word, checks, ...why] = typeof answer === "string" ? answer.split(" ") : ["?"];
  const outcome = word === "passed" ? "passed" : "failed";
  return { outcome, stage: "tests", message: why.join(" ").slice(0, MESSAGE), checks: Number(checks) || 0 };
}

function told(error) {
  return `${error.name}: ${error.message}`.slice(0, MESSAGE);
}

process.on("unhandledRejection", () => {});
let nonce = "";
const answer = values => process.stdout.write(JSON.stringify({ ...values, nonce }) + "\n");

readline.createInterface({ input: process.stdin }).on("line", line => {
  const request = JSON.parse(line);
  if (request.nonce !== undefined) {
    nonce = request.nonce;
    answer({ outcome: "ready", stage: "", message: process.version, checks: 0, seconds: 0, waited: 0 });
    return;
  }
  const started = process.hrtime.bigint();
  const before = waited();
  const result = judge(request);
  answer({ ...result, seconds: Number(process.hrtime.bigint() - started) / 1e9, waited: waited() - before });
});
