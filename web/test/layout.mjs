// Looks at the first screens of representative pages as a reader would, and compares them with how they were: whether what answers
// "which, by how much, how sure, why" is in sight, what a reader would dislike (look.mjs), where the parts stand, and a picture of each, reduced so far
// that fonts of different machines make no difference. Run by crates/report/tests/browser.rs: node web/test/layout.mjs PAGE.html …
// TENBIN_UPDATE_LAYOUT=1 writes what is seen to layout.txt, to be looked at and committed.
import { chromium } from "playwright-core";
import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { look } from "./look.mjs";

/** Pages of each kind: two targets with one load and with several, twelve targets, one trial, a search, TPC-C, two axes, two hundred trials. */
const KINDS = ["one-load", "plain", "twelve-targets", "one-trial", "search", "tpcc", "two-axes", "many-trials"];
const [WIDTHS, LANGUAGES, COLOURS] = [[1400, 400, 2560], ["en", "ja"], ["light", "dark"]];
/** Of these there is a picture: each width with both languages and both colours, each language with both colours. */
const PICTURES = ["1400 en light", "1400 ja dark", "400 en dark", "400 ja light", "2560 en dark", "2560 ja light"];
/** Page, width, language, colours: every kind in all of them, and of other pages what they are made for. */
const SITUATIONS = [
  ...KINDS.flatMap((page) => WIDTHS.flatMap((width) => LANGUAGES.flatMap((language) => COLOURS.map((colours) => [page, width, language, colours])))),
  ["two-axes-alone", 400, "en", "light"],
  ["all-invalid", 1400, "en", "light"],
  ["one-dead", 1400, "ja", "light"],
  ["harmful-names", 400, "en", "light"],
  ["forty-targets", 1400, "en", "light"],
  ["nothing-and-much", 1400, "en", "light"],
];
/** What is printed, as wide as the paper between its margins. */
const PAPER = 688;
const PARTS = { bar: ".bar", rail: "nav", card: ".card", big: ".big strong", rows: ".card .forest", doubt: ".doubt", conditions: ".conditions", chart: ".lead figure", words: ".words" };
const HEIGHT = 900;
/** The width and the height of a picture, cells. */
const CELLS = [40, 26];
const LEVELS = "0123456789abcdef";
const RECORD = join(import.meta.dirname, "layout.txt");

const faults = [];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const pages = new Map(process.argv.slice(2).map((page) => [basename(page, ".html"), page]));
const painter = await (await browser.newContext()).newPage();

/** In the page: the boxes of its parts. */
function boxes(parts) {
  const box = (selector) => {
    const found = document.querySelector(selector);
    if (!found?.checkVisibility()) return null;
    const { x, y, width, height } = found.getBoundingClientRect();
    return [x, y + scrollY, width, height].map(Math.round);
  };
  return Object.fromEntries(Object.entries(parts).map(([name, selector]) => [name, box(selector)]));
}

/** A picture as rows of digits: how dark each cell is. */
async function reduced(bytes) {
  const rows = await painter.evaluate(async ([text, [wide, high]]) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: "image/png" }));
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const brush = canvas.getContext("2d");
    brush.drawImage(image, 0, 0);
    const { data } = brush.getImageData(0, 0, image.width, image.height);
    const sums = new Array(wide * high).fill(0);
    const counts = new Array(wide * high).fill(0);
    for (let y = 0; y < image.height; y++) {
      for (let x = 0; x < image.width; x++) {
        const cell = Math.floor((y * high) / image.height) * wide + Math.floor((x * wide) / image.width);
        const at = 4 * (y * image.width + x);
        sums[cell] += (data[at] + data[at + 1] + data[at + 2]) / 3;
        counts[cell]++;
      }
    }
    return Array.from({ length: high }, (_, y) => Array.from({ length: wide }, (_, x) => sums[y * wide + x] / counts[y * wide + x]));
  }, [bytes.toString("base64"), CELLS]);
  return rows.map((row) => row.map((value) => LEVELS[Math.min(15, Math.floor(value / 16))]).join(""));
}

/** What differs between two pictures: the mean difference of the cells, and the share of those that differ much. */
function difference(seen, known) {
  let sum = 0;
  let much = 0;
  seen.forEach((row, y) => [...row].forEach((level, x) => {
    const by = Math.abs(LEVELS.indexOf(level) - LEVELS.indexOf(known[y]?.[x] ?? "0"));
    sum += by;
    much += by > 4;
  }));
  const all = CELLS[0] * CELLS[1];
  return { mean: sum / all, much: much / all };
}

/** The record: for each situation a line of boxes, and the rows of its picture. */
async function record() {
  const text = await readFile(RECORD, "utf8").catch(() => "");
  const found = new Map();
  for (const block of text.split("\n\n").filter((block) => block.trim())) {
    const [name, parts, ...rows] = block.trim().split("\n");
    found.set(name, { parts: JSON.parse(parts), rows });
  }
  return found;
}

/** What a reader must see without scrolling. */
async function inSight(tab, name, width, told) {
  const seen = await tab.evaluate((height) => {
    const within = (selector) => {
      const found = [...document.querySelectorAll(selector)].find((e) => e.checkVisibility() && e.getBoundingClientRect().height > 0);
      return found ? found.getBoundingClientRect().bottom <= height && found.innerText !== "" : null;
    };
    const chart = document.querySelector(".lead svg, .lead .chart, .lead table");
    return {
      which: within(".card .who, .card.nothing"), badge: within(".bar .badge"), much: within(".big strong"), sure: within(".big small"), why: within(".doubt, .chips"),
      chart: chart ? chart.getBoundingClientRect().top < height - 120 : null,
      over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      size: parseFloat(getComputedStyle(document.querySelector(".big strong") ?? document.body).fontSize),
    };
  }, HEIGHT);
  const nothing = ["all-invalid", "nothing-and-much"].includes(name);
  for (const part of nothing ? ["which", "badge", "why"] : ["which", "badge", "much", "sure", "why"]) if (!seen[part]) told(`${part} is not in sight`);
  if (seen.over > 0) told(`${seen.over} px wider than the window`);
  if (!nothing && seen.size < 28) told(`the answer is ${seen.size} px high`);
  if (width >= 1400 && seen.chart === false) told("the first chart is below the first screen");
  if (!nothing && seen.chart === null) told("there is no chart");
}

const known = await record();
const blocks = [];

/** Compares where the parts of a page stand, and its picture, with what is recorded. */
async function compare(tab, situation, told) {
  const parts = await tab.evaluate(boxes, PARTS);
  const rows = await reduced(await tab.screenshot());
  blocks.push([situation, JSON.stringify(parts), ...rows].join("\n"));
  const was = known.get(situation);
  if (!was) return told("is not recorded");
  for (const part of Object.keys(PARTS)) {
    const [now, then] = [parts[part], was.parts[part]];
    if (!now !== !then) told(`${part} is ${now ? "new" : "gone"}`);
    // Fonts of other machines make lines longer or shorter.
    else if (now?.some((v, at) => Math.abs(v - then[at]) > 48 + 0.25 * Math.abs(then[at]))) told(`${part} is at ${now}, was at ${then}`);
  }
  const { mean, much } = difference(rows, was.rows);
  if (mean > 1.2 || much > 0.08) told(`looks different: cells differ by ${mean.toFixed(2)} levels, ${(100 * much).toFixed(1)} % of them much`);
}

for (const name of new Set(SITUATIONS.map(([name]) => name))) {
  const page = pages.get(name);
  if (!page) {
    faults.push(`${name}: the page is missing`);
    continue;
  }
  const context = await browser.newContext({ viewport: { width: WIDTHS[0], height: HEIGHT } });
  const tab = await context.newPage();
  tab.on("pageerror", (e) => faults.push(`${name}: ${e}`));
  // The drawings stand still; what scripts draw in their place has the same shape.
  await tab.addInitScript(() => (window.IntersectionObserver = class { observe() {} unobserve() {} }));
  await tab.goto(pathToFileURL(page).href);
  const speak = (language) => tab.evaluate((language) => (document.documentElement.dataset.lang = document.documentElement.lang = language), language);
  for (const [, width, language, colorScheme] of SITUATIONS.filter(([of]) => of === name)) {
    const situation = `${name} ${width} ${language} ${colorScheme}`;
    const told = (what) => faults.push(`${situation}: ${what}`);
    await tab.setViewportSize({ width, height: HEIGHT });
    await tab.emulateMedia({ media: "screen", colorScheme });
    await speak(language);
    await inSight(tab, name, width, told);
    (await tab.evaluate(look)).forEach(told);
    if (!KINDS.includes(name) || PICTURES.includes(`${width} ${language} ${colorScheme}`)) await compare(tab, situation, told);
  }
  if (KINDS.includes(name)) {
    await tab.setViewportSize({ width: PAPER, height: HEIGHT });
    await tab.emulateMedia({ media: "print", colorScheme: "light" });
    await speak("en");
    await compare(tab, `${name} paper`, (what) => faults.push(`${name} paper: ${what}`));
  }
  await context.close();
}

// A page of two targets and one load is short, small, and few pages of paper.
const short = pages.get("one-load");
if (short) {
  const tab = await (await browser.newContext({ viewport: { width: 1400, height: HEIGHT } })).newPage();
  await tab.goto(pathToFileURL(short).href);
  const [bytes, high] = [(await stat(short)).size, await tab.evaluate(() => document.documentElement.scrollHeight)];
  if (bytes > 200_000) faults.push(`one-load: ${bytes} bytes`);
  if (high > 3_000) faults.push(`one-load: ${high} px long`);
}
const MOST_SHEETS = 4;
for (const name of KINDS) {
  const tab = await (await browser.newContext()).newPage();
  await tab.goto(pathToFileURL(pages.get(name) ?? "").href);
  const sheets = async () => (await tab.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
  const few = await sheets();
  if (few > MOST_SHEETS) faults.push(`${name}: ${few} pages of paper`);
  await tab.evaluate(() => (location.hash = "#all"));
  if ((await sheets()) <= few) faults.push(`${name}: not more pages of paper where all is asked for`);
  await tab.close();
}

await browser.close();
if (process.env.TENBIN_UPDATE_LAYOUT) {
  await writeFile(RECORD, blocks.join("\n\n") + "\n");
} else {
  faults.forEach((f) => console.error(f));
  process.exit(faults.length ? 1 : 0);
}
