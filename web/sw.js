// The worker that keeps the book for when there is no network. The build writes a line before this text:
//   const edition = {"version": "…", "files": {"one/index.html": "sha256-…", …}};
//
// An edition is kept as a whole, in a cache of its own, or not at all: one file that is missing, cut short or other than
// the list says fails the installation, and the edition before it goes on. A new edition waits until a page, asked by its
// reader, says "use". Caches of other sites on this origin are not ours to touch.
const base = new URL("./", location).pathname;
const mine = `scalebook:${base}:`; // what the names of our caches begin with
const now = mine + edition.version;
const files = new Map(Object.entries(edition.files));

addEventListener("install", (e) => e.waitUntil(install()));
addEventListener("activate", (e) => e.waitUntil(activate()));
addEventListener("message", (e) => { if (e.data === "use") skipWaiting(); });
addEventListener("fetch", (e) => {
  const response = answer(e.request);
  if (response) e.respondWith(response);
});

// addressOf is where a file of the list is published.
const addressOf = (file) => base + file.split("/").map(encodeURIComponent).join("/");

async function install() {
  const cache = await caches.open(now);
  const before = await editions();
  await Promise.all([...files].map(([file, integrity]) => keep(cache, before, file, integrity)));
}

// keep puts one file into the cache. What an attempt that broke off has put there was checked then.
async function keep(cache, before, file, integrity) {
  const url = addressOf(file);
  if (await cache.match(url)) return;
  const response = await earlier(before, file) || await load(url, integrity);
  await cache.put(url, response);
}

// earlier takes a file from the editions before, if its name says what is in it.
async function earlier(before, file) {
  if (!file.startsWith("assets/")) return undefined;
  for (const cacheName of before) {
    const response = await caches.match(addressOf(file), { cacheName, ignoreVary: true });
    if (response) return response;
  }
  return undefined;
}

// load fetches a file, past all caches on the way. The browser compares its hash and its length.
async function load(url, integrity) {
  const response = await fetch(new Request(url, { cache: "reload", integrity }));
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  if (!response.redirected) return response;
  // A page must not be answered with a response that was redirected.
  return new Response(await response.blob(), { headers: response.headers });
}

// editions are the names of our other caches.
const editions = async () => (await caches.keys()).filter((name) => name.startsWith(mine) && name !== now);

async function activate() {
  for (const name of await editions()) await caches.delete(name);
  await clients.claim(); // so that the page of the first visit goes on without a network, too
}

// answer is the response to a request that is ours, undefined for all others.
function answer(request) {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(base)) return undefined;
  const file = fileOf(url);
  if (files.has(file)) return kept(file).then((response) => response || fetch(request));
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

// kept is a file from the cache, undefined if the reader has cleared it.
const kept = (file) => caches.match(addressOf(file), { cacheName: now, ignoreVary: true }).catch(() => undefined);

// missing answers for a page that the book doesn't have when there is no network to ask.
async function missing() {
  const page = await kept("404.html");
  return page ? new Response(page.body, { status: 404, headers: page.headers }) : Response.error();
}
