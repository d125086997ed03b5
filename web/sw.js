// The worker that keeps the book for when there is no network. The build writes a line before this text:
//   const edition = {"version": "…", "files": {"one/index.html": "sha256-…", …}, "sizes": [12345, …]};
//
// A file is kept only if it is what the list says: its bytes have the hash, and it is sent as what its name ends in. An
// edition is installed as a whole or not at all: one file that is missing, cut short or other than the list says fails
// the installation, and the edition before it goes on. What was whole by then is there for the next attempt, which
// waits the longer the more have failed. Where the browser has too little space for all, what is read is kept. A new
// edition waits until a page, asked by its reader, says "use". Caches of other sites on this origin are not ours to
// touch.
const base = new URL("./", location).pathname;
const mine = `scalebook:${base}:`; // what the names of our caches begin with
const now = mine + edition.version;
const tries = `${mine}tries`; // what has failed: see later
const files = new Map(Object.entries(edition.files)); // without a hash: what changes from day to day
const sizes = new Map([...files.keys()].map((file, i) => [file, edition.sizes[i]]));
const first = "index.html"; // kept last: a cache that has it is of an edition that was installed
const patience = 30e3; // milliseconds without a byte, after which a request is made anew
const atOnce = 8; // requests

// What files may be sent as, by their ending: browsers do with a file what its type says.
const types = {
  html: ["text/html"],
  css: ["text/css"],
  js: ["text/javascript", "application/javascript"],
  wasm: ["application/wasm"],
  json: ["application/json"],
  webmanifest: ["application/manifest+json", "application/json"],
  svg: ["image/svg+xml"],
  png: ["image/png"],
  jpg: ["image/jpeg"],
  webp: ["image/webp"],
  ico: ["image/x-icon", "image/vnd.microsoft.icon"],
  woff2: ["font/woff2"],
  txt: ["text/plain"],
  md: ["text/markdown"],
  xml: ["application/xml", "text/xml", "application/atom+xml"],
};

addEventListener("install", (e) => e.waitUntil(install()));
addEventListener("activate", (e) => e.waitUntil(activate()));
addEventListener("message", (e) => {
  if (e.data === "use") skipWaiting();
  if (e.data === "keep") e.waitUntil(complete(e.source));
});
addEventListener("fetch", (e) => {
  const response = answer(e);
  if (response) e.respondWith(response);
});

// addressOf is where a file of the list is published.
const addressOf = (file) => base + file.split("/").map(encodeURIComponent).join("/");

async function install() {
  for (const name of await editions())
    if (!(await caches.match(addressOf(first), { cacheName: name }))) await caches.delete(name);
  if (await later()) throw new Error("failed not long ago");
  if (await attempt()) return;
  await keep(await caches.open(now), [], first).catch(() => {}); // nothing else, for now
}

// complete keeps what is missing of an edition that was installed where there was too little space, and tells a page if
// there still is.
async function complete(page) {
  const cache = await caches.open(now);
  if ((await cache.keys()).length === files.size) return;
  const whole = (await later()) ? !(await tried()).little : await attempt().catch(() => true);
  if (!whole) page?.postMessage("little");
}

// attempt keeps all files, and notes if it fails. It is false if there is too little space.
async function attempt() {
  try {
    const whole = await fill();
    if (whole) await caches.delete(tries);
    else await note(true);
    return whole;
  } catch (err) {
    if (err.name !== "QuotaExceededError") {
      await note(false);
      throw err;
    }
    await caches.delete(now); // the browser has reported more space than there was
    await note(true);
    return false;
  }
}

// fill keeps what is not kept yet. It is false if there is too little space.
async function fill() {
  const cache = await caches.open(now),
    before = await editions(),
    missing = [];
  for (const file of files.keys()) if (!(await kept(file))) missing.push(file);
  if ((await freeBytes()) < roughly(missing)) return false;
  const rest = missing.filter((file) => file !== first).values();
  let fault;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const file of rest) {
        if (fault) return;
        await keep(cache, before, file).catch((err) => {
          fault ??= err;
        });
      }
    }),
  );
  if (fault) throw fault;
  if (missing.includes(first)) await keep(cache, before, first);
  return true;
}

// freeBytes is how many bytes may still be kept; NaN, which is less than nothing, where the browser doesn't say.
async function freeBytes() {
  const { quota, usage } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {};
  return quota - usage;
}

// roughly is what files take, with what a cache writes around them.
const roughly = (of) => 1.25 * of.reduce((sum, file) => sum + sizes.get(file), 0);

// keep puts one file into the cache. One that changes from day to day may be missing.
async function keep(cache, before, file) {
  const response =
    (await earlier(before, file)) ??
    (await load(file).catch((err) => {
      if (files.get(file)) throw err;
    }));
  if (response) await cache.put(addressOf(file), response);
}

// earlier takes a file from the editions before, if its name says what should be in it, and it is.
async function earlier(before, file) {
  if (!file.startsWith("assets/")) return undefined;
  for (const cacheName of before) {
    const response = await caches.match(addressOf(file), { cacheName, ignoreVary: true });
    const sound = response && (await checked(file, response).catch(() => undefined));
    if (sound) return sound;
  }
  return undefined;
}

// load fetches a file, past all caches on the way; anew if nothing comes.
async function load(file) {
  for (let n = 1; ; n++) {
    const stop = new AbortController();
    let watch,
      stalled = false;
    const progress = () => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        stalled = true;
        stop.abort();
      }, patience);
    };
    try {
      progress();
      const request = new Request(addressOf(file), { cache: "reload", signal: stop.signal });
      return await checked(file, await fetch(request), progress);
    } catch (err) {
      if (!stalled || n === 3) throw err;
    } finally {
      clearTimeout(watch);
    }
  }
}

// checked is a response that may be kept as a file of the list, or else an error.
async function checked(file, response, progress = () => {}) {
  const wrong = fault(file, response);
  if (wrong) throw new Error(`${addressOf(file)}: ${wrong}`);
  const bytes = await bytesOf(response.clone(), progress);
  const hash = files.get(file);
  if (hash && (await hashOf(bytes)) !== hash) throw new Error(`${addressOf(file)}: not what the list says`);
  // A page must not be answered with a response that was redirected.
  return response.redirected ? new Response(bytes, { headers: response.headers }) : response;
}

// fault says why a response can't be a file of the list; it is empty if it can.
function fault(file, { status, headers }) {
  if (status !== 200) return `status ${status}`;
  const sent = headers.get("Content-Type")?.toLowerCase() ?? "";
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/.exec(sent)?.[1] ?? "utf-8";
  const known = types[file.slice(file.lastIndexOf(".") + 1)];
  if ((known && !known.includes(sent.split(";")[0].trim())) || charset !== "utf-8") return `type ${sent}`;
  return "";
}

async function bytesOf(response, progress) {
  const reader = response.body.getReader(),
    parts = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    parts.push(value);
    progress();
  }
}

// hashOf is the hash of bytes in the notation of Subresource Integrity.
async function hashOf(bytes) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256-${btoa(String.fromCharCode(...sum))}`;
}

// editions are the names of our other caches.
const editions = async () =>
  (await caches.keys()).filter((name) => name.startsWith(mine) && name !== now && name !== tries);

// tried is what was noted of attempts: how many of this edition have failed in a row, the last when, and whether there
// was too little space.
async function tried() {
  const { version, n, at, little } =
    (await caches
      .match(base, { cacheName: tries })
      .then((r) => r?.json())
      .catch(() => undefined)) ?? {};
  return version === edition.version ? { n, at, little } : { n: 0, at: 0 };
}

// note notes an attempt that has failed.
async function note(little) {
  const { n } = await tried();
  const text = JSON.stringify({ version: edition.version, n: n + 1, at: Date.now(), little });
  await caches
    .open(tries)
    .then((cache) => cache.put(base, new Response(text)))
    .catch(() => {});
}

// later says whether the next attempt has to wait: ten seconds after the first that failed, four times as long after
// each other, a day at most.
async function later() {
  const { n, at } = await tried();
  return Math.abs(Date.now() - at) < Math.min(2500 * 4 ** n, 86400e3);
}

async function activate() {
  for (const name of await editions()) await caches.delete(name);
  await clients.claim(); // so that the page of the first visit goes on without a network, too
}

// answer is the response to a request that is ours, undefined for all others.
function answer(event) {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(base)) return undefined;
  const file = fileOf(url);
  if (files.get(file)) return kept(file).then((response) => response ?? read(event, file));
  if (files.has(file)) return read(event, file).catch(async () => (await kept(file)) ?? Response.error());
  if (request.mode !== "navigate") return undefined;
  if (files.has(`${file}/index.html`)) return Response.redirect(`${url.pathname}/${url.search}`, 301);
  return fetch(request).catch(() => missing());
}

// fileOf is the name of the file at an address. What a query says concerns the page, not the file.
function fileOf(url) {
  try {
    const file = decodeURIComponent(url.pathname.slice(base.length));
    return file === "" || file.endsWith("/") ? `${file}index.html` : file;
  } catch {
    return ""; // no address that the book has given to anybody
  }
}

// kept is a file from the cache, undefined if it isn't there or was kept as something else.
async function kept(file) {
  const response = await caches.match(addressOf(file), { cacheName: now, ignoreVary: true }).catch(() => undefined);
  return response && !fault(file, response) ? response : undefined;
}

// read takes a file that is not kept from the network. If it is that of this edition, it is kept from now on.
async function read(event, file) {
  const response = await fetch(event.request),
    copy = response.clone();
  event.waitUntil(
    checked(file, copy)
      .then((sound) => retain(file, sound))
      .catch(() => {}),
  );
  return response;
}

// retain keeps a file that was read. Where there is no space, what was kept first goes: pages before what all pages
// use.
async function retain(file, response) {
  const cache = await caches.open(now),
    free = await freeBytes(),
    needs = roughly([file]);
  if (free < needs) {
    const old = (await cache.keys()).map((request) => fileOf(new URL(request.url)));
    const go = [
      ...old.filter((name) => !name.startsWith("assets/")),
      ...old.filter((name) => name.startsWith("assets/")),
    ];
    if (roughly(old.filter((name) => sizes.has(name))) + free < 3 * needs) return; // it would leave nothing else
    for (let freed = free; freed < needs; freed += sizes.get(go[0]) ?? 0, go.shift())
      await cache.delete(addressOf(go[0]));
  }
  await cache.put(addressOf(file), response);
}

// missing answers for a page that the book doesn't have when there is no network to ask.
async function missing() {
  const page = await kept("404.html");
  return page ? new Response(page.body, { status: 404, headers: page.headers }) : Response.error();
}
