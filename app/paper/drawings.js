(() => {
  // What elements have from those around them, and what they have for themselves, with what holds where nothing is said.
  const inherited = { fill: "rgb(0, 0, 0)", "fill-opacity": "1", stroke: "none", "stroke-width": "1px", "stroke-opacity": "1",
    "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", "text-anchor": "start",
    "font-size": "", "font-weight": "400", "font-style": "normal", "paint-order": "normal" };
  const own = { opacity: "1", "vector-effect": "none", "baseline-shift": "0px" };
  const look = (from, to, above) => {
    const style = getComputedStyle(from);
    if (style.display === "none" || style.visibility === "hidden") return to.remove();
    const text = from.matches("text, tspan, g, svg");
    for (const name in inherited) {
      if (!text && /^(font|text)/.test(name)) continue;
      const value = style.getPropertyValue(name);
      if (value === (above ? above.getPropertyValue(name) : inherited[name])) to.removeAttribute(name);
      else to.setAttribute(name, value);
    }
    for (const name in own) {
      const value = style.getPropertyValue(name);
      if (value === own[name] || value === "") to.removeAttribute(name);
      else to.setAttribute(name, value);
    }
    to.removeAttribute("class");
    const kids = [...to.children];
    [...from.children].forEach((kid, i) => look(kid, kids[i], style));
  };
  const serializer = new XMLSerializer();
  return [...document.querySelectorAll("article.part svg")].filter(svg => !svg.parentNode.closest("svg")).map(svg => {
    const copy = svg.cloneNode(true), code = svg.matches(".qr");
    if (code) return serializer.serializeToString(copy);
    look(svg, copy, null);
    copy.setAttribute("font-family", "sans-serif");
    if (!copy.hasAttribute("width")) {
      copy.setAttribute("width", svg.viewBox.baseVal.width);
      copy.setAttribute("height", svg.viewBox.baseVal.height);
    }
    return serializer.serializeToString(copy);
  });
})()
