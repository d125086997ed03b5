package measured

import (
	_ "embed"
	"strings"

	"github.com/scalebook/scalebook/app/measured/summary"
)

//go:embed breaks.tsv
var breakTable string // family, quantity, which assumption breaks where predictions miss

// mostPoints is how many rows of a family a summary keeps to be drawn.
const mostPoints = 18

// Summarize holds all predictions against all measurements: what app/measured/summary keeps of it.
func Summarize() ([]summary.Family, []summary.Figure) { return summarize(HoldRuns(), HoldServing()) }

func summarize(held HeldRuns, served HeldServing) ([]summary.Family, []summary.Figure) {
	families := append(Families(held.Grid, held.Published, held.Runs(), held.Tuned),
		missedKinds(held.Runs(), Trials(Latest()))...)
	families = append(families, gatheredMemory())
	families = append(families, servedFamilies(&served)...)
	readings := HeldReadings()
	families = append(families, StartFamilies(readings)...)
	families = append(families, machineFamilies(readings)...)
	for i := range families {
		if len(families[i].Points) > 0 {
			families[i].Bias = bias(families[i].Points)
		}
		families[i].Points = thinned(families[i].Points)
		if families[i].Half == machineHalf && families[i].Part == fitted || families[i].Half == runKindHalf {
			families[i].Points = nil // as of serving, only rows kept aside are drawn; of kinds of runs none
		}
		families[i].Breaks = breaks(families[i].Name, families[i].Quantity)
	}
	return families, figures(held.Grid)
}

// bias is how far predictions lie off in the median, with its sign.
func bias(points []summary.Point) float64 {
	var off []float64
	for _, p := range points {
		off = append(off, p.Predicted/p.Measured-1)
	}
	return percentile(off, 0.5)
}

// thinned are some of the points, evenly, so that no more than mostPoints are left.
func thinned(points []summary.Point) []summary.Point {
	var some []summary.Point
	n := min(len(points), mostPoints)
	for i := range n {
		some = append(some, points[i*len(points)/n])
	}
	return some
}

// breaks is why predictions of a family miss, where somebody knows.
func breaks(family, quantity string) string {
	for line := range strings.Lines(breakTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if c[0] == family && c[1] == quantity {
			return c[2]
		}
	}
	return ""
}

// figures are what is said of training besides errors of rows.
func figures(grid []Trial) []summary.Figure {
	regrets := Regrets(grid)
	refused, ran, caught, failed := refusals(grid)
	stalled, asked := stalls(grid)
	recipes := Recipes()
	return []summary.Figure{
		{Name: "training.groups", Value: float64(len(regrets))},
		{Name: "training.regret_median", Value: percentile(regrets, 0.5)},
		{Name: "training.regret_mean", Value: mean(regrets)},
		{Name: "training.regret_three", Value: mean(RegretsOfThree(grid))},
		{Name: "training.regret_three_used", Value: mean(RegretsOfThree(used(grid)))},
		{Name: "training.rank", Value: percentile(ranks(grid), 0.5)},
		{Name: "training.refused", Value: float64(refused)}, {Name: "training.ran", Value: float64(ran)},
		{Name: "training.caught", Value: float64(caught)}, {Name: "training.failed", Value: float64(failed)},
		{Name: "training.used_median", Value: CheckErrors("", "kept aside", grid, false, Using(5)).Median},
		{Name: "training.stalled", Value: float64(stalled)}, {Name: "training.stalled_of", Value: float64(asked)},
		{Name: "training.gathered", Value: float64(len(Gathered()))},
		{Name: "training.latest", Value: float64(len(Latest()))},
		{Name: "training.recipes", Value: float64(len(recipes))},
		{Name: "training.recipes_fit", Value: float64(fitting(Trials(recipes)))},
	}
}

// quantities are what serving predicts, as pages call it.
var quantities = map[string]string{"first": "time to first token", "token": "time per output token",
	"whole": "time of a request",
	"rate":  "tokens a second"}

// fewServed is how many rows a family of model, chip and engine has at least to be listed.
const fewServed = 20

// servedFamilies are the families of serving: the kinds of load and system with the rows to be drawn, and below them
// the models, chips and engines, of which only the rows kept aside are listed.
func servedFamilies(served *HeldServing) []summary.Family {
	var all []summary.Family
	held := served.Validate(ByRegime)
	for _, regime := range regimes {
		for _, h := range held {
			if h.Group != regime.group {
				continue
			}
			f := h.family("serving")
			if !h.Fitted {
				f.Points = h.Points
			}
			all = append(all, f)
		}
	}
	for _, h := range served.Validate(ByFamily) {
		if !h.Fitted && h.Rows >= fewServed {
			all = append(all, h.family("serving families"))
		}
	}
	return all
}

// family is a group as the summary tells of it.
func (h *Served) family(half string) summary.Family {
	f := summary.Family{Half: half, Name: servedName(h.Group), Quantity: quantities[h.Quantity], Part: "kept aside",
		Rows:   h.Rows,
		Median: h.Median, P90: h.P90, Bias: h.Bias, Coverage: h.Covered, Width: h.Width, Needs: h.Needs}
	if h.Fitted {
		f.Part = "fitted"
	}
	return f
}

// regimes are the kinds of load and system in the order in which pages tell of them, and what readers know them as.
var regimes = []struct{ group, name string }{{"together", "closed loop, together"}, {"apart", "closed loop, apart"},
	{ofSeveral, "closed loop, apart, one of several set-ups"},
	{"open", "open loop"}, {"offline", "all at once"},
	{unstatedWorkers, "closed loop, apart, workers not stated"}}

// servedName is a group of rows as readers know it: the load; or model, chip and engine, and then the load.
func servedName(group string) string {
	name, rest, _ := strings.Cut(group, " | ")
	for _, r := range regimes {
		if r.group == name {
			name = r.name
			break
		}
	}
	if rest != "" {
		name = strings.ReplaceAll(rest, " | ", ", ") + ": " + strings.TrimPrefix(name, "closed loop, ")
	}
	return name
}
