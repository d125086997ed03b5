//go:build !lean

package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/training"
)

// The measures of a map.
const (
	mapNames = 96
	mapCell  = 84
	mapHigh  = 46
	mapTop   = 52
)

// BatchMap draws which batch for each chip is bound by what, over chips.
func BatchMap(m *training.Map) *Drawing {
	var p markup.Pen
	d := &Drawing{Title: m.Model + " on " + m.Device + ": the best plan's MFU",
		Note: "Columns are chips, rows are tokens of a batch for each chip. Solid: more time goes into computing than into " +
			"traffic and bubbles that show. Framed: the other way round. Hatched: nothing fits."}
	t := Table{Caption: d.Title, Heads: []string{"Tokens for each chip"}}
	p.Label("head", 0, 17, d.Title)
	for c, n := range m.Chips {
		name := counted(float64(n)) + " chips"
		t.Heads = append(t.Heads, name)
		p.Label("mid small", mapNames+float64(c)*mapCell+mapCell/2, mapTop-10, name)
	}
	compute, wires, none := 0, 0, 0
	for i := range m.Tokens { // the largest batch is at the top
		row := len(m.Tokens) - 1 - i
		top := float64(mapTop + i*mapHigh)
		name := counted(float64(m.Tokens[row]))
		p.Label("small", 0, top+mapHigh/2+4, name+" each")
		cells := []string{name}
		for c := range m.Chips {
			cell := &m.Cells[row][c]
			drawPlace(&p, cell, mapNames+float64(c)*mapCell, top)
			cells = append(cells, placeText(cell))
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
	d.About = strconv.Itoa(compute) + " places are bound by computing, " + strconv.Itoa(wires) +
		" by traffic and bubbles; at " + strconv.Itoa(none) + " nothing fits or divides."
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
	p.Label("mid", left+wide/2, top+high/2+5, roundShare(cell.Use, 1))
}

// placeText is a place in words.
func placeText(cell *training.Cell) string {
	switch {
	case !cell.Priced:
		return "not priced yet"
	case !cell.Fits:
		return "none: " + cell.Why
	case cell.Bound == training.ByWires:
		return roundShare(cell.Use, 1) + ", traffic and bubbles; " + cell.Price.Plan.String()
	}
	return roundShare(cell.Use, 1) + ", computing; " + cell.Price.Plan.String()
}
