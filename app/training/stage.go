package training

// stage is what the ranks of a pipeline hold.
type stage struct {
	slowest float64 // layers of the stage with the most work, its share of the logits not counted
	work    float64 // layers of that stage, the logits counted as so many layers
	first   float64 // layers of the first stage, whose activations wait longest
	last    float64 // layers of the last stage
	total   float64 // layers of all stages, the logits counted
}

// split lays L layers and the logits, which take as much as c layers, on p stages.
//
// Evenly: every stage has the same number of layers, rounded up, and the last also makes the logits.
//
// By cost, as Nanotron does: a stage takes layers until the cost of all so far exceeds its share.
func split(L, c float64, p int, byCost bool) stage {
	s := stage{total: L + c}
	if p <= 1 {
		s.slowest, s.first, s.last, s.work = L, L, L, L+c
		return s
	}
	if byCost {
		return s.byCost(L, c, p)
	}
	n := float64(p)
	even := ceil(L / n)
	s.first, s.last = even, max(0, L-even*(n-1))
	if L == even*n {
		s.last = even
	}
	s.slowest, s.work = even, max(even, s.last+c)
	return s
}

func (s stage) byCost(L, c float64, p int) stage {
	n, before := float64(p), 0.0
	for i := 1.0; i <= n; i++ {
		end := min(L, floor(s.total*i/n)+1) // the layer with which the cost first exceeds this stage's share
		if i == n {
			end = L
		}
		held := end - before
		if i == 1 {
			s.first = held
		}
		s.slowest = max(s.slowest, held)
		s.last, before = held, end
	}
	s.work = max(s.slowest, s.last+c)
	return s
}

func floor(x float64) float64 { return float64(int(x)) }

func ceil(x float64) float64 {
	if f := floor(x); f < x {
		return f + 1
	}
	return x
}
