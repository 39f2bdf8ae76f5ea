// What is folded is not printed, unless everything is asked for (#all): then it is opened before printing and folded again after it.
// Browsers that style the content of a closed <details> need no script for it (templates/page.css).
//
// Nor can paper be scrolled: a table with many columns is printed as several, each with the headings of its rows.
// Without scripts its rows are folded by the style sheet, which is harder to read.

/** Most columns of a table on paper beside the heading of a row; templates/page.css has their widths. */
const MOST = 8;

export function prepareForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  let parts: HTMLElement[] = [];
  addEventListener("beforeprint", () => {
    opened = location.hash === "#all" ? [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")] : [];
    opened.forEach((d) => (d.open = true));
    parts.forEach((part) => part.remove());
    parts = [...document.querySelectorAll<HTMLTableElement>("table.many")].flatMap(split);
  });
  addEventListener("afterprint", () => {
    opened.forEach((d) => (d.open = false));
    parts.forEach((part) => part.remove());
    parts = [];
    document.querySelectorAll<HTMLElement>("table[data-split]").forEach((table) => delete table.dataset.split);
  });
}

/** Tables with some of the columns each, behind the whole one, which is not printed. */
function split(table: HTMLTableElement): HTMLElement[] {
  const heads = Number(table.dataset.heads ?? 1);
  const all = Math.max(0, ...[...(table.tHead?.rows ?? [])].map(columns));
  const parts: HTMLElement[] = [];
  for (let from = heads; from < all; ) {
    // The first part has all headings of rows, the others those that name the row.
    const kept = parts.length ? Number(table.dataset.kept ?? heads) : heads;
    const to = Math.min(from + Math.max(1, MOST + 1 - kept), all);
    const part = table.cloneNode(true) as HTMLTableElement;
    part.classList.remove("many", "sortable", "live");
    part.classList.add("part", parts.length ? "further" : "leading");
    if (parts.length) part.querySelectorAll("tr.open").forEach((row) => row.remove());
    else copyPictures(table, part);
    for (const row of [...part.rows]) pick(row, (column) => column < kept || (column >= from && column < to));
    parts.push(part);
    from = to;
  }
  table.dataset.split = "";
  table.after(...parts);
  return parts;
}

/** A copy of a canvas is empty. */
function copyPictures(from: HTMLElement, to: HTMLElement): void {
  const copies = to.querySelectorAll("canvas");
  from.querySelectorAll("canvas").forEach((canvas, at) => canvas.width && copies[at]?.getContext("2d")?.drawImage(canvas, 0, 0));
}

function columns(row: HTMLTableRowElement): number {
  return [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0);
}

/** Removes the other columns; a cell over several becomes narrower. */
function pick(row: HTMLTableRowElement, isKept: (column: number) => boolean): void {
  let column = 0;
  for (const cell of [...row.cells]) {
    const span = cell.colSpan;
    const kept = Array.from({ length: span }, (_, at) => column + at).filter(isKept).length;
    column += span;
    if (kept) cell.colSpan = kept;
    else cell.remove();
  }
}
