package measured

import (
	"hash/fnv"
	"math"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/serving"
)

// Case is a sample that is ready to be priced again and again.
type Case struct {
	Sample
	setting *setting
	Weight  float64
}

// Cases reads samples; those that can't be priced are left out, with the reasons counted.
func Cases(samples []Sample) (cases []Case, reasons map[string]int) {
	reasons = map[string]int{}
	for _, s := range samples {
		t, err := readServing(s.Setup)
		if err != nil {
			reasons[err.Error()]++
			continue
		}
		cases = append(cases, Case{Sample: s, setting: t, Weight: 1})
	}
	return cases, reasons
}

// Engine is the engine of the row.
func (c Case) Engine() string { return c.setting.engine }

// Stated tells whether the row says how many workers it has, where prefill and decode are apart.
func (c Case) Stated() bool { return !c.setting.apart || c.setting.prefill.workers > 0 }

// Split tells whether prefill and decode are apart.
func (c Case) Split() bool { return c.setting.apart }

// Regime is what kind of load and system the row has.
func (c Case) Regime() string { return c.setting.regime() }

// Errors are the logarithms of predicted over measured, by what is measured: first, token, whole and rate. Of several
// metrics of one quantity the first in the order of metricOrder counts.
func (c Case) Errors(k serving.Constants) map[string]float64 {
	a, err := c.setting.answer(k)
	if err != nil {
		return nil
	}
	predicted, out := a.metrics(c.setting), map[string]float64{}
	for _, name := range metricOrder {
		m, p, q := c.Measured[name], predicted[name], quantity(name)
		if _, done := out[q]; !done && m > 0 && p > 0 {
			out[q] = math.Log(p / m)
		}
	}
	return out
}

// measured is what was measured of a quantity, in seconds or tokens a second: the metric that Errors compares with.
func (c Case) measured(quantityName string) float64 {
	for _, name := range metricOrder {
		if m := c.Measured[name]; m > 0 && quantity(name) == quantityName {
			if strings.HasSuffix(name, "_ms") {
				m /= 1e3
			}
			return m
		}
	}
	return math.NaN()
}

// metricOrder is the metrics that are held against measurements.
var metricOrder = []string{
	"ttft_ms", "median_ttft_ms", "mean_ttft_ms",
	"tpot_ms", "median_tpot_ms", "mean_tpot_derived_ms", "mean_itl_ms",
	"mean_e2e_s", "mean_e2e_ms",
	"output_tok_s_per_device", "output_tok_s", "output_tok_s_derived",
}

// AllErrors prices all cases, on as many processors as there are.
func AllErrors(cases []Case, k func(engine string) serving.Constants) []map[string]float64 {
	out := make([]map[string]float64, len(cases))
	const parts = 4
	var wg sync.WaitGroup
	for part := range parts {
		wg.Go(func() {
			for i := part; i < len(cases); i += parts {
				out[i] = cases[i].Errors(k(cases[i].Engine()))
			}
		})
	}
	wg.Wait()
	return out
}

// Family is the configuration of a case without its load: rows of one family are all fitted or all held out.
func (c Case) Family() string {
	t := c.setting
	model := strings.Replace(t.shape.Model.ID, "deepseek.r1", "deepseek.v3", 1)
	mode, plan := t.regime(), t.written.String()
	if t.apart {
		plan = t.prefill.plan.String() + " to " + t.decode.plan.String()
	}
	weights := t.bits() + " bit"
	return strings.Join([]string{model, t.chip.ID, t.engine, mode, weights, plan}, "|")
}

// Fitted tells whether a row is among those that constants are fitted to: about two thirds of the families, by a hash.
func (c Case) Fitted() bool {
	h := fnv.New32a()
	h.Write([]byte(c.Family()))
	return h.Sum32()>>7%3 != 0
}
