// What the glossary says of a term, shown beside its link while the link is pointed at or has the focus, and on a touch
// until the next. Fetched when the first term is met; without it the links lead to the glossary.
const style = new CSSStyleSheet();
style.replaceSync(
  [
    `.term-said { position: fixed; inset: auto; box-sizing: border-box; width: max-content;
      max-width: min(22rem, calc(100vw - 2rem)); margin: 0; padding: 0.7rem 0.9rem;`,
    `font: 0.9375rem/1.45 var(--serif); color: var(--ink); background: var(--paper); border: 1px solid var(--rule-2);
      border-radius: var(--radius); box-shadow: 0 6px 20px rgb(0 0 0 / 0.14); }`,
    `.term-said p { margin: 0; }`,
    `.term-said a { display: inline-flex; align-items: center; min-height: 2.75rem; margin-block-end: -0.6rem;
      color: var(--accent); font-family: var(--sans); font-size: 0.875rem; }`,
    `@media print { .term-said { display: none; } }`,
  ].join(""),
);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];

const box = document.createElement("div");
box.className = "term-said";
box.id = "term-said";
box.popover = "manual";
document.body.append(box);

let glossary, now, leaving;
function load(path) {
  glossary ??= fetch(path)
    .then(async (r) => {
      if (!r.ok) throw new Error(`${r.url}: ${r.status}`);
      return new DOMParser().parseFromString(await r.text(), "text/html");
    })
    .catch((err) => {
      glossary = undefined;
      throw err;
    });
  return glossary;
}

// definition is the first thing said of a term, as nodes without links and ids.
async function definition(link) {
  const page = await load(link.pathname);
  const said = page.getElementById(decodeURIComponent(link.hash.slice(1)))?.nextElementSibling;
  if (said?.localName !== "dd") throw new Error(`no term ${link.hash}`);
  const copy = document.importNode(said, true);
  for (const a of copy.querySelectorAll("a")) a.replaceWith(...a.childNodes);
  for (const e of copy.querySelectorAll("[id]")) e.removeAttribute("id");
  return copy.childNodes;
}

// place puts the box below the line of the link, or above where there is no space.
function place(link) {
  const line = link.getClientRects()[0];
  const { width, height } = box.getBoundingClientRect();
  const below = line.bottom + 6 + height < innerHeight;
  box.style.left = `${Math.max(16, Math.min(line.left, document.documentElement.clientWidth - width - 16))}px`;
  box.style.top = `${below ? line.bottom + 6 : Math.max(0, line.top - 6 - height)}px`;
}

export async function explain(link, touched) {
  clearTimeout(leaving);
  if (now === link && !touched) return;
  hide();
  now = link;
  const nodes = await definition(link);
  if (now !== link) return;
  const p = document.createElement("p");
  p.append(...nodes);
  box.replaceChildren(p);
  box.setAttribute("role", touched ? "status" : "tooltip");
  if (touched) {
    const more = document.createElement("a");
    more.href = link.href;
    more.textContent = phrase("site.in-glossary");
    box.append(more);
  }
  box.showPopover();
  place(link);
  link.setAttribute("aria-describedby", box.id);
}

export function hide() {
  clearTimeout(leaving);
  now?.removeAttribute("aria-describedby");
  now = undefined;
  box.hidePopover();
}

// The pointer may leave the link for the box, and for a moment for neither.
const within = (e) => e.target instanceof Node && (box.contains(e.target) || now?.contains(e.target));
addEventListener("pointerover", (e) => {
  if (!now || e.pointerType === "touch") return;
  clearTimeout(leaving);
  if (!within(e) && document.activeElement !== now) leaving = setTimeout(hide, 250);
});
addEventListener("focusout", (e) => {
  if (e.target === now) leaving = setTimeout(hide, 250);
});
addEventListener("pointerdown", (e) => {
  if (now && !within(e)) hide();
});
addEventListener("keydown", (e) => {
  if (e.key === "Escape" && now) hide();
});
addEventListener(
  "scroll",
  () => {
    if (now) hide();
  },
  { passive: true },
);
