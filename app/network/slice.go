package network

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Slice is a part of a TPU pod: a torus of one kind of chip.
type Slice struct {
	Torus
	Chip  *hardware.Accelerator
	Hosts int            // machines that the chips are plugged into
	Cores int            // TensorCores of all chips
	Note  *phrase.Phrase // what to know about the shape; nil if nothing
}

// NewSlice is a slice of the given shape, with the catalog's bandwidth of a link, one way, and latency of a hop left
// out. Which shapes there are and which axes wrap around differ by generation; see [Rule]. A shape that does not exist
// is an error that says which do.
func NewSlice(chip *hardware.Accelerator, shape ...int) (Slice, error) { return newSlice(chip, shape) }

// WithLatency is s with a latency for each hop.
func (s Slice) WithLatency(hop q.Seconds) Slice {
	return s.withAxes(func(a *Axis) { a.Latency = hop })
}

// WithLink is s with another one-way bandwidth of a link.
func (s Slice) WithLink(oneWay q.Bandwidth) Slice {
	return s.withAxes(func(a *Axis) { a.OneWay = oneWay })
}

// withAxes is s with every axis changed; the axes of s itself stay.
func (s Slice) withAxes(change func(*Axis)) Slice {
	s.Axes = slices.Clone(s.Axes)
	for i := range s.Axes {
		change(&s.Axes[i])
	}
	return s
}

// Peak is the dense rate of all chips for a dtype.
func (s Slice) Peak(dtype string) (q.FLOPRate, error) {
	c, err := s.Chip.Peak(dtype)
	return q.FLOPRate(float64(s.Size()) * c.Value.Value), err
}

// HBM is the memory of all chips.
func (s Slice) HBM() (q.Bytes, error) {
	v, err := s.Total("hbm")
	return q.Bytes(v), err
}

// DCN is the bandwidth of the whole slice to the data-centre network, one way.
func (s Slice) DCN() (q.Bandwidth, error) {
	v, err := s.Total("network_bandwidth")
	return q.Bandwidth(v), err
}

// Total is a constant of the chip, by the catalog's name of its field, times the chips.
func (s Slice) Total(field string) (float64, error) {
	c, err := s.Chip.Get(field)
	return float64(s.Size()) * c.Value.Value, err
}

// axisNames are what sheets and drawings call the axes.
var axisNames = [...]string{"X", "Y", "Z"}

func newSlice(chip *hardware.Accelerator, shape []int) (Slice, error) {
	rule, ok := RuleFor(chip)
	if !ok {
		return Slice{}, phrase.Fault{
			What:   phrase.New("network.no-torus", "chip", chip.Name),
			Remedy: phrase.New("network.slices-of-tpus"),
		}
	}
	if len(shape) != rule.Dims {
		return Slice{}, phrase.Fault{
			What:   phrase.New("network.other-axes", "chip", chip.Name, "n", rule.Dims, "given", len(shape)),
			Remedy: rule.describe(pod(chip)),
		}
	}
	if slices.Min(shape) < 1 || !rule.legal(shape, pod(chip)) {
		return Slice{}, phrase.Fault{
			What:   phrase.New("network.no-slice", "chip", chip.Name, "shape", shapeText(shape)),
			Remedy: rule.describe(pod(chip)),
		}
	}
	link, err := chip.Get("ici_link_bandwidth")
	if err != nil {
		return Slice{}, err
	}
	s := Slice{Chip: chip, Torus: cut(rule, shape, q.Bandwidth(link.Value.Value))}
	s.Hosts, s.Cores, s.Note = hosts(chip, s.Size()), cores(chip)*s.Size(), remark(chip, rule, s.Size())
	return s, nil
}

// cut is the torus of a legal shape.
func cut(rule Rule, shape []int, link q.Bandwidth) Torus {
	var t Torus
	for i, wrap := range rule.wraps(shape) {
		t.Axes = append(t.Axes, Axis{Name: axisNames[i], Size: shape[i], Wrap: wrap, OneWay: link})
	}
	return t
}

// pod is the number of chips of the largest slice.
func pod(chip *hardware.Accelerator) int { return whole(chip, "pod_chips") }

// hosts is the number of machines for so many chips, 0 if the catalog does not say. A slice smaller than a machine has
// a part of one to itself.
func hosts(chip *hardware.Accelerator, chips int) int {
	if per := whole(chip, "host_chips"); per > 0 {
		return (chips + per - 1) / per
	}
	return 0
}

func cores(chip *hardware.Accelerator) int { return whole(chip, "cores") }

// whole is a constant that counts, 0 if the catalog lacks it.
func whole(chip *hardware.Accelerator, field string) int {
	c, err := chip.Get(field)
	if err != nil {
		return 0
	}
	return int(c.Value.Value)
}

// remark is what a reader should know of a slice of that many chips; nil if nothing.
func remark(chip *hardware.Accelerator, rule Rule, chips int) *phrase.Phrase {
	if job := whole(chip, "job_chips"); job > 0 && chips > job {
		return phrase.New("network.job-limit", "most", job)
	}
	if rule.Cubes && chips < cube*cube*cube {
		return phrase.New("network.below-cube")
	}
	return nil
}

// toriTable says how the pods of each TPU may be cut: generation, axes, side of the
// pod (or that it is made of cubes), shapes (or those smaller than a cube), source, note.
//
//go:embed tori.tsv
var toriTable string

// Rule is how the pods of one generation are cut into slices, and which axes of a slice wrap around.
//
// Where Cubes is false the pod is a flat torus wired for good: Shapes are all there are, and an axis wraps around only
// if it is as long as the pod's side, for only then are the links at both ends free for it (v2, v3, v5e, v6e).
//
// Where Cubes is true the pod is made of cubes of 4x4x4 chips joined by optical switches: any sides that are multiples
// of 4 will do, and all three axes wrap around. The smaller Shapes lie inside one cube and have no ring, even along an
// axis of 4: the links that would close it belong to the cube's faces. The original book says so in its text (2x2x4
// has no wraparound) and contradicts it in a footnote (every axis that is a multiple of 4 wraps).
type Rule struct {
	Generation string // "v5p"
	Dims       int    // 2 or 3
	Cubes      bool
	Side       int      // of the pod, where it is flat
	Shapes     []string // sides ascending: "2x2x4"
	Source     string   // of the shapes: the ID of a source of the catalog
	Note       string
}

// RuleFor is the rule of a chip, by the part of its ID that names the generation; false if it is not joined in a torus.
func RuleFor(chip *hardware.Accelerator) (Rule, bool) {
	family, generation, _ := strings.Cut(chip.ID, ".")
	if family == "gpu" || family == "npu" || family == "soc" {
		return Rule{}, false
	}
	for line := range strings.Lines(toriTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 6 || c[0] != generation {
			continue
		}
		side, err := strconv.Atoi(c[2])
		return Rule{
			Generation: c[0], Dims: int(c[1][0] - '0'), Cubes: err != nil, Side: side,
			Shapes: strings.Fields(c[3]), Source: c[4], Note: c[5],
		}, true
	}
	return Rule{}, false
}

const cube = 4 // chips along a side of a cube

// wraps says for each axis of a legal shape whether it wraps around.
func (r Rule) wraps(shape []int) []bool {
	wrap := make([]bool, len(shape))
	for i, n := range shape {
		wrap[i] = n == r.Side
		if r.Cubes {
			wrap[i] = wholeCubes(shape)
		}
	}
	return wrap
}

// wholeCubes tells whether a shape is made of cubes.
func wholeCubes(shape []int) bool {
	for _, n := range shape {
		if n < cube || n%cube != 0 {
			return false
		}
	}
	return len(shape) == 3
}

// legal tells whether the shape, in any order of its sides, can be cut out of a pod of so many chips.
func (r Rule) legal(shape []int, pod int) bool {
	sorted := slices.Clone(shape)
	slices.Sort(sorted)
	return slices.Contains(r.Shapes, shapeText(sorted)) || r.Cubes && wholeCubes(shape) && product(shape) <= pod
}

// describe says which shapes a pod of so many chips can be cut into.
func (r Rule) describe(pod int) *phrase.Phrase {
	if !r.Cubes {
		return phrase.New("network.flat-shapes", "shapes", phrase.Commas(r.Shapes))
	}
	return phrase.New("network.cube-shapes", "shapes", phrase.Commas(r.Shapes), "most", pod)
}

// Slices is several slices of the same shape, joined by the data-centre network, to which each chip has its share.
// Collectives run in two levels: inside the slices, and chip by chip with the chips of the same place in the others.
type Slices struct {
	Slices  int // at least 1
	Slice   Torus
	DCN     q.Bandwidth // of one chip, one way
	Latency q.Seconds   // of one step over the data-centre network
	Serial  bool        // the two levels one after the other, instead of overlapped
}

// Size is the number of chips of all slices.
func (s Slices) Size() int { return product([]int{s.Slices, s.Slice.Size()}) }

// In names s for a reader: "4 slices of 16x16".
func (s Slices) In(l phrase.Phrases) string {
	if s.Slices == 1 {
		return s.Slice.In(l)
	}
	return l.Say("network.slices", "n", s.Slices, "shape", s.Slice.Shape())
}

// String names s in English.
func (s Slices) String() string { return s.In(phrase.Phrases{}) }

func (s Slices) cost(c Collective) (Cost, error) {
	if s.Slices == 1 {
		return s.Slice.cost(c)
	}
	if err := checkLink(Resource{Kind: SliceEgress}, s.DCN, s.Latency); err != nil {
		return Cost{}, err
	}
	inside, err := s.inside(c)
	if err != nil {
		return Cost{}, err
	}
	w := procedure{
		algorithm: phrase.New("network.overlapped"),
		stages:    inside.Stages,
		hops:      inside.Hops,
		latency:   inside.Latency,
	}
	dcn := s.between(c)
	steps := s.Slices - 1
	if c.Op == Permute {
		steps = 1
	}
	if len(w.stages) == 0 {
		w.stages = []Stage{{Op: c.Op, Why: phrase.New("network.between")}}
		if c.Op == AllReduce {
			w.stages = append(w.stages, w.stages[0])
		}
	}
	stages := make([]Stage, 0, 2*len(w.stages))
	for i, st := range w.stages {
		w.addHops(steps, s.Latency)
		if s.Serial {
			w.algorithm = phrase.New("network.in-turn")
			between := Stage{
				Op: st.Op, Between: true, Why: phrase.New("network.same-place"), Terms: []Term{dcn},
			}
			if c.Op == AllGather || i > 0 {
				stages = append(stages, between, st)
			} else {
				stages = append(stages, st, between)
			}
			continue
		}
		st.Terms = append(st.Terms[:len(st.Terms):len(st.Terms)], dcn)
		stages = append(stages, st)
	}
	w.stages = stages
	return w.cost(c, s.Size())
}

// inside is the part of c that runs in each slice: the whole array for a gather, a slice's share of an exchange.
func (s Slices) inside(c Collective) (Cost, error) {
	if s.Slice.Size() == 1 || c.Op == Permute {
		return Cost{}, nil
	}
	if c.Op == AllToAll {
		exact, _ := c.ragged(s.Size())
		c.Bytes, c.Active = q.Bytes(exact)*c.Bytes/q.Bytes(s.Slices), 0
		c.part = "network.slice-own"
	}
	return s.Slice.cost(c)
}

// between is what each chip sends over the data-centre network in a stage: a chip has the S-th part of the slice's
// array to gather among M slices.
func (s Slices) between(c Collective) Term {
	m, chips, v := float64(s.Slices), float64(s.Slice.Size()), float64(c.Bytes)
	lacks := float64(gatherTime(c.Bytes, m, m, 1)) / chips
	bytes, rough, formula := lacks, v/chips, "(M - 1)/M * V/(S*W_dcn)"
	switch c.Op {
	case AllToAll:
		exact, shortcut := c.ragged(s.Size())
		bytes, rough, formula = exact*lacks/m, shortcut*v/(m*chips), "(M - 1)/M * V/(M*S*W_dcn)"
	case Broadcast, Reduce:
		bytes, formula = v/chips, "V/(S*W_dcn)"
	case Permute:
		bytes, rough, formula = v, v, "V/W_dcn"
	}
	t := term(Resource{Kind: SliceEgress}, q.Bytes(bytes), s.DCN, "", q.Bytes(rough).Over(s.DCN))
	t.Formula, t.Values = c.raggedly(
		formula,
		[]law.Value{c.array(), count("M", m, "network.the-slices"), count("S", chips, "network.slice-chips"),
			rate("W_dcn", s.DCN, "network.dcn-share"), count("N", m*chips, "network.the-chips")},
	)
	return t
}

// Switch is devices of which each can send to any other at its full egress at once, as in a node with NVLink and
// NVSwitches. Only the egress (and the equal ingress) of the devices limits.
type Switch struct {
	Name    string      // "H100 node"; may be empty
	Devices int         // at least 1
	Egress  q.Bandwidth // of one device, one way, all its links
	Latency q.Seconds   // of one step through the switch; 0 leaves latency out
	Reduces bool        // the switch adds what passes through it (SHARP, NVLS)
	Direct  bool        // steps: every device sends to all others at once, instead of handing on around a ring
}

// NewNode is the scale-up domain of an accelerator: its node with the catalog's number of devices and the egress of
// each. The error says what the catalog lacks.
func NewNode(device *hardware.Accelerator) (Switch, error) { return newNode(device) }

// Size is the number of devices.
func (s Switch) Size() int { return s.Devices }

// Bisection is the one-way bandwidth between two halves (as near as the number allows): half the devices' egress.
// The collective bandwidth of a device is this over half the devices, 2 Bisection/N.
func (s Switch) Bisection() q.Bandwidth { return q.Bandwidth(s.Devices/2) * s.Egress }

func newNode(device *hardware.Accelerator) (Switch, error) {
	size, err := device.Get("node_size")
	if err != nil {
		return Switch{}, err
	}
	egress, err := device.Get("scaleup_bandwidth")
	if err != nil && size.Value.Value > 1 {
		return Switch{}, err
	}
	return Switch{
		Name:    device.Name + " node",
		Devices: int(size.Value.Value),
		Egress:  q.Bandwidth(egress.Value.Value),
	}, nil
}

// In names s for a reader.
func (s Switch) In(l phrase.Phrases) string {
	if s.Name != "" {
		return s.Name
	}
	return l.Count(s.Devices, "network.switch")
}

// String names s in English.
func (s Switch) String() string { return s.In(phrase.Phrases{}) }

func (s Switch) cost(c Collective) (Cost, error) {
	if err := checkLink(Resource{Kind: DeviceEgress}, s.Egress, s.Latency); err != nil {
		return Cost{}, err
	}
	w := procedure{algorithm: phrase.New("network.switch-ring")}
	steps := s.Devices - 1
	if s.Direct {
		w.algorithm, steps = phrase.New("network.switch-direct"), 1
	}
	l := s.load(c)
	if inNetwork := s.Reduces && (c.Op == AllReduce || c.Op == Broadcast || c.Op == Reduce); inNetwork {
		w.algorithm, steps = phrase.New("network.switch-adds"), 2
	} else if c.Op == Permute {
		w.algorithm, steps = phrase.New("network.switch-straight"), 1
	}
	w.addHops(steps, s.Latency)
	t := term(Resource{Kind: DeviceEgress}, l.bytes, s.Egress, l.formula, l.shortcut.Over(s.Egress))
	t.Formula, t.Values = c.raggedly(l.formula, []law.Value{c.array(),
		count("N", float64(s.Devices), "network.the-devices"), rate("W", s.Egress, "network.device-egress")})
	w.stages = []Stage{{Op: c.Op, Why: phrase.New(l.why), Terms: []Term{t}}}
	if c.Op == AllReduce && !s.Reduces {
		w.stages[0].Op = ReduceScatter
		w = w.twice(AllGather)
	}
	return w.cost(c, s.Devices)
}

// load is what leaves each device (and comes in) in a stage.
type load struct {
	bytes, shortcut q.Bytes // the shortcut is what the textbook makes of them
	formula         string
	why             string // the key of the sentence
}

func (s Switch) load(c Collective) load {
	n, whole := float64(s.Devices), load{c.Bytes, c.Bytes, "V/W", "network.switch-pieces"}
	lacks := load{
		q.Bytes(gatherTime(c.Bytes, n, n, 1)),
		c.Bytes,
		share + "W",
		"network.switch-lacks",
	}
	switch c.Op {
	case AllGather, ReduceScatter:
		return lacks
	case AllReduce:
		if s.Reduces {
			whole.why = "network.switch-sums"
			return whole
		}
		lacks.why = "network.switch-scatters"
		return lacks
	case AllToAll:
		exact, rough := c.ragged(s.Devices)
		return load{q.Bytes(exact) * lacks.bytes / q.Bytes(n), q.Bytes(rough) * c.Bytes / q.Bytes(n), switchExchange +
			"W",
			"network.switch-rows"}
	case Broadcast, Reduce:
		if s.Direct && !s.Reduces {
			return load{q.Bytes(n-1) * c.Bytes, c.Bytes, "(N - 1) * V/W", "network.switch-root"}
		}
	case Permute:
		if c.shift(s.Devices) == 0 {
			return load{formula: "0 * V/W", why: "network.switch-still"}
		}
		whole.why = "network.switch-shifts"
	}
	return whole
}
