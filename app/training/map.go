package training

import "github.com/scalebook/scalebook/app/phrase"

// Map is what the best plan of a model comes to over chips and over tokens of a batch for each chip.
type Map struct {
	Model  string
	Device string
	Chips  []int
	Tokens []int    // of a batch, for each chip
	Cells  [][]Cell // by tokens, then by chips
	Next   int      // the cell that is to be priced next
}

// Cell is a place of a map.
type Cell struct {
	Priced bool
	Fits   bool
	Why    error // why nothing fits or divides
	Price  Price // the best plan's
	Use    float64
	Bound  Bound
}

// Bound is what takes most of a step.
type Bound uint8

// What bounds a step: computing, or what shows of traffic and bubbles.
const (
	ByCompute Bound = iota
	ByWires
)

// NewMap is the map around a job, with nothing priced yet.
func NewMap(j *Job) *Map {
	steps := [...]float64{1.0 / 16, 1.0 / 4, 1, 4, 16} // of the job in the middle
	m := &Map{Model: j.Model.Name, Device: j.Device.Name}
	each := float64(j.Batch*j.Sequence) / float64(j.Devices)
	for _, s := range steps {
		if n := int(float64(j.Devices) * s); n >= 1 && n <= 1<<17 && (len(m.Chips) == 0 || n > m.Chips[len(m.Chips)-1]) {
			m.Chips = append(m.Chips, n)
		}
		if n := int(each * s); n >= 1 && (len(m.Tokens) == 0 || n > m.Tokens[len(m.Tokens)-1]) {
			m.Tokens = append(m.Tokens, n)
		}
	}
	for range m.Tokens {
		m.Cells = append(m.Cells, make([]Cell, len(m.Chips)))
	}
	return m
}

// Size is how many places m has.
func (m *Map) Size() int { return len(m.Tokens) * len(m.Chips) }

// Step prices one more place for a job that is otherwise like j, and tells whether there is another one.
func (m *Map) Step(j Job) (more bool) {
	if m.Next >= m.Size() {
		return false
	}
	row, column := m.Next/len(m.Chips), m.Next%len(m.Chips)
	m.Next++
	j.Devices = m.Chips[column]
	j.Batch = divided(max(1, float64(m.Tokens[row]*j.Devices)/float64(j.Sequence)))
	m.Cells[row][column] = price(&j)
	return m.Next < m.Size()
}

// divided is a number of sequences near n that many numbers of devices divide: places of a map are to differ by their
// batch, not by its divisors.
func divided(n float64) int {
	step := 1.0
	for step*16 <= n {
		step *= 2
	}
	return int(step * WholeSequences(n/step))
}

// price finds the best plan of a job among those that most people would try first.
func price(j *Job) Cell {
	c := Cell{Priced: true}
	if err := j.Check(); err != nil {
		c.Why = err
		return c
	}
	p := NewPricer(*j)
	s := p.Usual()
	s.Schedules, s.Recompute, s.Virtual = s.Schedules[:1], []Recompute{KeepAll, RecomputeBlock}, []int{1, 4}
	search := Search{Space: s}
	found := p.Find(search)
	switch {
	case len(found.Best) > 0:
		c.Fits, c.Price, c.Use = true, found.Best[0], p.Use(&found.Best[0])
		c.Bound = c.Price.Time.bound()
	case len(found.Reasons) > 0:
		r := found.nearest()
		c.Why = fault("training.lacks", "missing", gigabytes(r.Excess), "part", phrase.Name(r.Binding))
	default:
		c.Why = p.ExplainNoPlan(&search, &found)
	}
	return c
}

// bound is what takes most of a step.
func (t *Time) bound() Bound {
	wires := t.MicroBatches*(t.TP+t.CP+t.EP+t.Gather+t.PP+t.Wait) + t.Bubble + t.DP
	if wires > t.Step()/2 {
		return ByWires
	}
	return ByCompute
}
