package site

import (
	"encoding/json"
	"sync"
)

// judged remembers how the pieces of calculators are built that axe has judged on this page or another. The thousands
// of rows of the book are built in a few hundred ways: tags, classes, names of attributes, of a piece, of all in it and
// of all around it. axe would find the same in each of them.
type judged struct {
	lock  sync.Mutex
	known map[string]bool
}

// marking gives pieces of calculators that are built like one before the attribute data-judged, and returns the new
// ways.
const marking = `known => {
	const fresh = new Set(), signs = new Map()
	const own = e => e.tagName + "." + (e.className.baseVal ?? e.className) + "[" + e.getAttributeNames().sort().join()
		+ "]"
	const sign = e => {
		const inside = e.namespaceURI.endsWith("svg") || e.namespaceURI.endsWith("MathML") ? [] : [...e.children].map(sign)
		const s = own(e) + "(" + [...new Set(inside)].sort().join(" ") + (e.textContent ? "" : "empty") + ")"
		signs.set(e, s)
		return s
	}
	const around = e => e ? around(e.parentElement) + ">" + own(e) : ""
	const short = text => { let a = 7, b = 11
		for (const c of text) { const n = c.charCodeAt(); a = Math.imul(a ^ n, 2654435761); b = Math.imul(b ^ n, 1597334677) }
		return (a >>> 0).toString(36) + (b >>> 0).toString(36) }
	const mark = e => {
		const s = short(around(e.parentElement) + signs.get(e))
		if (known.has(s) || fresh.has(s)) { e.setAttribute("data-judged", ""); return }
		fresh.add(s)
		if (e.matches("section.sheet, section.sheet *") && !e.closest("svg, math")) for (const c of e.children) mark(c)
	}
	for (const e of document.querySelectorAll("section.sheet")) { sign(e); mark(e) }
	return [...fresh]
}`

// mark leaves to axe what is built in a new way.
func (p *page) mark(j *judged) {
	p.t.Helper()
	j.lock.Lock()
	defer j.lock.Unlock()
	known := make([]string, 0, len(j.known))
	for sign := range j.known {
		known = append(known, sign)
	}
	list, err := json.Marshal(known)
	p.check(err)
	if j.known == nil {
		j.known = map[string]bool{}
	}
	for _, sign := range value[[]string](p, "("+marking+")(new Set("+string(list)+"))") {
		j.known[sign] = true
	}
}

// strip takes out of the page what is marked, and leaves of each formula its text: axe looks at every element of a page
// in each run, also at those that it is told to leave alone. What names something that stays is left too. Nothing that
// needs the whole page can follow.
func (p *page) strip() {
	p.t.Helper()
	p.run(`const named = e => e.closest("summary, label, legend, caption")
		|| e.parentElement.closest("button, a, th, select")
	const names = (e, l) => l.control && !e.contains(l.control)
	for (const e of document.querySelectorAll("[data-judged]"))
		if (!named(e) && ![e, ...e.querySelectorAll("label")].some(l => names(e, l))) e.remove()
	for (const m of document.querySelectorAll("math")) {
		const text = document.createElementNS(m.namespaceURI, "mtext")
		text.textContent = m.textContent
		m.replaceChildren(text)
	}`)
}
