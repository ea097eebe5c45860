const byId = (id) => document.getElementById(id);
const make = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
};

async function unpack(id) {
  const raw = Uint8Array.from(atob(byId(id).textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

const rows = () => [...byId("bugs").tBodies[0].rows];
const visible = () => rows().filter((row) => !row.hidden);

function applyFilter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean), kind = byId("kind").value;
  for (const row of rows()) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word)) || (kind !== "" && row.dataset.kind !== kind);
  }
  byId("count").textContent = `${visible().length} of ${rows().length} bugs`;
}

function sortBy(button) {
  const header = button.parentElement, index = header.cellIndex, body = byId("bugs").tBodies[0];
  const up = header.getAttribute("aria-sort") !== "ascending";
  for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", up ? "ascending" : "descending");
  const key = (row) => row.cells[index].dataset.value ?? row.cells[index].textContent.trim();
  const compare = (x, y) => key(x).localeCompare(key(y), undefined, { numeric: true });
  body.append(...rows().sort((x, y) => (up ? compare(x, y) : compare(y, x))));
}

function candidateView(bug, candidate, place) {
  const verdict = candidate.verdict ?? "unjudged";
  const summary = make("summary", {},
    make("b", { textContent: `#${place}` }),
    make("span", { className: `badge ${verdict}`, textContent: verdict.replace("_", " ") }),
    make("span", { className: "soft", textContent: `drawn ${candidate.samples.length}×, first as sample ${candidate.samples[0] ?? "–"}` }));
  const details = make("details", { className: "candidate" }, summary);
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    const before = candidate.file ? bug.text : bug.before, list = make("dl");
    for (const [label, text] of candidate.evidence) list.append(make("dt", { textContent: label }), make("dd", { textContent: text }));
    details.append(make("div", {}, Diff.render(before, candidate.code, candidate.file ? 1 : bug.line), list));
  });
  return details;
}

async function showBug(id) {
  const bug = await unpack(`bug-${id}`), page = byId("bug");
  page.replaceChildren(
    make("p", {}, make("a", { href: "#", textContent: "← all bugs" }), " ",
      make("span", { className: "soft", textContent: "keys: j next bug, k previous, Esc back" })),
    make("h2", { textContent: `${bug.id}: ${bug.title}` }),
    make("p", { className: "soft", textContent: `${bug.entity} in ${bug.path}, line ${bug.line}` }),
    make("h3", { textContent: "Issue" }),
    make("div", { className: "issue", textContent: bug.description || bug.title, tabIndex: 0 }),
    make("h3", { textContent: "Buggy code" }), make("pre", { textContent: bug.before, tabIndex: 0 }),
    make("h3", { textContent: `Candidates, ranked (${bug.candidates.length} distinct)` }));
  bug.candidates.forEach((candidate, i) => page.append(candidateView(bug, candidate, i + 1)));
  if (bug.unreadable.length) {
    page.append(make("h3", { textContent: `No edit (${bug.unreadable.length} samples)` }));
    const reasons = new Map();
    for (const { reason } of bug.unreadable) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    page.append(make("ul", {}, ...[...reasons].map(([reason, n]) => make("li", { textContent: `${n}× ${reason}` }))));
  }
  const first = page.querySelector("details");
  if (first) first.open = true;
  byId("overview").hidden = true; page.hidden = false;
  page.focus(); window.scrollTo(0, 0);
}

function route() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id.startsWith("bug=") && byId(`bug-${id.slice(4)}`)) return showBug(id.slice(4));
  byId("bug").hidden = true; byId("overview").hidden = false;
}

function step(by) {
  const ids = visible().map((row) => row.dataset.id), at = ids.indexOf(decodeURIComponent(location.hash.slice(5)));
  const next = ids[at + by];
  if (next !== undefined) location.hash = `bug=${encodeURIComponent(next)}`;
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && !byId("bug").hidden) location.hash = "";
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "/") { event.preventDefault(); location.hash = ""; byId("filter").focus(); }
});
byId("filter").addEventListener("input", applyFilter);
byId("kind").addEventListener("change", applyFilter);
for (const button of document.querySelectorAll("#bugs th button")) button.addEventListener("click", () => sortBy(button));
window.addEventListener("hashchange", route);
applyFilter();
route();
