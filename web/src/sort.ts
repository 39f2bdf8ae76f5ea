// Tables that sort by a click, or by Enter, on a column's head: figures as figures, words as words, equal rows in their order.

export function makeSortable(table: HTMLTableElement): void {
  const head = table.tHead?.rows[0];
  const body = table.tBodies[0];
  if (!head || !body) return;
  table.classList.add("live");
  [...head.cells].forEach((cell, column) => {
    cell.tabIndex = 0;
    const sort = () => {
      const down = cell.getAttribute("aria-sort") === "ascending";
      for (const other of head.cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((a, b) => compare(text(a, column), text(b, column)) * (down ? -1 : 1));
      body.append(...rows);
    };
    cell.addEventListener("click", sort);
    cell.addEventListener("keydown", (e) => {
      if (e.key === "Enter") sort();
    });
  });
}

function text(row: HTMLTableRowElement, column: number): string {
  // A value that all columns share is one cell.
  return (row.cells[column] ?? row.cells[row.cells.length - 1])?.textContent?.trim() ?? "";
}

function compare(a: string, b: string): number {
  const [x, y] = [figure(a), figure(b)];
  if (x !== null && y !== null) return x - y;
  // What is no figure ("–") comes after all figures.
  if ((x === null) !== (y === null)) return x === null ? 1 : -1;
  return a.localeCompare(b);
}

function figure(text: string): number | null {
  const plain = text.replace(/,/g, "");
  return /^[-+]?\d/.test(plain) ? parseFloat(plain) : null;
}
