// A calculator alone in an iframe tells the page around it how tall it is, so that the frame can fit it, and its reader
// where it is from: a frame doesn't show its address. Its results it tells only a page that has said in the address of
// the frame who it is: results=https://host.
(() => {
  const { results } = document.currentScript.dataset;
  const section = document.querySelector("section.sheet");
  const source = document.querySelector(".embed-source");
  source.append(` · ${location.host}`);
  section.dataset.home = source.querySelector("a").href.split("#")[0];
  const asked = new URLSearchParams(location.search),
    theme = asked.get("theme");
  document.documentElement.dataset.show = asked.get("show") ?? "";
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (parent === window) return;
  let last = 0;
  const report = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    parent.postMessage({ scalebook: section.id, height }, "*"); // a height is no secret
  };
  new ResizeObserver(report).observe(document.documentElement);
  report();
  const host = asked.get("results");
  if (!host || !results) return;
  if (!URL.canParse(host) || new URL(host).origin !== host) {
    console.warn(`scalebook: results=${host} is no origin; write the origin of your page, location.origin`);
    return;
  }
  source.append(` · ${phrase("site.embed-tells", { host })}`);
  const units = JSON.parse(source.dataset.units);
  import(results).then((m) =>
    m.watch(document.querySelector("main"), units, (state) =>
      parent.postMessage({ type: "scalebook:results", ...state }, host),
    ),
  ); // the browser gives it to no other origin
})();
