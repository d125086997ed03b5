// Keeps the book for when there is no network, and asks the reader before a new version takes its place. book.js
// fetches this file when the page is done. What the reader gave a page and no storage can hold
// (window.scalebook.unkept, by name) is named before the page is loaded anew.
(() => {
  if (self !== top) return; // a calculator inside of somebody's page leaves nothing behind there
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const { base } = document.querySelector("script[data-offline]").dataset;
  const hour = 3600e3;
  let looked = Date.now();
  let bar,
    asked = false;

  // Pages of one version never run under the worker of another: all tabs begin anew, once.
  let served = !!workers.controller;
  let leaving = false;
  workers.addEventListener("controllerchange", () => {
    if (served && !leaving) {
      leaving = true;
      renew();
    }
    served = true;
  });

  // renew loads the page anew, once its reader knows what that would lose.
  function renew() {
    const names = window.scalebook?.unkept?.join(", ");
    if (!names) {
      location.reload();
      return;
    }
    show(
      phrase("site.new-loses", { names }),
      button(phrase("site.new-load"), () => {
        scalebook.unkept.length = 0;
        location.reload();
      }),
    );
  }

  // Where there is too little space the worker keeps what is read. The reader is warned once.
  workers.addEventListener("message", ({ data }) => {
    const key = `scalebook:${base}:little`;
    try {
      if (data !== "little" || localStorage.getItem(key)) return;
      localStorage.setItem(key, "told");
    } catch {
      return;
    }
    show(
      phrase("site.little-room"),
      button(phrase("site.close"), () => bar.remove()),
    );
  });
  workers.ready.then(({ active }) => active.postMessage("keep"));

  workers
    .register(`${base}sw.js`, { scope: base, updateViaCache: "none" })
    .then(watch, (err) => console.info("scalebook: not kept for offline use:", err));

  function watch(registration) {
    const follow = (worker) =>
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed") ask(registration);
      });
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

  // ask says that a version waits, if one does.
  function ask(registration) {
    if (!registration.waiting || !registration.active || asked) return;
    asked = true;
    show(
      phrase("site.new-edition"),
      button(phrase("site.new-use"), () => {
        if (registration.waiting) registration.waiting.postMessage("use");
        else renew();
      }),
      button(phrase("site.new-later"), () => bar.remove()),
    );
  }

  // show says something below the page. It takes no focus and moves nothing.
  function show(text, ...buttons) {
    bar?.remove();
    bar = document.createElement("p");
    bar.className = "renew";
    bar.setAttribute("role", "status");
    document.body.append(bar);
    const says = document.createElement("span");
    says.textContent = text;
    bar.append(says, ...buttons);
  }

  function button(text, action) {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.addEventListener("click", action);
    return b;
  }
})();
