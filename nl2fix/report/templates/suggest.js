/** What can be asked for, by what that is; it outlives the list, which is made anew while the session works. */
const asked = new Map();

function asking(label, wanted) {
  const key = JSON.stringify([wanted.code, wanted.line]);
  if (!asked.has(key)) {
    const button = make("button", { textContent: label });
    button.addEventListener("click", () => ask(button, wanted));
    asked.set(key, make("span", {}, button));
  }
  return asked.get(key);
}

async function ask(button, wanted) {
  button.disabled = true;
  const say = (kind, text) => button.replaceWith(make("span", { className: `badge label ${kind}`, textContent: text }));
  try {
    const reply = await fetch(`${LIVE}/apply`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wanted) });
    say(reply.ok ? "plausible" : "wrong", await reply.text());
  } catch {
    say("wrong", ENDED);
  }
}

/** Code stands between backticks. */
const worded = (text) => text.split("`").map((part, at) => at % 2 ? make("code", { textContent: part }) : part);

const REASONS = 20;
const ENDED = "The server has ended.";
const toggled = new Map();
let shown = "";

function view(result, suggestion) {
  const offered = result.suggestions.includes(suggestion);
  const summary = make("summary", {},
    make("b", { textContent: `#${suggestion.rank}` }),
    make("span", { className: "does" }, ...worded(suggestion.does)),
    ...(suggestion.where ? [make("span", { className: "soft", textContent: `in ${suggestion.where.method} of ${suggestion.where.file.split("/").pop()}, line ${suggestion.where.line}` })] : []),
    make("span", { className: suggestion.fixes.length ? "badge label plausible" : "badge label" }, ...breakable(suggestion.label)),
    make("span", { className: "soft", textContent: `${suggestion.counts}; ${suggestion.why}` }),
    ...suggestion.seen.slice(0, 1).map((line) => make("span", { className: "soft", textContent: line })));
  const details = make("details", { className: "candidate", open: toggled.get(suggestion.code) ?? (offered && suggestion.rank === 1 && ![...toggled.values()].includes(true)) }, summary);
  details.dataset.code = suggestion.code;
  const at = suggestion.where ?? result;
  const keeps = LIVE && offered ? suggestion.changes : [], told = suggestion.seen.slice(1).filter((line) => !keeps.includes(line));
  const body = make("div", {}, Diff.render(...[at.before, suggestion.code].map((code) => " ".repeat(at.column - 1) + code), at.line, "java"),
    ...told.map((line) => make("p", { className: "soft seen", textContent: line })));
  if (LIVE && offered) {
    const wanted = { rank: suggestion.rank, code: suggestion.code };
    body.append(make("p", {}, asking("Apply to the work tree", wanted)));
    keeps.forEach((change, at) => {
      const keep = asking("Write a test of it", { ...wanted, line: at + 1 });
      body.append(make("p", { className: "change" }, make("code", { textContent: change }), " ", keep));
    });
  }
  const kept = result.kept;
  if (kept && kept.rank === suggestion.rank) {
    body.append(make("h3", { textContent: `A test of it, for ${kept.path}` }), make("p", { className: "soft", textContent: kept.change }),
      Paint.into(make("pre", { tabIndex: 0 }), kept.code, "java"));
  }
  details.append(body);
  details.addEventListener("toggle", () => toggled.set(suggestion.code, details.open));
  return details;
}

/** That no edit makes the test pass that decides, and the likeliest methods. */
function sought(told) {
  const places = told.places.map((place) =>
    make("li", {}, make("code", { textContent: place.method }), ` in ${place.file}, line ${place.line} (${place.why})`));
  return [make("p", { textContent: `${told.told}${places.length ? "; the likeliest places:" : ""}` }), make("ol", {}, ...places)];
}

/** Why the other answers are no suggestions, the commonest reason first. */
function others(result) {
  const counts = new Map();
  for (const item of result.rejected) {
    const reason = `${item.outcome.replace("_", " ")}: ${item.reason}`;
    counts.set(reason, (counts.get(reason) ?? 0) + item.samples.length);
  }
  const told = [...counts].sort((a, b) => b[1] - a[1]).map(([reason, n]) => `${n > 1 ? `${n} × ` : ""}${reason}`);
  const lines = [...told.slice(0, REASONS), ...result.failures.map((failure) => `not judged: ${failure}`)];
  if (told.length > REASONS) lines.push(`and ${told.length - REASONS} other reasons`);
  byId("others").replaceChildren(...(lines.length ? lines : ["none"]).map((line) => make("li", {}, ...breakable(line))));
}

function show(result) {
  others(result);
  const ended = result.late ? "Time was too short, not all edits were judged" : "Finished";
  byId("state").textContent = `${result.complete ? ended : LIVE ? "Working" : "Stopped early"}: ${result.summary}.`;
  const key = JSON.stringify([result.kept, result.sought, ...result.vain.map((s) => s.code), ...result.suggestions.map((s) => [s.code, s.seen])]);
  if (key === shown) return;
  shown = key;
  const at = document.activeElement, held = at.closest("details.candidate")?.dataset.code;
  byId("sought").replaceChildren(...(result.sought ? sought(result.sought) : []));
  byId("list").replaceChildren(...result.suggestions.map((s) => view(result, s)));
  byId("vain").replaceChildren(...(result.vain.length ? [make("h2", { textContent: "Judged, and no suggestions" }), make("p", { className: "soft", textContent: "They pass the tests that pass today and make no failing one pass." })] : []),
    ...result.vain.map((s) => view(result, s)));
  const again = [...byId("list").children].find((details) => details.dataset.code === held)?.firstElementChild;
  if (held !== undefined) (at.isConnected ? at : again)?.focus();
  byId("keys").hidden = !result.suggestions.length;
  if (!result.suggestions.length) byId("list").append(make("p", { className: "empty", textContent: result.complete ? "No suggestion." : "No suggestion passes the tests so far." }));
}

async function poll() {
  try {
    const result = await (await fetch(`${LIVE}/result`)).json();
    show(result);
    if (!result.complete) setTimeout(poll, 500);
  } catch {
    byId("state").textContent = ENDED;
  }
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key !== "j" && event.key !== "k") return;
  const heads = [...document.querySelectorAll("#list summary")], at = heads.indexOf(document.activeElement);
  const next = heads[event.key === "j" ? Math.min(at + 1, heads.length - 1) : Math.max(at - 1, 0)];
  if (next) next.focus();
});
Paint.into(byId("before"), byId("before").textContent, "java");
unpack("data").then((result) => { show(result); if (LIVE) poll(); })
  .finally(() => { document.querySelector("main").hidden = false; });
