// The page is complete without this; with it tables sort, and language and theme can be switched.
(() => {
  const root = document.documentElement;
  document.querySelectorAll(".buttons").forEach((b) => b.removeAttribute("hidden"));
  document.getElementById("language")?.addEventListener("click", () => {
    root.lang = root.dataset.lang = root.dataset.lang === "ja" ? "en" : "ja";
  });
  document.getElementById("theme")?.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  const value = (row, i) => {
    const text = row.cells[i].textContent.trim();
    const number = parseFloat(text.replace(/,/g, ""));
    return Number.isNaN(number) ? text : number;
  };
  document.querySelectorAll("table.sortable").forEach((table) => {
    table.classList.add("live");
    [...table.tHead.rows[0].cells].forEach((head, i) => {
      head.tabIndex = 0;
      const sort = () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        [...table.tHead.rows[0].cells].forEach((h) => h.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows].sort((a, b) => {
          const [x, y] = [value(a, i), value(b, i)];
          const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
          return down ? -order : order;
        });
        table.tBodies[0].append(...rows);
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (e) => { if (e.key === "Enter") sort(); });
    });
  });
})();
