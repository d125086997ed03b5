package training

// Pass is what a stage of a pipeline does with a microbatch.
type Pass uint8

// The passes. Where a schedule splits the backward pass, Backward makes the gradients of activations, which the stage
// before waits for, and Weights those of the weights, which nobody waits for.
const (
	Forward Pass = iota
	Backward
	Weights
)

// Run is a pass of one microbatch through one stage.
type Run struct {
	Pass        Pass
	Micro       int
	From, Until int // in slots; a forward pass takes one
}

// Timetable is when each of p stages runs what of m microbatches. A forward pass takes one slot and a backward pass
// two, or one and one more for the gradients of weights. It knows GPipe, OneFOneB and ZBH1; ok is false for others.
func Timetable(s Schedule, p, m int) (stages [][]Run, ok bool) {
	if s != GPipe && s != OneFOneB && s != ZBH1 {
		return nil, false
	}
	t := timetable{split: s == ZBH1, runs: make([][]Run, p), done: make([][2][]int, p), busy: make([]int, p)}
	for i := range p {
		t.orders = append(t.orders, order(s, p-1-i, m))
		t.done[i] = [2][]int{never(m), never(m)}
	}
	for slot := 0; t.left(m); slot++ {
		for i := range p {
			t.step(i, slot)
		}
	}
	return t.runs, true
}

// timetable is one under way.
type timetable struct {
	split  bool
	orders [][]Run // what each stage is still to do, gradients of weights aside
	runs   [][]Run
	done   [][2][]int // of each stage: when the forward and the backward pass of a microbatch are done
	busy   []int      // until when a stage is busy
}

// never is a time after all others, for each of m microbatches.
func never(m int) []int {
	times := make([]int, m)
	for i := range times {
		times[i] = 1 << 30
	}
	return times
}

// order is what a stage does of m microbatches, if it runs so many forward passes ahead of the stages behind it.
func order(s Schedule, ahead, m int) []Run {
	var all []Run
	ahead = min(ahead, m)
	if s == GPipe {
		ahead = m
	}
	for i := range m + ahead {
		if i < m {
			all = append(all, Run{Pass: Forward, Micro: i})
		}
		if i >= ahead {
			all = append(all, Run{Pass: Backward, Micro: i - ahead})
		}
	}
	return all
}

// left says whether anything is left to do.
func (t *timetable) left(m int) bool {
	passes := 2 * m
	if t.split {
		passes = 3 * m
	}
	for _, r := range t.runs {
		if len(r) < passes {
			return true
		}
	}
	return false
}

// step lets stage i begin something in a slot, if it is free and something can begin.
func (t *timetable) step(i, slot int) {
	if t.busy[i] > slot {
		return
	}
	owed := t.owed(i)
	if len(t.orders[i]) > 0 {
		next := t.orders[i][0]
		full := t.split && next.Pass == Forward && owed >= 0 && t.kept(i) >= len(t.runs)
		if !full && t.ready(i, next, slot) {
			t.orders[i] = t.orders[i][1:]
			t.run(i, next, slot)
			return
		}
	}
	if owed >= 0 {
		t.run(i, Run{Pass: Weights, Micro: owed}, slot)
	}
}

// ready says whether a pass has what it needs: the stage before, or behind, is done with that microbatch.
func (t *timetable) ready(i int, r Run, slot int) bool {
	if r.Pass == Forward {
		return i == 0 || t.done[i-1][Forward][r.Micro] <= slot
	}
	last := i == len(t.runs)-1
	return t.done[i][Forward][r.Micro] <= slot && (last || t.done[i+1][Backward][r.Micro] <= slot)
}

// owed is the first microbatch of which stage i owes the gradients of weights, or -1.
func (t *timetable) owed(i int) int {
	if !t.split {
		return -1
	}
	backward, weights := t.count(i, Backward), t.count(i, Weights)
	if weights < backward {
		return weights
	}
	return -1
}

// kept is of how many microbatches stage i keeps activations.
func (t *timetable) kept(i int) int { return t.count(i, Forward) - t.count(i, Weights) }

// count is how many passes of a kind stage i has begun.
func (t *timetable) count(i int, p Pass) int {
	n := 0
	for _, r := range t.runs[i] {
		if r.Pass == p {
			n++
		}
	}
	return n
}

// run begins a pass.
func (t *timetable) run(i int, r Run, slot int) {
	r.From, r.Until = slot, slot+1
	if r.Pass == Backward && !t.split {
		r.Until++
	}
	t.busy[i] = r.Until
	if r.Pass != Weights {
		t.done[i][r.Pass][r.Micro] = r.Until
	}
	t.runs[i] = append(t.runs[i], r)
}
