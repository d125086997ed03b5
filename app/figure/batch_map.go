package figure

import (
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/training"
)

// The measures of a map.
const (
	mapNames = 106
	mapCell  = 84
	mapHigh  = 46
	mapTop   = 26
)

// BatchMap draws which batch for each chip is bound by what, over chips.
func BatchMap(l phrase.Phrases, m *training.Map) *Drawing {
	var p markup.Pen
	d := &Drawing{Title: l.Say("figure.map", "model", m.Model, "device", m.Device), Note: l.Say("figure.map-note")}
	t := Table{Caption: d.Title, Heads: []string{l.Say("figure.map-tokens")}}
	for c, n := range m.Chips {
		name := l.Say("figure.map-chips", "n", counted(float64(n)))
		t.Heads = append(t.Heads, name)
		p.Label("mid small", mapNames+float64(c)*mapCell+mapCell/2, mapTop-10, name)
	}
	compute, wires, none := 0, 0, 0
	for i := range m.Tokens { // the largest batch is at the top
		row := len(m.Tokens) - 1 - i
		top := float64(mapTop + i*mapHigh)
		name := counted(float64(m.Tokens[row]))
		p.Label("small", 0, top+mapHigh/2+4, l.Say("figure.map-each", "n", name))
		cells := []string{name}
		for c := range m.Chips {
			cell := &m.Cells[row][c]
			drawPlace(&p, cell, mapNames+float64(c)*mapCell, top)
			cells = append(cells, placeText(l, cell))
			switch {
			case !cell.Fits:
				none++
			case cell.Bound == training.ByWires:
				wires++
			default:
				compute++
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	d.About = l.Say("figure.map-about", "computing", compute, "traffic", wires, "none", none)
	d.Twin = []Table{t}
	wide := max(mapNames+float64(len(m.Chips))*mapCell, 360)
	return d.svg("fig", frame{0, 0, wide, float64(mapTop + len(m.Tokens)*mapHigh + 4)}, &p)
}

func drawPlace(p *markup.Pen, cell *training.Cell, left, top float64) {
	const gap = 4
	wide, high := float64(mapCell-gap), float64(mapHigh-gap)
	switch {
	case !cell.Priced:
		p.Rect(`class="boxes"`, left, top, wide, high)
		return
	case !cell.Fits:
		hatched(p, left, top, wide, high)
		return
	case cell.Bound == training.ByWires:
		p.Rect(`class="wires"`, left, top, wide, high)
	default:
		p.Rect(`class="compute"`, left, top, wide, high)
	}
	p.Label("mid", left+wide/2, top+high/2+5, percent(cell.Use))
}

// placeText is a place in words.
func placeText(l phrase.Phrases, cell *training.Cell) string {
	switch {
	case !cell.Priced:
		return l.Say("figure.map-not-yet")
	case !cell.Fits:
		return l.Say("figure.map-none", "why", cell.Why)
	case cell.Bound == training.ByWires:
		return l.Say("figure.map-traffic", "use", percent(cell.Use), "plan", cell.Price.Plan)
	}
	return l.Say("figure.map-computing", "use", percent(cell.Use), "plan", cell.Price.Plan)
}
