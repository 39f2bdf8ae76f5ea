// The two buttons at the top: language and theme. Both texts stand in the page; the style shows one.

export function connectSwitches(redraw: () => void): void {
  const root = document.documentElement;
  document.querySelectorAll<HTMLElement>(".buttons").forEach((b) => b.removeAttribute("hidden"));
  document.getElementById("language")?.addEventListener("click", () => {
    root.lang = root.dataset.lang = root.dataset.lang === "ja" ? "en" : "ja";
    redraw();
  });
  const system = matchMedia("(prefers-color-scheme: dark)");
  document.getElementById("theme")?.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
    root.dataset.theme = dark ? "light" : "dark";
    redraw();
  });
  system.addEventListener("change", redraw);
}
