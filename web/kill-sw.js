// Takes the offline book back. Published as sw.js, it replaces the worker in every browser that has one, forgets what
// that has kept, and leaves: from then on pages come from the network, as if there had never been a worker.
const mine = `scalebook:${new URL("./", location).pathname}:`;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (e) => e.waitUntil(leave()));

async function leave() {
  for (const name of await caches.keys()) if (name.startsWith(mine)) await caches.delete(name);
  const pages = await clients.matchAll({ type: "window" }); // only those that the old worker served
  await registration.unregister();
  for (const page of pages) page.navigate(page.url).catch(() => {}); // not awaited: the new page waits for this worker
}
