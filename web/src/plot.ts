// A chart on a canvas: axes, lines, the values under the cursor, a stretch of the x axis chosen by dragging, all of it again by a double click.
// charts.ts says what there is to draw.

export interface Curve {
  name: HTMLElement | string;
  colour: string;
  width: number;
  alpha: number;
  dash: number[];
  x: number[];
  y: (number | null)[];
  /** Whether each value is the mean of the time since the one before it. */
  steps: boolean;
  /** By how many pixels of the canvas it is moved to the side. */
  shift: (plot: Plot) => number;
}

export interface Settings {
  width: number;
  height: number;
  /** The range of the x axis, and the ends of the y axis. */
  range: [number, number];
  ends: [number, number];
  log: boolean;
  /** Marks of the axes between these places; labels may be empty. */
  marksOfX: (plot: Plot) => [number, string][];
  marksOfY: [number, string][];
  nameOfX: string;
  nameOfY: string;
  curves: Curve[];
  legend: boolean;
  /** What stands before the place under the cursor. */
  nameOfPlace: string;
  place: (at: number) => string;
  value: (v: number) => string;
  /** Charts whose cursors move together. */
  together: boolean;
  rule: string;
  soft: string;
  /** Before and after the lines are drawn. */
  below: (plot: Plot) => void;
  above: (plot: Plot) => void;
}

const FONT = "12px system-ui, sans-serif";
const [TOP, RIGHT, BELOW] = [10, 14, 48];
/** How far from the cursor a point may be, pixels. */
const NEAR = 24;

const all = new Set<Plot>();

export class Plot {
  readonly root = element("div", "chart");
  readonly ctx: CanvasRenderingContext2D;
  /** The range in sight. */
  low: number;
  high: number;
  /** Where lines are drawn, pixels of the canvas. */
  bbox = { left: 0, top: 0, width: 0, height: 0 };
  private readonly canvas = document.createElement("canvas");
  private readonly over = element("div", "over");
  private readonly upright = element("div", "upright");
  private readonly chosen = element("div", "chosen");
  private readonly legend = element("p", "legend values");
  private readonly values: HTMLElement[] = [];
  private readonly hidden = new Set<number>();
  /** Between which places the reader drags. */
  private from: number | null = null;
  private to: number | null = null;

  constructor(
    private readonly s: Settings,
    figure: HTMLElement,
  ) {
    this.ctx = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    [this.low, this.high] = s.range;
    this.over.append(this.upright, this.chosen);
    this.root.append(this.canvas, this.over);
    if (s.legend) this.writeLegend();
    figure.append(this.root);
    this.listen();
    all.add(this);
    this.setWidth(s.width);
  }

  destroy(): void {
    all.delete(this);
    this.root.remove();
  }

  setWidth(width: number): void {
    const { s, canvas } = this;
    const dot = devicePixelRatio;
    const left = Math.max(66, 24 + 7 * Math.max(0, ...s.marksOfY.map((m) => m[1].length)));
    [canvas.width, canvas.height] = [width * dot, s.height * dot];
    canvas.style.cssText = `width:${width}px;height:${s.height}px`;
    const area = { left, top: TOP, width: Math.max(width - left - RIGHT, 10), height: s.height - TOP - BELOW };
    this.bbox = { left: area.left * dot, top: area.top * dot, width: area.width * dot, height: area.height * dot };
    for (const [name, value] of Object.entries(area)) this.over.style.setProperty(name, `${value}px`);
    this.point(null);
    this.draw();
  }

  /** Where a value is, pixels of the canvas. */
  x(v: number): number {
    return this.bbox.left + ((v - this.low) / (this.high - this.low || 1)) * this.bbox.width;
  }

  y(v: number): number {
    const { ends, log } = this.s;
    const scaled = (n: number) => (log ? Math.log10(Math.max(n, 1e-12)) : n);
    const [low, high] = [scaled(ends[0]), scaled(ends[1])];
    return this.bbox.top + (1 - (scaled(v) - low) / (high - low || 1)) * this.bbox.height;
  }

  private draw(): void {
    const { ctx, canvas, s, bbox } = this;
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    s.below(this);
    this.axes();
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top - 2, bbox.width, bbox.height + 4);
    ctx.clip();
    s.curves.forEach((curve, n) => this.hidden.has(n) || this.line(curve));
    ctx.restore();
    s.above(this);
  }

  private line(curve: Curve): void {
    const { ctx } = this;
    const dot = devicePixelRatio;
    const to = curve.shift(this);
    ctx.save();
    ctx.strokeStyle = curve.colour;
    ctx.globalAlpha = curve.alpha;
    ctx.lineWidth = curve.width * dot;
    ctx.lineJoin = "round";
    ctx.setLineDash(curve.dash.map((d) => d * dot));
    ctx.beginPath();
    let before: number | null = null;
    curve.x.forEach((at, n) => {
      const value = curve.y[n];
      if (value === null || value === undefined) return;
      const [x, y] = [this.x(at) + to, this.y(value)];
      if (curve.steps && before !== null) ctx.lineTo(before, y);
      ctx.lineTo(x, y);
      before = x;
    });
    ctx.stroke();
    ctx.restore();
  }

  private axes(): void {
    const { ctx, bbox, s, canvas } = this;
    const dot = devicePixelRatio;
    const [right, bottom] = [bbox.left + bbox.width, bbox.top + bbox.height];
    ctx.save();
    ctx.font = FONT.replace("12px", `${12 * dot}px`);
    ctx.strokeStyle = s.rule;
    ctx.fillStyle = s.soft;
    ctx.lineWidth = dot;
    ctx.beginPath();
    let last = -Infinity;
    let end = -Infinity;
    ctx.textAlign = "center";
    for (const [at, label] of s.marksOfX(this)) {
      const x = this.x(at);
      // Lines and labels that would run into one another are left out.
      if (x - last < 12 * dot) continue;
      last = x;
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bottom + 4 * dot);
      const half = ctx.measureText(label).width / 2;
      if (x - half < end) continue;
      end = x + half + 8 * dot;
      ctx.fillText(label, Math.min(x, canvas.width - half), bottom + 18 * dot);
    }
    ctx.textAlign = "right";
    for (const [at, label] of s.marksOfY) {
      const y = this.y(at);
      ctx.moveTo(bbox.left - 4 * dot, y);
      ctx.lineTo(right, y);
      ctx.fillText(label, bbox.left - 8 * dot, y + 4 * dot);
    }
    ctx.stroke();
    ctx.textAlign = "center";
    ctx.fillText(s.nameOfX, bbox.left + bbox.width / 2, canvas.height - 6 * dot);
    ctx.translate(12 * dot, bbox.top + bbox.height / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.fillText(s.nameOfY, 0, 0);
    ctx.restore();
  }

  private writeLegend(): void {
    const entry = (name: HTMLElement | string) => {
      const all = element("span", "");
      const value = element("b", "value");
      all.append(name, " ", value);
      this.values.push(value);
      this.legend.append(all);
      return all;
    };
    entry(this.s.nameOfPlace);
    this.s.curves.forEach((curve, n) =>
      entry(curve.name).addEventListener("click", (e) => {
        if (!this.hidden.delete(n)) this.hidden.add(n);
        (e.currentTarget as HTMLElement).classList.toggle("off", this.hidden.has(n));
        this.draw();
      }),
    );
    this.root.append(this.legend);
  }

  /** Where the pointer is on the x axis. */
  private at(e: MouseEvent): number {
    const { left, width } = this.over.getBoundingClientRect();
    return this.low + (Math.min(Math.max(e.clientX - left, 0), width) / (width || 1)) * (this.high - this.low);
  }

  private listen(): void {
    const { over, chosen } = this;
    over.addEventListener("mousedown", (e) => {
      if (e.button) return;
      e.preventDefault();
      this.from = this.at(e);
      const ends = () => {
        removeEventListener("mouseup", ends);
        const [from, to] = [this.from, this.to];
        this.from = this.to = null;
        chosen.style.width = "0";
        if (from !== null && to !== null && Math.abs(this.x(to) - this.x(from)) > 6 * devicePixelRatio) this.show(Math.min(from, to), Math.max(from, to));
      };
      addEventListener("mouseup", ends);
    });
    over.addEventListener("mousemove", (e) => {
      const at = this.at(e);
      if (this.from !== null) {
        this.to = at;
        const edge = (v: number) => (this.x(v) - this.bbox.left) / devicePixelRatio;
        chosen.style.left = `${edge(Math.min(at, this.from))}px`;
        chosen.style.width = `${Math.abs(edge(at) - edge(this.from))}px`;
      }
      this.point(at);
      if (this.s.together) all.forEach((other) => other !== this && other.s.together && other.point(at));
    });
    over.addEventListener("mouseleave", () => all.forEach((plot) => (plot === this || (this.s.together && plot.s.together)) && plot.point(null)));
    over.addEventListener("dblclick", () => this.show(...this.s.range));
  }

  private show(low: number, high: number): void {
    [this.low, this.high] = [low, high];
    this.point(null);
    this.draw();
  }

  /** Says what is at a place of the x axis: of each line the point nearest to it. */
  private point(at: number | null): void {
    const near = (curve: Curve): number | null => {
      let best: number | null = null;
      const apart = (n: number) => Math.abs((curve.x[n] ?? 0) - (at ?? 0));
      curve.x.forEach((v, n) => {
        if (v >= this.low && v <= this.high && (best === null || apart(n) < apart(best))) best = n;
      });
      return best;
    };
    const found = at === null ? [] : this.s.curves.map(near);
    const places = found.flatMap((n, c) => (n === null ? [] : [this.s.curves[c]?.x[n] ?? 0]));
    const place = places.reduce((best: number | null, v) => (best === null || Math.abs(v - (at ?? 0)) < Math.abs(best - (at ?? 0)) ? v : best), null);
    this.upright.hidden = place === null;
    if (place !== null) this.upright.style.left = `${(this.x(place) - this.bbox.left) / devicePixelRatio}px`;
    this.values.forEach((written, n) => {
      const curve = this.s.curves[n - 1];
      const own = found[n - 1] ?? null;
      const there = curve && own !== null && place !== null && Math.abs(this.x(curve.x[own] ?? 0) - this.x(place)) <= NEAR * devicePixelRatio;
      const value = there ? curve.y[own] : null;
      if (place === null) written.textContent = "";
      else if (n === 0) written.textContent = this.s.place(place);
      else written.textContent = value === null || value === undefined ? "–" : this.s.value(value);
    });
  }
}

function element(name: string, className: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
