// A calculator in a page of another site tells that page its results, where it was asked to: a frame by a message, an
// element by an event. Fetched only then.

// watch calls report with each new state of the calculator below root, once it runs. Units are those of its numbers.
export function watch(root, units, report) {
  let last = "",
    due;
  const look = () => {
    due = undefined;
    const section = root.querySelector("section.sheet[data-live]");
    if (!section) return;
    const state = stateOf(section, units),
      text = JSON.stringify(state);
    if (text !== last) report(state);
    last = text;
  };
  const later = () => {
    due ??= setTimeout(look, 50);
  };
  const attributeFilter = ["data-live", "data-value"];
  new MutationObserver(later).observe(root, { subtree: true, childList: true, attributeFilter });
  for (const type of ["input", "change"]) root.addEventListener(type, later);
  later();
}

// stateOf is what a calculator has: its inputs as its reader typed them, and its results, numbers in base units.
// Documents that a reader pasted are theirs, and never reported.
function stateOf(section, units) {
  const inputs = {},
    results = {};
  for (const e of section.querySelectorAll(".sheet-body [name]")) {
    if (e.type === "textarea" || e.type === "file" || (e.type === "radio" && !e.checked)) continue;
    inputs[e.getAttribute("name")] = e.type === "checkbox" ? e.checked : e.value;
  }
  for (const e of section.querySelectorAll("output[data-name][data-value]")) {
    const { name, value } = e.dataset,
      unit = units[name];
    const isNumber = unit !== undefined && value !== "" && !Number.isNaN(+value);
    results[name] = isNumber ? { value: +value, unit, text: e.textContent } : { value, text: e.textContent };
  }
  return { sheet: section.dataset.sheet, inputs, results };
}
