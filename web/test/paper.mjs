// Prints pages of many kinds of run, in both languages, with and without scripts, and says what is cut at the edge of the paper or missing on it. Run by
// crates/report/tests/browser.rs. node web/test/paper.mjs PAGE.html …
import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";
import { basename } from "node:path";

/** What is between the margins of A4, in pixels of CSS: 210 mm less twice 14 mm (crates/report/templates/page.css). */
const WIDTH = Math.floor(((210 - 2 * 14) / 25.4) * 96);

const faults = [];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** In the page: what extends beyond the paper, or out of its cell. */
function cut() {
  const shown = (e) => e.checkVisibility({ contentVisibilityAuto: true }) && !e.closest(".told, .keys, svg");
  const name = (e) => `${e.closest("section")?.id ?? "head"}: ${e.tagName}.${e.className} ${JSON.stringify(e.innerText?.slice(0, 40))}`;
  const all = [...document.querySelectorAll("body *")].filter(shown);
  const wide = all.filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
  const full = all.filter((e) => e.matches("td, th") && e.scrollWidth > e.clientWidth + 1);
  return [...wide.slice(0, 3).map((e) => `beyond the paper: ${name(e)}`), ...full.slice(0, 3).map((e) => `out of its cell: ${name(e)}`)];
}

/** In the page: of each table with many columns, how often each of its cells is printed. */
function missing() {
  const cells = (tables) => tables.map((t) => [...t.tBodies].map((b) => [...b.rows].map((r) => [...r.cells].map((c) => c.textContent))));
  const found = [];
  for (const table of document.querySelectorAll("table.many")) {
    const parts = [];
    for (let next = table.nextElementSibling; next?.matches("table.part"); next = next.nextElementSibling) parts.push(next);
    const printed = parts.length ? parts : [table];
    const heads = Number(table.dataset.heads ?? 1);
    const kept = Number(table.dataset.kept ?? heads);
    const names = (t) => [...t.tHead.rows[0].cells].map((c) => c.textContent);
    const whole = names(table).slice(heads);
    const of = printed.flatMap((t, at) => names(t).slice(at === 0 ? heads : kept));
    if (JSON.stringify(of) !== JSON.stringify(whole)) found.push(`${table.className}: the columns ${of} are printed, not ${whole}`);
    if (printed.some((t) => !t.checkVisibility()) || (parts.length && table.checkVisibility())) found.push(`${table.className}: not printed, or twice`);
    const [every, ...rest] = cells([table, ...parts]);
    rest.forEach((part) => part.forEach((body, b) => body.forEach((row, r) => row[0] === every[b][r][0] || found.push(`${row[0]} is not the heading of ${every[b][r][0]}`))));
    const figures = (t, at) => t.flatMap((body) => body.flatMap((row) => row.slice(at === 0 ? heads : kept)));
    if (parts.length && rest.flatMap(figures).sort().join() !== figures(every, 0).sort().join() && !table.querySelector("td[colspan]")) found.push(`${table.className}: not every figure is printed once`);
  }
  return found;
}

for (const page of process.argv.slice(2)) {
  for (const script of [true, false]) {
    const context = await browser.newContext({ viewport: { width: WIDTH, height: 971 }, javaScriptEnabled: script });
    const tab = await context.newPage();
    const told = (what) => faults.push(`${basename(page)}, ${script ? "with" : "without"} scripts: ${what}`);
    tab.on("pageerror", (e) => told(String(e)));
    // All of it: what is folded is printed too.
    await tab.goto(`${pathToFileURL(page).href}#all`);
    for (const language of ["en", "ja"]) {
      await tab.evaluate((language) => (document.documentElement.dataset.lang = document.documentElement.lang = language), language);
      await tab.emulateMedia({ media: "print" });
      if (script) await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
      (await tab.evaluate(cut)).forEach((f) => told(`${language}: ${f}`));
      (await tab.evaluate(missing)).forEach((f) => told(`${language}: ${f}`));
      if (script) await tab.evaluate(() => dispatchEvent(new Event("afterprint")));
      await tab.emulateMedia({ media: "screen" });
      const left = await tab.evaluate(() => document.querySelectorAll("table.part, table[data-split]").length);
      if (left) told(`${language}: ${left} tables of the paper stay on the screen`);
    }
    if (script) {
      // Unless all of it is asked for, four pages at most.
      const short = await context.newPage();
      await short.goto(pathToFileURL(page).href);
      const sheets = (await short.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
      if (sheets < 1 || (sheets > 4 && (await short.$("#all")))) told(`${sheets} pages of paper`);
      await short.emulateMedia({ media: "print" });
      const split = await short.evaluate(() => {
        const lines = (e) => e.scrollHeight / parseFloat(getComputedStyle(e).lineHeight);
        const names = [...document.querySelectorAll(".forest tbody .target > span")].filter((e) => e.checkVisibility());
        return names.filter((e) => lines(e) > 1.5 && e.textContent.length / lines(e) < 4).map((e) => e.textContent.slice(0, 20));
      });
      if (split.length) told(`split letter by letter: ${split.slice(0, 3)}`);
      await short.close();
      // The browser's own printing asks for the same.
      await tab.evaluate(() => addEventListener("beforeprint", () => (window.parts = document.querySelectorAll("table.part").length)));
      await tab.pdf({ preferCSSPageSize: true });
      // One from which empty columns are left out may have as few as fit.
      const [many, least, parts] = await tab.evaluate(() => {
        const wide = [...document.querySelectorAll("table.many")].map((table) => Math.max(...[...table.tHead.rows].map((row) => row.cells.length)));
        return [wide.length, wide.reduce((sum, columns) => sum + (columns > 9 ? 2 : 1), 0), window.parts];
      });
      if (parts < least) told(`${many} tables with many columns were printed as ${parts}, of at least ${least}`);
    }
    await context.close();
  }
}

await browser.close();
faults.forEach((f) => console.error(f));
process.exit(faults.length ? 1 : 0);
