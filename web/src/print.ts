// On paper nothing can be opened: what is folded is opened before printing and folded again after it. Browsers that style
// the content of a closed <details> need no script for it (templates/page.css).

export function openForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
    opened.forEach((d) => (d.open = true));
  });
  addEventListener("afterprint", () => opened.forEach((d) => (d.open = false)));
}
