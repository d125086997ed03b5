// The lines that put a calculator into another page, in a dialog. Fetched when it is first asked for: see
// app/widget/browser/page.go. It stands in the sheet's own tree, so that it works in a shadow root too.
(() => {
  const base = new URL("./", document.currentScript.src).href;
  const style = new CSSStyleSheet();
  style.replaceSync(
    [
      `.use { box-sizing: border-box; width: min(44rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem);
        padding: 1.25rem; overflow: auto; border: 1px solid var(--rule-2); border-radius: var(--radius);
        background: var(--paper); color: var(--ink); font: 0.9375rem/1.45 var(--sans); }`,
      `.use::backdrop { background: #0008; }`,
      `.use :is(h2, p) { margin: 0 0 0.75rem; }`,
      `.use h2 { font: 600 1.25rem/1.2 var(--serif); }`,
      `.use label { display: block; font-weight: 600; }`,
      `.use textarea { box-sizing: border-box; display: block; width: 100%; margin: 0.35rem 0; padding: 0.5rem;
        border: 1px solid var(--rule-2); border-radius: var(--radius); background: var(--paper-2); color: inherit;
        font: 0.8125rem/1.5 var(--mono); resize: vertical; }`,
      `.use button { min-height: 2.75rem; padding: 0 0.9rem; border: 1px solid var(--rule-2);
        border-radius: var(--radius); background: none; color: inherit; font: inherit; cursor: pointer; }`,
      `.use a { color: var(--accent); }`,
      `.use-line { margin-block-end: 1.25rem; }`,
      `.use-line > p { margin: 0 0 0.35rem; color: var(--ink-2); }`,
      `.use-foot { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem;
        }`,
    ]
      .join("")
      .replace(/([\d.]+)rem/g, "calc($1 * var(--rem, 1rem))"),
  ); // in a shadow root the book says what a rem is

  const escaped = (text) => text.replace(/[&"<>]/g, (c) => `&#${c.charCodeAt(0)};`);

  function element(tag, properties, ...kids) {
    const e = Object.assign(document.createElement(tag), properties);
    e.append(...kids);
    return e;
  }

  // lines are the two forms of embedding, with the present state in them.
  function lines(section, query) {
    const id = section.dataset.sheet;
    const title = section.querySelector(".sheet-title")?.textContent ?? id;
    const bare = new URLSearchParams(
      [...new URLSearchParams(query)].map(([key, value]) => [key.slice(id.length + 1), value]),
    );
    const low = [...section.querySelectorAll(".sheet-body [name]")].map((e) => e.getAttribute("name").toLowerCase());
    const alike = [...bare.keys()].some(
      (key) => low.filter((name) => name === key.toLowerCase()).length > 1 || reserved.has(key.toLowerCase()),
    );
    const attributes = alike
      ? ` state="${escaped(String(bare))}"`
      : [...bare].map(([key, value]) => ` ${key}="${escaped(value)}"`).join("");
    // A frame can't see its page's colours: it is given those that are seen here.
    const framed = new URLSearchParams(bare);
    const theme = section.closest("[data-theme]")?.dataset.theme;
    if (theme === "dark" || theme === "light") framed.set("theme", theme);
    const search = framed.size ? `?${framed}` : "";
    const height = Math.ceil(section.getBoundingClientRect().height / 10) * 10 + 60;
    return {
      frame:
        `<iframe src="${escaped(`${base}embed/${id}/${search}`)}" title="${escaped(title)}" ` +
        `width="100%" height="${height}" loading="lazy" style="border: 0"></iframe>`,
      script:
        `<script async src="${base}embed.js"></` +
        `script>\n<scalebook-sheet name="${id}"${attributes}>` +
        `<a href="${base}embed/${id}/">${escaped(title)}</a></scalebook-sheet>`,
    };
  }
  // Inputs of these names can't be attributes of their own: see embed.js.
  // prettier-ignore
  const reserved = new Set([
    "name", "theme", "show", "state", "results", "id", "class", "style", "slot", "part", "is",
    "title", "lang", "dir", "hidden", "role", "tabindex", "nonce", "inert", "xmlns",
  ]);

  function choice(id, label, about, text, said) {
    const field = element("textarea", { id, readOnly: true, rows: 3, spellcheck: false, value: text });
    field.addEventListener("focus", () => field.select());
    const button = element("button", { type: "button", textContent: phrase("site.use-copy") });
    button.setAttribute("aria-label", phrase("site.use-copy-line", { label }));
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        said.textContent = phrase("browser.copied");
      } catch {
        field.select();
        said.textContent = document.execCommand("copy") ? phrase("browser.copied") : phrase("site.use-selected");
      }
    });
    return element(
      "div",
      { className: "use-line" },
      element("label", { htmlFor: id, textContent: label }),
      element("p", { textContent: about }),
      field,
      button,
    );
  }

  // whole makes a field so high that nothing of its text is out of sight.
  function whole(field) {
    while (field.scrollHeight > field.clientHeight && field.rows < 30) field.rows++;
  }

  function use(section, query) {
    const root = section.getRootNode();
    if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets.push(style);
    const opener = root.activeElement;
    const { frame, script } = lines(section, query);
    const said = element("span", {});
    said.setAttribute("role", "status");
    const close = element("button", { type: "button", textContent: phrase("site.close") });
    const more = element("a", { href: `${base}embedding/`, textContent: phrase("site.use-how") });
    const dialog = element(
      "dialog",
      { className: "use" },
      element("h2", { id: "use-title", textContent: phrase("site.use-title") }),
      element("p", { textContent: phrase("site.use-both") }),
      choice("use-frame", phrase("site.use-frame"), phrase("site.use-frame-how"), frame, said),
      choice("use-script", phrase("site.use-element"), phrase("site.use-element-how"), script, said),
      element("div", { className: "use-foot" }, more, said, close),
    );
    dialog.setAttribute("aria-labelledby", "use-title");
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (e) => {
      if (e.target === dialog) dialog.close();
    }); // the backdrop
    dialog.addEventListener("close", () => {
      dialog.remove();
      const back = opener?.checkVisibility?.() ? opener : section.querySelector(".menu > summary");
      back?.focus({ preventScroll: true });
    });
    (root === document ? document.body : root.querySelector("main")).append(dialog);
    dialog.showModal();
    for (const field of dialog.querySelectorAll("textarea")) whole(field);
  }

  (window.scalebook ??= {}).use = use;
})();
