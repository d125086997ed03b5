package collectives

import (
	_ "embed"
	"math"
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
	return map[string]string{
		"bekman":      "Stas Bekman, Machine Learning Engineering: network, read 2026-08-22",
		"book-gpus":   "How To Scale Your Model, chapter on GPUs, read off its figure",
		"book-figure": "How To Scale Your Model, chapter on sharding, read off its figure to within a few percent",
		"book-quiz":   "How To Scale Your Model, chapter on sharding, a problem",
	}[key]
}

// measured are the measurements of exactly this collective on this network, smallest first, and where they are from.
//
// doubt says which of them is printed with so few digits that it may be off by more than a twentieth.
func (x *subject) measured() (points []network.Point, sources []string, doubt string) {
	wires := map[string]string{ring: "ring", line: "line", node: "switch", tree: "switch"}[x.net]
	if x.adds {
		wires = "adds"
	}
	seen := map[string]bool{}
	for row := range strings.Lines(measuredTable) {
		c := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(c) != 7 || c[0] != x.c.Op.String() || c[1] != x.a.ID || c[2] != strconv.Itoa(x.group.Size()) || c[3] != wires || !x.sameNodes() || x.c.OneWay {
			continue
		}
		bytes, err := strconv.ParseFloat(c[4], 64)
		got, err2 := quantity.Parse(c[5])
		if err != nil || err2 != nil {
			continue
		}
		t := got.Value
		if strings.HasSuffix(c[5], "B/s") {
			t = busFactor(x.c.Op, float64(x.group.Size())) * bytes / t
		}
		points = append(points, network.Point{Bytes: quantity.Bytes(bytes), Time: quantity.Seconds(t)})
		if r := rounding(c[5]); r > 0.05 && doubt == "" {
			doubt = "The number for " + x.bytes(bytes) + " is printed as " + c[5] + ": for want of digits it may be off by " + percent(r) + "."
		}
		if !seen[c[6]] {
			seen[c[6]] = true
			sources = append(sources, sourceOf(c[6]))
		}
	}
	return points, sources, doubt
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
func off(t, measured quantity.Seconds) string {
	e := 100 * (float64(t/measured) - 1)
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
	fit, err := network.FitAlphaBeta(points)
	fitted := err == nil && len(points) > 1 && !math.IsInf(float64(fit.Bandwidth), 0)
	t := instrument.Table{Key: "measured", Caption: "Measured, and how far off the law is", Heads: []instrument.Head{
		{Text: "The array"}, {Text: "Measured"}, {Text: "Exact law"}, {Text: "Shortcut"}}}
	if fitted {
		t.Heads = append(t.Heads, instrument.Head{Text: "Fitted line"})
	}
	for _, p := range points {
		c, ok := x.at(float64(p.Bytes))
		if !ok {
			continue
		}
		row := []instrument.Cell{instrument.Say(x.bytes(float64(p.Bytes))), instrument.Q(p.Time.Quantity()), instrument.Say(off(c.Time, p.Time)), instrument.Say(off(max(c.Shortcut, c.Latency), p.Time))}
		if fitted {
			row = append(row, instrument.Say(off(fit.Time(p.Bytes), p.Time)))
		}
		t.Rows = append(t.Rows, row)
	}
	nodes := []*instrument.Node{s.Table(t)}
	if fitted {
		nodes = append(nodes, instrument.Note("The line through them with the least squared relative errors: a start of "+fit.Alpha.Quantity().String()+" and "+
			fit.Bandwidth.Quantity().String()+" of array after it. At worst it is off by "+percent(fit.Worst)+"; half of its time is start at "+x.bytes(float64(fit.Knee()))+". The law's own start is "+
			x.cost.Latency.Quantity().String()+" of steps; the rest of the measured one is software, and what else the law leaves out."))
	}
	return append(nodes, instrument.Note(strings.TrimSpace(doubt+" Source: "+strings.Join(sources, "; ")+".")))
}
