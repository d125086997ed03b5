package site

// cut names what leaves its sheet, and the fields and values that are wider than what shows them.
const cut = `(() => {
	const out = [];
	for (const sheet of document.querySelectorAll("section.sheet")) {
		const box = sheet.getBoundingClientRect();
		if (!box.width) continue;
		const parts = ".row-value, .row-label, .field, .control, label, .plot, .drawing, .question, .note, figcaption";
		for (const e of sheet.querySelectorAll(parts)) {
			const r = e.getBoundingClientRect();
			if (!e.checkVisibility() || !r.width || e.closest(".grid > *, .drawing-box, .row-formula")) continue;
			const name = sheet.id + " " + e.tagName + "." + e.className + " " + (e.name || e.dataset.name || "");
			if (r.right > box.right + 1 || r.left < box.left - 1) out.push(name + " leaves its sheet");
			if (e.matches("input.field[inputmode], .row-value") && e.scrollWidth > e.clientWidth + 1
				&& e !== document.activeElement)
				out.push(name + " is cut: " + (e.value ?? e.textContent));
		}
	}
	return out.slice(0, 8).join("; ");
})()`

// crowded names the words of drawings that are cut off at the edge, and those that stand on others: their boxes, which
// are higher than letters, share half of a line. Words at a slant are left out: their boxes are mostly empty.
const crowded = `(() => {
	const out = [];
	for (const drawing of document.querySelectorAll("svg")) {
		const box = drawing.getBoundingClientRect();
		if (!box.width || !drawing.checkVisibility()) continue;
		const where = (drawing.closest("[id]")?.id ?? "") + " ";
		const words = [...drawing.querySelectorAll("text")].filter(t => t.textContent.trim() &&
			!(t.getScreenCTM()?.b) && t.checkVisibility({visibilityProperty: true})).map(t => ({t: t.textContent, r: t.getBoundingClientRect()}));
		for (const [i, {t, r}] of words.entries()) {
			const over = Math.max(box.left - r.left, r.right - box.right, box.top - r.top, r.bottom - box.bottom);
			if (over > 3 && getComputedStyle(drawing).overflow !== "visible") out.push(where + "cuts " + t);
			for (const o of words.slice(i + 1)) {
				const wide = Math.min(r.right, o.r.right) - Math.max(r.left, o.r.left);
				const high = Math.min(r.bottom, o.r.bottom) - Math.max(r.top, o.r.top);
				if (wide > 2 && high > Math.min(r.height, o.r.height) / 2 && t !== o.t)
					out.push(where + "has " + t + " on " + o.t);
			}
		}
	}
	return out.slice(0, 8).join("; ");
})()`

// uncut checks that nothing leaves its sheet, that no field clips what it holds, and that no word of a drawing is cut or
// stands on another.
func (p *page) uncut(what string) {
	p.t.Helper()
	for _, look := range [...]string{cut, crowded} {
		if got := p.text(look); got != "" {
			p.t.Errorf("/%s: %s", what, got)
		}
	}
}
