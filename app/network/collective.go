// Package network is how accelerators are joined, and what each collective costs on it.
//
// # Topologies
//
// A [Torus] is axes of chips in lines or rings; [NewSlice] cuts one out of a TPU pod, with the rule for which axes
// wrap around. A [Switch] joins the devices of a node, each with the same one-way egress. A [Tree] stacks levels of
// switches: node, leaf, spine. [Slices] joins several slices by their chips' share of the data-centre network.
//
// # Collectives
//
// A [Collective] is what is done with how many bytes; Over says what it costs on a group of chips:
//
//	cost, err := network.Collective{Op: network.AllGather, Bytes: v}.Over(torus)
//
// A [Group] is who takes part, and over what: a Torus (all of it; [Torus.Along] picks axes), a Switch, a [Ranks] of a
// Tree (all of them, or every so many, as it is when an inner axis shards the array too), or Slices.
//
// # Bytes
//
// Bytes is always the whole array of one group, V:
//
//	all-gather      what every chip has in the end; each begins with V/N
//	reduce-scatter  what every chip begins with; each ends with V/N
//	all-reduce      what every chip begins and ends with
//	all-to-all      the array over all chips; each holds V/N, and sends V/N^2 to every other
//	broadcast       what the root has, and everyone in the end; reduce is its reverse
//	permute         what each chip sends to one other
//
// # Two results, by name
//
// [Cost].Time is exact for the algorithm that Cost names: (N-1)/N, hops and all. Cost.Shortcut is the textbook's
// approximation beside it (V/W for an all-gather). [Laws] declares both for sheets:
// all_gather_time_exact counts that each chip lacks (N-1)/N of the array, all_gather_time takes it for the whole.
//
// # Bandwidth
//
// Bandwidths are one way: of one link, one direction. Where both directions of a ring work at once its two-way
// bandwidth, twice as much, is called W2 and said so.
package network

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Op is a collective operation.
type Op uint8

// The collectives.
const (
	AllGather Op = iota
	ReduceScatter
	AllReduce
	AllToAll
	Broadcast
	Reduce
	Permute
)

var opNames = [...]string{"all-gather", "reduce-scatter", "all-reduce", "all-to-all", "broadcast", "reduce", "permute"}

func (o Op) String() string {
	if int(o) < len(opNames) {
		return opNames[o]
	}
	return "Op(" + strconv.Itoa(int(o)) + ")"
}

// In is the name of the collective, which is the same in all languages.
func (o Op) In(phrase.Phrases) string { return o.String() }

// ParseOp finds a collective by its name: "all-gather", also written AllGather, all_gather or all gather.
func ParseOp(name string) (Op, error) {
	for i, known := range opNames {
		if strings.EqualFold(bare(name), bare(known)) {
			return Op(i), nil
		}
	}
	if len(name) > 32 {
		name = name[:32]
	}
	what := phrase.New("network.unknown-op-named", "name", strconv.Quote(name))
	return 0, phrase.Fault{What: what, Remedy: listOps()}
}

// listOps names the collectives.
func listOps() *phrase.Phrase { return phrase.New("network.ops", "ops", phrase.Commas(opNames[:])) }

// bare is a name without what its words are joined with.
func bare(name string) string {
	for _, join := range [...]string{"-", "_", " "} {
		name = strings.ReplaceAll(name, join, "")
	}
	return name
}

// Collective is an operation with its array and its choices. The zero choices are the usual algorithm.
type Collective struct {
	Op    Op
	Bytes q.Bytes // the whole array of one group; the package documentation says what that is for each operation

	OneWay bool // rings send in one direction only
	Shift  int  // of a Permute: how far along the first axis; 0 means 1

	// Active is of an AllToAll: only those chunks carry something that so many random choices have chosen. 0 means that
	// all do (dense).
	Active float64

	part string // the key of what Bytes are, if not the whole array
}

// Group is the chips that take part in a collective, and what joins them: Torus, Switch, Ranks or Slices.
type Group interface {
	// Size is the number of chips that take part.
	Size() int
	// String names the group in English: "a ring of 16", "4x4x8", "8 devices on a switch".
	String() string
	phrase.Speaker // names it in a language

	cost(c Collective) (Cost, error)
}

// Cost is what a collective takes.
//
// Time lies at the larger of two terms, as when a stream of small pieces hides the latency of every hop but the way
// through: Time = max(Bandwidth, Latency). Sum = Bandwidth + Latency is the alpha-beta model, as when each step waits
// for the one before. A schedule that takes its steps one by one, each max(latency, bytes/bandwidth), lies between.
type Cost struct {
	Op        Op
	Size      int            // chips
	Algorithm *phrase.Phrase // "ring, both ways"
	Time      q.Seconds      // max(Bandwidth, Latency)
	Sum       q.Seconds      // Bandwidth + Latency
	Bandwidth q.Seconds      // the bytes over the links, exactly
	Latency   q.Seconds      // of all hops
	Hops      int            // one after the other
	PerLink   q.Bytes        // over the busiest link, one way, in all stages
	Binding   Resource       // what the time is spent on
	Shortcut  q.Seconds      // the textbook's approximation of Bandwidth: V/W and the like
	Stages    []Stage        // one after the other
}

// Stage is a part of a collective that must end before the next begins, such as the reduce-scatter of an all-reduce.
// Its terms happen at the same time, so the longest counts.
type Stage struct {
	Op      Op
	Between bool // only the part of it between slices
	Why     *phrase.Phrase
	Terms   []Term
}

// Name is what a reader calls the stage: "reduce-scatter", "reduce-scatter between slices".
func (s *Stage) Name() phrase.Speaker {
	if s.Between {
		return phrase.New("network.stage-between", "op", s.Op)
	}
	return s.Op
}

// Longest is the term that takes the longest; the zero Term if there is none.
func (s Stage) Longest() Term {
	var longest Term
	for _, t := range s.Terms {
		if t.Time > longest.Time || longest.Resource == (Resource{}) {
			longest = t
		}
	}
	return longest
}

// Over says what c costs on a group. Nothing to do (a group of one, or no bytes over no latency) costs nothing.
// Arrays of negative or infinite size, links without bandwidth, and groups that cannot be are errors.
func (c Collective) Over(g Group) (Cost, error) {
	if err := c.check(g); err != nil {
		return Cost{}, err
	}
	if g.Size() == 1 {
		return Cost{Op: c.Op, Size: 1, Algorithm: phrase.New("network.nothing-to-do")}, nil
	}
	return g.cost(c)
}

// procedure is how a group does a collective, from which its Cost is added up.
type procedure struct {
	algorithm *phrase.Phrase
	stages    []Stage
	hops      int
	latency   q.Seconds
}

// twice is w followed by its mirror image, as an all-gather follows the reduce-scatter of an all-reduce.
func (w procedure) twice(second Op) procedure {
	mirror := make([]Stage, len(w.stages))
	for i, s := range w.stages {
		s.Op, s.Why = second, phrase.New("network.mirrored")
		mirror[len(w.stages)-1-i] = s
	}
	w.stages = append(w.stages[:len(w.stages):len(w.stages)], mirror...)
	w.hops, w.latency = 2*w.hops, 2*w.latency
	return w
}

// cost adds w up.
func (w procedure) cost(c Collective, size int) (Cost, error) {
	total := Cost{
		Op:        c.Op,
		Size:      size,
		Algorithm: w.algorithm,
		Latency:   w.latency,
		Hops:      w.hops,
		Stages:    w.stages,
	}
	var longest Term
	for _, s := range w.stages {
		t := s.Longest()
		total.Bandwidth += t.Time
		shortcut := q.Seconds(0)
		for _, t := range s.Terms {
			shortcut = max(shortcut, t.Shortcut)
		}
		total.Shortcut += shortcut
		if t.Time > longest.Time {
			longest = t
		}
	}
	total.PerLink = busiest(w.stages)
	total.Time, total.Sum = max(total.Bandwidth, total.Latency), total.Bandwidth+total.Latency
	switch {
	case total.Latency > total.Bandwidth:
		total.Binding = Resource{Kind: Latency}
	case longest.Time > 0:
		total.Binding = longest.Resource
	}
	if s := float64(total.Sum) + float64(total.Shortcut) + float64(total.PerLink); math.IsInf(s, 0) || math.IsNaN(s) {
		return Cost{}, phrase.Fault{What: phrase.New("network.beyond"), Remedy: phrase.New("network.give-less")}
	}
	return total, nil
}

// busiest is the most bytes that any one resource carries over all stages. A stage that mirrors another loads its links
// the other way.
func busiest(stages []Stage) q.Bytes {
	most := q.Bytes(0)
	for _, s := range stages {
		for _, t := range s.Terms {
			sum, before := q.Bytes(0), false
			for _, other := range stages {
				for _, u := range other.Terms {
					if u.Resource != t.Resource {
						continue
					}
					if sum += u.Bytes; before {
						sum -= u.idle
					}
					before = true
				}
			}
			most = max(most, sum)
		}
	}
	return most
}

// shift is how far a Permute sends around n chips: 0 to n-1.
func (c Collective) shift(n int) int {
	d := c.Shift
	if d == 0 {
		d = 1
	}
	return (d%n + n) % n
}

// checkLink refuses bandwidths and latencies that no link has.
func checkLink(link Resource, w q.Bandwidth, latency q.Seconds) error {
	if b := float64(w); !(b > 0) || math.IsInf(b, 1) {
		return phrase.Fault{
			What:   phrase.New("network.bad-bandwidth", "link", link, "rate", number(b)),
			Remedy: phrase.New("network.give-bandwidth"),
		}
	}
	if l := float64(latency); !(l >= 0) || math.IsInf(l, 1) {
		return phrase.Fault{
			What:   phrase.New("network.bad-latency", "link", link, "time", number(l)),
			Remedy: phrase.New("network.give-latency"),
		}
	}
	return nil
}

// Term is the time that one resource needs in a stage.
type Term struct {
	Resource  Resource
	Bytes     q.Bytes     // over one link (or one egress), one way
	Bandwidth q.Bandwidth // of that link, one way
	Time      q.Seconds   // Bytes/Bandwidth
	Formula   string      // of Time, in sheet notation: "(N - 1)/N * V/W"
	Values    []law.Value // what its names stand for
	Shortcut  q.Seconds   // as the textbook simplifies it

	// idle are those of Bytes that the mirror image of the stage spares its busiest link: it loads each the other way.
	idle q.Bytes
}

// term is the time of bytes over a link.
func term(resource Resource, bytes q.Bytes, link q.Bandwidth, formula string, shortcut q.Seconds) Term {
	return Term{
		Resource: resource, Bytes: bytes, Bandwidth: link, Time: bytes.Over(link), Formula: formula, Shortcut: shortcut,
	}
}

// array is the V of a term.
func (c Collective) array() law.Value {
	is := c.part
	if is == "" {
		is = "network.the-array"
	}
	return law.Value{Name: "V", Num: c.Bytes.Quantity(), Is: phrase.New(is)}
}

// count is a value that is a plain number; is is the key of what it is.
func count(name string, n float64, is string) law.Value {
	return law.Value{Name: name, Num: q.Quantity{Value: n}, Is: phrase.New(is)}
}

// rate is a value that is a bandwidth; is is the key of what it is.
func rate(name string, w q.Bandwidth, is string) law.Value {
	return law.Value{Name: name, Num: w.Quantity(), Is: phrase.New(is)}
}

// raggedly is a formula, and its values, if of an all-to-all only the chunks of Active choices carry anything.
func (c Collective) raggedly(formula string, values []law.Value) (string, []law.Value) {
	if c.Op != AllToAll || c.Active == 0 {
		return formula, values
	}
	chosen := count("k", c.Active, "network.chosen-experts")
	return "(" + raggedShare + ") * " + formula, append(values, chosen)
}

// ragged are the exact share of an all-to-all's chunks that carry anything over n devices, and the shortcut's.
func (c Collective) ragged(n int) (exact, shortcut float64) {
	if c.Active == 0 {
		return 1, 1
	}
	return RaggedShare(c.Active, float64(n)), RaggedShareShortcut(c.Active, float64(n))
}

// mostChips is more than anybody has, and few enough that counts of them do not overflow.
const mostChips = 1 << 30

// check finds what makes a cost impossible before anything is computed.
func (c Collective) check(g Group) error {
	if g == nil {
		return phrase.Fault{What: phrase.New("network.no-group"), Remedy: phrase.New("network.give-group")}
	}
	if c.Op > Permute {
		return phrase.Fault{What: phrase.New("network.unknown-op"), Remedy: listOps()}
	}
	if v := float64(c.Bytes); !(v >= 0) || math.IsInf(v, 1) {
		return phrase.Fault{What: phrase.New("network.bad-size", "bytes", number(v)),
			Remedy: phrase.New("network.give-size")}
	}
	if !(c.Active >= 0) || math.IsInf(c.Active, 1) {
		return phrase.Fault{
			What:   phrase.New("network.bad-active", "n", number(c.Active)),
			Remedy: phrase.New("network.give-active"),
		}
	}
	if n := g.Size(); n < 1 || n > mostChips {
		return phrase.Fault{
			What:   phrase.New("network.bad-group", "n", n),
			Remedy: phrase.New("network.up-to", "most", mostChips),
		}
	}
	return nil
}

// product is that of the sizes: 0 if one of them is below 1, and no more than any machine has if it would overflow.
func product(sizes []int) int {
	const huge = 1 << 40
	n := 1
	for _, s := range sizes {
		if s < 1 {
			return 0
		}
		if s > huge/n {
			n = huge
			continue
		}
		n *= s
	}
	return n
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// Resource is what a term of a collective occupies, or what the time of one is spent on.
type Resource struct {
	Kind ResourceKind
	Name string // of the axis, of several axes, or of the level
}

// ResourceKind is a kind of resource.
type ResourceKind uint8

// The kinds of resources.
const (
	NoResource   ResourceKind = iota
	Latency                   // of the hops
	AxisLinks                 // along one axis
	AxesLinks                 // along several
	CornerLinks               // of a chip in the corner of a torus
	DeviceEgress              // into a switch
	LevelEgress               // of the units under a level of a tree
	SliceEgress               // into the data-centre network
)

// In names the resource for a reader: "axis X", "level spine".
func (r Resource) In(l phrase.Phrases) string {
	return l.Say([...]string{"network.nothing", "network.latency", "network.axis", "network.axes", "network.corner",
		"network.egress", "network.level", "network.dcn"}[r.Kind], "name", r.Name)
}

// String names the resource in English.
func (r Resource) String() string { return r.In(phrase.Phrases{}) }
