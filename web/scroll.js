// What scrolls by itself where it is too wide for the page, such as a long formula, becomes a stop of the keyboard while
// it does, and shows at its edge that it goes on. Pages of the book use it, and calculators in other pages.
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
    try { await navigator.clipboard.writeText(pre.textContent); button.textContent = phrase("site.copied-code"); }
    catch { button.textContent = phrase("site.copy-forbidden"); }
    setTimeout(() => { button.textContent = phrase("site.copy-code"); }, 2000);
  });
  pre.replaceWith(box);
  box.append(pre, button);
}
