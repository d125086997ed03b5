// What the reader answered on this page, how far off that was, and what to read again. Answers are kept in this browser
// alone: the calculators write them, this script reads them, and clears them when it is asked to.
const style = new CSSStyleSheet();
style.replaceSync(
  [
    `.answered ol { padding-inline-start: 1.2rem; font: 0.9375rem/1.5 var(--sans); }`,
    `.answered li { margin-block: 0.6rem; }`,
    `.answered li > span { display: block; color: var(--ink-2); }`,
    `.answered summary { min-height: var(--tap); font: 500 0.9375rem/2.75rem var(--sans); cursor: pointer; }`,
    `.answered button { min-height: var(--tap); padding: 0 1rem; border: 1px solid var(--rule-2); }`,
    `.answered button { border-radius: var(--radius); background: var(--paper); color: var(--ink); }`,
    `.answered button { font: 0.875rem var(--sans); cursor: pointer; }`,
    `@media print { .answered { display: none; } }`,
  ].join(""),
);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];

const near = 1.25; // a number within this factor is nearly right, as its verdict says

// make is an element with children, which may be texts.
function make(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// asks are the questions of the page, in its order: where each stands, what it is about, and where that is explained.
function asks() {
  const heads = [...document.querySelectorAll("article :is(h2, h3)[id]")];
  return [...document.querySelectorAll(".sheet[data-sheet] .ask .question")].map((p) => {
    const [sheet, name] = p.id.replace(/--guess-question$/, "").split("--");
    const problem = p.closest(".problem");
    const above = heads.filter((h) => h.compareDocumentPosition(p) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
    const linked = [...(problem?.querySelectorAll(':scope > :is(.hint, .answer) a[href*="/#"]') ?? [])].find(
      (a) => !a.closest(".cite") && !a.pathname.endsWith("/glossary/") && a.origin === location.origin,
    );
    return { sheet, name, asked: p, problem, read: linked ?? above };
  });
}

const isWrong = (said) => said.score === "wrong" || said.score > near;

function line(ask) {
  const { asked, problem, read, sheet } = ask;
  const number = problem?.querySelector(".problem-no")?.textContent.trim();
  const item = make(
    "li",
    {},
    make("a", { href: `#${problem?.id ?? sheet}` }, number ? `${number}: ${asked.textContent}` : asked.textContent),
    make("span", {}, ask.said.verdict),
  );
  if (read && (isWrong(ask.said) || !ask.said.score)) {
    const href = read.id ? `#${read.id}` : read.getAttribute("href");
    const text = read.firstChild?.nodeType === Node.TEXT_NODE ? read.textContent : read.innerText;
    const to = make("a", { href }, text.trim());
    item.append(make("span", {}, phrase("site.answered-read"), " ", to));
  }
  return item;
}

// watch keeps the list as the answers are, from when it comes into view.
export function watch(box, base) {
  const key = (ask) => `scalebook:${base}:ask:${ask.sheet}.${ask.name}`;
  const out = make("div", { "aria-live": "off" });
  box.append(out);
  let shown;
  function show() {
    const all = asks(),
      print = [];
    for (const ask of all) {
      let kept = null;
      try {
        kept = localStorage.getItem(key(ask));
      } catch {
        /* storage is blocked: nothing is kept */
      }
      if (kept === null) continue;
      const [, verdict, score = ""] = kept.split("\n");
      ask.said = { verdict, score };
      print.push(kept);
    }
    const now = print.join("\n\n");
    if (now === shown) return;
    shown = now;
    const said = all.filter((ask) => ask.said);
    if (!said.length) {
      out.replaceChildren(make("p", {}, phrase("site.answered-none", { n: all.length })));
      return;
    }
    const wrong = said.filter((ask) => isWrong(ask.said)),
      seen = said.filter((ask) => !ask.said.score);
    wrong.sort((a, b) => (+b.said.score || 1e9) - (+a.said.score || 1e9)); // the farthest off first
    const right = said.filter((ask) => !wrong.includes(ask) && !seen.includes(ask));
    const n = said.length,
      off = wrong.length;
    const summed = phrase("site.answered", { n, all: all.length, right: right.length, off, seen: seen.length });
    const parts = [make("p", {}, summed)];
    if (wrong.length + seen.length) {
      parts.push(make("h3", {}, phrase("site.answered-again")), make("ol", {}, ...[...wrong, ...seen].map(line)));
    }
    if (right.length) {
      const summary = make("summary", {}, phrase("site.answered-right", { n: right.length }));
      parts.push(make("details", {}, summary, make("ol", {}, ...right.map(line))));
    }
    const clear = make("button", { type: "button" }, phrase("site.answered-clear"));
    clear.addEventListener("click", () => forget(said));
    out.replaceChildren(...parts, make("p", {}, clear));
  }
  // forget clears what is kept. A calculator that is running asks its question again, as it does for its own button.
  function forget(said) {
    for (const ask of said) {
      try {
        localStorage.removeItem(key(ask));
      } catch {
        /* nothing is kept */
      }
      document.getElementById(`${ask.sheet}--${ask.name}--again`)?.click();
    }
    setTimeout(() => {
      show();
      box.tabIndex = -1;
      box.focus({ preventScroll: true });
    }, 100);
  }
  let visible = false;
  new IntersectionObserver(
    ([e]) => {
      visible = e.isIntersecting;
      if (visible) show();
    },
    { rootMargin: "200px" },
  ).observe(box);
  for (const type of ["click", "keyup"])
    addEventListener(type, () => {
      if (visible) setTimeout(show, 300);
    });
  addEventListener("storage", show);
}
