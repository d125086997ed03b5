// Examples on a TPU or on a GPU, as the reader likes, kept for the whole book. A calculator that has both begins with
// the chosen one, as if its author had written it so; what the address or the reader sets stays.
const root = document.documentElement;
const key = `scalebook:${document.querySelector("script[data-base]").dataset.base}:examples`;
const buttons = document.querySelectorAll(".examples button");
const asked = new URLSearchParams(location.search);

// both are the calculators that have both, with their control and what it shows on either.
const both = [...document.querySelectorAll("section[data-gpu]")].map((section) => {
  const [, id, name, gpu] = /^([^.]+)\.([^=]+)=(.*)$/.exec(section.dataset.gpu);
  const control = () => section.querySelector(`[name="${name}"]`);
  return { section, control, at: `${id}.${name}`, gpu, tpu: control()?.value };
});

function show(on, chosen) {
  root.dataset.examples = on;
  for (const b of buttons) b.setAttribute("aria-pressed", b.value === on);
  for (const { section, control, at, gpu, tpu } of both) {
    if (asked.has(at) && !chosen) continue;
    if (section.dataset.live !== undefined) {
      const c = control(),
        value = on === "gpu" ? gpu : tpu;
      if (!c || c.value === value) continue;
      c.value = value;
      c.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (on === "gpu") {
      section.dataset.state = `${at}=${gpu}`;
      section.dispatchEvent(new Event("focusin", { bubbles: true })); // its program is wanted
    } else delete section.dataset.state;
  }
}

for (const b of buttons)
  b.addEventListener("click", () => {
    try {
      localStorage.setItem(key, b.value);
    } catch {
      /* storage is blocked: the choice lasts as long as the page */
    }
    show(b.value, true);
  });
let kept;
try {
  kept = localStorage.getItem(key);
} catch {
  /* TPUs, as printed */
}
show(kept === "gpu" ? "gpu" : "tpu");
