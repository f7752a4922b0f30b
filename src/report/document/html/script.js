"use strict";
// A table is sorted by a column when its heading is pressed, the other way when it is pressed again. Only a column whose cells
// differ has such a heading.
for (const table of document.querySelectorAll("table.sorts")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (new Set([...body.rows].map((row) => row.cells[column].textContent)).size < 2) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const numeric = head.classList.contains("n");
      const rows = [...body.rows].map((row) => ({ row, key: key(row.cells[column], numeric) }));
      rows.sort((a, b) => order(a.key, b.key, sign));
      body.append(...rows.map(({ row }) => row));
    });
  });
}

// What a cell is sorted by: its text, or its first number; null if it is blank.
function key(cell, numeric) {
  const text = cell.textContent.trim();
  if (text === "" || text === "\u2013") return null;
  if (!numeric) return text;
  const number = parseFloat(text.replace(/^(\[|[<\u2264] )/, "").replace("\u2212", "-").replace("\u221e", "Infinity"));
  return Number.isNaN(number) ? null : number;
}

// What is blank comes last, whichever way.
function order(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a === "string") return sign * a.localeCompare(b, "en", { numeric: true });
  return sign * ((a > b) - (a < b));
}
