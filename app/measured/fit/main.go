// Command fit fits the constants of app/serving to the fitted half of the measured rows.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"

	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/measured/rows"
	"github.com/scalebook/scalebook/app/serving"
)

var own = map[string]bool{"layer": true, "block": true, "sequence": true, "step": true, "eager": true, "eager_block": true, "eager_latent": true, "latent": true, "gather": true, "request": true, "together": true}

var engines = []string{"vllm", "sglang", "trtllm"}

type table map[string]*serving.Constants

func (t table) get(e string) serving.Constants {
	if k, ok := t[e]; ok {
		return *k
	}
	return *t["all"]
}

var worth = map[string]float64{"first": 0.5, "token": 1, "whole": 1, "rate": 0}

func objective(cs []measured.Case, t table) float64 {
	sum, n := 0.0, 0.0
	for i, errs := range measured.AllErrors(cs, t.get) {
		for q, x := range errs {
			w := worth[q] * cs[i].Weight
			if q == "rate" && cs[i].Regime() == "offline" {
				w = cs[i].Weight
			}
			e := math.Abs(x)
			sum += w * math.Min(math.Sqrt(e*e+0.01)-0.1, 1.0+0.1*e)
			n += w
		}
	}
	return sum / n
}

func main() {
	rounds := flag.Int("rounds", 0, "")
	show := flag.Bool("show", true, "")
	want := flag.String("detail", "", "")
	worst := flag.Int("worst", 0, "")
	flag.Parse()
	var samples []measured.Sample
	for _, table := range []string{rows.Closed, rows.Open, rows.Offline} {
		samples = append(samples, measured.ReadSamples(table)...)
	}
	cases, reasons := measured.Cases(samples)
	fmt.Fprintln(os.Stderr, len(samples), len(cases), reasons)
	var fit, out []measured.Case
	family := map[string]float64{}
	for _, c := range cases {
		family[c.Family()]++
	}
	for _, c := range cases {
		c.Weight = 1 / math.Sqrt(family[c.Family()])
		if !c.Stated() {
			c.Weight *= 0.1
		}
		if c.Regime() == "open" {
			c.Weight *= 3
		}
		if c.Fitted() {
			fit = append(fit, c)
		} else {
			out = append(out, c)
		}
	}
	t := table{}
	for _, e := range append([]string{"all"}, engines...) {
		k := serving.Fitted(e)
		t[e] = &k
	}
	best := objective(fit, t)
	fmt.Fprintln(os.Stderr, "start", best, objective(out, t))
	type knob struct {
		name string
		at   []*float64
		step float64
	}
	var knobs []*knob
	names := t["all"].All()
	for i, n := range names {
		if own[n.Name] {
			for _, e := range engines {
				knobs = append(knobs, &knob{n.Name + "." + e, []*float64{t[e].All()[i].Value}, 1})
			}
			continue
		}
		k := &knob{name: n.Name, step: 0.5}
		for _, e := range append([]string{"all"}, engines...) {
			k.at = append(k.at, t[e].All()[i].Value)
		}
		knobs = append(knobs, k)
	}
	for r := range *rounds {
		for _, k := range knobs {
			old := *k.at[0]
			tried := false
			for _, f := range []float64{1 + k.step, 1 / (1 + k.step), 1 + k.step/4, 1 / (1 + k.step/4)} {
				v := old * f
				switch strings.Split(k.name, ".")[0] {
				case "weights", "cache", "math16", "math8", "math4", "score", "together":
					v = math.Min(v, 0.95)
				case "imbalance":
					v = 1 + (old-1)*f
				}
				for _, p := range k.at {
					*p = v
				}
				if o := objective(fit, t); o < best-1e-7 {
					best, tried = o, true
					k.step *= 1.3
					break
				}
			}
			if !tried {
				for _, p := range k.at {
					*p = old
				}
				k.step *= 0.6
			}
		}
		fmt.Fprintln(os.Stderr, r, best, objective(out, t))
	}
	if *rounds > 0 {
		fmt.Println("constant\tall\t" + strings.Join(engines, "\t"))
		for i, n := range names {
			if own[n.Name] {
				mean := 0.0
				for _, e := range engines {
					mean += *t[e].All()[i].Value / 3
				}
				fmt.Printf("%s\t%.3g", n.Name, mean)
				for _, e := range engines {
					fmt.Printf("\t%.3g", *t[e].All()[i].Value)
				}
				fmt.Println()
			} else {
				fmt.Printf("%s\t%.3g\n", n.Name, *n.Value)
			}
		}
	}
	if *show {
		report(os.Stderr, "fit", fit, t)
		report(os.Stderr, "out", out, t)
	}
	if *want != "" {
		detail(append(fit, out...), t, *want)
	}
	if *worst > 0 {
		fmt.Println("FIT")
		families(fit, t)
		fmt.Println("OUT")
		families(out, t)
	}
}

func report(w *os.File, name string, cs []measured.Case, t table) {
	by := map[string][]float64{}
	errs := measured.AllErrors(cs, t.get)
	for i, c := range cs {
		for q, x := range errs[i] {
			by[c.Regime()+" "+q] = append(by[c.Regime()+" "+q], x)
		}
	}
	print1(w, name, by)
}

func print1(w *os.File, name string, by map[string][]float64) {
	var keys []string
	for k := range by {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	id := func(x float64) float64 { return x }
	for _, k := range keys {
		a := by[k]
		fmt.Fprintf(w, "%s %-45s %5d  %5.1f /%6.1f  bias %+.2f  5..95: %.2f %.2f\n", name, k, len(a), 100*measured.Quantile(a, .5, measured.Percent),
			100*measured.Quantile(a, .9, measured.Percent), measured.Quantile(a, .5, id), math.Exp(-measured.Quantile(a, .95, id)), math.Exp(-measured.Quantile(a, .05, id)))
	}
}

func families(cs []measured.Case, t table) {
	by := map[string][]float64{}
	errs := measured.AllErrors(cs, t.get)
	for i, c := range cs {
		for q, x := range errs[i] {
			if q == "first" || q == "token" || c.Regime() == "offline" || c.Regime() == "open" {
				by[c.Family()+" "+q] = append(by[c.Family()+" "+q], x)
			}
		}
	}
	print1(os.Stdout, "", by)
}

func detail(cs []measured.Case, t table, want string) {
	errs := measured.AllErrors(cs, t.get)
	for i, c := range cs {
		if !strings.Contains(c.Family()+c.Regime(), want) {
			continue
		}
		text := c.Family() + " " + c.Setup.Text("isl", "isl_mean") + "/" + c.Setup.Text("osl", "osl_mean") + " c " + c.Setup.Text("concurrency", "request_per_s")
		for _, q := range []string{"first", "token", "whole", "rate"} {
			if e, ok := errs[i][q]; ok {
				text += fmt.Sprintf("  %s x%.2f", q, math.Exp(e))
			}
		}
		fmt.Println(text, c.Measured["ttft_ms"], c.Measured["tpot_ms"], c.Setup.Text("engine"))
	}
}
