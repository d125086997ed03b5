// What the shell of a page does: theme, contents, code, and starting the calculators when they are wanted.
// The page is complete without it.
(() => {
  const me = document.currentScript.dataset;
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const store = {
    key: (name) => `scalebook:${me.base}:${name}`,
    get(name) {
      try {
        return localStorage.getItem(this.key(name));
      } catch {
        return null;
      }
    },
    set(name, value) {
      try {
        if (value) localStorage.setItem(this.key(name), value);
        else localStorage.removeItem(this.key(name));
      } catch {
        /* storage is blocked: the choice lasts as long as the page */
      }
    },
  };

  // --- theme: auto, light, dark -----------------------------------------------------------------------------------
  const themes = ["auto", "light", "dark"];
  const themeNow = () => root.dataset.theme || "auto";
  const themeNames = {
    auto: phrase("site.theme-auto"),
    light: phrase("site.theme-light"),
    dark: phrase("site.theme-dark"),
  };
  const themeName = () => themeNames[themeNow()];
  function showTheme() {
    for (const b of all(".theme-button")) {
      b.querySelector(".theme-name").textContent = themeName();
      b.setAttribute("aria-label", phrase("site.theme-change", { theme: themeName() }));
    }
  }
  function nextTheme() {
    const next = themes[(themes.indexOf(themeNow()) + 1) % themes.length];
    if (next === "auto") delete root.dataset.theme;
    else root.dataset.theme = next;
    store.set("theme", next === "auto" ? "" : next);
    showTheme();
  }
  for (const b of all(".theme-button")) b.addEventListener("click", nextTheme);
  showTheme();

  // --- contents: the section being read is marked -------------------------------------------------------------------
  const links = all(".contents-sections a");
  const idOf = (link) => decodeURIComponent(link.hash.slice(1));
  const heads = [...new Set(links.map(idOf))].map((id) => document.getElementById(id)).filter(Boolean);
  const here = document.querySelector(".contents-here");
  function markSection() {
    const line = innerHeight / 4;
    const head = heads.filter((h) => h.getBoundingClientRect().top <= line).pop();
    for (const link of links) {
      const current = !!head && idOf(link) === head.id;
      if (current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      if (current && here) here.textContent = link.textContent;
    }
    if (!head && here) here.textContent = "";
  }
  if (heads.length && "IntersectionObserver" in window) {
    // Everything above the line counts as seen, so that a jump over many sections is noticed too.
    const spy = new IntersectionObserver(markSection, { rootMargin: "1000000px 0px -75% 0px" });
    for (const h of heads) spy.observe(h);
  }
  // The folded contents of narrow screens close again once they have been used.
  for (const fold of all("details.contents-fold")) {
    fold.addEventListener("click", (e) => {
      if (e.target.closest("a")) fold.open = false;
    });
    fold.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && fold.open) {
        fold.open = false;
        fold.querySelector("summary").focus();
      }
    });
  }

  // --- search: its program comes when it is first wanted -----------------------------------------------------------
  const search = document.querySelector(".page-search");
  const searcher = () => import(search.dataset.program);
  function find(e) {
    if (e.type === "click" && (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey)) return;
    e.preventDefault();
    searcher()
      .then((m) => m.open(search))
      .catch(() => {
        location = search.href;
      });
  }
  if (search) {
    search.addEventListener("focus", () => searcher().catch(() => {}));
    search.addEventListener("click", find);
    // A bare sign is hit by whoever speaks to the browser, so the dialog has a switch for it.
    const bare = (e) =>
      !e.ctrlKey && !e.metaKey && !e.altKey && !e.target.closest?.("input, textarea, select, [contenteditable]");
    addEventListener("keydown", (e) => {
      if (e.key === "/" ? bare(e) && store.get("slash") !== "off" : e.key === "k" && (e.ctrlKey || e.metaKey)) find(e);
    });
  }

  // --- terms: what the glossary says, where they stand ---------------------------------------------------------------
  for (const type of ["pointerover", "focusin", "click"])
    addEventListener(type, (e) => {
      const link = e.target.closest?.('main a[href*="glossary/#"]');
      const touched = e.pointerType === "touch";
      if (!link || !me.terms || touched !== (type === "click")) return;
      if (touched) e.preventDefault();
      import(me.terms)
        .then((m) => m.explain(link, touched))
        .catch(() => {
          if (touched) location = link.href;
        });
    });

  // --- what is too wide for the page: a stop of the keyboard that shows that it scrolls; code: a button to copy it ---
  if (me.scroll)
    import(me.scroll)
      .then((m) => {
        m.watch(document.querySelector("main"));
        m.groupLines(document.querySelector("main"));
        m.leadOn();
        m.offerCopies();
      })
      .catch(() => {});

  // --- a file given to the wrong calculator goes along to the one that reads it --------------------------------------
  if (me.carry) import(me.carry).catch(() => {});

  // --- examples on TPUs or on GPUs; what the reader answered, at the end of a page; links to discussions -------------
  if (me.examples && document.querySelector(".examples")) import(me.examples).catch(() => {});
  for (const e of all(".answered, .discuss"))
    import(e.dataset.program).then((m) => m.watch(e, me.base)).catch(() => {});

  // --- an open answer shows what its problem asks for ----------------------------------------------------------------
  // It is noted at the problem: a style that looks for it inside (:has) would be computed anew, for all problems of the
  // page, whenever a calculator changes a node.
  const opened = (answer) => answer.parentNode.toggleAttribute("data-open", answer.open);
  for (const answer of all(".problem > .answer")) {
    answer.addEventListener("toggle", () => opened(answer));
    opened(answer);
  }

  // --- calculators: one program for all, fetched when one of them is wanted ------------------------------------------
  const sheets = all("section.sheet");
  let starting;

  // A calculator is wanted at once when it is touched or when the address carries a value for it, and in a quiet moment
  // when it is seen. Whoever scrolls, or stays, will want those nearby too; who only looks in needn't wait for them.
  const named = [...new URLSearchParams(location.search).keys()].filter((key) => /^[\w-]+\.[\w.]+$/.test(key));
  function watch() {
    if (!sheets.length || !me.wasm) {
      if (named.length) notify(phrase("site.address-elsewhere", { asked: named[0] }));
      return;
    }
    for (const type of ["focusin", "pointerdown"]) {
      document.addEventListener(
        type,
        (e) => {
          if (e.target.closest?.("section.sheet, .in-text")) start(e.target);
        },
        { passive: true },
      );
    }
    if (named.length) {
      start();
      return;
    } // the program reports what it can't take
    if (!("IntersectionObserver" in window)) {
      quietly(() => start());
      return;
    }
    const within = (margin) => {
      const seen = new IntersectionObserver(
        (entries) => {
          const first = entries.find((e) => e.isIntersecting);
          if (first) {
            seen.disconnect();
            quietly(() => start(first.target));
          }
        },
        { rootMargin: margin },
      );
      for (const s of sheets) seen.observe(s);
    };
    within("0px");
    let asked;
    const nearby = () => {
      asked ??= within("600px") ?? true;
    };
    addEventListener("scroll", nearby, { passive: true, once: true });
    setTimeout(nearby, 5000);
  }
  const quietly = (f) => (window.requestIdleCallback ? requestIdleCallback(f, { timeout: 1000 }) : setTimeout(f, 1));

  // The program begins with the calculator that is wanted.
  function start(wanted) {
    wanted?.closest("section.sheet")?.toggleAttribute("data-wanted", true);
    starting ??= run().catch(fail);
  }
  async function run() {
    root.dataset.program = "loading";
    // To show this has the whole page styled anew, which takes longer than most programs take to come.
    setTimeout(() => {
      if (root.dataset.program === "loading") root.classList.add("waiting");
    }, 500);
    // At worst it is said in English.
    const said =
      me.phrases &&
      fetch(me.phrases)
        .then((r) => (r.ok ? r.text() : ""))
        .catch(() => "");
    const module = compile();
    module.catch(() => {}); // reported below, by whoever awaits it
    await script(me.exec);
    const go = new Go();
    // At 4 MB, as usual, garbage would be collected eight times while a page starts.
    go.env.GOGC = "200";
    const scalebook = (window.scalebook ??= {});
    scalebook.module = await module; // for workers
    scalebook.phrases = await said;
    const instance = await WebAssembly.instantiate(scalebook.module, go.importObject);
    root.classList.remove("waiting");
    root.dataset.program = "running";
    await go.run(instance); // ends only when the program does, which it should not
    throw new Error("the calculators stopped");
  }
  async function compile() {
    try {
      return await WebAssembly.compileStreaming(program());
    } catch {
      // served under another type: asked for again
      return WebAssembly.compile(await (await program()).arrayBuffer());
    }
  }
  async function program() {
    const response = await fetch(me.wasm);
    if (!response.ok) throw new Error(`${me.wasm}: ${response.status}`);
    return response;
  }
  function script(src) {
    return new Promise((done, failed) => {
      const s = document.createElement("script");
      s.src = src;
      s.onload = done;
      s.onerror = () => failed(new Error(src));
      document.head.append(s);
    });
  }
  function fail(err) {
    console.warn("scalebook:", err);
    root.dataset.program = "failed";
    root.classList.remove("waiting", "js"); // what was veiled for an estimate shows again
    for (const s of sheets) if (!s.hasAttribute("data-live")) putBack(s);
    notify(all("section.sheet[data-live]").length ? phrase("site.stopped") : phrase("site.not-started"));
  }
  // --- what a reader changes before the program is there: the results don't belong to it, and say so -----------------
  const controls = (section) => all(".inputs :is([name], .slider)", section);
  function changed(e) {
    if (e.type === "checkbox") return e.checked !== e.defaultChecked;
    return e.localName === "select" ? !e.selectedOptions[0]?.defaultSelected : e.value !== e.defaultValue;
  }
  function mark(section, on) {
    for (const e of [section, ...all(`data.live[data-sheet="${section.id}"]`)]) e.toggleAttribute("data-awaiting", on);
  }
  function edited(e) {
    const section = e.target.closest?.("section.sheet");
    if (!section || !me.wasm || !controls(section).includes(e.target)) return;
    const live = section.hasAttribute("data-live"),
      failed = root.dataset.program === "failed";
    if (failed && !live) putBack(section);
    else if (failed || !live) mark(section, live || controls(section).some(changed));
    if (!live && !failed) setTimeout(sayStarting, 500);
  }
  const awaiting = () => all("section.sheet[data-awaiting]").length > 0;
  const sayStarting = () => {
    if (awaiting() && root.dataset.program === "loading") notify(phrase("site.starting"));
  };
  const started = new MutationObserver((changes) => {
    for (const { target } of changes) mark(target, false);
    if (!awaiting() && root.dataset.program !== "failed") notify("");
  });
  for (const s of sheets) started.observe(s, { attributeFilter: ["data-live"] });
  // putBack gives the controls of a calculator that can't start their printed values again. What the reader wrote
  // stands beside them.
  function putBack(section) {
    mark(section, false);
    for (const e of controls(section).filter(changed)) {
      const text = e.type === "checkbox" ? "" : (e.selectedOptions?.[0]?.text ?? e.value);
      if (e.type === "checkbox") e.checked = e.defaultChecked;
      else if (e.localName === "select") for (const o of e.options) o.selected = o.defaultSelected;
      else e.value = e.defaultValue;
      const note = document.getElementById(`${e.id}--note`);
      if (note) note.textContent = text ? phrase("site.put-back", { text }) : phrase("site.put-back-switch");
    }
  }
  addEventListener("input", edited);

  function notify(text) {
    const notice = document.getElementById("notice");
    if (!notice) return;
    notice.textContent = text;
    notice.hidden = !text;
    notice.onclick = () => {
      notice.hidden = true;
    };
  }
  watch();
  // From here on it is answered for what a reader changes.
  root.classList.add("js");
  root.dataset.scripts = root.dataset.book = "";
  if (me.wasm) for (const e of all("[disabled=disabled]")) e.disabled = false;

  // --- offline: once the page is done, the rest of the book is kept for when there is no network ---------------------
  // That takes the network and the processor; calculators that are starting go first.
  function keep() {
    const coming = starting && !root.dataset.live && root.dataset.program !== "failed";
    if (coming) setTimeout(keep, 1000);
    else quietly(() => script(me.offline).catch(() => {}));
  }
  if (me.offline) addEventListener("load", () => setTimeout(keep, 1000));
})();
