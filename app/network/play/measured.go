package play

import (
	_ "embed" // what people measured
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// measuredTable is what people measured: operation, device, devices, wires, bytes of the whole array, the time or the
// bus bandwidth by NCCL's definition, source. The same measurements hold the laws in package network's tests.
//
//go:embed measured.tsv
var measuredTable string

// cited are the sources, by what the table calls them.
func cited() []struct{ ID, Source string } {
	return []struct{ ID, Source string }{
		{ID: "bekman", Source: "Stas Bekman, Machine Learning Engineering: network, read 2026-08-22"},
		{ID: "book-gpus", Source: "How To Scale Your Model, chapter on GPUs, read off its figure"},
		{ID: "book-figure",
			Source: "How To Scale Your Model, chapter on sharding, read off its figure to within a few percent"},
		{ID: "book-quiz", Source: "How To Scale Your Model, chapter on sharding, a problem"},
	}
}

// sourceOf names where a measurement is from.
func sourceOf(id string) string {
	for _, c := range cited() {
		if c.ID == id {
			return c.Source
		}
	}
	return ""
}

// Measured is what was measured of exactly one collective on one network.
type Measured struct {
	Points  []network.Point // smallest first
	Sources []string
	Doubt   *phrase.Phrase // which of them has so few digits that it may be off by more than a twentieth; nil if none
}

// Measured are the measurements of this collective on this network.
func (x *Setting) Measured() Measured {
	var m Measured
	if !x.sameNodes() || x.Collective.OneWay {
		return m
	}
	wires := string(x.Kind)
	switch {
	case x.Adds:
		wires = "adds"
	case x.Kind.Switched():
		wires = "switch"
	}
	what := x.Collective.Op.String() + "\t" + x.Chip.ID + "\t" + strconv.Itoa(x.Group.Size()) + "\t" + wires + "\t"
	for row := range strings.Lines(measuredTable) {
		if row, ok := strings.CutPrefix(strings.TrimSuffix(row, "\n"), what); ok {
			size, row, _ := strings.Cut(row, "\t")
			got, source, _ := strings.Cut(row, "\t")
			m.add(x, size, got, sourceOf(source))
		}
	}
	return m
}

// add adds a measurement: a time, or the bus bandwidth.
func (m *Measured) add(x *Setting, size, got, source string) {
	bytes, _ := strconv.ParseFloat(size, 64)
	q, _ := quantity.Parse(got)
	t := q.Value
	if strings.HasSuffix(got, "B/s") {
		t = x.BusFactor() * bytes / t
	}
	m.Points = append(m.Points, network.Point{Bytes: quantity.Bytes(bytes), Time: quantity.Seconds(t)})
	if r := rounding(got); r > 0.05 && m.Doubt == nil {
		m.Doubt = phrase.New("play.few-digits", "size", x.SizeText(bytes), "number", got, "share", quantity.Percent(r, 0))
	}
	if !slices.Contains(m.Sources, source) {
		m.Sources = append(m.Sources, source)
	}
}

// Fit is the line through what was measured, if there is one.
func (m *Measured) Fit() (network.AlphaBeta, bool) {
	fit, err := network.FitAlphaBeta(m.Points)
	return fit, err == nil && len(m.Points) > 1 && !math.IsInf(float64(fit.Bandwidth), 0)
}

// rounding is how far a printed number may be off for want of digits, as a share of it.
func rounding(text string) float64 {
	digits, _, _ := strings.Cut(text, " ")
	_, decimals, _ := strings.Cut(digits, ".")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || v == 0 {
		return 0
	}
	return 0.5 * math.Pow(10, -float64(len(decimals))) / v
}

// sameNodes says whether the devices stand in nodes as those that were measured.
func (x *Setting) sameNodes() bool {
	if x.Kind != Tree {
		return true
	}
	size, err := x.Chip.Get("node_size")
	return err == nil && x.Nodes > 1 && float64(x.N) == size.Value.Value
}

// BusFactor is what NCCL's tests multiply the bytes of the whole array a second with, so that the result can be
// compared with a link's bandwidth.
func (x *Setting) BusFactor() float64 {
	share, _ := x.Collective.Op.BusShare(float64(x.Group.Size()))
	return share
}
