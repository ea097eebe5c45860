const byId = (id) => document.getElementById(id);

function applyFilter() {
  const rows = [...byId("bugs").tBodies[0].rows], words = Tables.words(byId("filter")), kind = byId("kind").value;
  for (const row of rows) row.hidden = !Tables.matches(row, words) || (kind !== "" && row.dataset.kind !== kind);
  byId("count").textContent = `${rows.filter((row) => !row.hidden).length} of ${Tables.counted(rows.length, "bug")}`;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.matches("input")) event.target.blur();
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey || event.key !== "/") return;
  event.preventDefault();
  byId("filter").focus();
});
byId("filter").addEventListener("input", applyFilter);
byId("kind").addEventListener("change", applyFilter);
applyFilter();
