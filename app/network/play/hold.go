package play

import (
	_ "embed" // what people measured
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Slot is a piece of the array in a chip's memory: what there is of it after a step.
type Slot struct {
	Name  string  // the number of the piece, or of whom it is for or from
	Share float64 // of the piece, or of the parts of its sum
	Came  bool    // something of it arrives in this step
	Gone  bool    // the chip had it and has passed it on
	Sum   bool    // it is made of parts that are added
}

// Whole says whether nothing is missing.
func (s Slot) Whole() bool { return s.Share > 1-1e-9 }

// Held is what a chip holds: its slots, and of an all-to-all how many pieces are passing through. The first half of the
// slots of an all-to-all are its pieces to each, the second half its pieces from each.
type Held struct {
	Slots   []Slot
	Passing int
}

// HeldAfter is what everyone holds after step k (counted from 0), the switch that adds last.
func (p *Play) HeldAfter(k int) []Held {
	n := len(p.Schedule.Sizes)
	h := holding{p: p, came: make([]bool, p.Schedule.Nodes*n), left: make([]bool, p.Schedule.Nodes*n),
		full: make([]float64, n)}
	for _, chunks := range p.Schedule.Begin {
		for _, c := range chunks {
			h.full[c]++
		}
	}
	exchange := p.Collective.Op == network.AllToAll
	for i, step := range p.Schedule.Steps[:min(k+1, len(p.Schedule.Steps))] {
		for _, t := range step.Transfers {
			for _, c := range t.Chunks {
				h.left[t.From*n+c] = h.left[t.From*n+c] || t.Add || exchange
			}
		}
		for _, t := range step.Transfers {
			for _, c := range t.Chunks {
				h.left[t.To*n+c] = false
				h.came[t.To*n+c] = h.came[t.To*n+c] || i == k
			}
		}
	}
	var all []Held
	_ = p.Schedule.Play(func(step int, state *schedule.State) bool {
		if step < min(k+1, len(p.Schedule.Steps)) {
			return true
		}
		h.state = state
		for chip := range p.Schedule.Nodes {
			all = append(all, h.held(chip, exchange))
		}
		return false
	})
	return all
}

// holding is what is known while it is worked out.
type holding struct {
	p          *Play
	state      *schedule.State
	came, left []bool    // by chip and chunk
	full       []float64 // of each chunk, the parts of its sum
}

func (h *holding) held(chip int, exchange bool) Held {
	if exchange {
		return h.exchanged(chip)
	}
	n := len(h.p.Schedule.Sizes)
	slots := n
	if h.p.Collective.Op != network.Broadcast && !h.p.Adds {
		slots = h.p.Schedule.Chips
	}
	var all Held
	for i := range slots {
		chunks := make([]int, 0, n/slots)
		for c := i * n / slots; c < (i+1)*n/slots; c++ {
			chunks = append(chunks, c)
		}
		all.Slots = append(all.Slots, h.slot(strconv.Itoa(i), chip, chunks))
	}
	return all
}

// slot is some chunks of a chip together.
func (h *holding) slot(name string, chip int, chunks []int) Slot {
	s := Slot{Name: name}
	got, size := 0.0, 0.0
	for _, c := range chunks {
		at := chip*len(h.p.Schedule.Sizes) + c
		size += h.p.Schedule.Sizes[c]
		s.Sum = s.Sum || h.full[c] > 1
		s.Came = s.Came || h.came[at]
		if h.left[at] {
			s.Gone = true
			continue
		}
		got += h.p.Schedule.Sizes[c] * float64(h.state.Holds(chip, c)) / h.full[c]
	}
	if size > 0 {
		s.Share = got / size
	}
	if s.Share > 0 {
		s.Gone = false
	}
	return s
}

// exchanged is what a chip has of an all-to-all: first its row, a piece for each, then its column, a piece from each.
// Its piece for itself is in both.
func (h *holding) exchanged(chip int) Held {
	n := h.p.Schedule.Chips
	var all Held
	for to := range n {
		all.Slots = append(all.Slots, h.slot(strconv.Itoa(to), chip, []int{2 * (chip*n + to), 2*(chip*n+to) + 1}))
	}
	for from := range n {
		all.Slots = append(all.Slots, h.slot(strconv.Itoa(from), chip,
			[]int{2 * (from*n + chip), 2*(from*n+chip) + 1}))
	}
	for from := range n {
		for to := range n {
			for half := range 2 {
				if c := 2*(from*n+to) + half; from != chip && to != chip && !h.left[chip*len(h.p.Schedule.Sizes)+c] &&
					h.state.Holds(chip, c) > 0 {
					all.Passing++
				}
			}
		}
	}
	return all
}

// words say what a chip holds: "0, 1, 2 (50 %)".
func (h Held) words(exchange bool) phrase.Speaker {
	if exchange {
		n := len(h.Slots) / 2
		return phrase.New("play.to-and-from", "to", listed(h.Slots[:n]), "from", listed(h.Slots[n:]))
	}
	return listed(h.Slots)
}

// listed are pieces, those that are whole first; a star is on what has just arrived.
func listed(slots []Slot) phrase.Speaker {
	var whole, part []any
	for _, s := range slots {
		name := s.Name
		if s.Came {
			name += "*"
		}
		switch {
		case s.Whole():
			whole = append(whole, name)
		case s.Share > 0:
			part = append(part, phrase.New("play.part", "piece", name, "share", quantity.Percent(s.Share, 0)))
		}
	}
	if len(whole)+len(part) == 0 {
		return phrase.New("play.nothing")
	}
	return phrase.Commas(append(whole, part...))
}

// measuredTable is what people measured: operation, device, devices, links, bytes of the whole array, the time or the
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
	links := string(x.Kind)
	switch {
	case x.Adds:
		links = "adds"
	case x.Kind.Switched():
		links = "switch"
	}
	what := x.Collective.Op.String() + "\t" + x.Chip.ID + "\t" + strconv.Itoa(x.Group.Size()) + "\t" + links + "\t"
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
		m.Doubt = phrase.New("play.few-digits", "size", x.SizeText(bytes), "number", got, "share",
			quantity.Percent(r, 0))
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

// Undrawn says why no steps are shown.
func (x *Setting) Undrawn() *phrase.Phrase {
	switch {
	case x.Adds:
		return phrase.New("play.undrawn-adds")
	case x.Kind == Slice:
		return phrase.New("play.undrawn-axes")
	}
	return phrase.New("play.undrawn-many")
}

// Caption says in sentences what is drawn where that is not plain.
func (p *Play) Caption(k int) phrase.List {
	var said []any
	if p.StandFor > 0 {
		said = append(said, phrase.New(p.either("play.stand-gpus", "play.stand-chips"),
			"n", p.Schedule.Chips, "all", p.StandFor))
	}
	if p.Kind == Slice && len(p.Sides) == 3 && p.Sides[2] > 1 {
		said = append(said, phrase.New("play.planes"))
	}
	switch {
	case p.Schedule.Chips > InFull && p.Owning(k):
		said = append(said, phrase.New(p.either("play.sum-of-gpu", "play.sum-of-chip")))
	case p.Schedule.Chips > InFull:
		said = append(said, phrase.New(p.either("play.fill-of-gpu", "play.fill-of-chip")))
	}
	t, law := p.Elapsed(len(p.Schedule.Steps)), p.Cost.Time
	if p.StandFor == 0 && float64(t) > float64(law)*1.005 {
		said = append(said, phrase.New(p.slower(), "time", t.Quantity(), "law", law.Quantity(), "n", p.pieces()))
	}
	return phrase.Sentences(said...)
}

// slower is the key of why the steps drawn take longer than the law.
func (p *Play) slower() string {
	switch {
	case p.Kind == Tree && p.Units != nil && p.Half+len(p.Schedule.Steps) > 1:
		return "play.slower-levels"
	case p.Collective.Op == network.Broadcast, p.Adds:
		return "play.slower-pieces"
	case p.Collective.Op == network.AllToAll:
		return "play.slower-exchange"
	case len(p.Sides) > 1:
		return "play.slower-axes"
	}
	return "play.slower-steps"
}

// pieces is how many pieces of the array follow each other.
func (p *Play) pieces() int {
	if p.Adds {
		return sums
	}
	return len(p.Schedule.Sizes)
}

// Binding is what the time is spent on, in words.
func (x *Setting) Binding() phrase.Speaker {
	switch b := x.Cost.Binding; {
	case b.Kind == network.Latency:
		return phrase.Count(x.Cost.Hops, "play.latency")
	case x.Kind == Ring || x.Kind == Line:
		return phrase.New("play.links")
	case b.Kind == network.AxisLinks || b.Kind == network.AxesLinks:
		return phrase.New("play.links-of", "axes", b)
	case b.Kind == network.LevelEgress && b.Name == node:
		return phrase.New("play.egress")
	case b.Kind == network.LevelEgress:
		return phrase.New("play.node-egress")
	}
	return x.Cost.Binding
}

// Holds is what stands in the table: the pieces, or of many chips how many.
func (p *Play) Holds(h Held) phrase.Speaker {
	said := p.held(h)
	if h.Passing > 0 {
		return phrase.Count(h.Passing, "play.passing", "held", said)
	}
	return said
}

func (p *Play) held(h Held) phrase.Speaker {
	if p.Schedule.Chips <= InFull {
		return h.words(p.Collective.Op == network.AllToAll)
	}
	whole, part := 0, 0
	for _, s := range h.Slots {
		if s.Whole() {
			whole++
		} else if s.Share > 0 {
			part++
		}
	}
	if part > 0 {
		return phrase.New("play.whole-and-part", "n", whole, "all", len(h.Slots), "part", part)
	}
	return phrase.New("play.whole", "n", whole, "all", len(h.Slots))
}

// Sends is what a chip sends in a step: "0, 3 to 1".
func (p *Play) Sends(chip, k int) phrase.Speaker {
	if k >= len(p.Schedule.Steps) {
		return phrase.New("play.nothing")
	}
	var all []any
	bytes := 0.0
	for _, t := range p.Schedule.Steps[k].Transfers {
		if t.From == chip {
			bytes = p.Schedule.Bytes(t)
			all = append(all, p.sends(t))
		}
	}
	switch {
	case len(all) == 0:
		return phrase.New("play.nothing")
	case len(all) > 6:
		return phrase.Count(len(all), "play.messages", "size", p.SizeText(bytes))
	}
	return phrase.Clauses(all)
}

// sends is a transfer and whom it goes to.
func (p *Play) sends(t schedule.Transfer) *phrase.Phrase {
	if t.To == p.Schedule.Chips {
		return phrase.New("play.to-switch", "pieces", p.Label(t))
	}
	return phrase.New("play.to-chip", "pieces", p.Label(t), "chip", t.To)
}

// Label is what a transfer carries: the pieces that its chunks are of, at most four, or how many.
func (p *Play) Label(t schedule.Transfer) phrase.Speaker {
	var names []string
	last := ""
	for _, c := range t.Chunks {
		name := p.pieceOf(c)
		if name != last {
			names = append(names, name)
		}
		last = name
	}
	if len(names) > 4 {
		return phrase.New("play.pieces", "n", len(names))
	}
	if t.Add && len(names) > 0 {
		names[0] = "+" + names[0]
	}
	return phrase.Commas(names)
}

// pieceOf is the name of the piece that a chunk is of.
func (p *Play) pieceOf(chunk int) string {
	switch n := p.Schedule.Chips; {
	case p.Collective.Op == network.AllToAll:
		return strconv.Itoa(chunk/2/n) + "→" + strconv.Itoa(chunk/2%n)
	case p.Collective.Op == network.Broadcast || p.Adds:
		return strconv.Itoa(chunk)
	default:
		return strconv.Itoa(chunk / max(1, len(p.Schedule.Sizes)/n))
	}
}

// Owning says whether in a step each chip waits for the sum of its own piece.
func (p *Play) Owning(k int) bool {
	return p.Collective.Op == network.ReduceScatter || p.Collective.Op == network.AllReduce && k < p.Half
}

// Summing says whether parts are added up.
func (p *Play) Summing() bool {
	return p.Collective.Op == network.ReduceScatter || p.Collective.Op == network.AllReduce
}
