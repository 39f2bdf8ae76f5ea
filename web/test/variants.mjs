// Opens pages of many kinds of run, wide and on a phone, light and dark, in both languages, and says what a reader would dislike (look.mjs), and what is
// an error on the console. Run by crates/report/tests/browser.rs.
// node web/test/variants.mjs PAGE.html …
import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";
import { basename } from "node:path";
import { look } from "./look.mjs";

const faults = [];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

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
    for (const [language, colorScheme] of [["one language", "light"], ["the other", "dark"]]) {
      await tab.emulateMedia({ colorScheme });
      (await tab.evaluate(look)).forEach((f) => told(`${language}: ${f}`));
      await tab.click("#language");
    }
    await context.close();
  }
}

await browser.close();
faults.forEach((f) => console.error(f));
process.exit(faults.length ? 1 : 0);
