// A link beside each heading that opens a discussion of its section where the book's sources are kept, with the text of
// the section quoted, or what of it is selected. Fetched where those sources are known.
const style = new CSSStyleSheet();
style.replaceSync(
  [
    `.discuss-this { position: absolute; inset: 0 1.75rem auto auto; min-width: 1.5rem; min-height: 1.5rem; }`,
    `.discuss-this { text-align: center; font: 700 1.375rem/1.5 var(--serif); }`,
    `main .discuss-this { color: var(--ink-3); text-decoration: none; }`,
    `main .discuss-this:hover { color: var(--accent); }`,
    `main .heading:has(> .discuss-this) > :is(h2, h3, h4) { padding-right: 3.5rem; }`,
    `@media (hover: hover) { .discuss-this { opacity: 0; } }`,
    `@media (hover: hover) { .heading:hover .discuss-this, .discuss-this:focus-visible { opacity: 1; } }`,
    `@media (min-width: 48rem) { .discuss-this { inset: 0 0 auto auto; } }`,
    `@media (min-width: 48rem) { main .heading:has(> .discuss-this) > :is(h2, h3, h4) { padding-right: 1.75rem; } }`,
    `@media print { .discuss-this { display: none; } }`,
  ].join(""),
);

const most = 4500; // letters of a quotation as an address has them: servers refuse addresses of 8,000
const level = (heading) => Number(heading.firstElementChild.localName[1]);

// texts are the paragraphs of a section, and of those below it. Answers, hints and calculators are not quoted.
function* texts(heading) {
  for (let e = heading.nextElementSibling; e; e = e.nextElementSibling) {
    if (e.matches(".heading")) {
      if (level(e) <= level(heading)) return;
      yield written(e.firstElementChild);
    } else if (e.matches("p, .math, .callout")) yield written(e);
    else if (e.matches("ul, ol")) for (const item of e.children) yield `- ${written(item)}`;
  }
}

// written is what an element says; of its formulas, fractions and scripts are written in a line.
function written(e) {
  const copy = e.cloneNode(true);
  for (const part of copy.querySelectorAll(".sidenote, sup, .visually-hidden, input, button")) part.remove();
  for (const [tag, sign] of [
    ["mfrac", "/"],
    ["msub", "_"],
    ["msup", "^"],
  ]) {
    for (const part of copy.querySelectorAll(tag)) part.lastElementChild.before(sign);
  }
  return copy.textContent.replace(/\s+/g, " ").trim();
}

function quoted(heading) {
  const chosen = getSelection();
  const within = chosen.rangeCount && !chosen.isCollapsed && document.querySelector("main").contains(chosen.anchorNode);
  const parts = within ? String(chosen).split(/\n+/) : [...texts(heading)];
  let text = "";
  for (const part of parts) {
    let line = part.trim();
    if (!line) continue;
    const left = most - encodeURIComponent(text).length;
    const cut = encodeURIComponent(line).length > left;
    while (line && encodeURIComponent(line).length > left) line = line.slice(0, line.lastIndexOf(" ") + 1).trim();
    text += `> ${line}${cut ? " …" : ""}\n>\n`;
    if (cut) break;
  }
  return text.replace(/>\n$/, "");
}

// watch adds the links. That of the whole page says where discussions are.
export function watch(whole) {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
  for (const heading of document.querySelectorAll("main .heading:has(> .permalink)")) {
    const about = heading.firstElementChild,
      name = written(about),
      link = document.createElement("a");
    link.className = "discuss-this";
    link.textContent = "”";
    link.setAttribute("aria-label", phrase("site.discuss-section", { heading: name }));
    const aim = () => {
      const to = new URL(whole.href),
        page = to.searchParams.get("title");
      to.searchParams.set("title", `${page}: ${name}`);
      const place = `${location.origin}${location.pathname}#${about.id}`;
      to.searchParams.set("body", `${quoted(heading)}\n${place}\n\n`);
      link.href = to;
    };
    link.href = whole.href;
    for (const type of ["pointerenter", "focus"]) link.addEventListener(type, aim);
    heading.append(link);
  }
}
