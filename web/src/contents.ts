// The contents at the side: what is folded opens where a link leads into it, and the section in view is marked.

export function connectContents(): void {
  const open = () => {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    if (!target) return;
    for (let at: HTMLElement | null = target; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
    const own = target.querySelector<HTMLDetailsElement>(":scope > details:has(> summary > h2)");
    if (own) own.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
  const links = new Map([...document.querySelectorAll<HTMLAnchorElement>("nav a")].map((a) => [a.hash.slice(1), a]));
  links.get("all")?.addEventListener("click", () => setTimeout(print));
  const inView = new Set<Element>();
  const seen = new IntersectionObserver((entries) => {
    entries.forEach((entry) => (entry.isIntersecting ? inView.add(entry.target) : inView.delete(entry.target)));
    const first = [...document.querySelectorAll("main section")].find((section) => inView.has(section));
    links.forEach((link, id) => link.classList.toggle("on", id === first?.id));
  });
  document.querySelectorAll("main section").forEach((section) => seen.observe(section));
}
