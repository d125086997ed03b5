package measured

import (
	_ "embed"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/measured/rows"
	"github.com/scalebook/scalebook/app/serving"
)

// Folds is in how many parts configurations are split, each of which is left out once: from the constants that its
// fitted rows are estimated with, and from the widths of intervals that its rows are held against.
const Folds = 10

// Fold is the part of a case's configuration.
func (c Case) Fold() int { return foldOf("fold "+c.Family(), Folds) }

// foldOf is the part, of so many, that a group of rows belongs to, by a hash of its name.
func foldOf(group string, folds uint32) int {
	h := fnv.New32a()
	h.Write([]byte(group))
	return int(h.Sum32() >> 9 % folds)
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
	slower map[string]float64 // how much slower it was, as a logarithm, by quantity; of open loops' "whole", its steps
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
					if !math.IsNaN(x) && !math.IsInf(x, 0) {
						u.slower[q] = -x
					}
				}
				if a.queue != nil {
					delete(u.slower, "first")
					if off, measured := c.setting.slowness(c, a); measured {
						u.slower["whole"] = off
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

// SpreadsOf are the widths of intervals from all rows.
func SpreadsOf(cases []Case) serving.SpreadTable { return spreadsOf(unseenOf(cases), AllRows) }

// ServingCases are all measured rows of serving ([Cases]).
func ServingCases() (cases []Case, reasons map[string]int) {
	var samples []Sample
	for _, table := range rows.Serving() {
		samples = append(samples, ReadSamples(table)...)
	}
	return Cases(samples)
}

// HeldServing are the predictions of all rows of serving, with widths of intervals that they had no part in.
type HeldServing struct {
	cases  []Case
	widths []serving.SpreadTable // for the rows of each part of the configurations, from all rows but these
	unseen []unseen
}

// HoldServing predicts them and makes the widths, which takes many seconds. Rows that can't be estimated are left out.
func HoldServing() HeldServing {
	cases, _ := ServingCases()
	held := HeldServing{cases, make([]serving.SpreadTable, Folds), unseenOf(cases)}
	var wg sync.WaitGroup
	for fold := range Folds {
		wg.Go(func() { held.widths[fold] = spreadsOf(held.unseen, fold) })
	}
	wg.Wait()
	return held
}

// spreadsOf are the widths from all rows but those of a part.
func spreadsOf(all []unseen, without int) serving.SpreadTable {
	lines := map[errorKey]line{}
	pools := map[[2]string][]miss{}
	add := func(u *unseen, q string, x float64) {
		t := u.setting
		k := errorKey{t.wait(t.regime(), q, u.a), q, t.family(), t.chip.ID, t.shape.Model.ID, t.release}
		at := [2]string{k.regime, q}
		pools[at] = append(pools[at], miss{errorKey: k, config: u.Family(), off: x, strain: t.strain(q, u.a)})
	}
	for i := range all {
		if u := &all[i]; u.fold != without {
			for q, x := range u.slower {
				add(u, q, x)
			}
		}
	}
	widthsOf(pools, lines)
	steps := widthTable(lines) // what queues of open loops follow from
	clear(pools)
	for i := range all {
		if u := &all[i]; u.fold != without && u.a.queue != nil {
			t := *u.setting
			t.widths = steps
			if off, measured := t.firstSlowness(u.Case, u.a); measured {
				add(u, "first", off)
			}
		}
	}
	widthsOf(pools, lines)
	if without == AllRows { // rows of a part are of the same laboratories as the others
		widen(lines, strangers())
	}
	return widthTable(lines)
}

// Shipped are the widths that predictions have: those of closed loops, which planners have too, and those of other
// loads.
func Shipped() serving.SpreadTable { return serving.Shipped() + serving.SpreadTable(otherSpreads) }

// otherSpreads are the widths of loads and systems that planners don't plan.
//
//go:embed serving_spreads.tsv
var otherSpreads string

// SplitSpreads are the lines that planners need, and the others: those of other loads, and of releases.
func SplitSpreads(all serving.SpreadTable) (planned, other serving.SpreadTable) {
	for line := range strings.Lines(string(all)) {
		released := strings.Contains(strings.Split(line, "\t")[2], " ") // planners plan for no release
		if !released && (strings.HasPrefix(line, "together\t") || strings.HasPrefix(line, "apart\t")) {
			planned += serving.SpreadTable(line)
		} else {
			other += serving.SpreadTable(line)
		}
	}
	return planned, other
}
