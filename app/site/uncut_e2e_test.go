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

// uncut checks that nothing leaves its sheet and that no field clips what it holds.
func (p *page) uncut(what string) {
	p.t.Helper()
	if got := p.text(cut); got != "" {
		p.t.Errorf("/%s: %s", what, got)
	}
}
