// What stands in the page for this script alone, deflated and as base64: the texts of the other language, which take their places beside those of
// the page's language, and the data of the charts. Written by crates/report/src/page/other_language.rs and crates/report/src/chart_data.rs.

/** Made by unpack.ts. */
declare const unpacked: (text: string) => Uint8Array;

function bytes(id: string): Uint8Array | null {
  const text = document.getElementById(id)?.textContent;
  return text ? unpacked(text) : null;
}

const text = (all: Uint8Array) => new TextDecoder().decode(all);

/** Writes both languages into the page. */
export function writeTexts(): void {
  const own = document.documentElement.lang;
  const all = bytes("texts");
  if (!all) return;
  const [language = "", ...texts] = JSON.parse(text(all)) as string[];
  document.querySelectorAll(`t-, body [lang=${own}]`).forEach((element, n) => {
    let first = element;
    if (element.localName === "t-") {
      first = document.createElement("span");
      first.setAttribute("lang", own);
      first.append(...element.childNodes);
      element.replaceWith(first);
    }
    const other = texts[n];
    if (!other) return;
    const second = first.cloneNode() as Element;
    second.setAttribute("lang", language);
    second.innerHTML = other;
    // The English text of a message stands first.
    if (own === "en") first.after(second);
    else first.before(second);
  });
}

/** The charts as they were written, and what reads the numbers behind them, one after the other. */
export function chartData(): { charts: unknown[]; next: () => number } {
  const all = bytes("chart-data") ?? new Uint8Array();
  const end = all.indexOf(0);
  let at = end + 1;
  const next = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = all[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  return { charts: end < 0 ? [] : (JSON.parse(text(all.subarray(0, end))) as unknown[]), next };
}

/** `count` whole numbers, which are written as their differences, in steps of this size; 0 stands for one that is missing. */
export function points(count: number, step: number, next: () => number): (number | null)[] {
  let value = 0;
  return Array.from({ length: count }, () => {
    const written = next();
    if (written === 0) return null;
    value += written % 2 ? (written - 1) / 2 : -written / 2;
    // By a division where that is exact: 3 × 0.1 is not 0.3.
    return step < 1 ? value / (1 / step) : value * step;
  });
}
