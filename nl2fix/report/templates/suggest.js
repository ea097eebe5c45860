async function ask(button, wanted) {
  button.disabled = true;
  const reply = await fetch(`${LIVE}/apply`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wanted) });
  button.replaceWith(make("span", { className: reply.ok ? "badge plausible" : "badge wrong", textContent: await reply.text() }));
}

/** Code stands between backticks. */
const worded = (text) => text.split("`").map((part, at) => at % 2 ? make("code", { textContent: part }) : part);

const REASONS = 20;
const opened = new Set();
let shown = "";

function view(result, suggestion) {
  const summary = make("summary", {},
    make("b", { textContent: `#${suggestion.rank}` }),
    make("span", { className: "does" }, ...worded(suggestion.does)),
    make("span", { className: suggestion.fixes.length ? "badge label plausible" : "badge label", textContent: suggestion.label }),
    make("span", { className: "soft", textContent: `${suggestion.counts}; ${suggestion.why}` }),
    ...suggestion.seen.slice(0, 1).map((line) => make("span", { className: "soft", textContent: line })));
  const details = make("details", { className: "candidate", open: opened.has(suggestion.code) || (suggestion.rank === 1 && !opened.size) }, summary);
  const body = make("div", {}, Diff.render(...[result.before, suggestion.code].map((code) => " ".repeat(result.column - 1) + code), result.line, "java"),
    ...suggestion.seen.slice(1).map((line) => make("p", { className: "soft seen", textContent: line })));
  if (LIVE) {
    const button = make("button", { textContent: "Apply to the work tree" });
    const wanted = { rank: suggestion.rank, code: suggestion.code };
    button.addEventListener("click", () => ask(button, wanted));
    body.append(make("p", {}, button));
    suggestion.changes.forEach((change, at) => {
      const keep = make("button", { textContent: "Write a test of it" });
      keep.addEventListener("click", () => ask(keep, { ...wanted, line: at + 1 }));
      body.append(make("p", { className: "change" }, make("code", { textContent: change }), " ", keep));
    });
  }
  const kept = result.kept;
  if (kept && kept.rank === suggestion.rank) {
    body.append(make("h3", { textContent: `A test of it, for ${kept.path}` }), make("p", { className: "soft", textContent: kept.change }),
      Paint.into(make("pre", { tabIndex: 0 }), kept.code, "java"));
  }
  details.append(body);
  details.addEventListener("toggle", () => details.open ? opened.add(suggestion.code) : opened.delete(suggestion.code));
  return details;
}

/** Why the other answers are no suggestions, the commonest reason first. */
function others(result) {
  const told = result.rejected.map((item) =>
    `${item.samples.length > 1 ? `${item.samples.length} × ` : ""}${item.outcome.replace("_", " ")}: ${item.reason}`);
  const lines = [...told.slice(0, REASONS), ...result.failures.map((failure) => `not judged: ${failure}`)];
  if (told.length > REASONS) lines.push(`and ${told.length - REASONS} other reasons`);
  byId("others").replaceChildren(...(lines.length ? lines : ["none"]).map((line) => make("li", { textContent: line })));
}

function show(result) {
  others(result);
  const counts = Object.entries(result.outcomes).map(([name, n]) => `${n} ${name.replace("_", " ")}`).join(", ");
  byId("state").textContent = `${result.complete ? "Finished" : "Working"}: ${result.judged} candidates judged (${counts || "none yet"}) with ${result.tests} tests${result.failing.length ? `, ${result.failing.length} of which ${result.failing.length === 1 ? "fails" : "fail"} today` : ""}.`;
  const key = JSON.stringify([result.kept, ...result.suggestions.map((s) => [s.code, s.seen])]);
  if (key === shown) return;
  shown = key;
  byId("list").replaceChildren(...result.suggestions.map((s) => view(result, s)));
  if (!result.suggestions.length) byId("list").append(make("p", { className: "empty", textContent: "No suggestion passes the tests so far." }));
}

async function poll() {
  try {
    const result = await (await fetch(`${LIVE}/result`)).json();
    show(result);
    if (!result.complete) setTimeout(poll, 500);
  } catch {
    byId("state").textContent = "The server has ended.";
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
unpack("data").then((result) => { show(result); if (LIVE) poll(); });
