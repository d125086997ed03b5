package widget

import (
	"strings"

	"github.com/scalebook/scalebook/app/sheet/input"
)

// Open says whether the part with this key is opened.
func (v *View) Open(key string) bool { return v.open[key] }

// Toggle opens or closes the part with this key.
func (v *View) Toggle(key string, open bool) {
	if open {
		v.open[key] = true
	} else {
		delete(v.open, key)
	}
}

// OpenedBefore notes a fold that the reader opened before the sheet was live. It holds what was printed until they do
// something else, because a page must not move by itself.
func (v *View) OpenedBefore(key string) {
	v.Toggle(key, true)
	v.kept[key] = true
}

// Touched is the reader doing something, whatever it is.
func (v *View) Touched() {
	if len(v.kept) > 0 {
		clear(v.kept)
		v.rev++
	}
}

// asPrinted says whether the fold with this key holds what is printed.
func (v *View) asPrinted(key string) bool { return v.still || v.kept[key] }

// Printed builds the part with this key as pages carry it before their scripts run.
func (v *View) Printed(key string) *Node {
	v.still = true
	defer func() { v.still = false }()
	return v.Part(key)
}

// Abridged says whether such a page carries only some of the choices that the part offers.
func (v *View) Abridged(key string) bool {
	kind, name, _ := strings.Cut(key, ":")
	if kind != "input" {
		return false
	}
	in := v.fitted(name)
	return in.Form() == input.SeveralForm || in.Form() == input.MenuForm && len(in.Menu) > longMenu
}

// Unprint forgets what closed folds hold on such a page, so that they are built anew.
func (v *View) Unprint() { clear(v.why) }

// ToggleAll opens or closes the working of every row.
func (v *View) ToggleAll(open bool) {
	for _, row := range v.rows() {
		v.Toggle(rowKey(row.Def.Name), open)
	}
}
