package network

import (
	"strconv"
	"strings"

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
	return 0, phrase.Fault{What: what, Remedy: offerOps()}
}

// offerOps names the collectives.
func offerOps() *phrase.Phrase { return phrase.New("network.ops", "ops", phrase.Commas(opNames[:])) }

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
