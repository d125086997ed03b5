package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// texts are the sequences of the drawing: when they come, and their pages at first and at last.
func texts() []machine.Sequence {
	return []machine.Sequence{
		{Comes: 0, First: 2, Last: 7}, {Comes: 1, First: 3, Last: 5}, {Comes: 2, First: 1, Last: 9},
		{Comes: 3, First: 4, Last: 6}, {Comes: 4, First: 2, Last: 8}, {Comes: 5, First: 1, Last: 4},
		{Comes: 7, First: 3, Last: 7}, {Comes: 9, First: 2, Last: 10}, {Comes: 11, First: 1, Last: 5},
		{Comes: 13, First: 2, Last: 6},
	}
}

// The measures of a memory in pages.
const (
	pageCount = 48
	pagesLong = 12 // that the longest sequence may take, and in a row
	pageWide  = 42
	pageHigh  = 30
	pageTop   = 26
)

// Pages draws a memory for caches at a step, given out in pages or reserved for the longest sequence.
func Pages(l phrase.Phrases, paged bool, step int) *Drawing {
	m := machine.Fill(pageCount, pagesLong, max(0, min(step, 200)), !paged, texts())
	d := &Drawing{
		Title: pagesText(l, m, step),
		Note:  l.Say("figure.pages-note"),
		Twin:  []Table{pagesTable(l, m)},
	}
	d.About, d.Now = ended(l, d.Title), d.Title
	var p markup.Pen
	d.head(&p, 17)
	for _, class := range []string{"frame", "frame dash", "b1", "b2", "b3"} {
		p.Put(`<path class="`, class, `" d="`)
		for i, page := range m.Memory {
			if x, y := pagePlace(i); pageClass(page) == class {
				p.Box(x+1, y+1, pageWide-2, pageHigh-2)
			}
		}
		p.Put(`"/>`)
	}
	for i, page := range m.Memory {
		if x, y := pagePlace(i); page.Owner > 0 {
			p.Label("mid small", x+pageWide/2, y+20, letter(page.Owner-1))
		}
	}
	bottom := pageTop + pageCount/pagesLong*pageHigh
	return d.svg("fig", frame{-2, 0, pagesLong*pageWide + 2, float64(bottom + 4)}, &p)
}

// pagePlace is where a page is drawn.
func pagePlace(i int) (x, y float64) {
	return float64(i % pagesLong * pageWide), float64(pageTop + i/pagesLong*pageHigh)
}

// pageClass is how a page is drawn.
func pageClass(page machine.Page) string {
	switch {
	case page.Used:
		return "b" + strconv.Itoa(1+(page.Owner-1)%3)
	case page.Owner > 0:
		return "frame dash"
	}
	return "frame"
}

// pagesText says how full the memory is, and with what.
func pagesText(l phrase.Phrases, m *machine.Pages, step int) string {
	return l.Say("figure.pages", "step", step, "run", len(m.Running), "wait", len(m.Waiting), "used", m.Used(), "empty",
		len(m.Memory)-m.Free()-m.Used())
}

// pagesTable says which sequences there are.
func pagesTable(l phrase.Phrases, m *machine.Pages) Table {
	names := func(of []int) string {
		var all []string
		for _, q := range of {
			all = append(all, letter(q-1))
		}
		if len(all) == 0 {
			return l.Say("figure.none")
		}
		return commas(l, all...)
	}
	t := Table{Caption: l.Say("figure.sequences"), Heads: cells(l, "figure.pages-heads")}
	t.add(l.Say("figure.running"), names(m.Running))
	t.add(l.Say("figure.waiting"), names(m.Waiting))
	t.add(l.Say("figure.done"), names(m.Done))
	return t
}
