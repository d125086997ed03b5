// The scratch pad: the text that the reader writes, and what goes on around it. The language itself is in the program,
// which offers window.scalebook.pad. Whatever is shown of a text, a link or the storage is made of text nodes.
const $ = (id) => document.getElementById(id);
const text = $("pad-text"),
  box = $("pad-box"),
  marks = $("pad-marks"),
  list = $("pad-names"),
  section = $("scratch");
const root = document.documentElement;
root.dataset.pad = ""; // for theme.js
const prefix = `scalebook:${document.querySelector("script[data-base]").dataset.base}:pad:`;
// The sheet that the page carries.
const printed = text.value;
const examples = [...document.querySelectorAll(".pad-example")];
// Bytes of a sheet's text.
const most = +text.dataset.most;
const textOf = (example) => example.querySelector("pre").textContent;
// The program's part, once it runs.
let pad;
let faults = [];

// --- storage: without it the page works for as long as it is open ----------------------------------------------------
function storage(name) {
  try {
    return window[name];
  } catch {
    return null;
  }
}
const lasting = storage("localStorage"),
  ofTab = storage("sessionStorage");
function read(name, from = lasting) {
  try {
    return from.getItem(prefix + name);
  } catch {
    return null;
  }
}
function write(name, value, to = lasting) {
  try {
    to.setItem(prefix + name, value);
    return true;
  } catch {
    return false;
  }
}
const titleOf = (source) =>
  (/^[ \t]*title[ \t]+(.+)$/m.exec(source)?.[1].trim() || phrase("site.pad-untitled")).slice(0, 80);

// What this tab knows to be kept as the text being written.
let seen = read("draft");
function keepDraft() {
  const now = text.value,
    other = read("draft");
  // Of this tab: survives a reload whatever other tabs do.
  write("draft", now, ofTab);
  if (other !== null && other !== seen && other !== now) keep(other, fromElsewhere);
  if (write("draft", now)) seen = now;
}

function saved() {
  try {
    const all = JSON.parse(read("saved") ?? "[]");
    return Array.isArray(all) ? all.filter((s) => typeof s?.name === "string" && typeof s?.text === "string") : [];
  } catch {
    return [];
  }
}
function setSaved(all) {
  const ok = write("saved", JSON.stringify(all));
  if (!ok) say(phrase("site.pad-full"));
  showSaved();
  return ok;
}
const fromElsewhere = phrase("site.pad-elsewhere");
// keep saves a text that another takes the place of, unless it is known: nothing that was written is lost.
function keep(source, why) {
  const all = saved();
  if (
    !source.trim() ||
    source === printed ||
    examples.some((e) => textOf(e) === source) ||
    all.some((s) => s.text === source)
  )
    return;
  const name = phrase("site.pad-kept", { title: titleOf(source), why });
  setSaved([{ name, text: source }, ...all.filter((s) => s.name !== name || why !== fromElsewhere)]);
}
// The name under which the text was saved or opened.
let opened = "";
function save() {
  const all = saved(),
    title = titleOf(text.value);
  let name = title;
  for (let n = 2; name !== opened && all.some((s) => s.name === name && s.text !== text.value); n++)
    name = `${title} ${n}`;
  if (!setSaved([{ name, text: text.value }, ...all.filter((s) => s.name !== name)])) return;
  opened = name;
  say(phrase("site.pad-saved", { name }));
}

function button(label, does, name) {
  const b = document.createElement("button");
  b.type = "button";
  b.className = "tool";
  b.textContent = label;
  if (name) b.setAttribute("aria-label", name);
  b.addEventListener("click", does);
  return b;
}
function showSaved() {
  const all = saved();
  $("pad-saved").replaceChildren(
    ...all.map((s) => {
      const li = document.createElement("li");
      li.append(
        button(s.name, () => {
          replace(s.text);
          opened = s.name;
          text.focus();
        }),
        " ",
        button(phrase("site.pad-delete"), () => remove(s), phrase("site.pad-delete-long", { name: s.name })),
      );
      return li;
    }),
  );
  $("pad-none").hidden = all.length > 0;
}
function remove(entry) {
  const at = saved().findIndex((s) => s.name === entry.name && s.text === entry.text);
  if (at < 0 || !setSaved(saved().toSpliced(at, 1))) return;
  say(`${phrase("site.pad-deleted", { name: entry.name })} `);
  $("pad-said").append(
    button(phrase("site.pad-undo"), () => {
      setSaved([entry, ...saved()]);
      say(phrase("site.pad-back", { name: entry.name }));
      $("pad-save").focus();
    }),
  );
  $("pad-said").lastChild.focus();
}

// --- the text --------------------------------------------------------------------------------------------------------
const say = (what) => {
  $("pad-said").textContent = what;
};
function complain(what) {
  $("pad-message").replaceChildren(...coded(what));
  $("pad-message").hidden = !what;
}
// coded is a message as nodes: what stands between backticks is set as code.
function coded(message) {
  return message.split("\x60").map((part, i) => {
    if (i % 2 === 0) return part;
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
}

// A text that is longer than a sheet may be is refused before the page has any work with it: at the paste that would
// bring it, or else where it stands.
const tooLong = (what) => what.length > most || new TextEncoder().encode(what).length > most;
const why = phrase("widget.pad-sheet-too-long", { most: most / 1024 });
const refuse = () => complain(phrase("site.pad-unread", { why }));
text.addEventListener("beforeinput", (e) => {
  const what = e.data ?? e.dataTransfer?.getData("text/plain") ?? "";
  const stays = text.value.length - (text.selectionEnd - text.selectionStart);
  if (
    what.length < 2 ||
    (stays + what.length <= most &&
      !tooLong(text.value.slice(0, text.selectionStart) + what + text.value.slice(text.selectionEnd)))
  )
    return;
  e.preventDefault();
  refuse();
});

// insert puts a text into the place of a part, so that the browser can undo it.
function insert(from, to, what) {
  text.focus({ preventScroll: true });
  text.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, what) || text.value.slice(from, from + what.length) !== what) {
    text.setRangeText(what, from, to, "end");
    edited();
  }
}
// replace puts another sheet into the pad.
function replace(source) {
  if (text.value === source) {
    update();
    return;
  }
  keep(text.value, phrase("site.pad-replaced"));
  opened = "";
  text.value = last = source;
  fit();
  keepDraft();
  update();
}
function fit() {
  text.rows = Math.max(text.rows, Math.min(text.value.split("\n").length + 1, 32));
}

// The text before a change.
let wait,
  last = text.value;
function edited() {
  if (tooLong(text.value)) {
    text.value = last;
    refuse();
    return;
  }
  last = text.value;
  keepDraft();
  fit();
  complain("");
  // A link's text has been changed: a reload must bring the change, not the link.
  if (location.hash.startsWith("#s=")) history.replaceState(history.state, "", location.pathname + location.search);
  clearTimeout(wait);
  wait = setTimeout(update, 150);
  paint();
}

// answered asks the program until it answers: while it waits for a module, it returns nothing.
const answered = async (ask) => (await ask()) ?? (await new Promise((then) => setTimeout(then, 150)), answered(ask));

// --- compiling -------------------------------------------------------------------------------------------------------
// There is a sheet below.
let shown = false;
function update() {
  clearTimeout(wait);
  if (!pad) return;
  const answer = pad.show(text.value);
  if (!answer) {
    wait = setTimeout(update, 150);
    return;
  } // see answered
  if (answer.error) complain(phrase("site.pad-unread", { why: answer.error }));
  faults = answer.errors ?? [];
  const bad = !!(answer.error || faults.length);
  if (!bad) {
    shown = true;
    write("good", text.value, ofTab);
  }
  section.hidden = !shown;
  section.toggleAttribute("data-stale", bad && shown);
  $("pad-stale").hidden = !bad;
  $("pad-stale").textContent = shown ? phrase("site.pad-stale") : phrase("site.pad-no-sheet");
  text.setAttribute("aria-invalid", bad);
  const status =
    faults.length === 1
      ? phrase("site.pad-one-error")
      : faults.length
        ? phrase("site.pad-errors", { n: faults.length })
        : bad
          ? ""
          : phrase("site.pad-no-errors");
  if ($("pad-status").textContent !== status) $("pad-status").textContent = status;
  $("pad-errors").replaceChildren(...faults.map(faultItem));
  paint();
}

// span is where a fault stands in the text: its columns count characters, the text's own places UTF-16 units.
function span(fault) {
  const lines = text.value.split("\n");
  const before = lines.slice(0, fault.line - 1).reduce((n, l) => n + l.length + 1, 0);
  const line = [...(lines[fault.line - 1] ?? "")];
  const at = (col) => Math.min(before + line.slice(0, col - 1).join("").length, text.value.length);
  return [at(fault.col), at(fault.col + Math.max(1, fault.length))];
}
function faultItem(fault) {
  const li = document.createElement("li");
  const what = fault.what + (fault.remedy ? `; ${fault.remedy}` : "");
  const b = button("", () => {
    text.blur();
    text.setSelectionRange(...span(fault));
    // Now browsers scroll to it.
    text.focus();
    const height = parseFloat(getComputedStyle(text).lineHeight),
      y = (fault.line - 1) * height;
    if (y < text.scrollTop || y > text.scrollTop + text.clientHeight - 2 * height) text.scrollTop = y - 3 * height;
  });
  b.className = "pad-fault";
  const place = document.createElement("span");
  place.className = "pad-place";
  place.textContent = `${fault.line}:${fault.col}`;
  b.append(place, " ", ...coded(what));
  li.append(b);
  return li;
}

// paint draws the underlines of faults below the text, letter for letter in the same places, and finds the caret's.
function paint(caret = -1) {
  const value = text.value,
    nodes = [];
  let at = 0,
    point;
  const upTo = (to) => {
    if (caret >= at && caret < to) {
      point = document.createElement("span");
      nodes.push(value.slice(at, caret), point);
      at = caret;
    }
    nodes.push(value.slice(at, to));
    at = to;
  };
  for (const [from, to] of faults.map(span).sort((a, b) => a[0] - b[0])) {
    if (from < at) continue;
    upTo(from);
    const mark = document.createElement("mark");
    mark.textContent = value.slice(from, to).replace(/\n/g, "") || " ";
    if (caret >= from && caret < Math.max(to, from + 1)) nodes.push((point = document.createElement("span")));
    nodes.push(mark);
    if (value.slice(from, to).includes("\n")) nodes.push("\n");
    at = Math.max(from, to);
  }
  if (caret === value.length) {
    upTo(caret);
    nodes.push((point = document.createElement("span")));
  } else upTo(value.length);
  marks.replaceChildren(...nodes);
  follow();
  return point;
}
function follow() {
  marks.style.transform = `translate(${-text.scrollLeft}px, ${-text.scrollTop}px)`;
}
text.addEventListener("scroll", follow, { passive: true });

text.addEventListener("input", edited);

// --- links -----------------------------------------------------------------------------------------------------------
async function openLink() {
  const hash = location.hash;
  if (!hash.startsWith("#s=")) return false;
  const answer = await answered(() => pad.decode(hash.slice(3)));
  // Another one has been opened meanwhile.
  if (location.hash !== hash) return false;
  if (answer.error) {
    complain(phrase("site.pad-not-opened", { why: answer.error }));
    return false;
  }
  complain("");
  replace(answer.text);
  return true;
}
async function copyLink() {
  const answer = pad ? await answered(() => pad.encode(text.value)) : { error: phrase("site.pad-not-packed") };
  if (answer.error) {
    complain(phrase("site.pad-no-link", { why: answer.error }));
    return;
  }
  history.replaceState(history.state, "", `${location.pathname}${location.search}#s=${answer.text}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say(phrase("site.pad-link-copied"));
  } catch {
    say(phrase("site.pad-link-in-bar"));
  }
}

// --- beginning -------------------------------------------------------------------------------------------------------
const before = read("draft", ofTab) ?? read("draft");
if (before !== null && before.trim()) text.value = last = before;
const linked = location.hash.startsWith("#s=");
// For the moment: what the link holds comes into its place.
text.readOnly = linked;
if (linked || text.value !== printed) section.querySelector(".sheet-body").replaceChildren();
for (const e of examples) {
  const open = button(
    phrase("site.pad-open"),
    () => {
      replace(textOf(e));
      text.focus();
      box.scrollIntoView({ block: "nearest" });
    },
    phrase("site.pad-open-long", { title: e.querySelector("summary").textContent }),
  );
  e.querySelector(".pad-open").append(open);
}
$("pad-save").addEventListener("click", save);
$("pad-link").addEventListener("click", copyLink);
showSaved();
fit();

async function begin() {
  if (pad || !window.scalebook?.pad) return;
  pad = window.scalebook.pad;
  import(text.dataset.completes).then((m) => m.complete({ pad, text, list, box, paint, insert, say })).catch(() => {});
  const good = read("good", ofTab);
  const opened = linked && (await openLink());
  text.readOnly = false;
  if (opened) return;
  // What stays below if the text has errors.
  if (good !== null && good !== text.value) shown = (await answered(() => pad.show(good))).errors?.length === 0;
  update();
}
addEventListener("hashchange", () => {
  if (pad) openLink();
});
new MutationObserver(() => {
  if (root.dataset.program !== "failed") return;
  text.readOnly = false;
  complain(phrase("site.pad-not-started"));
}).observe(root, { attributes: true, attributeFilter: ["data-program"] });
document.addEventListener("scalebook:live", begin);
// Starts the program.
section.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
if (root.dataset.live) begin();
