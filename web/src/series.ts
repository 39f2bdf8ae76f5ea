// Time series that can be zoomed: drag to zoom, double click to return; the cursors of all charts move together.
// Each takes the place of the drawing in its figure on a screen; in print the drawing stands.
import uPlot from "uplot";

interface Curve {
  name: string;
  style: number;
  tps: [number[], number[]];
  p99: [number[], number[]];
}

interface Cell {
  warm: number;
  curves: Curve[];
}

const DASHES: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const HEIGHT = 260;

/** Draws each time series when it comes into view; answers with what redraws them in the colours of the moment. */
export function drawSeries(): () => void {
  const data = document.getElementById("series-data")?.textContent;
  if (!data) return () => {};
  const cells = JSON.parse(data) as Cell[];
  const drawn = new Map<HTMLElement, uPlot>();
  const show = (figure: HTMLElement) => {
    drawn.get(figure)?.destroy();
    const cell = cells[Number(figure.dataset.cell)];
    const kind = figure.dataset.kind === "p99" ? "p99" : "tps";
    if (cell) drawn.set(figure, plot(figure, cell, kind));
  };
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        seen.unobserve(entry.target);
        show(entry.target as HTMLElement);
      }
    },
    { rootMargin: "400px" },
  );
  document.querySelectorAll<HTMLElement>("figure[data-cell]").forEach((f) => seen.observe(f));
  addEventListener("resize", () => drawn.forEach((u, f) => u.setSize({ width: width(f), height: HEIGHT })));
  return () => [...drawn.keys()].forEach(show);
}

function plot(figure: HTMLElement, cell: Cell, kind: "tps" | "p99"): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const grid = { stroke: colour("--rule"), width: 1 };
  const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
  const text = (v: number | null) => (v === null || v === undefined ? "–" : digits.format(v));
  const axis = { stroke: colour("--soft"), grid, ticks: grid, font: "12px system-ui" };
  const shade = (u: uPlot) => {
    const from = u.bbox.left;
    const to = Math.min(u.valToPos(cell.warm, "x", true), from + u.bbox.width);
    if (cell.warm <= 0 || to <= from) return;
    u.ctx.save();
    u.ctx.globalAlpha = 0.12;
    u.ctx.fillStyle = colour("--soft");
    u.ctx.fillRect(from, u.bbox.top, to - from, u.bbox.height);
    u.ctx.restore();
  };
  const ms = kind === "p99";
  const options: uPlot.Options = {
    width: width(figure),
    height: HEIGHT,
    scales: { x: { time: false }, y: ms ? { distr: 3 } : { range: (_u, _low, high) => [0, (high || 1) * 1.08] } },
    cursor: { sync: { key: "time" }, drag: { x: true, y: false } },
    hooks: { drawClear: [shade] },
    axes: [
      { ...axis, values: (_u, at) => at.map((v) => `${text(v)} s`) },
      // On a logarithmic axis the library leaves some marks empty.
      { ...axis, size: 62, values: (_u, at) => at.map((v) => (v === null ? "" : text(v))) },
    ],
    series: [
      { label: "s", value: (_u, v) => text(v) },
      ...cell.curves.map((c) => ({
        label: c.name,
        stroke: colour(`--c${c.style % 8}`),
        width: 1.6,
        dash: DASHES[c.style % DASHES.length],
        points: { show: false },
        value: (_u: uPlot, v: number | null) => (v === null ? "–" : `${text(v)}${ms ? " ms" : ""}`),
      })),
    ],
  };
  // What stands still has no place on a logarithmic axis.
  const tables = cell.curves.map((c) => {
    const [x, y] = c[kind];
    return [x, y.map((v) => (ms && v <= 0 ? null : v))] as uPlot.AlignedData;
  });
  figure.querySelector(".uplot")?.remove();
  figure.classList.add("zooms");
  return new uPlot(options, uPlot.join(tables), figure);
}

function width(figure: HTMLElement): number {
  const style = getComputedStyle(figure);
  return Math.max(220, figure.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
}
