// Line diff (longest common subsequence) with changed words marked; all text goes through textContent. Needs paint.js.
const Diff = (() => {
  const CONTEXT = 3, LIMIT = 4e6;
  function pairs(a, b) {
    let start = 0, enda = a.length, endb = b.length;
    while (start < enda && start < endb && a[start] === b[start]) start++;
    while (enda > start && endb > start && a[enda - 1] === b[endb - 1]) { enda--; endb--; }
    const rows = [];
    for (let i = 0; i < start; i++) rows.push([i, i]);
    const n = enda - start, m = endb - start;
    if (n * m > LIMIT) {
      for (let i = start; i < enda; i++) rows.push([i, null]);
      for (let j = start; j < endb; j++) rows.push([null, j]);
    } else {
      const best = Array.from({ length: n + 1 }, () => new Uint32Array(m + 1));
      for (let i = n - 1; i >= 0; i--) for (let j = m - 1; j >= 0; j--)
        best[i][j] = a[start + i] === b[start + j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
      let i = 0, j = 0;
      while (i < n || j < m) {
        if (i < n && j < m && a[start + i] === b[start + j]) rows.push([start + i++, start + j++]);
        else if (j >= m || (i < n && best[i + 1][j] >= best[i][j + 1])) rows.push([start + i++, null]);
        else rows.push([null, start + j++]);
      }
    }
    for (let i = 0; i < a.length - enda; i++) rows.push([enda + i, endb + i]);
    return rows;
  }
  // Removed and added lines of one change stand side by side.
  function sideBySide(rows) {
    const out = [];
    let gone = [], come = [];
    const flush = () => {
      for (let i = 0; i < Math.max(gone.length, come.length); i++) out.push([gone[i] ?? null, come[i] ?? null, true]);
      gone = []; come = [];
    };
    for (const [i, j] of rows) {
      if (i !== null && j !== null) { flush(); out.push([i, j, false]); }
      else if (j === null) gone.push(i); else come.push(j);
    }
    flush();
    return out;
  }
  const words = (line) => line.match(/\w+|\s+|[^\w\s]/g) || [];
  function fill(cell, line, other, kind, colours) {
    if (line === null) return;
    if (kind) cell.classList.add(kind);
    const compared = kind && other !== null;
    const kept = compared && new Set(pairs(words(line), words(other)).filter(([i, j]) => i !== null && j !== null).map(([i]) => i));
    Paint.fill(cell, line, colours, (i) => compared && !kept.has(i));
  }
  function render(before, after, firstLine, language) {
    const a = before.split("\n"), b = after.split("\n"), colours = [before, after].map((text) => Paint.lines(text, language));
    const rows = sideBySide(pairs(a, b)), near = new Uint8Array(rows.length);
    rows.forEach((row, at) => { if (row[2]) near.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1); });
    const table = document.createElement("table");
    table.className = "diff";
    table.append(document.createElement("colgroup")); // widths do not depend on what the first row is
    for (let i = 0; i < 4; i++) table.firstChild.append(document.createElement("col"));
    let hidden = 0;
    // On narrow screens the two sides stand below each other, without what would stand there twice.
    const cells = (tr, number, text, other, kind, twin, side) => {
      const no = tr.insertCell(), code = tr.insertCell();
      no.className = "no"; no.textContent = number === null ? "" : number + firstLine;
      if (number === null || twin) for (const cell of [no, code]) cell.classList.add("twice");
      fill(code, text, other, kind, colours[side][number]);
    };
    rows.forEach(([i, j, changed], at) => {
      if (!near[at]) { hidden++; return; }
      if (hidden) gap(table, hidden);
      hidden = 0;
      const tr = table.insertRow(), left = i === null ? null : a[i], right = j === null ? null : b[j];
      cells(tr, i, left, right, changed ? "del" : "", false, 0);
      cells(tr, j, right, left, changed ? "add" : "", !changed, 1);
    });
    if (hidden) gap(table, hidden);
    return table;
  }
  function gap(table, count) {
    const cell = table.insertRow().insertCell();
    cell.colSpan = 4; cell.className = "gap"; cell.textContent = `… ${count} equal line${count > 1 ? "s" : ""} …`;
  }
  return { render };
})();
