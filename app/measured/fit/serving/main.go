// Command serving holds app/serving against measurements, and fits its constants anew.
//
//	go run ./app/measured/fit/serving                    the errors by regime, on the fitted rows and on those kept aside
//	go run ./app/measured/fit/serving -families          the same by model, chip and engine
//	go run ./app/measured/fit/serving -rows deepseek     every row of a family, predicted over measured
//	go run ./app/measured/fit/serving -rounds 8 -without gpu.h200  errors on fitted rows of H200 once it is left out
//	go run ./app/measured/fit/serving -rounds 12 -write  fits constants.tsv and spreads.tsv anew, and writes them
//	go run ./app/measured/fit/serving -write             the same for spreads.tsv alone
//
// Rows belong to a configuration: model, chip, engine, regime, precision, plan. A hash of it says whether its rows are
// fitted or kept aside, so that no row is kept aside whose likes are fitted.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/measured/rows"
	"github.com/scalebook/scalebook/app/serving"
)

func main() {
	families := flag.Bool("families", false, "by model, chip and engine")
	list := flag.String("rows", "", "every row whose configuration contains this")
	rounds := flag.Int("rounds", 0, "rounds of fitting")
	write := flag.Bool("write", false, "write what was fitted")
	without := flag.String("without", "",
		"fit without the configurations that contain this, and hold them against the fit")
	flag.Parse()
	cases := read()
	switch {
	case *without != "":
		leaveOut(cases, *without, *rounds)
	case *rounds > 0 || *write:
		fit(cases, *rounds, *write)
	case *list != "":
		each(cases, *list)
	default:
		group := measured.ByRegime
		if *families {
			group = measured.ByFamily
		}
		out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprint(out, measured.PrintServing(measured.HoldServing(cases, group)))
		out.Flush()
	}
}

// read is all measured rows of serving.
func read() []measured.Case {
	var samples []measured.Sample
	for _, table := range rows.Serving() {
		samples = append(samples, measured.ReadSamples(table)...)
	}
	cases, reasons := measured.Cases(samples)
	for why, n := range reasons {
		fmt.Fprintf(os.Stderr, "%d rows are left out: %s\n", n, why)
	}
	return cases
}

// each prints the rows of some configurations.
func each(cases []measured.Case, want string) {
	for i, errs := range measured.AllErrors(cases, serving.Fitted) {
		c := cases[i]
		if !strings.Contains(c.Family(), want) {
			continue
		}
		fmt.Printf(
			"%s | %s/%s at %s",
			c.Family(),
			c.Setup.Text("isl", "isl_mean"),
			c.Setup.Text("osl", "osl_mean"),
			c.Setup.Text("concurrency", "request_per_s"),
		)
		for _, q := range []string{"first", "token", "whole", "rate"} {
			if x, found := errs[q]; found {
				fmt.Printf(" | %s x%.2f", q, math.Exp(x))
			}
		}
		fmt.Println()
	}
}

// fittedOnes are the rows meant for the fit, with their weights.
func fittedOnes(cases []measured.Case) []measured.Case {
	var fitted []measured.Case
	for _, c := range weigh(cases) {
		if c.Fitted() {
			fitted = append(fitted, c)
		}
	}
	return fitted
}

// fit fits the constants to the rows meant for it, and prints or writes them and the widths of intervals that follow.
func fit(cases []measured.Case, rounds int, write bool) {
	fitted := fittedOnes(cases)
	s := newSearch(fitted)
	for r := range rounds {
		s.round()
		fmt.Fprintf(os.Stderr, "round %d: %.5f\n", r+1, s.best)
	}
	constants, widths := s.table(), measured.Widths(fitted, s.get)
	if !write {
		fmt.Print(constants, widths)
		return
	}
	for path, text := range map[string]string{"app/serving/constants.tsv": constants, "app/serving/spreads.tsv": widths} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
