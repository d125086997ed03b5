// Puts calculators of the book into a page of any other site:
//   <script async src="https://…/embed.js"></script>
//   <scalebook-sheet name="ID" B="512" chip="tpu.v5p"></scalebook-sheet>
//
// Each element has a shadow root with the printed calculator, which one program for all runs once it comes near the
// part of the page that is seen. Everything is fetched from where this script is. The page around stays as it is: no
// style, handler, address, history or storage of it is touched.
(() => {
  const me = document.currentScript;
  if (!me) throw new Error("embed.js: load it with a script element of its own, without type=module");
  if (customElements.get("scalebook-sheet")) return;
  const home = new URL("./", me.src).href,
    { nonce } = me;

  // A page may let only policies make HTML and addresses of scripts (Trusted Types). Ours takes scripts of the book
  // only.
  let policy;
  try {
    policy = window.trustedTypes?.createPolicy("scalebook", {
      createHTML: (html) => html,
      createScriptURL: (url) => {
        if (!url.startsWith(home)) throw new TypeError(url);
        return url;
      },
    });
  } catch {
    /* the page allows other policies only: calculators stay as they are printed */
  }

  // Attributes that every element may have, and our own: none of them is an input.
  // prettier-ignore
  const ours = new Set([
    "name", "theme", "show", "state", "results", "id", "class", "style", "slot", "part", "is",
    "title", "lang", "dir", "hidden", "role", "tabindex", "nonce", "inert", "xmlns",
  ]);

  class Sheet extends HTMLElement {
    static observedAttributes = ["theme", "show"];
    #root;
    #main;
    #page;
    #section;
    #near;
    #failed;
    #paper;

    connectedCallback() {
      followers.add(this);
      if (this.#root) {
        this.follow();
        return;
      }
      const shadow = this.attachShadow({ mode: "open" });
      this.#root = element("book-html", { class: "js" });
      this.#main = element("main", { role: "none" });
      this.#root.append(this.#main);
      shadow.append(this.#root);
      this.#paper = new CSSStyleSheet();
      this.attributeChangedCallback();
      this.#show().catch((err) => this.#say(err));
    }
    disconnectedCallback() {
      followers.delete(this);
    }
    attributeChangedCallback() {
      if (!this.#root) return;
      this.#root.dataset.show = this.getAttribute("show") ?? "";
      this.follow();
    }
    // follow takes the colours of the attribute, or else of the page around, and with them its paper.
    follow() {
      const theme = this.getAttribute("theme") || themeAround(this);
      if (theme) this.#root.dataset.theme = theme;
      else delete this.#root.dataset.theme;
      const paper = paperAround(this, theme);
      this.#paper.replaceSync(paper && `@media screen { book-html { --scalebook-paper: ${paper} } }`);
    }

    // The printed calculator first.
    async #show() {
      const name = this.getAttribute("name") ?? "";
      this.#page = await pageOf(name);
      this.shadowRoot.adoptedStyleSheets = [...(await styles(this.#page.style, this.#root)), this.#paper];
      this.#section = document.importNode(this.#page.section, true);
      this.#section.dataset.state = stateOf(this, this.#section, name);
      if (this.#page.wasm) for (const e of this.#section.querySelectorAll("[disabled=disabled]")) e.disabled = false;
      this.#main.replaceChildren(this.#section, document.importNode(this.#page.source, true));
      if (this.#page.scroll) import(this.#page.scroll).then((m) => m.watch(this.#main)).catch(() => {});
      if (this.hasAttribute("results") && this.#page.results) {
        this.#report().catch((err) => console.warn("scalebook:", err));
      }
      this.#root.addEventListener("input", () => this.#edited());
      for (const type of ["focusin", "pointerdown"])
        this.#root.addEventListener(type, () => this.#start(), { passive: true, once: true });
      if (!("IntersectionObserver" in window)) return this.#start();
      this.#near = new IntersectionObserver(
        (entries) => {
          if (entries.some((e) => e.isIntersecting)) this.#start();
        },
        { rootMargin: "600px" },
      );
      this.#near.observe(this);
    }

    // Each new state of the live calculator is an event, for pages that ask for it with the attribute results.
    async #report() {
      const { watch } = await import(this.#page.results);
      watch(this.#main, this.#page.units, (detail) =>
        this.dispatchEvent(new CustomEvent("scalebook:results", { detail, bubbles: true })),
      );
    }

    // Then the live one in its place.
    async #start() {
      if (this.#near === null) return;
      this.#near?.disconnect();
      this.#near = null;
      try {
        await (running ??= run(this.#page));
        scalebook.mount(this.#section);
        new MutationObserver(() => this.#edited()).observe(this.#section, { attributeFilter: ["data-live"] });
        await stopped;
      } catch (err) {
        this.#say(err);
      }
    }

    // Results that don't belong to what the reader changed before the program is there say so. Without a program the
    // printed values are back, and what the reader wrote stands beside them.
    #edited() {
      const live = this.#section.hasAttribute("data-live");
      const edits = live ? [] : [...this.#section.querySelectorAll(".inputs :is([name], .slider)")].filter(changed);
      if (this.#failed) for (const e of edits) putBack(e, this.shadowRoot);
      this.#section.toggleAttribute("data-awaiting", !this.#failed && edits.length > 0);
    }

    // What went wrong, with the way to the book.
    #say(err) {
      console.warn("scalebook:", err);
      this.#failed = true;
      if (this.#section) this.#edited();
      this.#root.classList.remove("js"); // what was veiled for an estimate shows again
      const line = element("p", { class: "embed-failed", role: "alert" });
      const link = element("a", { href: this.#page?.home ?? home });
      link.textContent = this.#page ? phrase("site.open-it") : phrase("site.open-book");
      link.style.color = "inherit"; // without the book's style it would be dark on dark
      line.append(err.reader ?? phrase("site.one-not-started"), " ", link, ".");
      this.#main.append(line);
    }
  }

  function element(tag, attributes) {
    const e = document.createElement(tag);
    for (const name in attributes) e.setAttribute(name, attributes[name]);
    return e;
  }

  function changed(e) {
    if (e.type === "checkbox") return e.checked !== e.defaultChecked;
    return e.selectedOptions ? !e.selectedOptions[0]?.defaultSelected : e.value !== e.defaultValue;
  }
  function putBack(e, shadow) {
    const said = e.type === "checkbox" ? "" : (e.selectedOptions?.[0].text ?? e.value);
    for (const option of e.options ?? []) option.selected = option.defaultSelected;
    if (e.type === "checkbox") e.checked = e.defaultChecked;
    else if (!e.options) e.value = e.defaultValue;
    const note = shadow.getElementById(`${e.id}--note`);
    if (note) note.textContent = said ? phrase("site.put-back", { text: said }) : phrase("site.put-back-switch");
  }

  // --- colours: those of the page around -----------------------------------------------------------------------------
  // Pages say by several means that they are dark: an attribute, a class, or only the colour of what is behind the
  // element.
  // Where a page says nothing, its color-scheme decides, which the shadow root inherits.
  const says = ["data-theme", "data-color-mode", "data-bs-theme"];
  function themeAround(e) {
    for (let up = e; up; up = up.parentElement ?? up.getRootNode().host) {
      const said = says.map((name) => up.getAttribute(name)).find((value) => value);
      if (said === "dark" || up.classList.contains("dark")) return "dark";
      if (said === "light" || up.classList.contains("light")) return "light";
      const behind = up !== e && opaque(up);
      if (behind) return 0.2126 * behind[0] + 0.7152 * behind[1] + 0.0722 * behind[2] < 128 ? "dark" : "light";
    }
    return "";
  }
  // paperAround is the colour behind an element. The book's own stays where the page names one, and where letters
  // would not stand out enough.
  function paperAround(e, theme) {
    if (getComputedStyle(e).getPropertyValue("--scalebook-paper")) return "";
    for (let up = e; up; up = up.parentElement ?? up.getRootNode().host) {
      const behind = opaque(up);
      if (!behind) continue;
      const readable = theme === "light" ? Math.min(...behind) >= 240 : theme === "dark" && Math.max(...behind) <= 40;
      return readable ? `rgb(${behind})` : "";
    }
    return "";
  }
  // opaque is the red, green and blue of an element's background, if one doesn't see through it.
  function opaque(e) {
    const [r, g, b, a = 1] = getComputedStyle(e)
      .backgroundColor.match(/[\d.]+/g)
      ?.map(Number) ?? [0, 0, 0, 0];
    return a > 0.5 ? [r, g, b] : null;
  }
  const followers = new Set();
  const followAll = () => {
    for (const e of followers) e.follow();
  };
  const watch = new MutationObserver(followAll);
  for (const e of [document.documentElement, document.body]) {
    if (e) watch.observe(e, { attributeFilter: [...says, "class", "style"] });
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", followAll);
  addEventListener("load", followAll); // style sheets that came late
  addEventListener("transitionend", (e) => {
    // colours that change slowly
    if (e.target === document.documentElement || e.target === document.body) followAll();
  });

  const problem = (reader, cause) => Object.assign(new Error(reader, { cause }), { reader });

  // --- the calculator's own page, from which everything is taken that belongs to one edition -------------------------
  const pages = new Map();
  function pageOf(name) {
    if (!pages.has(name)) pages.set(name, load(name));
    return pages.get(name);
  }
  async function load(name) {
    const unknown = phrase("site.no-calculator", { name });
    if (!/^[\w-]+$/.test(name)) throw problem(unknown);
    const url = `${home}embed/${name}/`;
    const response = await get(url).catch((err) => {
      throw problem(phrase("site.not-fetched"), err);
    });
    if (response.status === 404) throw problem(unknown);
    if (!response.ok) throw problem(phrase("site.not-fetched-status", { status: response.status }));
    const page = await parsed(url, await response.text());
    const section = page.querySelector("section.sheet");
    const source = page.querySelector(".embed-source");
    const program = page.querySelector("script[data-wasm]")?.dataset ?? {};
    const { styleUrl: style, results } = page.querySelector("[data-style-url]")?.dataset ?? {};
    if (!section || !source || !style) throw problem(phrase("site.not-understood"));
    const link = source.querySelector("a");
    link.href = new URL(link.getAttribute("href"), url).href;
    link.removeAttribute("target");
    source.append(` · ${new URL(home).host}`);
    Object.assign(section.dataset, { home: link.href.split("#")[0], base: home });
    const whole = (address) => address && new URL(address, url).href;
    return {
      section,
      source,
      home: link.href,
      style: whole(style),
      wasm: whole(program.wasm),
      exec: whole(program.exec),
      scroll: whole(program.scroll),
      phrases: whole(program.phrases),
      results: whole(results),
      units: JSON.parse(source.dataset.units ?? "{}"),
    };
  }
  // parsed is a page as a document. The browser makes it of what it fetches itself where no script may make it of a
  // text.
  function parsed(url, text) {
    if (policy || !window.trustedTypes)
      return new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "text/html");
    return new Promise((done, failed) => {
      const request = new XMLHttpRequest();
      request.open("GET", url);
      request.responseType = "document";
      request.onload = () => done(request.response);
      request.onerror = failed;
      request.send();
    });
  }
  const get = (url) => fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });

  // --- style: one sheet for all, and how large a rem is, which the page around may have changed ----------------------
  const sheets = new Map();
  async function styles(url, root) {
    if (!sheets.has(url)) sheets.set(url, styleSheet(url));
    const book = await sheets.get(url).catch((err) => {
      throw problem(phrase("site.no-style"), err);
    });
    const probe = element("book-size", {});
    const own = new CSSStyleSheet();
    own.replaceSync("book-size { all: initial; font-size: medium }");
    const shadow = root.getRootNode();
    shadow.adoptedStyleSheets = [own];
    root.append(probe);
    const size = getComputedStyle(probe).fontSize;
    probe.remove();
    own.replaceSync(`book-html { --rem: ${parseFloat(size) || 16}px }`);
    return [book, own];
  }
  async function styleSheet(url) {
    const response = await get(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(await response.text());
    return sheet;
  }

  // --- state: the attributes are the inputs' first values ------------------------------------------------------------
  // HTML takes the names of attributes in any case, so they are matched with the inputs that there are; where only the
  // case tells two inputs apart, state="B=1&b=2" does.
  function stateOf(host, section, id) {
    const inputs = new Set([...section.querySelectorAll(".sheet-body [name]")].map((e) => e.getAttribute("name")));
    const state = new URLSearchParams();
    for (const { name, value } of host.attributes) {
      if (ours.has(name) || !/^[a-z_]\w*$/i.test(name)) continue;
      const meant = [...inputs].filter((input) => input.toLowerCase() === name.toLowerCase());
      state.set(`${id}.${meant[0] ?? name}`, value);
    }
    for (const [key, value] of new URLSearchParams(host.getAttribute("state") ?? "")) {
      state.set(key.startsWith(`${id}.`) ? key : `${id}.${key}`, value);
    }
    return state.toString();
  }

  // --- the program: one for all --------------------------------------------------------------------------------------
  let running;
  let stop;
  const stopped = new Promise((_, failed) => {
    stop = failed;
  });
  stopped.catch(() => {}); // each element that waits for it says so itself

  async function run({ wasm, exec, phrases }) {
    const api = (window.scalebook ??= {});
    if (api.mount) return; // a page of the book itself
    if (!wasm) throw new Error("this book has no program");
    api.embedded = true;
    api.policy = policy;
    const module = compile(wasm);
    module.catch(() => {}); // reported below, by whoever awaits it
    if (phrases)
      api.phrases = await get(phrases)
        .then((r) => (r.ok ? r.text() : ""))
        .catch(() => ""); // at worst English
    const ready = new Promise((done) => {
      api.ready = done;
    });
    const go = new (await support(exec))();
    const instance = await WebAssembly.instantiate(await module, go.importObject);
    const end = go.run(instance).then(() => {
      throw new Error("the calculators stopped");
    });
    end.catch((err) => stop(problem(phrase("site.stopped"), err)));
    await Promise.race([ready, end]);
  }
  async function compile(url) {
    try {
      return await WebAssembly.compileStreaming(whole(url));
    } catch {
      return WebAssembly.compile(await (await whole(url)).arrayBuffer());
    } // served under another type: asked for again
  }
  async function whole(url) {
    const response = await get(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return response;
  }
  // support is Go's class Go, without leaving its name in the page.
  async function support(src) {
    const before = Object.getOwnPropertyDescriptor(window, "Go");
    await new Promise((done, failed) => {
      const script = element("script", { src: policy?.createScriptURL(src) ?? src, crossorigin: "anonymous" });
      script.nonce = nonce;
      script.onload = done;
      script.onerror = () => failed(new Error(src));
      document.head.append(script);
      script.remove(); // it is fetched and run all the same
    });
    const Go = window.Go;
    if (before) Object.defineProperty(window, "Go", before);
    else delete window.Go;
    return Go;
  }

  customElements.define("scalebook-sheet", Sheet);
})();
