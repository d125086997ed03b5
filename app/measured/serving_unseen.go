package measured

import (
	_ "embed"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/serving"
)

// Folds is in how many parts configurations are split, each of which is left out once: from the constants that its
// fitted rows are estimated with, and from the widths of intervals that its rows are held against.
const Folds = 10

// Fold is the part of a case's configuration.
func (c Case) Fold() int {
	h := fnv.New32a()
	h.Write([]byte("fold " + c.Family()))
	return int(h.Sum32() >> 9 % Folds)
}

// foldConstants are the constants that each part has no share in: the table of app/serving for each, its number in
// front of each line. The fit writes them (app/measured/fit/serving).
//
//go:embed fold_constants.tsv
var foldConstants string

// FoldConstants is the table of constants without each part, as the fit found them.
func FoldConstants(tables []string) string {
	var b strings.Builder
	for fold, table := range tables {
		for line := range strings.Lines(table) {
			b.WriteString(strconv.Itoa(fold) + "\t" + line)
		}
	}
	return b.String()
}

// readFolds are the constants by part and engine.
func readFolds(table string) []map[string]serving.Constants {
	texts := make([]strings.Builder, Folds)
	for line := range strings.Lines(table) {
		fold, rest, _ := strings.Cut(line, "\t")
		if i, err := strconv.Atoi(fold); err == nil && i >= 0 && i < Folds {
			texts[i].WriteString(rest)
		}
	}
	var all []map[string]serving.Constants
	for i := range texts {
		all = append(all, serving.ReadConstants(texts[i].String()))
	}
	return all
}

// unseen is a case estimated with constants that it had no part in: of a fitted one those without its part of the
// configurations, of one kept aside those that are shipped.
type unseen struct {
	*Case
	fold   int
	k      serving.Constants
	a      answer
	slower map[string]float64 // how much slower it was, as a logarithm, by quantity; without paced ones
}

// unseenOf estimates all cases, on as many processors as there are. Those without an answer are left out.
func unseenOf(cases []Case) []unseen {
	byFold, all := readFolds(foldConstants), make([]unseen, len(cases))
	const parts = 4
	var wg sync.WaitGroup
	for part := range parts {
		wg.Go(func() {
			for i := part; i < len(cases); i += parts {
				c := &cases[i]
				u := unseen{Case: c, fold: c.Fold(), k: serving.Fitted(c.Engine())}
				if c.Fitted() {
					k, found := byFold[u.fold][c.Engine()]
					if !found {
						k = byFold[u.fold]["all"]
					}
					u.k = k
				}
				a, err := c.setting.answer(u.k)
				if err != nil {
					continue
				}
				u.a, u.slower = a, map[string]float64{}
				for q, x := range c.errors(a) {
					if (a.queue == nil || !paced(q)) && !math.IsNaN(x) && !math.IsInf(x, 0) {
						u.slower[q] = -x
					}
				}
				all[i] = u
			}
		})
	}
	wg.Wait()
	kept := all[:0]
	for _, u := range all {
		if u.slower != nil {
			kept = append(kept, u)
		}
	}
	return kept
}

// Spreadings are the widths of intervals from all rows.
func Spreadings(cases []Case) serving.Spreadings { return spreadings(unseenOf(cases), -1) }

// Unseen are the widths for the rows of each part of the configurations, from all rows but these.
func Unseen(cases []Case) []serving.Spreadings {
	all, out := unseenOf(cases), make([]serving.Spreadings, Folds)
	var wg sync.WaitGroup
	for fold := range Folds {
		wg.Go(func() { out[fold] = spreadings(all, fold) })
	}
	wg.Wait()
	return out
}

// spreadings are the widths from all rows but those of a part.
func spreadings(all []unseen, without int) serving.Spreadings {
	lines := map[errorKey]line{}
	pools := map[[2]string][]miss{}
	add := func(u *unseen, q string, x float64) {
		t := u.setting
		k := errorKey{t.regime(), q, t.engine, t.chip.ID, t.shape.Model.ID}
		pools[[2]string{k.regime, q}] = append(pools[[2]string{k.regime, q}], miss{errorKey: k, config: u.Family(), off: x,
			prompts: u.a.prompting()})
	}
	for i := range all {
		if u := &all[i]; u.fold != without {
			for q, x := range u.slower {
				add(u, q, x)
			}
		}
	}
	widthsOf(pools, lines)
	closed := widthTable(lines) // what capacities of open loops follow from
	clear(pools)
	for i := range all {
		if u := &all[i]; u.fold != without && u.a.queue != nil {
			t := *u.setting
			t.widths = closed
			for q, x := range t.pacedSlowness(u.Case, u.a) {
				add(u, q, x)
			}
		}
	}
	widthsOf(pools, lines)
	return widthTable(lines)
}

// Shipped are the widths that predictions have: those of closed loops, which planners have too, and those of other
// loads.
func Shipped() serving.Spreadings { return serving.Shipped() + serving.Spreadings(otherSpreads) }

// otherSpreads are the widths of loads and systems that planners don't plan.
//
//go:embed serving_spreads.tsv
var otherSpreads string

// SplitSpreadings are the lines that planners need, and the others.
func SplitSpreadings(all serving.Spreadings) (planned, other serving.Spreadings) {
	for line := range strings.Lines(string(all)) {
		if strings.HasPrefix(line, "together\t") || strings.HasPrefix(line, "apart\t") {
			planned += serving.Spreadings(line)
		} else {
			other += serving.Spreadings(line)
		}
	}
	return planned, other
}
