// Charts as pictures: a button in each figure saves its drawing as a PNG file, with title, legend and background, in the colours and
// the language of the moment. It is drawn from the SVG, which stands in the figure also where a live chart is shown instead.

/** Pixels of the picture for each of the drawing. */
const SCALE = 2;
const MARGIN = 12;
const LINE = 20;
/** What the style sheet says about a drawing, and a picture must carry itself. */
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "shape-rendering"];

export function offerPictures(): void {
  document.querySelectorAll<HTMLElement>("figure").forEach((figure) => {
    const drawing = figure.querySelector<SVGSVGElement>(":scope > svg");
    if (!drawing) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "picture";
    button.translate = false;
    button.textContent = "PNG";
    button.addEventListener("click", () => void save(figure, drawing));
    figure.append(button);
  });
}

async function save(figure: HTMLElement, drawing: SVGSVGElement): Promise<void> {
  const title = figure.querySelector("figcaption")?.innerText.trim() ?? "";
  const picture = composed(figure, drawing, title);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width.baseVal.value * SCALE, picture.height.baseVal.value * SCALE];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = document.createElement("a");
  link.href = canvas.toDataURL("image/png");
  link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80) || "chart"}.png`;
  link.click();
}

/** The drawing with its title above and its legend below. */
function composed(figure: HTMLElement, drawing: SVGSVGElement, title: string): SVGSVGElement {
  const page = getComputedStyle(document.body);
  const { width, height } = drawing.viewBox.baseVal;
  // The page names no address, not even that of the namespace.
  const create = (name: string) => document.createElementNS(drawing.namespaceURI, name) as SVGElement;
  const all = create("svg") as SVGSVGElement;
  const write = (text: string, x: number, y: number, bold: boolean) => {
    const words = create("text");
    const style = { x, y, fill: page.color, "font-family": page.fontFamily, "font-size": bold ? 14 : 12, "font-weight": bold ? 600 : 400 };
    for (const [name, value] of Object.entries(style)) words.setAttribute(name, `${value}`);
    words.textContent = text;
    all.append(words);
  };
  const measure = document.createElement("canvas").getContext("2d");
  const long = (text: string, font: string) => {
    if (measure) measure.font = `${font} ${page.fontFamily}`;
    return measure?.measureText(text).width ?? 0;
  };
  let y = MARGIN + LINE / 2;
  for (const line of broken(title, (text) => long(text, "600 14px") <= width)) {
    write(line, MARGIN, y + 4, true);
    y += LINE;
  }
  const own = styled(drawing) as SVGSVGElement;
  for (const [name, value] of Object.entries({ x: MARGIN, y, width, height })) own.setAttribute(name, `${value}`);
  all.append(own);
  y += height + LINE / 2;
  let x = MARGIN;
  figure.querySelectorAll<HTMLElement>(":scope > .legend > span").forEach((entry) => {
    const name = read(entry).trim();
    const use = entry.querySelector("use")?.getAttribute("href")?.slice(1);
    const mark = use ? document.getElementById(use) : entry.querySelector<SVGElement>("svg");
    const needed = 40 + long(name, "12px") + 16;
    if (x > MARGIN && x + needed > width) [x, y] = [MARGIN, y + LINE];
    if (mark) {
      const group = create("g");
      group.setAttribute("transform", `translate(${x} ${y - 7})`);
      group.append(styled(mark));
      all.append(group);
    }
    write(name, x + 40, y + 4, false);
    x += needed;
  });
  const size = { width: width + 2 * MARGIN, height: y + LINE };
  for (const [name, value] of Object.entries(size)) all.setAttribute(name, `${value}`);
  const paper = create("rect");
  for (const [name, value] of Object.entries({ ...size, fill: getComputedStyle(figure).backgroundColor })) paper.setAttribute(name, `${value}`);
  all.prepend(paper);
  return all;
}

/** A copy that needs no style sheet, without what the reader does not see: the other language, and tooltips. */
function styled(element: Element): Element {
  const copy = element.cloneNode(false) as Element;
  const style = getComputedStyle(element);
  for (const name of STYLES) copy.setAttribute(name, style.getPropertyValue(name));
  copy.removeAttribute("class");
  for (const child of element.childNodes) {
    if (child instanceof Element) {
      if (child.tagName !== "title" && getComputedStyle(child).display !== "none") copy.append(styled(child));
    } else copy.append(child.cloneNode());
  }
  return copy;
}

/** The text that a reader of this language sees, also of what is hidden as a whole. */
function read(element: Element): string {
  const parts = [...element.childNodes].map((child) => {
    if (!(child instanceof Element)) return child.textContent ?? "";
    return child instanceof SVGElement || getComputedStyle(child).display === "none" ? "" : read(child);
  });
  return parts.join("").replace(/\s+/g, " ");
}

/** Text in lines that fit. */
function broken(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
