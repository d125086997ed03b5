// What scrolls by itself where it is too wide for the page, such as a long formula, becomes a stop of the keyboard
// while it does, and shows at its edge that it goes on. Pages of the book use it, and calculators in other pages.
const wide = [".math", ".table-box", "pre", ".grid", ".row-formula", ".working", ".law-formula", ".drawing-box"].join();

// A mark tells our own stops from those that a part is by itself.
function look(e) {
  const more = e.scrollWidth > e.clientWidth + 1;
  e.toggleAttribute("data-scrolls", more);
  if (more && !e.hasAttribute("tabindex")) {
    e.tabIndex = 0;
    e.dataset.stop = "";
  } else if (!more && "stop" in e.dataset && e !== e.getRootNode().activeElement) {
    e.removeAttribute("tabindex");
    delete e.dataset.stop;
  }
}

// watch looks after all such parts below a node, and after those that come later.
export function watch(root) {
  const sized = new ResizeObserver((entries) => {
    for (const e of new Set(entries.map((x) => x.target.closest(wide)))) if (e) look(e);
  });
  const known = new WeakSet();
  function add(from) {
    for (const e of [from, ...from.querySelectorAll(wide)]) {
      if (known.has(e) || !e.matches(wide)) continue;
      known.add(e);
      for (const part of [e, e.firstElementChild]) if (part) sized.observe(part);
    }
  }
  add(root);
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const e of addedNodes) if (e.nodeType === Node.ELEMENT_NODE) add(e);
  }).observe(root, { childList: true, subtree: true });
}

// The lines of a calculator are one stop of the keyboard. So are its tools, except Reset, which comes and goes, and the
// buttons of a question. Arrows lead from one to the next.
const line = ".row > summary, .sheet-tools > .tool + .tool, .menu > summary, .guess > .tool, .symbols > .tool";
const groups = ".rows, .sheet-tools, .guess, .symbols";
const lines = (box) => [...box.querySelectorAll(line)].filter((e) => e.closest(groups) === box && e.checkVisibility());

// settle leaves one stop in each group below a node: the line that has the focus, or the one that was it before.
function settle(root, focused) {
  for (const box of root.querySelectorAll(groups)) {
    const all = lines(box);
    const stop = all.find((e) => e === focused) ?? all.find((e) => e.tabIndex === 0) ?? all[0];
    for (const e of all) e.tabIndex = e === stop ? 0 : -1;
  }
}

// groupLines makes one stop of each group of lines. Lines that come later are found when the focus comes near.
export function groupLines(root) {
  settle(root);
  root.addEventListener("focusin", ({ target }) => {
    const sheet = target.closest("section.sheet");
    if (sheet) settle(sheet, target);
  });
  root.addEventListener("keydown", (e) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[e.key];
    if (!step || e.ctrlKey || e.altKey || e.metaKey || e.shiftKey || !e.target.matches(line)) return;
    const all = lines(e.target.closest(groups));
    e.preventDefault();
    all[all.indexOf(e.target) + step]?.focus();
  });
}

// leadOn puts a button before each calculator of a page that leads to the one before the next.
export function leadOn() {
  const sheets = [...document.querySelectorAll("main section.sheet")].filter(
    (s) => !/^(opening|inline)$/.test(s.dataset.size) && !s.closest("details"),
  );
  const buttons = sheets.slice(0, -1).map((s) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "skip";
    button.textContent = phrase("site.next-sheet");
    s.before(button);
    return button;
  });
  const last = sheets.at(-1);
  buttons.forEach((b, i) =>
    b.addEventListener("click", () => {
      (buttons[i + 1] ?? last.querySelector("input, select, summary")).focus();
    }),
  );
}

// offerCopies puts a button to copy it beside each block of code.
export function offerCopies() {
  for (const pre of document.querySelectorAll("main > * pre")) if (!pre.closest(".sheet, .code-box")) addCopy(pre);
}

function addCopy(pre) {
  const box = document.createElement("div");
  box.className = "code-box";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "code-copy";
  button.textContent = phrase("site.copy-code");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = phrase("site.copied-code");
    } catch {
      button.textContent = phrase("site.copy-forbidden");
    }
    setTimeout(() => {
      button.textContent = phrase("site.copy-code");
    }, 2000);
  });
  pre.replaceWith(box);
  box.append(pre, button);
}
