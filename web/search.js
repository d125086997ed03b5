// Full-text search, fetched when it is first wanted. The index is the text of the book, so finding is reading through
// it. Everything shown is made of text nodes. On /search/ it fills the page's form, elsewhere a dialog over the page.
const KIND = { page: 0, section: 1, problem: 2, sheet: 3, term: 4 };
const NAMES = ["", "", phrase("site.search-problem"), phrase("site.search-calculator"), phrase("site.search-term")];
const MOST = 40; // results shown
const letter = /[\p{L}\p{N}]/u;

// --- words -----------------------------------------------------------------------------------------------------------
// fold makes case, accents and the spellings of rematerialise and rematerialize equal, and keeps every character in its
// place.
const plain = (sign) => sign.normalize("NFKD").toLowerCase()[0] ?? sign;
const fold = (s) =>
  s
    .replace(/[^\x00-\x7f]/g, plain)
    .toLowerCase()
    .replaceAll("z", "s");
const terms = (query) => [...new Set(fold(query.slice(0, 200)).match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 12);

// A word begins behind what is no letter, and where a capital follows a small letter: "gather" finds AllGather.
// Chinese and Japanese have no spaces: there each sign begins one.
const begins = (s, i) =>
  i === 0 ||
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(s[i]) ||
  !letter.test(s[i - 1]) ||
  (/\p{Lu}/u.test(s[i]) && /\p{Ll}/u.test(s[i - 1]));
function places(field, term, most) {
  const out = [];
  for (let i = field.folded.indexOf(term); i >= 0 && out.length < most; i = field.folded.indexOf(term, i + 1)) {
    if (begins(field.text, i)) out.push(i);
  }
  return out;
}
const whole = (field, term, i) => !letter.test(field.text[i + term.length] ?? " ");

// --- finding ---------------------------------------------------------------------------------------------------------
// What a term is worth where it is found. Headings come before calculators, those before prose, whatever else is said
// there.
const HEADING = [30, 20, 18, 9, 16];
const TEXT = [2, 1, 1, 4, 2];
const LONG = 1600; // letters from which on a text has many words, so that each says less of it
function worth(entry, page, term) {
  const value = (field, base) => {
    const at = places(field, term, 4);
    if (!at.length) return 0;
    return base * (at.some((i) => whole(field, term, i)) ? 1.3 : 1) + at.length / 10;
  };
  const heading = HEADING[entry.kind];
  const text = TEXT[entry.kind] * Math.min(1, Math.sqrt(LONG / entry.body.text.length));
  const own = Math.max(value(entry.heading, heading), value(entry.also, heading), value(entry.body, text));
  return own ? [own, 1] : [value(page.title, 0.5), 0];
}
// stemmed is a word as its forms begin, in a language with endings; "GPUs" also finds GPU.
function stemmed(index, word) {
  const stems = index.stems.filter((s) => word.startsWith(s) && word.length - s.length < 5);
  return stems.sort((a, b) => b.length - a.length)[0] ?? word.replace(/(?<=[a-z0-9]{2}[^s])s$/, "");
}
// find leaves out the words that questions have and answers haven't, unless there are no others: how many bytes does a
// checkpoint take?
function find(index, query) {
  const little = fold(phrase("site.search-little")).split(" ");
  const all = terms(query),
    telling = all.filter((w) => !little.includes(w));
  const words = (telling.length ? telling : all).map((w) => stemmed(index, w));
  return { words, found: findAll(index, words, all.join(" ")) };
}
// said is a text as the words of a query stand in it: "All-gather" as all gather. What is called as the query asks, or
// among other words, comes before what only has its words somewhere.
const said = (s) => (fold(s).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
function called(entry, asked) {
  const names = [entry.heading.text, ...entry.also.text.replace(/^Also |\.$/g, "").split(", ")].map(said);
  return names.includes(asked) ? 6 : names.some((n) => ` ${n} `.includes(` ${asked} `)) ? 4 : 0;
}

// findAll finds what has all of the words, or, where nothing has, what has the most of them, half at least; and what is
// called by some of them comes before, if those are the rare ones: "ridge point h100" finds the ridge point. A word is
// worth as much as it is rare, and little if it stands nowhere.
function findAll(index, words, asked) {
  const met = words.map(() => 0);
  const found = index.entries
    .map((entry, order) => {
      const values = words.map((w) => worth(entry, index.pages[entry.page], w));
      values.forEach(([s], i) => {
        met[i] += s > 0;
      });
      return { entry, order, values, own: values.some(([, mine]) => mine), met: values.filter(([s]) => s > 0).length };
    })
    .filter((f) => f.own && f.met >= words.length / 2);
  const rare = met.map((n) => (n ? Math.log(2 + index.entries.length / n) : 1));
  const whole = rare.reduce((a, b) => a + b, 0);
  for (const f of found) {
    const part = (of) => f.values.reduce((sum, [s], i) => sum + of(s) * rare[i], 0) / whole;
    f.score = part((s) => s) * part((s) => Number(s > 0)) ** 2 + called(f.entry, asked);
  }
  const most = Math.max(...found.map((f) => f.met)),
    best = Math.max(...found.map((f) => f.met === most && f.score));
  return found.filter((f) => f.met === most || f.score > best).sort((a, b) => b.score - a.score || a.order - b.order);
}

const field = (text) => ({ text, folded: fold(text) });
let loading;
function load(link) {
  loading ??= fetch(link.dataset.index)
    .then(async (r) => {
      if (!r.ok) throw new Error(`${r.url}: ${r.status}`);
      const raw = await r.json();
      return {
        stems: raw.stems ?? [],
        pages: raw.pages.map(([title, path]) => ({ title: field(title), path })),
        entries: raw.entries.map(([page, kind, id, heading, body, also = ""]) => ({
          page,
          kind,
          id,
          heading: field(heading),
          body: field(body),
          also: field(also),
        })),
      };
    })
    .catch((err) => {
      loading = undefined;
      throw err;
    });
  return loading;
}

// --- showing ---------------------------------------------------------------------------------------------------------
function make(tag, props = {}, ...kids) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(props)) e.setAttribute(k, v);
  e.append(...kids);
  return e;
}

// marked is the part of a field between two places, its matches marked.
function marked(f, words, from = 0, to = f.text.length) {
  const spans = words
    .flatMap((w) => places(f, w, 50).map((i) => [i, i + w.length]))
    .filter(([a, b]) => a >= from && b <= to)
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const out = [];
  let at = from;
  for (const [a, b] of spans) {
    if (a < at) continue;
    out.push(f.text.slice(at, a), make("mark", {}, f.text.slice(a, b)));
    at = b;
  }
  out.push(f.text.slice(at, to));
  return out;
}

// excerpt is a piece of the text around the first word that stands there.
function excerpt(f, words) {
  const firsts = words.map((w) => places(f, w, 1)[0]).filter((i) => i !== undefined);
  const first = firsts.length ? Math.min(...firsts) : 0;
  let from = first > 70 ? f.text.indexOf(" ", first - 60) + 1 : 0;
  if (from > first) from = first;
  let to = Math.min(f.text.length, from + 190);
  if (to < f.text.length) to = Math.max(f.text.lastIndexOf(" ", to), first + 1);
  return [from ? "… " : "", ...marked(f, words, from, to), to < f.text.length ? " …" : ""];
}

function item(index, base, { entry }, words) {
  const page = index.pages[entry.page];
  const where = [entry.kind === KIND.page ? "" : page.title.text, NAMES[entry.kind]].filter(Boolean).join(" · ");
  // Within this page only the fragment changes: the reader's numbers stand in the rest of its address.
  const path = base + page.path === location.pathname ? "" : base + page.path;
  const fragment = entry.id || (path ? "" : "main");
  const href = path + (fragment && `#${encodeURIComponent(fragment)}`);
  const link = make("a", { href }, ...marked(entry.heading, words));
  const li = make("li", {}, link);
  if (where) li.append(" ", make("small", {}, where));
  if (words.some((w) => places(entry.also, w, 1).length)) li.append(make("p", {}, ...marked(entry.also, words)));
  if (entry.body.text) li.append(make("p", {}, ...excerpt(entry.body, words)));
  return li;
}

function report(words, query, found) {
  const n = found.length;
  if (!query.trim()) return "";
  if (!words.length) return phrase("site.search-no-word");
  if (!n) return words.length > 1 ? phrase("site.search-none-all") : phrase("site.search-none");
  if (found[0].met < words.length) return phrase("site.search-most");
  if (n === 1) return phrase("site.search-one");
  return n > MOST ? phrase("site.search-many", { n, most: MOST }) : phrase("site.search-places", { n });
}

// wire makes a form search: as it is typed into, by its button, and by the arrow keys from result to result.
function wire(link, form, list, status, onQuery = () => {}) {
  const input = form.elements.q;
  const base = link.dataset.base;
  let speaking,
    turn = 0;
  // What was found is said once the typing rests, so that a screen reader isn't interrupted at every key.
  const say = (text) => {
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      status.textContent = text;
    }, 350);
  };
  async function show() {
    const query = input.value,
      mine = ++turn;
    onQuery(query);
    try {
      const index = await load(link);
      if (mine !== turn) return;
      const { words, found } = find(index, query);
      list.replaceChildren(...found.slice(0, MOST).map((f) => item(index, base, f, words)));
      say(report(words, query, found));
    } catch (err) {
      console.warn("scalebook:", err);
      say(phrase("site.search-no-index"));
    }
  }
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    await show();
    list.querySelector("a")?.focus();
  });
  input.addEventListener("input", show);
  form.parentNode.addEventListener("keydown", (e) => {
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    const stops = [input, ...list.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + (e.key === "ArrowDown" ? 1 : -1)];
    if (next && stops.includes(document.activeElement)) {
      e.preventDefault();
      next.focus();
    }
  });
  if (input.value) show();
  else load(link).catch(() => {});
  return input;
}

// --- the page and the dialog -----------------------------------------------------------------------------------------
function onPage(link) {
  const form = document.getElementById("search");
  form.elements.q.value = new URLSearchParams(location.search).get("q") ?? "";
  form.hidden = false;
  document.getElementById("search-without").hidden = true;
  const keep = (q) => {
    const address = q ? `?${new URLSearchParams({ q })}` : location.pathname;
    try {
      history.replaceState(history.state, "", address);
    } catch {
      /* too often: the address stays */
    }
  };
  return wire(link, form, document.getElementById("search-results"), document.getElementById("search-status"), keep);
}

function dialog(link) {
  const list = make("ol", { class: "results" });
  const status = make("p", { role: "status" });
  const close = make("button", { type: "button", class: "tool" }, phrase("site.close"));
  const input = make("input", {
    type: "search",
    name: "q",
    class: "field",
    "aria-label": phrase("site.search-book"),
    autocomplete: "off",
    spellcheck: "false",
    maxlength: "200",
  });
  const form = make("form", { role: "search" }, input, " ", close);
  const slash = make("input", { type: "checkbox" });
  const key = `scalebook:${link.dataset.base}:slash`;
  try {
    slash.checked = localStorage.getItem(key) !== "off";
  } catch {
    slash.checked = true;
  }
  slash.addEventListener("change", () => {
    try {
      localStorage.setItem(key, slash.checked ? "on" : "off");
    } catch {
      /* storage is blocked: it stays on */
    }
  });
  const label = make("label", { class: "slash" }, slash, " ", phrase("site.search-slash"));
  const box = make("dialog", { class: "search", "aria-label": phrase("site.search") }, form, status, list, label);
  close.addEventListener("click", () => box.close());
  list.addEventListener("click", (e) => {
    if (e.target.closest("a") && !(e.ctrlKey || e.metaKey || e.shiftKey)) box.close();
  });
  // In a field of this type browsers spend the first Escape on emptying it.
  box.addEventListener("keydown", (e) => {
    if (e.key === "Escape") {
      e.preventDefault();
      box.close();
    }
  });
  document.body.append(box);
  wire(link, form, list, status);
  return box;
}

// open lets the reader type: in the page's own field, or in the dialog.
let field0, box;
export function open(link) {
  if (field0) {
    field0.focus();
    return;
  }
  box ??= dialog(link);
  if (!box.open) box.showModal();
  box.querySelector("input").select();
}
const link = document.querySelector(".page-search");
if (link && document.getElementById("search")) {
  field0 = onPage(link);
  field0.focus();
}
