// Tables of class "sortable": a click on a heading sorts; an input with data-filter="ID" keeps the rows with all its words.
const Tables = (() => {
  const key = (row, index) => row.cells[index].dataset.value ?? row.cells[index].textContent.trim();
  function compare(x, y) {
    if (x === "" || y === "") return (x === "") - (y === "");
    const numeric = x - y;
    return Number.isNaN(numeric) ? x.localeCompare(y, undefined, { numeric: true }) : numeric;
  }
  function sort(button) {
    const header = button.parentElement, index = header.cellIndex, body = header.closest("table").tBodies[0];
    const up = header.getAttribute("aria-sort") !== "ascending";
    for (const other of header.parentElement.cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", up ? "ascending" : "descending");
    const order = (x, y) => compare(key(x, index), key(y, index)) * (up ? 1 : -1);
    body.append(...[...body.rows].sort(order));
  }
  const matches = (row, words) => {
    const text = row.textContent.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  const words = (input) => input.value.toLowerCase().split(/\s+/).filter(Boolean);
  function filter(input) {
    for (const row of document.getElementById(input.dataset.filter).tBodies[0].rows) row.hidden = !matches(row, words(input));
  }
  for (const header of document.querySelectorAll("table.sortable thead th")) {
    if (header.firstElementChild) { header.firstElementChild.addEventListener("click", (event) => sort(event.target)); continue; }
    const button = document.createElement("button");
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(button));
  }
  for (const input of document.querySelectorAll("input[data-filter]")) input.addEventListener("input", () => filter(input));
  return { matches, words, counted };
})();
