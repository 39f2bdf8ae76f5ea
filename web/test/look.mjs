// What a reader would dislike of what a page shows: looked for in the page itself by variants.mjs and layout.mjs.

/** In the page: what is wrong with its width, its drawings, its tables and its colours. It is sent to the browser, so it holds all that it uses. */
export function look() {
  const found = [];
  const say = (what) => found.length < 40 && !found.includes(what) && found.push(what);
  const shown = (e) => e.checkVisibility({ contentVisibilityAuto: true }) && !e.closest(".told, .keys, [hidden]");
  const where = (e) => `${e.closest("section")?.id ?? "head"}: ${e.tagName}.${e.getAttribute("class") ?? ""}`;

  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) {
    const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, nav, pre, .told, svg"));
    say(`${over} px wider than the window: ${wide.slice(0, 3).map((e) => `${e.tagName}.${e.className}`).join(", ")}`);
  }

  for (const rows of document.querySelectorAll(".rows")) if (rows.scrollWidth > rows.clientWidth + 1) say(`${where(rows)}: the rows are cut off`);

  const turned = document.body.innerText.match(/.{0,20}[\u202a-\u202e\u2066-\u2069]/);
  if (turned) say(`a mark that turns the direction of text behind ${JSON.stringify(turned[0])}`);

  drawings();
  labels();
  tables();
  words();
  contrast();
  return found;

  /** Texts of drawings that run into each other or out of their drawing, and drawings without anything in them. */
  function drawings() {
    for (const svg of document.querySelectorAll("figure > svg")) {
      const name = svg.parentElement.querySelector("figcaption")?.textContent ?? "a drawing";
      const frame = svg.viewBox.baseVal;
      const texts = [...svg.querySelectorAll("text")].filter((t) => getComputedStyle(t).display !== "none");
      const boxes = texts.map((t) => ({ text: t.textContent, box: t.getBBox(), turned: t.hasAttribute("transform") }));
      for (const { text, box, turned } of boxes) {
        if (turned) continue;
        if (box.x < -1 || box.y < -1 || box.x + box.width > frame.width + 1 || box.y + box.height > frame.height + 1) say(`${name}: "${text}" is cut`);
      }
      const frameOnScreen = svg.getBoundingClientRect();
      for (const t of texts.filter((t) => t.hasAttribute("transform"))) {
        const at = t.getBoundingClientRect();
        if (at.left < frameOnScreen.left - 1 || at.bottom > frameOnScreen.bottom + 1) say(`${name}: "${t.textContent}" is cut`);
      }
      boxes.forEach((a, i) => {
        for (const b of boxes.slice(i + 1)) {
          if (a.turned || b.turned) continue;
          const apart = a.box.x + a.box.width <= b.box.x + 1 || b.box.x + b.box.width <= a.box.x + 1 || a.box.y + a.box.height <= b.box.y + 3 || b.box.y + b.box.height <= a.box.y + 3;
          if (!apart) say(`${name}: "${a.text}" and "${b.text}" overlap`);
        }
      });
      const drawn = [...svg.querySelectorAll("path, circle, rect, polygon, polyline, use")].filter((e) => !e.matches(".grid, .axis, .shade, .reference") && !e.closest("defs"));
      if (!drawn.length) say(`${name}: nothing is drawn`);
    }
  }

  /** Labels of a ruler that run into each other. */
  function labels() {
    for (const scale of document.querySelectorAll(".scale .plot")) {
      const boxes = [...scale.querySelectorAll("span")].filter(shown).map((e) => [e.textContent, e.getBoundingClientRect()]).sort(([, a], [, b]) => a.left - b.left);
      boxes.slice(1).forEach(([text, box], at) => box.left < boxes[at][1].right && say(`${where(scale)}: "${boxes[at][0]}" and "${text}" overlap`));
    }
  }

  /** Columns of dashes alone, and figures of a column with unlike decimals. */
  function tables() {
    for (const table of document.querySelectorAll("table:not(.readings, .settings, .facts, .forest, .heats, .part)")) {
      const head = table.tHead?.rows[table.tHead.rows.length - 1];
      const rows = [...table.tBodies].flatMap((body) => [...body.rows]).filter((row) => ![...row.cells].some((cell) => cell.colSpan > 1 || cell.rowSpan > 1));
      if (!head || !rows.length || [...table.tHead.rows].some((row) => [...row.cells].some((cell) => cell.colSpan > 1 || cell.rowSpan > 1))) continue;
      [...head.cells].forEach((cell, at) => {
        const cells = rows.filter((row) => row.cells.length === head.cells.length).map((row) => row.cells[at]);
        const texts = cells.map((cell) => cell.textContent.trim());
        const of = `${where(table)}: the column ${JSON.stringify(cell.textContent.trim())}`;
        if (cell.textContent.trim() !== "TPS" && texts.length && texts.every((text) => /^[–—-]?$/.test(text)) && !cells.some((cell) => cell.querySelector("i, svg"))) say(`${of} has dashes only`);
        const figures = texts.filter((text) => /^-?[\d,]+(\.\d+)?( ‡)?$/.test(text)).map((text) => text.replace(/[, ‡]/g, ""));
        const sizes = figures.map((text) => Math.abs(Number(text))).filter((size) => size > 0);
        const decimals = new Set(figures.filter((text) => Number(text) !== 0).map((text) => text.split(".")[1]?.length ?? 0));
        if (decimals.size > 1 && Math.max(...sizes) / Math.min(...sizes) <= 900) say(`${of} has unlike decimals: ${figures.slice(0, 8).join(" ")}`);
      });
    }
  }

  /** Words that are broken in the middle while a line has room for them. */
  function words() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(), looked = 0; node && looked < 6000; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || parent.closest("script, style, svg, pre, code, [translate=no], .plan, .alike") || !shown(parent)) continue;
      for (const { 0: word, index } of node.data.matchAll(/[\w.,%×–\u00b5-]{2,24}/g)) {
        looked++;
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top / 4)));
        // A line may end behind a hyphen or a dash between words.
        if (lines.size > 1 && !/[–-]./.test(word)) say(`${where(parent)}: ${JSON.stringify(word)} is split`);
      }
    }
  }

  /** Texts that stand out from what is behind them by less than WCAG asks for: 4.5 : 1, and 3 : 1 where they are large. */
  function contrast() {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const brush = canvas.getContext("2d", { willReadFrequently: true });
    const known = new Map();
    const parts = (text) => {
      if (!known.has(text)) {
        brush.clearRect(0, 0, 1, 1);
        brush.fillStyle = text;
        brush.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
        known.set(text, [r, g, b, a / 255]);
      }
      return known.get(text);
    };
    const onto = ([r, g, b, a], below) => [r, g, b].map((v, at) => a * v + (1 - a) * below[at]);
    const behind = (e) => {
      if (!e) return [255, 255, 255];
      const colour = parts(getComputedStyle(e).backgroundColor);
      return colour[3] >= 1 ? colour : onto(colour, behind(e.parentElement));
    };
    const light = (colour) => {
      const [r, g, b] = colour.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const opacity = (e) => (e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1);
    const kinds = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const e = node.parentElement;
      if (!node.data.trim() || !e || e.closest("script, style") || !shown(e)) continue;
      const kind = [e, e.parentElement, e.parentElement?.parentElement].map((x) => `${x?.tagName}.${x?.getAttribute("class")}`).join(" ");
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      const style = getComputedStyle(e);
      const own = parts(e.closest("svg") ? style.fill : style.color);
      const paper = behind(e.closest("svg") ? e.closest("svg").parentElement : e);
      const [a, b] = [light(onto([own[0], own[1], own[2], own[3] * opacity(e)], paper)), light(paper)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) say(`${where(e)}: ${JSON.stringify(node.data.trim().slice(0, 30))} has a contrast of ${ratio.toFixed(2)}`);
    }
  }
}
