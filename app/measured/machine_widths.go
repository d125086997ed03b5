package measured

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/local"
)

// machineSpreads is the intervals that no page shows beside what it predicts, of prompts, several users, collectives
// and engines' starts: as factors of a time, or in parts of what is in doubt.
//
//go:embed machine_spreads.tsv
var machineSpreads string

// machineWidths is a table of intervals, and the kind that was asked for last.
type machineWidths struct {
	table local.Spreads
	kind  string
	known []string
}

// shippedWidths are those of all rows.
func shippedWidths() *machineWidths {
	return &machineWidths{table: local.Shipped() + local.Spreads(machineSpreads)}
}

// of is the interval of a kind by the first of some names that has one.
func (w *machineWidths) of(kind string, names ...string) (low, high float64) {
	w.kind, w.known = kind, names
	return w.table.Of(kind, names...)
}

// doubtTable makes intervals of starts as wide as what is in doubt.
const doubtTable = statedKind + "\t\t-1\t1\n" + weightKind + "\t\t-1\t1\n"

// reading is a metric of a row with its prediction, held against the interval of a table, which depends on the group
// of the row; false if it isn't predicted.
func reading(c RunCase, name string, widths func(group string) *machineWidths) (Reading, bool) {
	r := Reading{Row: c, Metric: name, Measured: c.Measured[name], unit: baseUnit(name)}
	predict := widthPredictors()[c.Kind]
	if r.Measured <= 0 || predict == nil {
		return r, false
	}
	doubt := &machineWidths{table: doubtTable}
	row := c.Row
	row.Asked = []string{name}
	p, err := predict(row, doubt)
	x, found := p.Metrics[name]
	if err != nil || !found {
		return r, false
	}
	r.Kind, r.known = doubt.kind, doubt.known
	group := c.source() + " " + c.Setup.Text("model") + " " + c.Setup.Text("device")
	r.grouped = grouped{group, math.Log(r.Measured / x.Mid), c.Aside()}
	if c.Kind == "kv_capacity" {
		if r.Kind = weightKind; !slices.Contains(weightNames, name) {
			r.Kind = cacheKind(c.Setup.stated())
		}
	}
	switch {
	case r.Kind == unstatedKind:
	case c.Kind == "kv_capacity":
		half := x.High - x.Mid
		if r.Measured < x.Mid {
			half = x.Mid - x.Low
		}
		r.off = (r.Measured - x.Mid) / max(half, 1e-3*x.Mid)
	case !isTime(name):
		r.off = -r.off
	}
	p, _ = predict(row, widths(r.group))
	r.Predicted = p.Metrics[name]
	return r, true
}

// source is where a row is from: the first word of its name.
func (c *RunCase) source() string {
	source, _, _ := strings.Cut(c.ID, "-")
	return source
}

// isTime tells whether a metric of a machine is a time, and no rate.
func isTime(metric string) bool {
	return strings.HasPrefix(metric, "ttft") || strings.HasPrefix(metric, "time") || metric == "floor_us"
}

// fewGroups is how many kinds of rows an interval of its own needs: fewer don't tell what nine in ten others hold.
const fewGroups = 9

// spreadKey is what an interval is of: what is predicted, and of which software or devices; of all, if that is empty.
type spreadKey struct{ kind, name string }

// MachineSpreads are the intervals of single machines, of collectives and of starts as all readings but those of a fold
// give them: of all, and of a memory or of software on it where rows are enough and the wider kind's interval costs
// more on rows that are left out. Those of tokens for one user and of prompts are made of rows kept aside. The first
// are for app/local, the second for app/measured.
func MachineSpreads(all []Reading, fold int) (ofLocal, other local.Spreads) {
	pools, wider := map[spreadKey][]grouped{}, map[spreadKey]spreadKey{}
	for i := range all {
		r := &all[i]
		if r.Kind == "" || foldOf(r.group, Folds) == fold {
			continue
		}
		names := append(slices.Clone(r.known), "")
		for j, name := range names {
			k := spreadKey{r.Kind, name}
			pools[k] = append(pools[k], r.grouped)
			if name != "" {
				wider[k] = spreadKey{r.Kind, names[j+1]}
			}
		}
	}
	for k := range pools {
		if k.kind == oneUser || k.kind == promptKind {
			pools[k] = keptAside(pools[k])
		}
	}
	own := map[spreadKey]bool{}
	for _, k := range slices.SortedFunc(maps.Keys(pools), func(a, b spreadKey) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name))
	}) {
		if !ownInterval(pools, wider, own, k) {
			continue
		}
		w := holdingOthers(pools[k], promised)
		low, high := math.Exp(w.low), math.Exp(w.high)
		to := &other
		switch k.kind {
		case oneUser:
			to = &ofLocal
		case statedKind, weightKind:
			low, high = w.low, w.high
		}
		*to += local.Spreads(fmt.Sprintf("%s\t%s\t%.3g\t%.3g\n", k.kind, k.name, low, high))
	}
	return ofLocal, other
}

// ownInterval tells whether a kind has an interval of its own; known are those that were asked before.
func ownInterval(pools map[spreadKey][]grouped, wider map[spreadKey]spreadKey, known map[spreadKey]bool,
	k spreadKey) bool {
	if own, found := known[k]; found {
		return own
	}
	rows := pools[k]
	own := k.name == ""
	if !own && len(rows) >= fewRuns && len(groupsOf(rows)) >= fewGroups {
		up := wider[k]
		for !ownInterval(pools, wider, known, up) {
			up = wider[up]
		}
		own = leftOutCost(rows, rows) < leftOutCost(rows, pools[up])
	}
	known[k] = own
	return own
}

// leftOutCost is what the intervals of a pool without the group of a row cost on rows, in the mean.
func leftOutCost(rows, pool []grouped) float64 {
	level, sum := levelOf(pool, groupsOf(pool), promised), 0.0
	for _, group := range groupsOf(rows) {
		w := narrowest(without(pool, group), level)
		for i := range rows {
			if rows[i].group == group {
				sum += cost(w, rows[i].off)
			}
		}
	}
	return sum / float64(len(rows))
}

// MachineReadings are what is held against published measurements of machines, collectives and starts, each with the
// interval of all rows.
func MachineReadings() []Reading {
	return machineReadings(func(string) *machineWidths { return shippedWidths() })
}

func machineReadings(widths func(group string) *machineWidths) []Reading {
	all := startReadings(widths)
	for _, c := range machineCases() {
		if widthPredictors()[c.Kind] == nil {
			continue
		}
		for _, name := range c.Asked {
			if r, found := reading(c, name, widths); found {
				all = append(all, r)
			}
		}
	}
	return all
}

// HeldReadings are the same, each with an interval that is made of other sources' machines.
func HeldReadings() []Reading {
	all := MachineReadings()
	var tables [Folds]local.Spreads
	for fold := range tables {
		ofLocal, other := MachineSpreads(all, fold)
		tables[fold] = ofLocal + other
	}
	return machineReadings(func(group string) *machineWidths {
		return &machineWidths{table: tables[foldOf(group, Folds)]}
	})
}
