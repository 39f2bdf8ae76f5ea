// The page's charts where scripts run: exact values under the cursor, drag to zoom, double click to return; cursors of the time series
// move together. Each takes the place of the drawing in its figure on a screen; in print the drawing stands. What they show is
// written by crates/report/src/chart, from which the drawings come too.
import { chartData, points } from "./data";
import { Plot } from "./plot";

interface Line {
  name: string;
  style: number;
  x: number[];
  y: (number | null)[];
  /** Single runs: place and value. */
  dots: [number, number][];
  /** Points that did not hold. */
  crosses: [number, number][];
  /** Intervals: place, lower and upper end. */
  bars: [number, number, number][];
  /** Whether its points have no marks. */
  bare: boolean;
  /** Whether each value is the mean of the time since the one before it. */
  steps: boolean;
}

interface Chart {
  /** English and Japanese. */
  unit: [string, string];
  xName: [string, string];
  /** What stands at the x and the y axis, if it is not their names alone. */
  axes: [[string, string], [string, string]] | null;
  marks: [number, string][];
  range: [number, number];
  /** What a place on the x axis stands for. */
  scale: "linear" | "doubling" | "words" | "nines";
  log: boolean;
  /** Marks of the y axis: place and label. */
  ticks: [number, string][];
  shade: [number, number] | null;
  reference: number | null;
  /** From where on throughput is steady, with a label in English and Japanese. */
  steady: { at: number; label: [string, string] } | null;
  /** Whether lines stand beside each other, because their intervals would cover each other. */
  apart: boolean;
  /** Whether the drawing has the names of its lines at their ends. */
  named?: boolean;
  /** What stands left of the range, shown on request: from where, and the marks of the y axis for all of it. */
  before?: { from: number; ticks: [number, string][] };
  lines: Line[];
}

/** Labels of a y axis that are its values, or pairs of value and label. */
type Ticks = string | [number, string][];

/** A chart as the page has it. Places on the x axis that an earlier line has too are the number of their first occurrence. */
type Written = Omit<Chart, "ticks" | "before" | "lines"> & {
  ticks: Ticks;
  before?: { from: number; ticks?: Ticks } | null;
  /** If there is one, places are written in steps of this size, and values in those of their line, all of them behind the charts. */
  xStep?: number | null;
  lines: (Omit<Line, "x" | "y"> & { x?: number[] | number; y?: (number | null)[]; step?: number })[];
};

function ticks(written: Ticks): [number, string][] {
  return typeof written === "string" ? written.split(" ").map((label) => [Number(label.replace(/,/g, "")), label]) : written;
}

export interface Charts {
  /** Draws them all in the colours and the language of the moment. */
  redraw: () => void;
  /** Draws the chart of a figure that came later: all of it, or its range. */
  draw: (figure: HTMLElement, whole: boolean) => Drawn;
}

export interface Drawn {
  /** English and Japanese. */
  unit: [string, string];
  /** Whether there is more than the range. */
  more: boolean;
}

const DASHES: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const HEIGHT = 270;
/** What a line may have beside its points. */
const NOTHING = { dots: [], bars: [], crosses: [], steps: false, bare: false };
/** What a chart may have beside its lines and axes. */
const NO_MORE = { axes: null, log: false, shade: null, reference: null, steady: null, apart: false };
/** Above this number of lines a legend would be longer than the chart. */
const NAMED = 8;

/** Draws each chart when it comes into view. */
export function drawCharts(): Charts {
  // What a chart or a line does not have is left out, and what is the same as in the chart before.
  let common: Partial<Written> = {};
  const commonOfLines: Partial<Line>[] = [];
  const places: number[][] = [];
  const { charts: all, next } = chartData();
  const charts = (all as Written[]).map((written) => {
    const { unit, xName, marks, range, scale, shade, before: earlier, xStep } = { ...common, ...written };
    common = { unit, xName, marks, range, scale, shade, before: earlier, xStep };
    const lines = written.lines.map((line, at) => {
      if (Array.isArray(line.x)) places.push(xStep ? (points(next(), xStep, next) as number[]) : line.x);
      const of = line.x === undefined ? line : { ...line, x: typeof line.x === "number" ? places[line.x] : places[places.length - 1] };
      const { name, style, x } = { ...commonOfLines[at], ...of } as Line;
      commonOfLines[at] = { name, style, x };
      const y = xStep ? points(x.length, line.step ?? 1, next) : (line.y ?? []);
      return { ...NOTHING, ...line, name, style, x, y };
    });
    const own = ticks(written.ticks);
    const before = earlier ? { from: earlier.from, ticks: earlier.ticks ? ticks(earlier.ticks) : own } : undefined;
    return { ...NO_MORE, ...written, ...common, shade: shade ?? null, ticks: own, before, lines } as Chart;
  });
  const drawn = new Map<HTMLElement, Plot>();
  const show = (figure: HTMLElement) => {
    const all = charts[Number(figure.dataset.chart)];
    const before = figure.dataset.whole ? all?.before : undefined;
    const chart: Chart | undefined = all && before ? { ...all, range: [before.from, all.range[1]], ticks: before.ticks } : all;
    // Words stand slanted in the drawing, each of them, and names at the ends of many lines; their marks tell the values.
    if (!chart || chart.scale === "words" || chart.named || figure.clientWidth === 0) return;
    drawn.get(figure)?.destroy();
    drawn.set(figure, plot(figure, chart));
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
  document.querySelectorAll<HTMLElement>("figure[data-chart]").forEach((f) => seen.observe(f));
  addEventListener("resize", () => drawn.forEach((u, f) => f.clientWidth > 0 && u.setWidth(width(f))));
  const redraw = () => {
    // A figure that was closed is gone.
    for (const [figure, chart] of drawn) {
      if (figure.isConnected) continue;
      chart.destroy();
      drawn.delete(figure);
    }
    [...drawn.keys()].forEach(show);
  };
  const draw = (figure: HTMLElement, whole: boolean) => {
    if (whole) figure.dataset.whole = "yes";
    else delete figure.dataset.whole;
    show(figure);
    const chart = charts[Number(figure.dataset.chart)];
    return { unit: chart?.unit ?? ["", ""], more: chart?.before !== undefined };
  };
  return { redraw, draw };
}

function plot(figure: HTMLElement, chart: Chart): Plot {
  const page = getComputedStyle(document.documentElement);
  const colour = (name: string) => page.getPropertyValue(name).trim();
  const language = document.documentElement.dataset.lang === "ja" ? 1 : 0;
  const unit = chart.unit[language];
  const time = chart.scale === "linear" && chart.marks.some((m) => /\d (s|min|h)$/.test(m[1]));
  const crowd = chart.lines.length > NAMED;
  figure.querySelector(".chart")?.remove();
  figure.classList.add("zooms");
  figure.classList.toggle("crowd", crowd);
  return new Plot(
    {
      width: width(figure),
      height: HEIGHT,
      range: chart.range,
      ends: [bottom(chart), top(chart)],
      log: chart.log,
      marksOfX: (u) => places(chart, u, time),
      marksOfY: chart.ticks,
      nameOfX: (chart.axes?.[0] ?? chart.xName)[language],
      nameOfY: (chart.axes?.[1] ?? chart.unit)[language],
      curves: chart.lines.map((l, n) => ({
        name: named(figure, l),
        colour: colour(`--c${l.style % 8}`),
        width: crowd ? 1 : 1.8,
        alpha: crowd ? 0.7 : 1,
        dash: look(l.style).dash,
        x: l.x,
        y: l.y,
        steps: l.steps,
        shift: (u) => shift(u, chart, n),
      })),
      legend: !crowd,
      nameOfPlace: time ? (["time", "時間"][language] ?? "") : chart.xName[language],
      place: (at) => place(chart, at, time),
      value: (v) => `${text(v)} ${unit}`,
      together: time,
      rule: colour("--rule"),
      soft: colour("--soft"),
      below: (u) => shade(u, chart, colour("--soft")),
      above: (u) => marks(u, chart, colour),
    },
    figure,
  );
}

/** Marks of the x axis: the chart's own; round ones where the reader has zoomed into a stretch of time. */
function places(chart: Chart, u: Plot, time: boolean): [number, string][] {
  if (!time || (u.low === chart.range[0] && u.high === chart.range[1])) return chart.marks.filter((m) => m[0] >= u.low && m[0] <= u.high);
  const rough = (u.high - u.low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const first = Math.ceil(u.low / step);
  return Array.from({ length: Math.floor(u.high / step) - first + 1 }, (_, n) => {
    const at = (first + n) * step;
    return [at, `${text(at)} s`];
  });
}

/** What a place on the x axis stands for. */
function place(chart: Chart, at: number, time: boolean): string {
  const mark = chart.marks.find((m) => Math.abs(m[0] - at) < 1e-9);
  if (mark && !time) return mark[1];
  if (chart.scale === "doubling") return text(2 ** at);
  if (chart.scale === "nines") return `p${text(100 * (1 - 10 ** -at))}`;
  return `${text(at)}${time ? " s" : ""}`;
}

function bottom(chart: Chart): number {
  return chart.ticks[0]?.[0] ?? 0;
}

function top(chart: Chart): number {
  return chart.ticks[chart.ticks.length - 1]?.[0] ?? 1;
}

function shade(u: Plot, chart: Chart, colour: string): void {
  if (!chart.shade) return;
  const edge = (v: number) => Math.min(Math.max(u.x(v), u.bbox.left), u.bbox.left + u.bbox.width);
  const [from, to] = [edge(chart.shade[0]), edge(chart.shade[1])];
  u.ctx.save();
  u.ctx.globalAlpha = 0.12;
  u.ctx.fillStyle = colour;
  u.ctx.fillRect(from, u.bbox.top, to - from, u.bbox.height);
  u.ctx.restore();
}

/** By how many pixels of the canvas a line is moved to the side; as in crates/report/src/chart/svg.rs. */
function shift(u: Plot, chart: Chart, line: number): number {
  if (!chart.apart) return 0;
  const marks = chart.marks.map((m) => u.x(m[0]) / devicePixelRatio);
  const gap = marks.reduce((least, at, n) => (n === 0 ? least : Math.min(least, Math.abs(at - (marks[n - 1] ?? at)))), 560);
  const step = Math.min(0.7 * gap, 40, 9 * chart.lines.length) / Math.max(chart.lines.length, 1);
  return (line - (chart.lines.length - 1) / 2) * step * devicePixelRatio;
}

/** The vertical line from which on throughput is steady, and what it says. */
function steady(u: Plot, chart: Chart, colour: string): void {
  if (!chart.steady) return;
  const { ctx, bbox } = u;
  const dot = devicePixelRatio;
  const x = u.x(chart.steady.at);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  const language = document.documentElement.dataset.lang === "ja" ? 1 : 0;
  const right = x > bbox.left + 0.6 * bbox.width;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = 1.5 * dot;
  ctx.setLineDash([6 * dot, 4 * dot]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.font = `${12 * dot}px system-ui, sans-serif`;
  ctx.textAlign = right ? "right" : "left";
  ctx.fillText(chart.steady.label[language], x + (right ? -5 : 5) * dot, bbox.top + 12 * dot);
  ctx.restore();
}

/** Single runs, intervals, the reference, and each line's marks where they are few. */
function marks(u: Plot, chart: Chart, colour: (name: string) => string): void {
  const { ctx, bbox } = u;
  const dot = devicePixelRatio;
  ctx.save();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.rect(bbox.left - 6 * dot, bbox.top - 6 * dot, bbox.width + 12 * dot, bbox.height + 12 * dot);
  ctx.clip();
  const y = (v: number) => u.y(Math.min(Math.max(v, bottom(chart)), top(chart)));
  steady(u, chart, colour("--soft"));
  if (chart.reference !== null) {
    ctx.strokeStyle = colour("--soft");
    ctx.lineWidth = 1.5 * dot;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y(chart.reference));
    ctx.lineTo(bbox.left + bbox.width, y(chart.reference));
    ctx.stroke();
  }
  for (const [number, line] of chart.lines.entries()) {
    const to = shift(u, chart, number);
    const x = (v: number) => u.x(v) + to;
    const own = colour(`--c${line.style % 8}`);
    ctx.strokeStyle = ctx.fillStyle = own;
    ctx.lineWidth = 1.5 * dot;
    for (const [at, low, high] of line.bars) {
      ctx.beginPath();
      ctx.moveTo(x(at), y(low));
      ctx.lineTo(x(at), y(high));
      for (const end of [low, high]) {
        // An end that lies beyond the axis is an arrow.
        const back = end > top(chart) ? 7 * dot : end < bottom(chart) ? -7 * dot : 0;
        ctx.moveTo(x(at) - 4 * dot, y(end) + back);
        ctx.lineTo(x(at), y(end));
        ctx.lineTo(x(at) + 4 * dot, y(end) + back);
      }
      ctx.stroke();
    }
    ctx.globalAlpha = 0.55;
    for (const [at, value] of line.dots) {
      ctx.beginPath();
      ctx.arc(x(at), y(value), 2.6 * dot, 0, 2 * Math.PI);
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    if (!line.bare && line.x.length <= 20) {
      line.x.forEach((at, n) => {
        const value = line.y[n];
        if (value !== null && value !== undefined) mark(ctx, look(line.style).mark, x(at), y(value), dot, own, colour("--panel"));
      });
    }
    ctx.strokeStyle = colour("--bad");
    ctx.lineWidth = 2 * dot;
    for (const [at, value] of line.crosses) {
      ctx.beginPath();
      ctx.moveTo(x(at) - 7 * dot, y(value) - 7 * dot);
      ctx.lineTo(x(at) + 7 * dot, y(value) + 7 * dot);
      ctx.moveTo(x(at) + 7 * dot, y(value) - 7 * dot);
      ctx.lineTo(x(at) - 7 * dot, y(value) + 7 * dot);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** Mark and dash of a style, as in crates/report/src/chart/svg.rs: later styles of a colour have others. */
function look(style: number): { mark: number; dash: number[] } {
  const [colour, round] = [style % 8, Math.floor(style / 8)];
  return { mark: (colour + round) % 8, dash: DASHES[(colour + Math.floor(colour / 4) + round) % DASHES.length] ?? [] };
}

/** The same shapes as in the drawings: circle, square, triangle, diamond; the second four are hollow. */
function mark(ctx: CanvasRenderingContext2D, shape: number, x: number, y: number, dot: number, own: string, paper: string): void {
  const outline = new Path2D();
  const around: [number, number][][] = [
    [],
    [[-4, -4], [4, -4], [4, 4], [-4, 4]],
    [[0, -5.5], [5, 3.5], [-5, 3.5]],
    [[0, -5.5], [5.5, 0], [0, 5.5], [-5.5, 0]],
  ];
  const corners = around[shape % 4] ?? [];
  if (corners.length === 0) outline.arc(x, y, 4.4 * dot, 0, 2 * Math.PI);
  corners.forEach(([dx, dy], n) => (n === 0 ? outline.moveTo(x + dx * dot, y + dy * dot) : outline.lineTo(x + dx * dot, y + dy * dot)));
  outline.closePath();
  ctx.fillStyle = shape < 4 ? own : paper;
  ctx.strokeStyle = shape < 4 ? paper : own;
  ctx.lineWidth = (shape < 4 ? 1 : 1.8) * dot;
  ctx.fill(outline);
  ctx.stroke(outline);
}

/** The line's name with its stroke and mark, as the drawing's legend has them. */
function named(figure: HTMLElement, line: Line): HTMLElement | string {
  const all = [...figure.querySelectorAll<HTMLElement>(":scope > .legend > span")];
  const own = all.find((s) => s.textContent?.trim() === line.name)?.cloneNode(true) as HTMLElement | undefined;
  return own ?? line.name;
}

function text(v: number): string {
  // As the page's tables: three digits, whole numbers whole.
  return Math.abs(v) >= 1000 ? digitsWhole.format(v) : digits.format(v);
}
const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const digitsWhole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

function width(figure: HTMLElement): number {
  const style = getComputedStyle(figure);
  return Math.max(220, figure.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
}
