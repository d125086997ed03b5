// A file that was given to the wrong calculator goes along with the link to the one that reads it. Browsers keep it
// for the next page in a cache of its own, from which that page takes it out.
const base = document.querySelector("script[data-base]").dataset.base;
const carried = `scalebook:${base}carried`; // a name that is none of the offline book's
const given = new WeakMap(); // the file, or the pasted text, that each field for a document was given last

// remember notes what a field is given, before anybody reads it. What is typed stands in the field until it is wanted.
function remember(e) {
  const field = e.target.closest?.(".input-document");
  if (!field) return;
  const file = (e.dataTransfer ?? e.target).files?.[0];
  const text = e.clipboardData?.getData("text/plain");
  if (file) given.set(field, file);
  else if (text) given.set(field, new Blob([text])); // a long one never stands in the field
  else given.delete(field);
}
for (const type of ["drop", "paste", "change", "input"]) addEventListener(type, remember, true);

// heldBy is what a field holds: what it was given, or its text, which the tab may have kept from before.
function heldBy(field) {
  const text = field?.querySelector("textarea").value;
  return given.get(field) ?? (text && new Blob([text]));
}

async function leave(e) {
  const link = e.target.closest?.(".input-document .note a");
  const file = heldBy(link?.closest(".input-document"));
  if (!file || e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  try {
    const headers = { "X-Name": encodeURIComponent(file.name ?? "") };
    await (await caches.open(carried)).put(location.origin + base, new Response(file, { headers }));
  } catch {
    /* storage is blocked, or full: the reader gives the file once more */
  }
  location = link.href;
}
addEventListener("click", leave);

// arrive gives the field that the address names what was carried here, as if the reader had chosen it.
async function arrive() {
  const to = document.getElementById(location.hash.slice(1));
  const section = to?.closest("section.sheet");
  const field = to?.closest(".input-document") ?? section?.querySelector(".input-document");
  if (!field || !window.caches) return;
  const response = await caches.match(location.origin + base, { cacheName: carried });
  if (!response) return;
  await caches.delete(carried);
  const files = new DataTransfer();
  const name = decodeURIComponent(response.headers.get("X-Name"));
  files.items.add(new File([await response.blob()], name));
  await live(section);
  const input = document.getElementById(`${field.querySelector("textarea").id}--file`);
  input.files = files.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

// live waits until a calculator runs.
function live(section) {
  section.dispatchEvent(new Event("focusin", { bubbles: true })); // its program is wanted
  return new Promise((done) => {
    const check = () => section.hasAttribute("data-live") && done();
    new MutationObserver(check).observe(section, { attributeFilter: ["data-live"] });
    check();
  });
}
addEventListener("hashchange", () => arrive().catch(() => {})); // the same page may read it
arrive().catch(() => {});
