package measured

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/training"
)

// The intervals that planners show are those of all rows and of today's constants.
func TestSpreadsAreOfToday(t *testing.T) {
	lines, sources := runsHeld().Spreads(AllRows)
	stored, err := os.ReadFile("../training/spreads.sources.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if lines != training.SpreadTable() || sources != string(stored) {
		t.Error("run: go run ./app/measured/fit/training -spread app/training")
	}
}

// family is rows of training that are judged together.
type family struct {
	name   string
	trials []Trial
	memory bool
	wanted func(*Trial) bool
}

// Families of over 30 rows kept aside have nine in ten in intervals that are made of other sources, models and devices:
// by three in a hundred, or, where rows are of so few kinds that chance is more than that, by two standard errors of as
// many kinds. None is wider than 1.3 times what that needs. Of the grid, plans that used a tenth of the peak: others
// stood still for reasons of their own.
func TestIntervalsHoldOthers(t *testing.T) {
	held := runsHeld()
	any := func(*Trial) bool { return true }
	all := []family{{"grid", held.Grid, false, Using(10)}, {"grid's memory", held.Grid, true, any},
		{"published", held.Runs(), false, any}, {"tuned", held.Tuned, false, any},
		{"tuned memory", held.Tuned, true, any}}
	for _, name := range training.Stacks() {
		for _, experts := range []bool{false, true} {
			all = append(all, family{fmt.Sprintf("%s, experts %v", name, experts), held.Runs(), false,
				func(t *Trial) bool {
					return t.Run.Job.Stack.Name == name && t.Run.Job.Model.MoE.Experts > 0 == experts
				}})
		}
	}
	checked := 0
	for _, f := range all {
		h := CheckErrors(f.name, "kept aside", f.trials, f.memory, f.wanted)
		if h.Rows <= 30 {
			continue
		}
		checked++
		ratios, groups := f.aside()
		needed, chance := needs(ratios), unsure(groups, alike(groups))
		if off := math.Abs(h.Coverage - 0.9); off > max(0.03, 2*chance) || h.Width > 1.3*needed {
			t.Errorf("%s: %d rows of %d kinds, %.3f inside, by chance +-%.3f, %.2f wide, %.2f needed", f.name, h.Rows,
				len(groups), h.Coverage, chance, h.Width, needed)
		}
	}
	if checked < 10 {
		t.Errorf("%d families", checked)
	}
}

// aside are, of rows kept aside, the logarithms of measured over predicted, and how many rows of each group are inside.
func (f *family) aside() (ratios []float64, groups []insides) {
	by := map[string]insides{}
	for i := range f.trials {
		t := &f.trials[i]
		got, want := t.Step, t.Seconds
		if f.memory {
			got, want = t.Memory, t.Bytes
		}
		if want > 0 && t.Aside() && f.wanted(t) {
			ratios = append(ratios, math.Log(want/got.Mid))
			of := by[t.group()]
			if of.rows++; got.Low <= want && want <= got.High {
				of.inside++
			}
			by[t.group()] = of
		}
	}
	return ratios, slices.Collect(maps.Values(by))
}

// An interval of rows whose groups lie apart holds what it should of a group that it has not seen; one that is taken
// from rows as if each were by itself holds less.
func TestLevelsHoldNewGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	draw := func(name string, n int) (rows []grouped) {
		apart := 0.3 * r.NormFloat64()
		for range n {
			rows = append(rows, grouped{group: name, off: apart + 0.03*r.NormFloat64()})
		}
		return rows
	}
	const tries, groups = 300, 30
	held, plain := 0.0, 0.0
	for range tries {
		var rows []grouped
		for i := range groups {
			rows = append(rows, draw(fmt.Sprint(i), 1+r.IntN(8))...)
		}
		values := without(rows, "")
		wide, plainly := holdingOthers(rows, 0.9), narrowest(values, 0.9)
		for _, one := range draw("new", 20) {
			if wide.holds(one.off) {
				held += 1. / 20 / tries
			}
			if plainly.holds(one.off) {
				plain += 1. / 20 / tries
			}
		}
	}
	if math.Abs(held-0.9) > 0.03 || plain > held-0.01 {
		t.Errorf("%.3f of new groups are inside, %.3f if rows count by themselves", held, plain)
	}
}

// Every row is in one bin, however few a degree has.
func TestBinsHoldEveryRow(t *testing.T) {
	k := runKind{degrees: []float64{0, 0.1, 0.2, 0.4}}
	for _, counts := range [][4]int{{5, 0, 0, 40}, {40, 5, 5, 5}, {0, 0, 0, 3}, {3, 0, 0, 0}, {31, 29, 29, 31}, {}} {
		var rows []ratio
		for d, n := range counts {
			rows = append(rows, slices.Repeat([]ratio{{degree: k.degrees[d]}}, n)...)
		}
		from, bins := k.bins(rows)
		total := 0
		for i, bin := range bins {
			total += len(bin)
			for _, one := range bin {
				if one.degree < from[i] || i > 0 && one.degree >= from[i-1] {
					t.Errorf("%v: degree %v in the bin from %v", counts, one.degree, from[i])
				}
			}
		}
		if total != len(rows) {
			t.Errorf("%v: %d of %d rows are in bins", counts, total, len(rows))
		}
	}
}
