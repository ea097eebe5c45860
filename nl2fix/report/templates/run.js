const rows = () => [...byId("bugs").tBodies[0].rows];
const visible = () => rows().filter((row) => !row.hidden);

function applyFilter() {
  const words = Tables.words(byId("filter")), kind = byId("kind").value;
  const fits = (row) => kind === "" || row.dataset.kind === kind || (row.dataset.verdicts ?? "").split(" ").some((name) => `verdict:${name}` === kind);
  for (const row of rows()) row.hidden = !Tables.matches(row, words) || !fits(row);
  byId("count").textContent = `${visible().length} of ${Tables.counted(rows().length, "bug")}`;
}

const number = (value) => (value ?? null) === null ? "–" : value.toFixed(3);

function candidateView(bug, candidate, place) {
  const alike = candidate.similarity;
  const verdict = candidate.verdict ?? "unjudged";
  const summary = make("summary", {},
    make("b", { textContent: `#${place}` }),
    make("span", { className: `badge ${verdict}`, textContent: verdict.replace("_", " ") }),
    make("span", { className: "soft", textContent: `drawn ${candidate.samples.length}×, first as sample ${candidate.samples[0] ?? "–"}` }),
    make("span", { className: "soft end", textContent: `CodeBLEU ${number(alike.codebleu)}`, title: "with the buggy code" }),
    make("a", { href: `#bug=${encodeURIComponent(bug.id)}&candidate=${place}`, textContent: "link", title: "to this candidate", ariaLabel: `link to candidate ${place}` }));
  const details = make("details", { className: "candidate" }, summary);
  details.dataset.kind = verdict;
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    const [before, after] = candidate.file ? [bug.text, candidate.code] : [bug.before, candidate.placed ?? candidate.code].map((code) => bug.indent + code);
    const list = make("dl");
    for (const [label, text] of candidate.evidence) list.append(make("dt", { textContent: label }), make("dd", {}, ...breakable(text)));
    if (candidate.changes) {
      const lines = candidate.changes.length ? candidate.changes : ["nothing, on every call that was made"];
      list.append(make("dt", { textContent: "changes when called" }), ...lines.map((line) => make("dd", { className: "call", textContent: line })));
    }
    if (candidate.examples) list.append(make("dt", { textContent: "stated examples" }), make("dd", { textContent: candidate.examples }));
    if (candidate.against) list.append(make("dt", { textContent: "changes for a passing test" }), make("dd", { textContent: candidate.against }));
    if (candidate.beside_fix) list.append(make("dt", { textContent: "beside the fix" }), make("dd", { textContent: candidate.beside_fix }));
    list.append(make("dt", { textContent: "like the buggy code" }),
      make("dd", { textContent: `CodeBLEU ${number(alike.codebleu)}, edit similarity ${number(alike.edit_similarity)}, ${alike.edit_distance ?? "–"} token${alike.edit_distance === 1 ? "" : "s"} apart` }));
    for (const [name, value] of Object.entries(alike)) if (!(name in SHOWN)) list.append(make("dt", { textContent: name }), make("dd", { textContent: number(value) }));
    const others = candidate.others.flatMap((file) => [make("p", { className: "soft", textContent: file.path }), Diff.render(file.before, file.after, 1, bug.language)]);
    const drawn = new Set(candidate.samples), said = (bug.answers ?? []).filter((answer) => drawn.has(answer.sample));
    details.append(make("div", {}, Diff.render(before, after, candidate.file ? 1 : bug.line, bug.language), ...others, list, ...answersView(said)));
  });
  return details;
}

// What the model said, word for word, with what that took. Answers to one sample stand together.
function answerView(answer, open) {
  const facts = [`sample ${answer.sample}${answer.attempt > 1 ? `, attempt ${answer.attempt}` : ""}`];
  if (answer.tokens[0] + answer.tokens[1]) facts.push(`${answer.tokens[0]} + ${answer.tokens[1]} tokens`);
  if (answer.cost !== null) facts.push(`cost ${answer.cost.toFixed(4)}`);
  if (answer.seconds !== null) facts.push(`${answer.seconds.toFixed(1)} s`);
  if (answer.finish !== "stop") facts.push(`ended: ${answer.finish}`);
  if (answer.reason) facts.push(answer.reason);
  return make("details", { className: "answer", open }, make("summary", { textContent: facts.join(" · ") }), make("pre", { textContent: answer.text, tabIndex: 0 }));
}

function answersView(answers) {
  if (!answers.length) return [];
  return [make("details", {}, make("summary", { textContent: `Raw answers (${answers.length})` }), ...answers.map((answer) => answerView(answer, answers.length === 1)))];
}

function promptView(bug) {
  if (!bug.prompt?.length) return [];
  const shown = bug.prompt.flatMap(({ role, content }) => [make("p", { className: "soft", textContent: role }), make("pre", { textContent: content, tabIndex: 0 })]);
  const sum = (key) => bug.answers.reduce((total, answer) => total + key(answer), 0);
  const tokens = [0, 1].map((i) => sum((answer) => answer.tokens[i])), money = bug.answers.some((answer) => answer.cost !== null);
  const uncounted = bug.answers.filter((answer) => !answer.counted).length, least = uncounted ? "over " : "";
  const spent = tokens[0] + tokens[1] ? `${bug.answers.length} answers took ${least}${tokens[0]} + ${tokens[1]} tokens (prompts + answers${uncounted ? `; not counted for ${uncounted} answers` : ""})${money ? `, cost ${least}${sum((answer) => answer.cost).toFixed(4)}` : ""}` : "";
  return [make("details", { id: "prompt" }, make("summary", { textContent: "Prompt" }), ...shown), ...(spent ? [make("p", { className: "soft", id: "spent", textContent: spent })] : [])];
}

const SHOWN = { codebleu: 1, edit_similarity: 1, edit_distance: 1 };

const ORDERS = {
  "ranked": () => 0,
  "most like the buggy code (CodeBLEU)": (c) => -(c.similarity.codebleu ?? -1),
  "least like the buggy code (CodeBLEU)": (c) => c.similarity.codebleu ?? 2,
  "fewest tokens changed": (c) => c.similarity.edit_distance,
  "drawn most often": (c) => -c.samples.length,
};

function candidateControls(bug, views) {
  const kinds = new Map();
  for (const { verdict } of bug.candidates) kinds.set(verdict ?? "unjudged", (kinds.get(verdict ?? "unjudged") ?? 0) + 1);
  const select = make("select", { id: "verdict" }, make("option", { value: "", textContent: `all (${bug.candidates.length})` }));
  for (const [kind, n] of kinds) select.append(make("option", { value: kind, textContent: `${kind.replace("_", " ")} (${n})` }));
  const wanted = byId("kind").value.replace("verdict:", "");
  if (kinds.has(wanted)) {
    select.value = wanted;
    for (const details of views) details.hidden = details.dataset.kind !== wanted;
  }
  const order = make("select", { id: "order" }, ...Object.keys(ORDERS).map((name) => make("option", { textContent: name })));
  select.addEventListener("change", () => {
    for (const details of views) details.hidden = select.value !== "" && details.dataset.kind !== select.value;
  });
  order.addEventListener("change", () => {
    const key = ORDERS[order.value], places = bug.candidates.map((c, i) => [key(c), i]);
    byId("candidates").append(...places.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, i]) => views[i]));
  });
  return make("p", { className: "controls" }, make("label", {}, "Show ", select), make("label", {}, "Order ", order));
}

const MANY = 1000;

// More candidates than that are laid out only once they come into sight, and added while the page is open.
function candidateList(views, place) {
  const list = make("div", { id: "candidates", className: views.length > MANY ? "many" : "" }, ...views.slice(0, Math.max(MANY, place + 100)));
  const add = () => {
    const more = list.isConnected ? views.filter((view) => !view.isConnected).slice(0, MANY) : [];
    list.append(...more);
    if (more.length) setTimeout(add);
  };
  setTimeout(add);
  return list;
}

const LIST = document.title, key = (name) => make("kbd", { textContent: name });

async function showBug(id, place) {
  const asked = location.hash, bug = await unpack(`bug-${id}`), page = byId("bug");
  if (location.hash !== asked) return; // gone on meanwhile
  page.replaceChildren(
    make("p", {}, make("a", { href: "#", textContent: "← all bugs" }), " ",
      make("span", { className: "soft" }, "keys: ", key("j"), " ", key("k"), " next and previous bug, ", key("Esc"), " back")),
    make("h2", { textContent: `${bug.id}: ${bug.title}` }),
    make("p", { className: "soft", textContent: `${bug.entity && `${bug.entity} in `}${bug.path}, line ${bug.line}` }),
    make("h3", { textContent: "Issue" }),
    make("div", { className: "issue", innerHTML: bug.issue, tabIndex: 0, role: "region", ariaLabel: "Issue" }),
    make("h3", { textContent: "Buggy code" }), Paint.into(make("pre", { tabIndex: 0, role: "region", ariaLabel: "Buggy code" }), bug.indent + bug.before, bug.language),
    ...promptView(bug),
    make("h3", { textContent: `Candidates, ranked (${bug.candidates.length} distinct)` }));
  const views = bug.candidates.map((candidate, i) => candidateView(bug, candidate, i + 1));
  page.append(candidateControls(bug, views), candidateList(views, place));
  if (bug.unreadable.length) {
    page.append(make("h3", { textContent: `No edit (${Tables.counted(bug.unreadable.length, "sample")})` }));
    const reasons = new Map();
    for (const { reason } of bug.unreadable) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    page.append(make("ul", {}, ...[...reasons].map(([reason, n]) => make("li", { textContent: `${n}× ${reason}` }))));
    const without = new Set(bug.unreadable.map(({ sample }) => sample));
    page.append(...answersView((bug.answers ?? []).filter((answer) => without.has(answer.sample))));
  }
  const meant = views[place - 1];
  if (meant) meant.hidden = false;
  const first = meant ?? views.find((details) => !details.hidden);
  if (first) first.open = true;
  byId("overview").hidden = true; page.hidden = false;
  document.title = `${bug.id} · ${LIST}`;
  page.focus(); window.scrollTo(0, 0);
  if (meant) meant.scrollIntoView();
}

const parts = (hash) => new URLSearchParams(hash.slice(1));
const current = () => parts(location.hash).get("bug") ?? null;
const linkOf = (id) => rows().find((row) => row.dataset.id === id)?.querySelector("a");

function route(event) {
  const id = current();
  if (id !== null && byId(`bug-${id}`)) return showBug(id, Number(parts(location.hash).get("candidate")));
  byId("bug").hidden = true; byId("overview").hidden = false;
  document.title = LIST;
  const left = event && parts(new URL(event.oldURL).hash).get("bug");
  if (left) linkOf(left)?.focus();
}

// On a bug's page j and k go to the next and previous bug; in the list they move the focus, and Enter opens.
function step(by) {
  const shown = visible(), open = current();
  const at = shown.findIndex((row) => (open === null ? row.contains(document.activeElement) : row.dataset.id === open));
  const next = shown[at < 0 ? 0 : at + by];
  if (!next) return;
  if (open === null) next.querySelector("a").focus();
  else location.hash = `bug=${encodeURIComponent(next.dataset.id)}`;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.matches("input")) return event.target.blur();
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && !byId("bug").hidden) location.hash = "";
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "/") { event.preventDefault(); location.hash = ""; byId("filter").focus(); }
});
byId("filter").addEventListener("input", applyFilter);
byId("kind").addEventListener("change", applyFilter);
window.addEventListener("hashchange", route);
applyFilter();
route();
