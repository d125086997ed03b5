package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// The measures of an array in tiles.
const (
	cellWide   = 30
	cellHigh   = 22
	mostAcross = 16
	mostDown   = 16
)

// Tiles draws how a small array lies in memory: its elements with their places, tile by tile, and hatched what is only
// padding. Of a large one it draws the corner that comes first.
func Tiles(l phrase.Phrases, s *hlo.Shape) *Drawing {
	sizes := s.Rounded()
	for len(sizes) < 2 {
		sizes = append([]float64{1}, sizes...)
	}
	down, across := int(min(sizes[len(sizes)-2], mostDown)), int(min(sizes[len(sizes)-1], mostAcross))
	real := s.Real()
	d := &Drawing{Title: l.Say("figure.tiles", "shape", s.String()),
		About: l.Say("figure.tiles-about", "elements", strconv.FormatFloat(s.Elements(), 'f', 0, 64), "capacity",
			strconv.FormatFloat(s.Padded(), 'f', 0, 64)),
		Note: l.Say("figure.tiles-note")}
	twin := Table{Caption: d.Title, Heads: arrayColumns(l, l.Say("figure.row"), across)}
	var pen markup.Pen
	for y := range down {
		row := []string{strconv.Itoa(y)}
		for x := range across {
			at := make([]int, len(sizes))
			at[len(at)-2], at[len(at)-1] = y, x
			place := strconv.Itoa(s.Layout.Place(s.Dims, at))
			inside := y < real[0] && x < real[1]
			cell(&pen, x, y, place, inside)
			if !inside {
				place = l.Say("figure.tiles-padding", "place", place)
			}
			row = append(row, place)
		}
		twin.add(row...)
	}
	tileLines(&pen, s, across, down)
	if int(sizes[len(sizes)-1]) > across || int(sizes[len(sizes)-2]) > down || len(sizes) > 2 {
		d.Note = sentences(l, d.Note, l.Say("figure.tiles-corner"))
	}
	d.Twin = []Table{twin}
	return d.svg("fig", frame{-2, -2, float64(across*cellWide) + 2, float64(down*cellHigh) + 2}.margin(0, 300), &pen)
}

// cell is an element, or padding.
func cell(w *markup.Pen, x, y int, place string, inside bool) {
	left, top := float64(x*cellWide), float64(y*cellHigh)
	if inside {
		w.Rect(`class="cell"`, left, top, cellWide, cellHigh)
	} else {
		hatched(w, left, top, cellWide, cellHigh)
	}
	w.Label("place", left+cellWide/2, top+cellHigh/2+4, place)
}

// tileLines part the outer tiles.
func tileLines(w *markup.Pen, s *hlo.Shape, across, down int) {
	if len(s.Layout.Tiles) == 0 {
		return
	}
	tile := s.Layout.Tiles[0]
	wide, high := int(tile[len(tile)-1]), 1
	if len(tile) > 1 {
		high = int(tile[len(tile)-2])
	}
	if wide < 1 || high < 1 {
		return
	}
	var path markup.Pen
	for y := 0; y < down; y += high {
		for x := 0; x < across; x += wide {
			path.Box(float64(x*cellWide), float64(y*cellHigh), float64(min(wide, across-x)*cellWide),
				float64(min(high, down-y)*cellHigh))
		}
	}
	w.Path("tile", path.String())
}
