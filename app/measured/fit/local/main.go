// The command local fits the constants of one machine, or with the argument nccl those of NCCL's collectives, to the
// half of the rows that isn't kept aside, column by column, and prints the table anew:
//
//	go run ./app/measured/fit/local > app/local/constants.tsv
//	go run ./app/measured/fit/local nccl > app/network/nccl/constants.tsv
package main

import (
	"fmt"
	"os"

	"github.com/scalebook/scalebook/app/local"
	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/network/nccl"
)

// limits keep constants of one machine to what they can mean.
var limits = map[string][2]float64{"weights": {0.3, 0.98}, "cache": {0.05, 0.98}, "layer": {1e-6, 3e-4},
	"sparse": {0, 3e-4},
	"math":   {0.05, 0.98}, "score": {0.005, 0.98}, "batch": {0.02, 0.98}, "hop": {0, 3e-4}, "sum": {0, 1e-3}}

// ncclLimits are those of collectives. Shares inside a node are published and not fitted.
var ncclLimits = map[string][2]float64{"wire": {0.7, 0.99}, "start": {4e-6, 1e-4}, "fill": {0, 1e-4}, "far": {0, 1e-4},
	"far_fill": {0, 1e-3}}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "nccl" {
		fitNCCL()
		return
	}
	points := measured.LocalPoints()
	write(local.ConstantNames(), local.Stacks(), func(stack string) values {
		c := local.ConstantsOf(stack)
		v := values{get: c.Field, limits: limits}
		for _, p := range points {
			if p.Stack == stack && !p.Row.Aside() {
				v.points = append(v.points, point{p.Row.ID, p.Metric, p.Measured, func() float64 { return p.Predict(*c) }})
			}
		}
		return v
	})
}

func fitNCCL() {
	points := measured.CollectivePoints()
	write(nccl.ConstantNames(), nccl.Families(), func(family string) values {
		c := nccl.ConstantsOf(family)
		v := values{get: c.Field, limits: ncclLimits}
		for _, p := range points {
			if p.Family == family && !p.Row.Aside() {
				v.points = append(v.points, point{p.Row.ID, p.Metric, p.Measured, func() float64 { return p.Predict(*c) }})
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
	for i := range fitted {
		fitted[i].spread(fitted)
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
const fewest = 4
