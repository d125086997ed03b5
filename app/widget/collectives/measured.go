package collectives

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// measuredTable is what people measured: operation, device, devices, wires, bytes of the whole array, the time in microseconds or
// the bus bandwidth by NCCL's definition, source. The same measurements hold the laws in package network's tests.
//
//go:embed measured.tsv
var measuredTable string

// sourceOf names where a measurement is from.
func sourceOf(key string) string {
	switch key {
	case "bekman":
		return "Stas Bekman, Machine Learning Engineering: network, read 2026-08-22"
	case "book-gpus":
		return "How To Scale Your Model, chapter on GPUs, read off its figure"
	case "book-figure":
		return "How To Scale Your Model, chapter on sharding, read off its figure to within a few percent"
	case "book-quiz":
		return "How To Scale Your Model, chapter on sharding, a problem"
	}
	return ""
}

// measured are the measurements of exactly this collective on this network, smallest first, and where they are from.
//
// doubt says which of them is printed with so few digits that it may be off by more than a twentieth.
func (x *subject) measured() (points []network.Point, sources []string, doubt string) {
	wires := x.net
	switch {
	case x.adds:
		wires = "adds"
	case x.net == node || x.net == tree:
		wires = "switch"
	}
	if !x.sameNodes() || x.c.OneWay {
		return nil, nil, ""
	}
	what := x.c.Op.String() + "\t" + x.a.ID + "\t" + strconv.Itoa(x.group.Size()) + "\t" + wires + "\t"
	for rest := measuredTable; rest != ""; {
		var row string
		row, rest, _ = strings.Cut(rest, "\n")
		if row, ok := strings.CutPrefix(row, what); ok {
			size, row, _ := strings.Cut(row, "\t")
			got, source, _ := strings.Cut(row, "\t")
			p := x.point(size, got)
			points = append(points, p)
			if r := rounding(got); r > 0.05 && doubt == "" {
				doubt = "The number for " + x.bytes(float64(p.Bytes)) + " is printed as " + got + ": for want of digits it may be off by " + percent(r) + "."
			}
			if source = sourceOf(source); !slices.Contains(sources, source) {
				sources = append(sources, source)
			}
		}
	}
	return points, sources, doubt
}

// point reads a measurement: a time, or the bus bandwidth.
func (x *subject) point(size, got string) network.Point {
	bytes, _ := strconv.ParseFloat(size, 64)
	q, _ := quantity.Parse(got)
	t := q.Value
	if strings.HasSuffix(got, "B/s") {
		t = x.bus(bytes, t)
	}
	return network.Point{Bytes: quantity.Bytes(bytes), Time: quantity.Seconds(t)}
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
func (x *subject) sameNodes() bool {
	return x.net != tree || x.nodes > 1 && x.n == count(x.a, "node_size")
}

// off is by how much a time misses what was measured: "−48 %".
func off(t float64, measured quantity.Seconds) string {
	e := 100 * (t/float64(measured) - 1)
	digits := 0
	if math.Abs(e) < 10 {
		digits = 1
	}
	text := strconv.FormatFloat(math.Abs(e), 'f', digits, 64) + " %"
	if e < 0 {
		return "−" + text
	}
	return "+" + text
}

// compared are the measurements beside the law, the shortcut and a fitted line.
func (x *subject) compared(s *instrument.State) []*instrument.Node {
	points, sources, doubt := x.measured()
	if len(points) == 0 {
		return []*instrument.Node{instrument.Note("Nobody's measurements of exactly this are in the book. For which there are, see the buttons above.")}
	}
	fit, fitted := fitOf(points)
	t := instrument.Table{Key: "measured", Caption: "Measured, and how far off the law is", Heads: []instrument.Head{
		{Text: "The array"}, {Text: "Measured"}, {Text: "Exact law"}, {Text: "Shortcut"}, {Text: "Fitted line"}}}
	for _, p := range points {
		law, rough := x.at(float64(p.Bytes))
		row := []string{x.bytes(float64(p.Bytes)), p.Time.Quantity().String(), off(law, p.Time), off(rough, p.Time), off(float64(fit.Time(p.Bytes)), p.Time)}
		var cells []instrument.Cell
		for _, text := range row {
			cells = append(cells, instrument.Say(text))
		}
		if !fitted {
			cells = cells[:4]
		}
		t.Rows = append(t.Rows, cells)
	}
	if !fitted {
		t.Heads = t.Heads[:4]
	}
	nodes := []*instrument.Node{s.Table(t)}
	if fitted {
		nodes = append(nodes, instrument.Note("The line through them with the least squared relative errors: a start of "+fit.Alpha.Quantity().String()+" and "+
			fit.Bandwidth.Quantity().String()+" of array after it. At worst it is off by "+percent(fit.Worst)+"; half of its time is start at "+x.bytes(float64(fit.Knee()))+". The law's own start is "+
			x.cost.Latency.Quantity().String()+" of steps; the rest of the measured one is software, and what else the law leaves out."))
	}
	return append(nodes, instrument.Note(strings.TrimSpace(doubt+" Source: "+strings.Join(sources, "; ")+".")))
}
