package chart

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// tick is a labelled place on an axis.
type tick struct {
	v    float64
	text string
}

// ticks are the places of an axis: the labelled ones in rising order, and the minor ones between them.
type ticks struct {
	major []tick
	minor []float64
	unit  string // that all labels share, and that the title of the axis says instead of them
}

// grid is a candidate: a rule that says which values are ticks.
type grid struct {
	step    float64 // of a linear grid; 0 if it isn't
	mant    int64   // step = mant·10^exp
	exp     int
	digits  []int64 // of a logarithmic grid: the multiples of each power of ten
	decades int     // take only every so many powers of ten
}

// The most ticks worth labelling, whatever fits.
const mostTicks = 8

// chooseTicks picks the finest grid whose labels fit, in the judgement of the caller, and the minor ticks that go with
// it.
func chooseTicks(s scale, a *Axis, fits func([]tick) bool) ticks {
	if round := s.within(a.Round); len(round) > 2 {
		if major, unit := a.label(round); len(major) <= mostTicks && distinct(major) && fits(major) {
			return ticks{major: major, unit: unit}
		}
	}
	var lone ticks
	for _, g := range s.grids() {
		major, unit := a.label(g.values(s.lo, s.hi))
		if len(major) == 0 || len(major) > mostTicks || !distinct(major) || !fits(major) {
			continue
		}
		found := ticks{major, s.minor(g, major), unit}
		if len(major) > 1 {
			return found
		}
		if lone.major == nil {
			lone = found
		}
	}
	if lone.major != nil {
		return lone
	}
	// No grid fits, since the labels are long or all the same: one at each end will do, or only one.
	for _, ends := range [][]float64{{s.lo, s.hi}, {s.lo}} {
		if major, unit := a.label(ends); distinct(major) && fits(major) {
			return ticks{major: major, unit: unit}
		}
	}
	return ticks{}
}

// within are the rising values that a logarithmic scale has a place for.
func (s scale) within(values []float64) []float64 {
	from, _ := slices.BinarySearch(values, s.lo)
	to, found := slices.BinarySearch(values, s.hi)
	if found {
		to++
	}
	if !s.log || from >= to {
		return nil
	}
	return values[from:to]
}

// label prints the values, and takes off the unit that they share if the axis has a title to say it.
func (a *Axis) label(values []float64) (major []tick, unit string) {
	if len(values) > mostTicks {
		values = values[:mostTicks+1] // too many anyway
	}
	major = make([]tick, len(values))
	for i, v := range values {
		major[i] = tick{v, a.format(v)}
	}
	if a.Label == "" {
		return major, ""
	}
	return major, shared(major)
}

func distinct(major []tick) bool {
	for i := 1; i < len(major); i++ {
		if major[i].text == major[i-1].text {
			return false
		}
	}
	return true
}

// grids lists the candidates for a scale, the finest first.
func (s scale) grids() []grid {
	if !s.log {
		return linearGrids(s.lo, s.hi)
	}
	if s.hi/s.lo < 8 {
		return append(linearGrids(s.lo, s.hi), logGrids()...)
	}
	return logGrids()
}

func logGrids() []grid {
	grids := []grid{
		{digits: []int64{1, 2, 5}, decades: 1},
		{digits: []int64{1, 3}, decades: 1},
	}
	for _, n := range []int{1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300} {
		grids = append(grids, grid{digits: []int64{1}, decades: n})
	}
	return grids
}

// linearGrids are the steps 1, 2, 5 times a power of ten that divide lo..hi into about ten parts down to one.
func linearGrids(lo, hi float64) []grid {
	span := hi/10 - lo/10 // does not overflow
	if span <= 0 {
		return nil
	}
	_, exp := scientific(span)
	var grids []grid
	for i := range 7 {
		mant, e := [...]int64{1, 2, 5}[i%3], exp+i/3
		if step := decimal(mant, e); step >= span && finite(step) {
			grids = append(grids, grid{step: step, mant: mant, exp: e})
		}
	}
	return grids
}

// values lists the grid's values within lo..hi, in rising order.
func (g grid) values(lo, hi float64) []float64 {
	if g.step != 0 {
		return g.linear(lo, hi)
	}
	var vs []float64
	_, from := scientific(lo)
	_, to := scientific(hi)
	for e := floorDiv(from, g.decades) * g.decades; e <= to; e += g.decades {
		for _, d := range g.digits {
			if v := decimal(d, e); v >= lo && v <= hi {
				vs = append(vs, v)
			}
		}
	}
	return vs
}

func (g grid) linear(lo, hi float64) []float64 {
	first, last := math.Ceil(lo/g.step-1e-9), math.Floor(hi/g.step+1e-9)
	if math.Abs(first) > 1e15 || math.Abs(last) > 1e15 || last-first > 200 {
		return nil
	}
	var vs []float64
	for k := first; k <= last; k++ {
		if v := decimal(int64(k)*g.mant, g.exp); v >= lo && v <= hi {
			vs = append(vs, v)
		}
	}
	return vs
}

// minor lists the values between the labelled ticks of grid g.
func (s scale) minor(g grid, major []tick) []float64 {
	var fine []float64
	switch {
	case g.step != 0:
		part := grid{mant: 1, exp: g.exp} // 2 in steps of 1: halves; of 0.5: quarters
		switch g.mant {
		case 1:
			part.mant, part.exp = 2, g.exp-1
		case 2:
			part.mant, part.exp = 5, g.exp-1
		}
		part.step = decimal(part.mant, part.exp)
		if part.step > 0 {
			fine = part.linear(s.lo, s.hi)
		}
	case g.decades > 1:
		fine = grid{digits: []int64{1}, decades: max(1, g.decades/10)}.values(s.lo, s.hi)
	default:
		fine = grid{digits: []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}, decades: 1}.values(s.lo, s.hi)
	}
	if len(fine) > 60 {
		return nil
	}
	return without(fine, major)
}

// without drops the labelled values from the fine ones; both rise.
func without(fine []float64, major []tick) []float64 {
	kept := fine[:0]
	for _, v := range fine {
		for len(major) > 0 && major[0].v < v {
			major = major[1:]
		}
		if len(major) == 0 || major[0].v != v {
			kept = append(kept, v)
		}
	}
	return kept
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// A unit that all tick labels of an axis share need not be said at each of them: it moves to the title of the axis,
// "KV cache in GB". A long one moves without its prefixes: "100 T" and "3 P" on an axis in FLOP/s.

// shared takes the unit that the labels share off them and returns it; "" if they share none.
func shared(labels []tick) string {
	units := make([]string, 0, len(labels))
	for _, t := range labels {
		number, unit, spaced := strings.Cut(t.text, " ")
		if !spaced || unit == "" || strings.ContainsAny(unit, " ") {
			return ""
		}
		if number == "0" { // zero has every unit
			continue
		}
		if strings.Contains("kMBT", unit) { // thousands are no unit: "$500 M"
			return ""
		}
		units = append(units, unit)
	}
	if len(units) == 0 {
		return ""
	}
	unit, prefixed := common(units)
	if unit == "" {
		return ""
	}
	for i := range labels {
		number, own, _ := strings.Cut(labels[i].text, " ")
		if prefix := strings.TrimSuffix(own, unit); prefixed && number != "0" && prefix != "" {
			number += " " + prefix
		}
		labels[i].text = number
	}
	return unit
}

// common is the unit that all are, singular or plural, or else the long unit of which they are multiples.
func common(units []string) (unit string, prefixed bool) {
	same, tail := true, units[0]
	for _, u := range units {
		same = same && strings.TrimSuffix(u, "s") == strings.TrimSuffix(units[0], "s")
		if len(u) > len(unit) {
			unit = u
		}
		tail = ending(tail, u)
	}
	if same {
		return unit, false
	}
	if utf8.RuneCountInString(tail) < 4 {
		return "", false
	}
	for _, u := range units {
		if p := strings.TrimSuffix(u, tail); p != "" && !strings.Contains("k M G T P E Ki Mi Gi Ti Pi Ei m µ n p", p) {
			return "", false
		}
	}
	return tail, true
}

// ending is the longest common ending of a and b, in whole runes.
func ending(a, b string) string {
	for !strings.HasSuffix(b, a) {
		_, size := utf8.DecodeRuneInString(a)
		a = a[size:]
	}
	return a
}

// withUnit adds the unit to the title of an axis, unless the title has it already.
func withUnit(l phrase.Phrases, title, unit string) string {
	word := strings.TrimSuffix(unit, "s")
	switch {
	case unit == "" || word != "" && strings.Contains(strings.ToLower(title), strings.ToLower(word)) && len(word) > 2:
		return title
	case title == "":
		return unit
	}
	return l.Say("chart.in-unit", "title", title, "unit", unit)
}
