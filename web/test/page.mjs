// Opens a report page in headless Chromium as a reader would and says what is wrong with it; run by crates/report/tests/browser.rs.
// node web/test/page.mjs PAGE.html THE-SAME-WRITTEN-IN-JAPANESE.html [FOLDER FOR PICTURES]
import { chromium } from "playwright-core";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [page, japanese, pictures] = process.argv.slice(2);
const address = pathToFileURL(page).href;
const faults = [];
const must = (truth, what) => truth || faults.push(what);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

async function open(name, options, look, address = pathToFileURL(page).href) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const tab = await context.newPage();
  // A slow machine on which other browsers are tested at the same time.
  tab.setDefaultTimeout(120_000);
  tab.on("request", (r) => must(r.url() === address, `${name}: a request to ${r.url()}`));
  tab.on("console", (m) => must(m.type() !== "error", `${name}: console says ${m.text()}`));
  tab.on("pageerror", (e) => must(false, `${name}: ${e}`));
  tab.on("dialog", (d) => (must(false, `${name}: a dialog ${d.message()}`), d.dismiss()));
  await tab.goto(address);
  await look(tab).catch((e) => must(false, `${name}: ${e}`));
  const over = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  must(over <= 0, `${name}: the page is ${over} px wider than the window`);
  if (pictures) await tab.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  await context.close();
}

const shown = (tab, selector) => tab.locator(selector).first().isVisible();
const background = (tab) => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);

await open("no-script", { javaScriptEnabled: false }, async (tab) => {
  must(await shown(tab, ".answer"), "no-script: no answer");
  must(await shown(tab, "figure[data-chart] > svg"), "no-script: the time series is not drawn");
  await tab.locator("#record > summary").click();
  await tab.locator("#readings summary").first().click();
  must(await shown(tab, "#readings svg.spark path"), "no-script: the course of a reading is not drawn");
  must(!(await shown(tab, "#readings .with-script")), "no-script: the readings say how to open them");
  must(!(await shown(tab, "#language")), "no-script: a button that does nothing is shown");
});

/** What the legend shows with the cursor in the middle of a chart. Other charts that are drawn meanwhile may move it. */
async function legend(tab, over, value) {
  let read = "";
  for (let attempt = 0; attempt < 50 && !/\d/.test(read); attempt++) {
    const box = await over.boundingBox();
    await tab.mouse.move(box.x + box.width / 2 + (attempt % 2) / 4, box.y + box.height / 2);
    await tab.waitForTimeout(100);
    read = await value.innerText();
  }
  return read;
}

/** Saves the chart of a figure, and says how wide the picture is and what share of it is drawn on. */
async function picture(tab, figure) {
  // Of a second file that a page saves the browser may ask whether it is wanted, if it is too busy to see that it follows from a click: each is the first
  // one of its page.
  const fresh = await tab.context().newPage();
  fresh.setDefaultTimeout(120_000);
  await fresh.goto(address);
  await fresh.locator("#series details").evaluateAll((all) => all.forEach((d) => (d.open = true)));
  // Charts that are drawn meanwhile may move the button from under the pointer.
  const button = fresh.locator(`${figure} > .picture`).first();
  await button.scrollIntoViewIfNeeded();
  const [saved] = await Promise.all([fresh.waitForEvent("download"), button.evaluate((it) => it.click())]);
  const bytes = await readFile(await saved.path());
  await fresh.close();
  return tab.evaluate(async (base64) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "image/png" }));
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const brush = canvas.getContext("2d");
    brush.drawImage(image, 0, 0);
    const { data } = brush.getImageData(0, 0, image.width, image.height);
    let drawn = 0;
    for (let at = 0; at < data.length; at += 4) drawn += Math.abs(data[at] - data[0]) + Math.abs(data[at + 1] - data[1]) > 60;
    return { width: image.width, share: drawn / (image.width * image.height) };
  }, bytes.toString("base64"));
}

await open("light", { colorScheme: "light" }, async (tab) => {
  for (const figure of ["#answer figure", "#glance figure", "#series figure", "figure:has(> svg .heat)"]) {
    const { width, share } = await picture(tab, figure);
    must(width > 1000 && share > 0.005 && share < 0.9, `light: the picture of ${figure} is ${width} wide, ${share} of it drawn`);
  }
  const light = await background(tab);
  await tab.click("#theme");
  must((await background(tab)) !== light, "light: the theme button changes nothing");
  await tab.click("#theme");
  must((await background(tab)) === light, "light: the theme does not come back");

  const column = () => tab.locator("table.results").locator("tbody td:nth-child(4)").allInnerTexts();
  const figures = (texts) => texts.map((t) => parseFloat(t.replace(/,/g, "")));
  const head = tab.locator("table.results").locator("thead th").nth(3);
  await head.click();
  const up = figures(await column());
  must(up.every((v, i) => i === 0 || up[i - 1] <= v), `light: not sorted: ${up}`);
  await head.click();
  must(figures(await column())[0] === Math.max(...up), "light: not sorted downwards");

  await tab.locator("figure[data-chart]").first().scrollIntoViewIfNeeded();
  await tab.waitForSelector("figure.zooms .chart canvas");
  const read = await legend(tab, tab.locator("figure.zooms .chart .over").first(), tab.locator("figure.zooms .values .value").nth(1));
  must(/\d/.test(read), `light: the legend reads ${read} under the cursor`);
});

// Each text of the page has its counterpart: those of the other language are put beside them by the script alone.
await open("languages", {}, async (tab) => {
  const [texts, left, short] = await tab.evaluate(() => {
    const own = [...document.querySelectorAll("body [lang=en]")].filter((own) => own.nextElementSibling?.getAttribute("lang") !== "ja");
    return [document.querySelectorAll("body [lang=ja]").length, own.map((own) => own.textContent), document.querySelectorAll("t-").length];
  });
  must(texts > 300 && left.length === 0 && short === 0, `languages: ${texts} Japanese texts, none for ${left.slice(0, 3)}; ${short} short ones`);
});

// In the language that it is written in, a page is whole without scripts: every text is what the script of the other page shows.
const texts = (tab) =>
  tab.evaluate(() => {
    document.querySelectorAll("details").forEach((d) => (d.open = true));
    const own = [...document.querySelectorAll("h2, h3, th, td, p, li, summary, dt, dd, figcaption")].filter((e) => e.checkVisibility() && !e.closest(".bar, nav"));
    // Charts that scripts draw have a legend of their own, and buttons.
    return own.filter((e) => !e.matches(".legend, .values, :has(.with-script)")).map((e) => e.innerText.replace(/PNG$/, "").trim());
  });
let without = [];
await open("japanese-without-script", { javaScriptEnabled: false }, async (tab) => (without = await texts(tab)), pathToFileURL(japanese).href);
await open("japanese-by-script", {}, async (tab) => {
  await tab.click("#language");
  const shown = await texts(tab);
  const at = shown.findIndex((text, n) => text !== without[n]);
  must(without.length > 300 && at < 0 && shown.length === without.length, `japanese: text ${at} of ${without.length} is ${JSON.stringify(without[at])} without scripts, ${JSON.stringify(shown[at])} with them`);
});

await open("dark-japanese", { colorScheme: "dark" }, async (tab) => {
  await tab.click("#language");
  must(await shown(tab, ".answer [lang=ja]"), "dark-japanese: no Japanese answer");
  must(!(await shown(tab, ".answer [lang=en]")), "dark-japanese: the English answer stays");
  must((await tab.getAttribute("html", "lang")) === "ja", "dark-japanese: lang is not ja");
});

await open("charts", {}, async (tab) => {
  // 1, 8 and 64 clients: equal steps are equal factors, in the drawing and in what the script draws.
  const at = await tab.evaluate(() => [...document.querySelectorAll("#answer figure > svg")][0].querySelectorAll(".tick[text-anchor=middle] text").values().map((t) => Number(t.getAttribute("x"))).toArray());
  must(at.length === 3 && Math.abs(at[2] - at[1] - (at[1] - at[0])) < 1, `charts: clients are not spaced by doublings: ${at}`);
  await tab.waitForSelector("#answer figure.zooms .chart canvas");
  const clients = await legend(tab, tab.locator("#answer .chart .over").first(), tab.locator("#answer .values .value").first());
  must(clients === "8", `charts: under the cursor stand ${clients} clients, not 8`);
});

await open("contents", {}, async (tab) => {
  must(await shown(tab, "nav"), "contents: there are none at the side");
  must(!(await shown(tab, "#plan")), "contents: the record is not folded");
  await tab.click("nav a[href='#plan']");
  must(await shown(tab, "#plan pre"), "contents: a link does not open what it leads to");
  await tab.click("nav a[href='#errors']");
  must(await tab.locator("#errors > details").evaluate((d) => d.open), "contents: a link does not open its section");
});

await open("readings", {}, async (tab) => {
  await tab.locator("#record").evaluate((d) => (d.open = true));
  await tab.locator("#readings details").first().evaluate((d) => (d.open = true));
  const row = tab.locator("#readings tr[data-reading]").filter({ hasText: "com_select" }).first();
  await row.locator("th").focus();
  await tab.keyboard.press("Enter");
  await tab.waitForSelector("#readings tr.open .chart canvas");
  const over = tab.locator("#readings tr.open .chart .over");
  const read = async () => {
    const box = await over.boundingBox();
    await tab.mouse.move(box.x + 8, box.y + box.height / 2);
    return parseFloat(await tab.locator("#readings tr.open .values .value").first().innerText());
  };
  must((await read()) >= 0, "readings: the chart does not begin with the clients");
  await tab.locator("#readings tr.open button").click();
  must((await read()) < 0, "readings: what was read while it loaded is not shown");
  const names = await tab.locator("#readings tr.open .values svg").count();
  must(names > 1, "readings: the lines have no marks");
  await row.locator("th").click();
  must((await tab.locator("#readings tr.open").count()) === 0, "readings: the row does not close");
  await row.locator("th").click();
  await tab.waitForSelector("#readings tr.open .chart canvas");
  await tab.click("#language");
});

await open("dark-print", { colorScheme: "dark" }, async (tab) => {
  await tab.emulateMedia({ media: "print", colorScheme: "dark" });
  must((await background(tab)) === "rgb(255, 255, 255)", `dark-print: paper is ${await background(tab)}`);
});

await open("phone", { viewport: { width: 390, height: 844 } }, async () => {});

await open("print", {}, async (tab) => {
  await tab.emulateMedia({ media: "print" });
  must(!(await shown(tab, "#theme")), "print: buttons are printed");
  must(await shown(tab, "figure[data-chart] > svg"), "print: the time series is not printed");
  if (pictures) await tab.pdf({ path: join(pictures, "print.pdf"), format: "A4", printBackground: true });
});

await browser.close();
faults.forEach((f) => console.error(f));
process.exit(faults.length ? 1 : 0);
