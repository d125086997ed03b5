// The command local fits the constants of one machine, or with the argument nccl those of NCCL's collectives, to the
// half of the rows that isn't kept aside, column by column, and prints the table anew:
//
//	go run ./app/measured/fit/local > app/local/constants.tsv
//	go run ./app/measured/fit/local nccl > app/network/nccl/constants.tsv
//
// With -spread and the folder of packages it writes the intervals of machines, of collectives and of engines' starts
// there instead, from all rows:
//
//	go run ./app/measured/fit/local -spread app
package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/scalebook/scalebook/app/local"
	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/network/nccl"
)

// limits keep constants of one machine to what they can mean.
var limits = map[string][2]float64{"weights": {0.3, 0.95}, "cache": {0.05, 0.98}, "layer": {1e-6, 3e-4},
	"sparse": {0, 3e-4}, "math": {0.05, 0.98}, "score": {0.005, 0.98}, "batch": {0.02, 0.98}, "hop": {0, 3e-4},
	"sum": {0, 1e-3}, "unpack": {0, 200}, "linear": {0, 5e-4}, "dies": {0.5, 1}}

// ncclLimits are those of collectives. Shares inside a node are published and not fitted.
var ncclLimits = map[string][2]float64{"wire": {0.7, 0.99}, "start": {4e-6, 1e-4}, "fill": {0, 1e-4}, "far": {0, 1e-4},
	"far_fill": {0, 1e-3}}

func main() {
	switch {
	case len(os.Args) > 2 && os.Args[1] == "-spread":
		writeSpreads(os.Args[2])
		return
	case len(os.Args) > 1 && os.Args[1] == "nccl":
		fitNCCL()
		return
	}
	points := measured.LocalPoints()
	write(local.ConstantNames(), local.Stacks(), func(stack string) values {
		c := local.ConstantsOf(stack)
		v := values{get: c.Field, limits: limits}
		for _, p := range points {
			if p.Stack == stack && !p.Row.Aside() {
				v.points = append(v.points, point{p.Row.ID, p.Metric, p.Measured,
					func() float64 { return p.Predict(*c) }})
			}
		}
		return v
	})
}

// writeSpreads writes the intervals of all rows.
func writeSpreads(folder string) {
	ofLocal, other := measured.MachineSpreads(measured.MachineReadings(), measured.AllRows)
	tables := map[string]local.Spreads{"local/spreads.tsv": ofLocal, "measured/machine_spreads.tsv": other}
	for name, lines := range tables {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(lines), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func fitNCCL() {
	points := measured.CollectivePoints()
	write(nccl.ConstantNames(), nccl.Families(), func(family string) values {
		c := nccl.ConstantsOf(family)
		v := values{get: c.Field, limits: ncclLimits}
		for _, p := range points {
			if p.Family == family && !p.Row.Aside() {
				v.points = append(v.points, point{p.Row.ID, p.Metric, p.Measured,
					func() float64 { return p.Predict(*c) }})
			}
		}
		return v
	})
}

// write fits column by column and prints the table.
func write(names, columns []string, of func(column string) values) {
	var fitted []values
	head := "constant"
	for _, column := range columns {
		v := of(column)
		if len(v.points) >= fewest {
			v.descend(names)
		}
		fmt.Fprintf(os.Stderr, "%s: %d figures, loss %.4f\n", column, len(v.points), v.loss())
		fitted, head = append(fitted, v), head+"\t"+column
	}
	fmt.Println(head)
	for _, name := range names {
		line := name
		for i := range columns {
			line += fmt.Sprintf("\t%.3g", *fitted[i].get(name))
		}
		fmt.Println(line)
	}
}

// fewest is how many figures a column needs to be fitted.
const fewest = 3

// point is a figure of a row.
type point struct {
	row, metric string
	measured    float64
	predict     func() float64 // with the constants as they are now
}

// values are the constants of a column, and the figures that they are fitted to. Each row weighs as much, however many
// figures it has.
type values struct {
	get    func(name string) *float64
	limits map[string][2]float64
	points []point
	each   map[string]float64
	still  map[string]bool // constants of which the figures say nothing
}

// promptWeight is what figures of prompts count against those of generating: floors and shares are for the latter.
const promptWeight = 0.25

// loss is the mean of |log(predicted/measured)|, larger than 1 counting as 1: some rows are broken.
func (v *values) loss() float64 {
	if v.each == nil {
		v.each = map[string]float64{}
		for _, p := range v.points {
			v.each[p.row]++
		}
	}
	sum, all := 0.0, 0.0
	for _, p := range v.points {
		w := 1 / v.each[p.row]
		if measured.Promptly(p.metric) {
			w *= promptWeight
		}
		sum += w * math.Min(1, math.Abs(math.Log(p.predict()/p.measured)))
		all += w
	}
	return sum / math.Max(all, 1e-9)
}

// descend moves one constant after another by ever smaller steps.
func (v *values) descend(names []string) {
	const first = 2.0
	best := v.loss()
	v.still = map[string]bool{}
	for step := first; step > 1.005; step = 1 + (step-1)*0.7 {
		for range 3 {
			for _, name := range names {
				limit, fitted := v.limits[name]
				if !fitted || step == first && !v.matters(name, best) {
					v.still[name] = true
				}
				if v.still[name] {
					continue
				}
				at := v.get(name)
				for _, factor := range []float64{step, 1 / step} {
					old := *at
					*at = math.Min(limit[1], math.Max(limit[0], math.Max(old, 1e-7)*factor))
					if loss := v.loss(); loss < best-1e-7 {
						best = loss
					} else {
						*at = old
					}
				}
			}
		}
	}
}

// matters tells whether the loss changes with a constant at all.
func (v *values) matters(name string, loss float64) bool {
	at := v.get(name)
	old := *at
	*at = 2 * math.Max(old, 1e-6)
	change := math.Abs(v.loss() - loss)
	*at = old
	return change > 2e-3
}
