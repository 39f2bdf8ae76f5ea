// Opens pages of many kinds of run, wide and on a phone, in both languages, and says what a reader would dislike: a page wider than its window,
// labels that run into each other or out of their drawing, errors on the console. Run by crates/report/tests/browser.rs.
// node web/test/variants.mjs PAGE.html …
import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";
import { basename } from "node:path";

const faults = [];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** In the page: what is wrong with its drawings and its width. */
function look() {
  const found = [];
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) {
    const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, nav, pre, .told, svg"));
    found.push(`${over} px wider than the window: ${wide.slice(0, 3).map((e) => `${e.tagName}.${e.className}`).join(", ")}`);
  }
  for (const svg of document.querySelectorAll("figure > svg")) {
    const name = svg.parentElement.querySelector("figcaption").innerText;
    const frame = svg.viewBox.baseVal;
    const texts = [...svg.querySelectorAll("text")].filter((t) => getComputedStyle(t).display !== "none");
    const boxes = texts.map((t) => ({ text: t.textContent, box: t.getBBox(), turned: t.hasAttribute("transform") }));
    for (const { text, box, turned } of boxes) {
      if (turned) continue;
      if (box.x < -1 || box.y < -1 || box.x + box.width > frame.width + 1 || box.y + box.height > frame.height + 1) found.push(`${name}: "${text}" is cut`);
    }
    const frameOnScreen = svg.getBoundingClientRect();
    for (const t of texts.filter((t) => t.hasAttribute("transform"))) {
      const at = t.getBoundingClientRect();
      if (at.left < frameOnScreen.left - 1 || at.bottom > frameOnScreen.bottom + 1) found.push(`${name}: "${t.textContent}" is cut`);
    }
    boxes.forEach((a, i) => {
      for (const b of boxes.slice(i + 1)) {
        if (a.turned || b.turned) continue;
        const apart = a.box.x + a.box.width <= b.box.x + 1 || b.box.x + b.box.width <= a.box.x + 1 || a.box.y + a.box.height <= b.box.y + 3 || b.box.y + b.box.height <= a.box.y + 3;
        if (!apart) found.push(`${name}: "${a.text}" and "${b.text}" overlap`);
      }
    });
  }
  return found;
}

for (const page of process.argv.slice(2)) {
  for (const [name, viewport, script] of [["wide", { width: 1280, height: 900 }, false], ["phone", { width: 390, height: 844 }, false], ["live", { width: 1280, height: 900 }, true]]) {
    const context = await browser.newContext({ viewport, javaScriptEnabled: true });
    const tab = await context.newPage();
    const told = (what) => faults.push(`${basename(page)}, ${name}: ${what}`);
    tab.on("console", (m) => m.type() === "error" && told(`console says ${m.text()}`));
    tab.on("pageerror", (e) => told(String(e)));
    // Drawings are measured where scripts have not taken their place.
    if (!script) await tab.addInitScript(() => (window.IntersectionObserver = class { observe() {} unobserve() {} }));
    await tab.goto(pathToFileURL(page).href);
    if (script) {
      for (const figure of await tab.locator("main figure[data-chart]:visible").all()) await figure.scrollIntoViewIfNeeded();
      const undrawn = await tab.evaluate(() => [...document.querySelectorAll("figure.zooms")].filter((f) => !f.querySelector(".chart canvas")).length);
      if (undrawn) told(`${undrawn} charts are neither drawn nor live`);
    }
    for (const language of ["one language", "the other"]) {
      (await tab.evaluate(look)).forEach((f) => told(`${language}: ${f}`));
      await tab.click("#language");
    }
    await context.close();
  }
}

await browser.close();
faults.forEach((f) => console.error(f));
process.exit(faults.length ? 1 : 0);
