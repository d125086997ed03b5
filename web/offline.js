// Keeps the book for when there is no network, and asks the reader before a new version takes its place. book.js fetches
// this file when the page is done.
(() => {
  if (self !== top) return; // a calculator inside of somebody's page leaves nothing behind there
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const { base } = document.querySelector("script[data-offline]").dataset;
  const hour = 3600e3;
  let looked = Date.now();
  let bar;

  // Pages of one version never run under the worker of another: all tabs begin anew, once.
  let served = !!workers.controller;
  let leaving = false;
  workers.addEventListener("controllerchange", () => {
    if (served && !leaving) { leaving = true; location.reload(); }
    served = true;
  });

  workers.register(`${base}sw.js`, { scope: base, updateViaCache: "none" }).then(watch, (err) => console.info("scalebook: not kept for offline use:", err));

  function watch(registration) {
    const follow = (worker) => worker?.addEventListener("statechange", () => { if (worker.state === "installed") ask(registration); });
    ask(registration);
    follow(registration.installing);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    // An app stays open for days without the browser looking for a new version.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible" || Date.now() - looked < hour) return;
      looked = Date.now();
      registration.update().catch(() => {});
    });
  }

  // ask says that a version waits, if one does. It takes no focus and moves nothing.
  function ask(registration) {
    if (!registration.waiting || !registration.active || bar) return;
    bar = document.createElement("p");
    bar.className = "renew";
    bar.setAttribute("role", "status");
    document.body.append(bar);
    const says = document.createElement("span");
    says.textContent = phrase("site.new-edition");
    bar.append(says, button(phrase("site.new-use"), () => {
      if (registration.waiting) registration.waiting.postMessage("use");
      else location.reload();
    }), button(phrase("site.new-later"), () => bar.remove()));
  }

  function button(text, action) {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.addEventListener("click", action);
    return b;
  }
})();
