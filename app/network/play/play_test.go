package play

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/quantity"
)

// schedules are settings whose steps are shown; what is left out is as in the first.
var schedules = []string{
	"fabric=ring n=4 op=all-gather", "n=5 both=off", "n=16 op=reduce-scatter", "n=7 op=all-reduce", "n=8 op=all-to-all",
	"n=6 op=broadcast", "n=6 op=broadcast both=off",
	"fabric=line n=4", "fabric=line n=9 op=all-reduce", "fabric=line n=6 op=all-to-all", "fabric=line n=6 op=broadcast",
	"fabric=slice", "fabric=slice op=all-to-all", "fabric=slice shape=4x8 op=all-to-all", "fabric=slice chip=tpu.v5p " +
		"shape=4x4x4 op=all-reduce",
	"fabric=slice chip=tpu.v5p shape=2x2x2 op=reduce-scatter", "fabric=slice chip=tpu.v5p shape=4x4x4 op=all-to-all",
	"fabric=node", "fabric=node n=5 op=reduce-scatter", "fabric=node op=all-reduce", "fabric=node op=all-reduce " +
		"adds=on", "fabric=node op=all-to-all", "fabric=node op=broadcast",
}

// setting reads one.
func setting(t testing.TB, source string) *Setting {
	t.Helper()
	f, op, both, shape, id := Fabric{Kind: Ring, N: 4, Nodes: 4, Hop: 1e-6}, network.AllGather, true, "4x4", "tpu.v5e"
	if strings.Contains(source, "fabric=node") || strings.Contains(source, "fabric=tree") {
		id, f.N = "gpu.h200", 8
	}
	for set := range strings.FieldsSeq(source) {
		name, text, _ := strings.Cut(set, "=")
		n, _ := strconv.Atoi(text)
		switch name {
		case "fabric":
			f.Kind = Kind(text)
		case "op":
			op, _ = network.ParseOp(text)
		case "n":
			f.N = n
		case "nodes":
			f.Nodes = n
		case "both":
			both = text == "on"
		case "adds":
			f.Adds = text == "on"
		case "shape":
			shape = text
		case "chip":
			id = text
		}
	}
	f.Chip, _ = hardware.Catalog().Get(id)
	for field, w := range map[string]*quantity.Bandwidth{"ici_link_bandwidth": &f.Link, "scaleup_bandwidth": &f.Link,
		"network_bandwidth": &f.Share} {
		if c, err := f.Chip.Get(field); err == nil {
			*w = quantity.Bandwidth(c.Value.Value)
		}
	}
	if f.Kind == Slice {
		sl, err := network.CutSlice(f.Chip, shape)
		if err != nil {
			t.Fatal(source, err)
		}
		f.Axes = sl.WithLink(f.Link).WithLatency(f.Hop).Axes
	}
	x, err := Set(f, op, quantity.Bytes(64<<20).Quantity(), !both)
	if err != nil {
		t.Fatal(source, err)
	}
	return x
}

// played calls f with the steps of a setting.
func played(t testing.TB, source string, f func(p *Play)) {
	t.Helper()
	p := setting(t, source).Play()
	if p == nil {
		t.Fatalf("%s: nothing to show", source)
	}
	f(p)
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// busiest are the most bytes that a link carries in all steps.
func busiest(p *Play) float64 {
	total, most := map[schedule.Link]float64{}, 0.0
	for _, loads := range p.loads {
		for w, b := range loads {
			total[w] += b
			most = max(most, total[w])
		}
	}
	return most
}

// Over the busiest link the steps that are drawn carry what the law counts; one after the other they take no less than
// the law.
func TestScheduleCarriesWhatTheLawCounts(t *testing.T) {
	for _, source := range schedules {
		played(t, source, func(p *Play) {
			n := len(p.Schedule.Steps)
			if got := busiest(p); !near(got, float64(p.Cost.PerLink)) {
				t.Errorf("%s: %v over the busiest link, the law has %v", source, got, p.Cost.PerLink)
			}
			if float64(p.Elapsed(n)) < float64(p.Cost.Time)*(1-1e-9) {
				t.Errorf("%s: the steps take %v, less than the law's %v", source, p.Elapsed(n), p.Cost.Time)
			}
			if err := p.Schedule.Play(nil); err != nil {
				t.Errorf("%s: %v", source, err)
			}
		})
	}
}

// Of a tree each level carries what its term counts.
func TestTreeCarriesWhatTheLawCounts(t *testing.T) {
	for _, op := range []string{"all-gather", "reduce-scatter", "all-to-all", "broadcast"} {
		played(t, "fabric=tree n=4 nodes=3 op="+op, func(p *Play) {
			for level, term := range p.Cost.Stages[0].Terms {
				if got := p.Schedule.Busiest(p.links, level); !near(got, float64(term.Bytes)) {
					t.Errorf("%s, %s: %v, the law has %v", op, term.Resource, got, term.Bytes)
				}
			}
		})
	}
}

// In the end every cell of what a chip wants is whole: nothing is lost on the way to the drawing.
func TestHeldInTheEnd(t *testing.T) {
	for _, source := range schedules {
		played(t, source, func(p *Play) {
			last := p.HeldAfter(len(p.Schedule.Steps) - 1)
			for chip, h := range last[:p.Schedule.Chips] {
				slots := h.Slots
				switch {
				case p.Collective.Op == network.ReduceScatter:
					slots = slots[chip : chip+1]
				case p.Collective.Op == network.AllToAll:
					slots = slots[p.Schedule.Chips:]
				}
				for _, sl := range slots {
					if !sl.Whole() {
						t.Errorf("%s: chip %d has %v of %s", source, chip, sl.Share, sl.Name)
					}
				}
				if h.Passing > 0 {
					t.Errorf("%s: chip %d still has %d on their way", source, chip, h.Passing)
				}
			}
		})
	}
}

// While it is added up no part is lost or counted twice: over all chips and what the switch has, the shares of a piece
// make one.
func TestPartsAreConserved(t *testing.T) {
	for _, source := range []string{"n=8 op=reduce-scatter", "fabric=line n=5 op=reduce-scatter",
		"fabric=slice op=reduce-scatter", "fabric=node op=reduce-scatter",
		"fabric=tree n=4 nodes=2 op=reduce-scatter"} {
		played(t, source, func(p *Play) {
			for k := range p.Schedule.Steps {
				hold := p.HeldAfter(k)
				for piece := range hold[0].Slots {
					sum := 0.0
					for _, h := range hold {
						sum += h.Slots[piece].Share
					}
					if !near(sum, 1) {
						t.Errorf("%s, step %d: of piece %d there are %v", source, k+1, piece, sum)
					}
				}
			}
		})
	}
}

// Whoever asks for much gets a smaller network whose transfers are as large.
func TestLargeIsPlayedSmall(t *testing.T) {
	for _, source := range []string{"n=1000", "fabric=line n=300 op=all-to-all",
		"fabric=slice shape=16x16 op=all-reduce", "fabric=slice chip=tpu.v5p shape=16x16x16 op=all-to-all",
		"fabric=node chip=gpu.gb200 n=72 " +
			"op=reduce-scatter", "fabric=tree nodes=4096"} {
		played(t, source, func(p *Play) {
			if p.StandFor == 0 || p.Schedule.Chips > atAll {
				t.Fatalf("%s: %d chips in place of %d", source, p.Schedule.Chips, p.StandFor)
			}
			full, n := float64(p.Collective.Bytes), float64(p.Group.Size())
			piece, small := full/n, p.array/float64(p.Schedule.Chips)
			if p.Collective.Op == network.AllToAll {
				piece, small = piece/n, small/float64(p.Schedule.Chips)
			}
			if !near(piece, small) {
				t.Errorf("%s: pieces of %v are played as %v", source, piece, small)
			}
		})
	}
}
