// A world for web/sw.js in which servers lie, run by FuzzWorker: simulate(source, script) plays the worker of two
// editions against a server whose every answer a byte of the script decides, in a browser whose room its first byte
// decides, and returns what must not be, empty if all holds.
window.simulate = async (source, script) => {
  const faults = [],
    said = (text) => {
      if (faults.length < 5) faults.push(text);
    };
  let at = 0,
    requests = 0;
  const next = () => script[at++] ?? 0;
  const mimes = {
    html: "text/html",
    css: "text/css",
    js: "text/javascript",
    wasm: "application/wasm",
    md: "text/markdown",
    xml: "application/xml",
  };
  const mimeOf = (file) => mimes[file.split(".").pop()];
  const sha = async (bytes) =>
    `sha256-${btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))))}`;

  // Two editions that share a file.
  const names = [
    "404.html",
    "assets/a.css",
    "assets/b.js",
    "assets/c.wasm",
    "feed.xml",
    "index.html",
    "one/index.html",
    "one/index.md",
  ];
  const editions = [];
  for (const n of [1, 2]) {
    const bytes = {},
      files = {};
    for (const name of names) {
      const own = name === "assets/a.css" ? name : name + n;
      bytes[name] = new TextEncoder().encode(own.repeat(name.endsWith(".wasm") ? 400 : 40));
      files[name] = name === "feed.xml" ? "" : await sha(bytes[name]);
    }
    editions.push({ bytes, edition: { version: `v${n}`, files, sizes: names.map((x) => bytes[x].length) } });
  }
  let deployed = editions[0].bytes;

  // Caches, with an end.
  const room = next();
  const quota = room < 128 ? 1e9 : (room - 127) * 150;
  const stores = new Map([
    ["neighbour", new Map()],
    ["scalebook:/other/:v1", new Map()],
  ]);
  const used = () => [...stores.values()].flatMap((s) => [...s.values()]).reduce((sum, r) => sum + r.bytes.length, 0);
  const responseOf = ({ bytes, headers, status }) => new Response(bytes, { headers, status });
  const pathOf = (x) => new URL(x.url ?? x, "https://book.example/").pathname;
  const opened = (store) => ({
    async put(url, response) {
      const kept = {
        bytes: new Uint8Array(await response.arrayBuffer()),
        headers: [...response.headers],
        status: response.status,
      };
      if (used() - (store.get(pathOf(url))?.bytes.length ?? 0) + kept.bytes.length > quota)
        throw new DOMException("full", "QuotaExceededError");
      store.set(pathOf(url), kept);
    },
    async match(url) {
      const r = store.get(pathOf(url));
      return r && responseOf(r);
    },
    async keys() {
      return [...store.keys()].map((path) => ({ url: `https://book.example${path}` }));
    },
    async delete(url) {
      return store.delete(pathOf(url));
    },
  });
  const caches = {
    async open(name) {
      if (!stores.has(name)) stores.set(name, new Map());
      return opened(stores.get(name));
    },
    async keys() {
      return [...stores.keys()];
    },
    async delete(name) {
      return stores.delete(name);
    },
    async match(url, { cacheName }) {
      return stores.has(cacheName) ? opened(stores.get(cacheName)).match(url) : undefined;
    },
  };
  const navigator = { storage: room % 2 ? undefined : { estimate: async () => ({ quota, usage: used() }) } };

  // The server.
  const never = (signal) =>
    new Promise((_, failed) =>
      signal?.addEventListener("abort", () => failed(new DOMException("aborted", "AbortError"))),
    );
  async function fetch(request) {
    requests++;
    const path = decodeURIComponent(pathOf(request)).slice("/book/".length);
    const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
    const lie = next(),
      how = next();
    const signal = request.signal;
    let bytes = deployed[file],
      status = bytes ? 200 : 404,
      type = mimeOf(file),
      hangs = false;
    bytes ??= new TextEncoder().encode("no such file");
    switch (lie % 16) {
      case 1:
        status = [404, 500, 503, 403, 206, 201][how % 6];
        break;
      case 2:
        type = ["text/plain", "text/html", "application/octet-stream", "image/png", "text/css, text/html", "TEXT/CSS"][
          how % 6
        ];
        break;
      case 3:
        type = `${type}; charset=${["iso-8859-1", "utf-16", '"UTF-8"', "utf-8"][how % 4]}`;
        break;
      case 4:
        type = "";
        break;
      case 5:
        bytes = bytes.slice(0, how % bytes.length);
        break;
      case 6:
        bytes = new Uint8Array([...bytes, how]);
        break;
      case 7:
        bytes = bytes.slice();
        bytes[how % bytes.length] ^= 1 + (how % 255);
        break;
      case 8:
        return never(signal ?? AbortSignal.timeout(20));
      case 9:
        hangs = true;
        break;
      case 10:
        throw new TypeError("no network");
      case 11:
        bytes = editions[how % 2].bytes[file] ?? bytes;
        break;
    }
    const body = new ReadableStream({
      start(c) {
        c.enqueue(bytes.slice(0, bytes.length >> 1));
        if (hangs)
          (signal ?? AbortSignal.timeout(20)).addEventListener("abort", () => {
            try {
              c.error(new DOMException("aborted", "AbortError"));
            } catch {}
          });
        else {
          c.enqueue(bytes.slice(bytes.length >> 1));
          c.close();
        }
      },
    });
    const response = new Response(body, { status, headers: type ? { "Content-Type": type } : {} });
    response.headers.delete(type ? "x" : "Content-Type");
    if (lie % 16 === 12) Object.defineProperty(response, "redirected", { value: true });
    return response;
  }

  // The worker, whose seconds are short.
  function begin({ edition }) {
    const hears = {};
    const soon = (f, ms) => setTimeout(f, ms / 3000);
    new Function(
      "edition",
      "addEventListener",
      "caches",
      "fetch",
      "navigator",
      "clients",
      "location",
      "setTimeout",
      "skipWaiting",
      "Request",
      source,
    )(
      edition,
      (name, f) => {
        hears[name] = f;
      },
      caches,
      fetch,
      navigator,
      { claim: async () => {} },
      new URL("https://book.example/book/sw.js"),
      soon,
      () => {},
      class {
        constructor(url, o) {
          Object.assign(this, { url, ...o });
        }
      },
    );
    return async (name, more = {}) => {
      const waits = [];
      let answer;
      hears[name]({
        waitUntil: (p) => waits.push(p),
        respondWith: (p) => {
          answer = p;
        },
        ...more,
      });
      const response = await answer;
      for (let n = 0; n < waits.length; n++) await waits[n];
      return response;
    };
  }

  // What must hold of all that is kept.
  async function sound(when) {
    for (const [name, store] of stores) {
      if (!name.startsWith("scalebook:/book/:v")) continue;
      const { edition } = editions[name.at(-1) - 1];
      for (const [path, kept] of store) {
        const file = path.slice("/book/".length),
          hash = edition.files[file];
        const type = new Headers(kept.headers).get("Content-Type") ?? "";
        if (kept.status !== 200) said(`${when}: ${file} is kept with status ${kept.status}`);
        if (!type.toLowerCase().startsWith(mimeOf(file).split(";")[0]) || /iso|utf-16|,/.test(type))
          said(`${when}: ${file} is kept as "${type}"`);
        if (hash === undefined || (hash && (await sha(kept.bytes)) !== hash))
          said(`${when}: ${file} is not what the list says`);
      }
    }
    if (used() > quota) said(`${when}: more is kept than there is room for`);
    if (!stores.has("neighbour") || !stores.has("scalebook:/other/:v1"))
      said(`${when}: the cache of another site is gone`);
  }

  const request = (path, mode = "navigate") => ({
    request: { url: `https://book.example${path}`, method: "GET", mode },
  });
  for (const [n, one] of editions.entries()) {
    deployed = one.bytes;
    const worker = begin(one),
      cache = `scalebook:/book/:v${n + 1}`;
    requests = 0;
    const installed = await worker("install").then(
      () => true,
      () => false,
    );
    if (requests > 3 * names.length + 1) said(`installing edition ${n + 1} asked ${requests} times`);
    await sound(`after installing edition ${n + 1}`);
    const whole = names.filter((name) => name !== "feed.xml").every((name) => stores.get(cache)?.has(`/book/${name}`));
    if (installed && !whole && quota === 1e9) said(`edition ${n + 1} is installed, but not whole`);
    const again = requests;
    if (
      !installed &&
      (await worker("install").then(
        () => true,
        () => false,
      ))
    )
      said("a second attempt followed at once");
    if (!installed && requests > again) said("an attempt that has to wait asked the server");
    if (!installed) continue;
    await worker("activate");
    for (const name of stores.keys()) {
      if (name.startsWith("scalebook:/book/:v") && name !== cache) said(`${name} is left`);
    }
    for (const file of ["", "one/", "assets/a.css", "feed.xml", "nope/", "%zz"]) {
      const here = stores.get(cache)?.has(`/book/${file}${/\/$|^$/.test(file) ? "index.html" : ""}`),
        before = requests;
      const response = await worker("fetch", request(`/book/${file}`)).catch(() => undefined);
      if (here && file !== "feed.xml" && (requests > before || response?.status !== 200))
        said(`${file} is kept, but asked for`);
      if (here && !response) said(`${file} is kept, but not given`);
      await response?.arrayBuffer().catch(() => {});
      await sound(`after reading ${file}`);
    }
    await worker("message", { data: "keep", source: { postMessage() {} } });
    await sound("after completing it");
  }
  return faults.join("\n");
};
