package collectives

import (
	"testing"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// busiest are the most bytes that a link carries in all steps.
func busiest(p *play) float64 {
	total, most := map[schedule.Wire]float64{}, 0.0
	for _, loads := range p.loads {
		for w, b := range loads {
			total[w] += b
			most = max(most, total[w])
		}
	}
	return most
}

// Over the busiest link the steps that are drawn carry what the law counts; one after the other they take no less than the law.
func TestScheduleCarriesWhatTheLawCounts(t *testing.T) {
	for _, source := range schedules {
		probed(t, source, func(s *instrument.State) {
			p := (&memo{}).of(s)
			if p == nil {
				t.Fatalf("%s: nothing to draw", source)
			}
			n := len(p.s.Steps)
			if got := busiest(p); !near(got, float64(p.x.cost.PerLink)) {
				t.Errorf("%s: %v over the busiest link, the law has %v", source, got, p.x.cost.PerLink)
			}
			if float64(p.clock(n)) < float64(p.x.cost.Time)*(1-1e-9) {
				t.Errorf("%s: the steps take %v, less than the law's %v", source, p.clock(n), p.x.cost.Time)
			}
			if err := p.s.Play(nil); err != nil {
				t.Errorf("%s: %v", source, err)
			}
		})
	}
}

// Of a tree each level carries what its term counts.
func TestTreeCarriesWhatTheLawCounts(t *testing.T) {
	for _, op := range []string{"all-gather", "reduce-scatter", "all-to-all", "broadcast"} {
		probed(t, "fabric = tree; n = 4; nodes = 3; op = "+op, func(s *instrument.State) {
			p := (&memo{}).of(s)
			for level, term := range p.x.cost.Stages[0].Terms {
				if got := p.s.Busiest(p.wires, level); !near(got, float64(term.Bytes)) {
					t.Errorf("%s, %s: %v, the law has %v", op, term.Resource, got, term.Bytes)
				}
			}
		})
	}
}

// In the end every cell of what a chip wants is whole: nothing is lost on the way to the drawing.
func TestHeldInTheEnd(t *testing.T) {
	for _, source := range schedules {
		probed(t, source, func(s *instrument.State) {
			p := (&memo{}).of(s)
			last := p.hold(len(p.s.Steps) - 1)
			for chip, h := range last[:p.s.Chips] {
				slots := h.slots
				switch {
				case p.x.c.Op == network.ReduceScatter:
					slots = slots[chip : chip+1]
				case p.x.c.Op == network.AllToAll:
					slots = slots[p.s.Chips:]
				}
				for _, sl := range slots {
					if !sl.whole() {
						t.Errorf("%s: chip %d has %v of %s", source, chip, sl.share, sl.name)
					}
				}
				if h.passing > 0 {
					t.Errorf("%s: chip %d still has %d on their way", source, chip, h.passing)
				}
			}
		})
	}
}

// While it is added up no part is lost or counted twice: over all chips and what the switch has, the shares of a piece make one.
func TestPartsAreConserved(t *testing.T) {
	for _, source := range []string{"n = 8; op = reduce-scatter", "fabric = line; n = 5; op = reduce-scatter", "fabric = slice; op = reduce-scatter", "fabric = node; op = reduce-scatter", "fabric = tree; n = 4; nodes = 2; op = reduce-scatter"} {
		probed(t, source, func(s *instrument.State) {
			p := (&memo{}).of(s)
			for k := range p.s.Steps {
				hold := p.hold(k)
				for piece := range hold[0].slots {
					sum := 0.0
					for _, h := range hold {
						sum += h.slots[piece].share
					}
					if !near(sum, 1) {
						t.Errorf("%s, step %d: of piece %d there are %v", source, k+1, piece, sum)
					}
				}
			}
		})
	}
}
