// The table of readings: a row opens, by a click or by Enter, into the chart of its reading; another click closes it.
import type { Charts } from "./charts";

const BEFORE: [string, string] = ["From loading on", "ロードから表示"];

/** `draw` puts a chart into a figure: from where the clients began, or all that was recorded. */
export function openReadings(draw: Charts["draw"]): void {
  document.querySelectorAll<HTMLTableRowElement>("table.readings tr[data-reading]").forEach((row) => {
    const head = row.cells[0];
    if (!head) return;
    row.classList.add("live");
    head.tabIndex = 0;
    head.setAttribute("aria-expanded", "false");
    const turn = () => {
      if (row.dataset.open) {
        row.nextElementSibling?.remove();
        delete row.dataset.open;
      } else {
        row.dataset.open = "yes";
        open(row, head, draw);
      }
      head.setAttribute("aria-expanded", String(!!row.dataset.open));
    };
    row.addEventListener("click", turn);
    head.addEventListener("keydown", (e) => {
      if (e.key === "Enter") turn();
    });
  });
}

function open(row: HTMLTableRowElement, head: HTMLTableCellElement, draw: Charts["draw"]): void {
  const under = document.createElement("tr");
  under.className = "open";
  const cell = under.insertCell();
  cell.className = "w";
  cell.colSpan = row.cells.length;
  const figure = document.createElement("figure");
  figure.dataset.chart = row.dataset.reading;
  const caption = document.createElement("figcaption");
  caption.append(...[...head.childNodes].map((n) => n.cloneNode(true)));
  // The lines' names, with their marks, as the table's head has them.
  const legend = document.createElement("p");
  legend.className = "legend";
  row.closest("table")?.querySelectorAll("thead .line").forEach((line) => {
    const name = document.createElement("span");
    name.append(...[...line.childNodes].map((n) => n.cloneNode(true)));
    legend.append(name);
  });
  figure.append(caption, legend);
  cell.append(figure);
  row.after(under);
  const { unit, more } = draw(figure, false);
  const small = document.createElement("small");
  small.textContent = unit[0];
  caption.append(" ", small);
  if (!more) return;
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-pressed", "false");
  for (const [n, lang] of ["en", "ja"].entries()) {
    const text = document.createElement("span");
    text.lang = lang;
    text.textContent = BEFORE[n] ?? "";
    button.append(text);
  }
  button.addEventListener("click", () => {
    const whole = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(whole));
    draw(figure, whole);
  });
  caption.append(" ", button);
}
