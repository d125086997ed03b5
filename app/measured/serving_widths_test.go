package measured

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// spreadOut is fitted rows of so many configurations of a family, whose errors have the given deviation.
func spreadOut(r *rand.Rand, model string, configs, rows int, deviation float64) []miss {
	var all []miss
	for c := range configs {
		for range rows {
			all = append(all, miss{errorKey: errorKey{"together", "token", "vllm", "gpu.h100", model, ""},
				config: fmt.Sprint(model, c), off: deviation * r.NormFloat64()})
		}
	}
	return all
}

// Where families differ, each has the interval of its own errors; on average over draws it holds nearly nine in ten of
// what comes anew, of a family that is wilder than those it borrows from a little less, and is not much wider than it
// need be. Where nothing is known of one, it is that of all.
func TestWidthsAreThoseOfTheFamily(t *testing.T) {
	const draws = 6
	inside, wide := map[string]float64{}, map[string]float64{}
	for seed := range uint64(draws) {
		r := rand.New(rand.NewPCG(3, seed))
		pool := append(spreadOut(r, "calm", 40, 10, 0.1), spreadOut(r, "wild", 40, 10, 1)...)
		weigh(pool)
		c := choose(pool, len(pool), false, growths(pool, len(pool)))
		if c.near.engine > 0.1 {
			t.Errorf("families that differ count %v for each other", c.near)
		}
		for model, deviation := range map[string]float64{"calm": 0.1, "wild": 1} {
			w := c.interval(errorKey{"together", "token", "vllm", "gpu.h100", model, ""})
			for _, m := range spreadOut(r, model, 1, 10000, deviation) {
				if m.off >= w.low && m.off <= w.high {
					inside[model] += 1e-4 / draws
				}
			}
			wide[model] += (w.high - w.low) / (2 * 1.645 * deviation) / draws
		}
		if w := c.interval(errorKey{"together", "token", "", "", "", ""}); w.high < 0.9 {
			t.Errorf("of a family that nobody knows: %+v", w)
		}
	}
	for model, share := range inside {
		if share < 0.86 || share > 0.96 || wide[model] > 1.3 {
			t.Errorf("%s: %.2f are inside, of an interval %.2f times as wide as need be", model, share, wide[model])
		}
	}
}

// The middle of errors is that of their weights, and none has no ends that aren't numbers.
func TestMiddleOfWeights(t *testing.T) {
	w := middle([]heavy{{-2, 0.01}, {-1, 1}, {0, 8}, {1, 1}, {2, 0.01}}, 0.9)
	if w != (width{-1, 1}) {
		t.Errorf("%+v", w)
	}
	if w := middle(nil, 0.9); !(w.low < 0 && w.high > 0) {
		t.Errorf("of no errors: %+v", w)
	}
}

// The table has each line once, low below high, and tells of every regime also where nothing else is known.
func TestSpreadTable(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(string(Shipped())) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		name := strings.Join(c[:5], "\t")
		w := Shipped().Of(c[0], c[1], c[2], c[3], c[4])
		if len(c) != 7 && (len(c) != 9 || c[2] != "") || seen[name] || !(w.Low > 0 && w.Low < w.High) ||
			math.IsInf(w.High, 0) {
			t.Errorf("%q", line)
		}
		seen[name] = true
	}
	for _, regime := range regimes {
		for _, q := range []string{"first", "token", "rate"} {
			if regime.group == ofSeveral && q == "first" { // as of those that state their workers, or don't
				continue
			}
			if k := (errorKey{regime.group, q, "", "", "", ""}); regime.group != "offline" && !seen[k.String()] {
				t.Errorf("nothing is said of %s", k)
			}
		}
	}
}

// Of few configurations, all errors give one interval: of nine configurations a tenth more than nine in ten must be
// inside, 0.9 10/9 = 1, so that the one that lies far off is; of nineteen 0.9 20/19 = 0.947, so that it need not be.
func TestWidthsOfFewConfigurations(t *testing.T) {
	for n, far := range map[int]bool{9: true, 19: false} {
		var pool []miss
		for i := range n {
			m := miss{errorKey: errorKey{"open", "first", "vllm", "gpu.h100", "m", ""}, config: fmt.Sprint(i),
				off: float64(i) / 100}
			if i == n-1 {
				m.off = 3
			}
			pool = append(pool, m)
		}
		weigh(pool)
		c := choose(pool, len(pool), false, growths(pool, len(pool)))
		if w := c.interval(pool[0].errorKey); (w.high == 3) != far || w.low != 0 {
			t.Errorf("of %d configurations: %+v", n, w)
		}
	}
}

// Errors that are twice as large where prompts take a third of the steps grow by ln 2/(1/3) = 2.08, in quarters 2,
// which the fit finds, and rows of both kinds are held.
func TestWidthsGrowWithPrompts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pool := spreadOut(r, "m", 200, 10, 0.1)
	for i := range pool {
		if i%2 == 0 {
			pool[i].strain, pool[i].off = 1./3, 2*pool[i].off
		}
	}
	weigh(pool)
	c := choose(pool, len(pool), false, growths(pool, len(pool)))
	if math.Abs(c.grows[0]-2) > 0.3 || math.Abs(c.grows[1]-2) > 0.3 {
		t.Errorf("growth %v", c.grows)
	}
	for _, prompts := range []float64{0, 1. / 3} {
		w, inside, all := c.interval(pool[0].errorKey), 0.0, 0.0
		for i := range pool {
			if pool[i].strain == prompts {
				all++
				if x := w.at(pool[i].wider(c.grows)); pool[i].off >= x.low && pool[i].off <= x.high {
					inside++
				}
			}
		}
		if inside/all < 0.87 || inside/all > 0.93 {
			t.Errorf("%.3f are inside where prompts take %v", inside/all, prompts)
		}
	}
	if got := (serving.Spread{Low: 0.5, High: 4, Grows: [2]float64{0, 2}}).Of(0.5); got.Low != 0.5 ||
		math.Abs(got.High-math.Pow(4, math.E)) > 1e-9 { // 2 0.5 = 1, and e times the logarithm
		t.Errorf("%+v", got)
	}
}

// Where one release of an engine errs less than another, the rows of both choose that releases tell, each has an
// interval of its own, and a case that tells none has one that holds both. The table gives a release its own line, and
// without one that of its family.
func TestWidthsAreThoseOfTheRelease(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var pool []miss
	for release, deviation := range map[string]float64{"0.5.8": 1, "0.5.9": 0.1} {
		for _, m := range spreadOut(r, "m", 40, 10, deviation) {
			m.release, m.config = release, m.config+release
			pool = append(pool, m)
		}
	}
	lines := map[errorKey]line{}
	widthsOf(map[[2]string][]miss{{"together", "token"}: pool}, lines)
	table := widthTable(lines)
	wide := func(engine string) float64 {
		w := table.Of("together", "token", engine, "gpu.h100", "m")
		return math.Log(w.High / w.Low)
	}
	if calm, wild := wide("vllm 0.5.9"), wide("vllm 0.5.8"); calm > 0.6 || wild < 2.5 {
		t.Errorf("%v of the calm release, %v of the wild one; want 0.33 and 3.3", calm, wild)
	}
	if both, other := wide("vllm"), wide("vllm 0.6"); both != other || both < 1 {
		t.Errorf("%v without a release, %v of one that nobody knows", both, other)
	}
	planned, rest := SplitSpreads(table)
	if strings.Contains(string(planned), "0.5.") || !strings.Contains(string(rest), "vllm 0.5.9") {
		t.Errorf("planners have %q, others %q", planned, rest)
	}
}

// The table has one growth of a regime: an interval of a release must be made with it, though errors of the release
// alone would choose another. Of the calm release errors don't grow, of the wild ones they grow by 2 a strain; both
// at both strains hold most of what comes anew.
func TestReleasesGrowAsTheRegime(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	draw := func(release string, strain float64) float64 {
		deviation := 0.1
		if release == "wild" {
			deviation *= math.Exp(2 * strain)
		}
		return deviation * r.NormFloat64()
	}
	var pool []miss
	for _, release := range []string{"calm", "wild"} {
		for i, m := range spreadOut(r, "m", 40, 10, 1) {
			m.release, m.config, m.strain = release, m.config+release, float64(i%2)/2
			m.off = draw(release, m.strain)
			pool = append(pool, m)
		}
	}
	lines := map[errorKey]line{}
	widthsOf(map[[2]string][]miss{{"together", "token"}: pool}, lines)
	table := widthTable(lines)
	for _, release := range []string{"calm", "wild"} {
		w := table.Of("together", "token", "vllm "+release, "gpu.h100", "m")
		for _, strain := range []float64{0, 0.5} {
			at, inside := w.Of(strain), 0.0
			for range 10000 {
				if x := math.Exp(draw(release, strain)); x >= at.Low && x <= at.High {
					inside += 1e-4
				}
			}
			if inside < 0.8 {
				t.Errorf("of the %s release %.2f are inside at a strain of %v", release, inside, strain)
			}
		}
	}
}

// What spreads grow with: of answers of 8192 tokens with prefill apart ln 8192/1024 = ln 8, of 512 sequences of a
// list ln 512/64 = ln 8, and nothing of shorter ones; of others the share of prompts. First tokens of which more than
// half is the wait for a place in the cache are of a regime of their own.
func TestStrain(t *testing.T) {
	a := answer{Latency: serving.Latency{TTFT: 1, Admitted: 512, Decode: 0.75, TPOT: 1,
		First: serving.First{Queue: 0.6}}}
	apart := setting{apart: true, load: serving.Load{Out: 8192}}
	for what, c := range map[string][2]float64{
		"long answers":  {apart.strain("first", a), math.Log(8)},
		"short ones":    {(&setting{apart: true, load: serving.Load{Out: 128}}).strain("first", a), 0},
		"tokens apart":  {apart.strain("token", a), 0.25},
		"a list":        {(&setting{kind: offline}).strain("rate", a), math.Log(8)},
		"a closed loop": {(&setting{}).strain("first", a), 0.25},
	} {
		if math.Abs(c[0]-c[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", what, c[0], c[1])
		}
	}
	waits := (&setting{}).wait("together", "first", a)
	a.First.Queue = 0.4
	if other := (&setting{}).wait("together", "first", a); waits != "together, waiting" || other != "together" {
		t.Errorf("%q where most is waiting, %q where less is", waits, other)
	}
}

// An error lies in an interval from 0 to 2 at -1, 0 and 1; ends at -1.5 and 2 are -0.5 and 3.
func TestEndsAreMoved(t *testing.T) {
	w := width{0, 2}
	for off, at := range map[float64]float64{0: -1, 1: 0, 2: 1, 5: 4} {
		if got := w.position(off); math.Abs(got-at) > 1e-12 {
			t.Errorf("%v lies at %v, want %v", off, got, at)
		}
	}
	if got := w.moved(width{-1.5, 2}); got != (width{-0.5, 3}) {
		t.Errorf("%+v", got)
	}
	if got := cost(w, 2.5); math.Abs(got-12) > 1e-12 { // 2 wide, and 20 times the half beyond
		t.Errorf("the cost is %v", got)
	}
}

// Four configurations of three rows, one of which has none inside. Off by 0.3 each, and 2.7: squares 0.09 3 + 7.29 =
// 7.56; rows by themselves 9 0.01 + 3 0.81 = 2.52; so 5.04 over 24 pairs, over 0.09: above 1, as chance can have it.
func TestRowsOfAConfigurationAreAlike(t *testing.T) {
	configs := []insides{{3, 3}, {3, 3}, {3, 3}, {3, 0}}
	if got, want := alike(configs), 5.04/24/0.09; math.Abs(got-want) > 1e-9 {
		t.Errorf("alike %v, want %v", got, want)
	}
	// 12 rows: sqrt(0.09 (12 + 0.5 24))/12
	if got, want := unsure(configs, 0.5), math.Sqrt(0.09*24)/12; math.Abs(got-want) > 1e-12 {
		t.Errorf("unsure %v, want %v", got, want)
	}
}

// The tables of widths are those that all rows give today, and no part of the constants without it.
func TestServingSpreadsAreOfToday(t *testing.T) {
	planned, other := SplitSpreads(SpreadsOf(served(t)))
	if planned != serving.Shipped() || other != serving.SpreadTable(otherSpreads) {
		t.Error("the widths changed: go run ./app/measured/fit/serving -spreads -write")
	}
	all := readFolds(foldConstants)
	for fold, of := range all {
		for _, engine := range []string{"all", "vllm", "sglang", "trtllm"} {
			k, shipped := of[engine], serving.Fitted(engine)
			if k == shipped || !(k.Weights > 0.5*shipped.Weights && k.Weights < 1) {
				t.Errorf("part %d, %s: %+v", fold, engine, k)
			}
		}
	}
}

// What was asked of intervals, on the rows kept aside, each against widths that its configuration had no part in: nine
// in ten inside, by three in a hundred, and none wider than 1.3 times what nine in ten need, where there are more than
// 30 rows. A configuration's rows are alike, so that few configurations can't tell three in a hundred: there it is
// twice the standard error by configurations, which the tables have. Where a limit is named here, it is missed, and the
// page says why: whatever workers and guesses decide that a row doesn't tell.
func TestIntervalsReachTheirTargets(t *testing.T) {
	wider := map[string]float64{ofSeveral + "|rate": 1.39, ofSeveral + "|first": 1.41, unstatedWorkers + "|first": 1.69}
	for _, h := range servingHeld().Validate(ByRegime) {
		if h.Fitted || h.Rows <= 30 {
			continue
		}
		name, limit := h.Group+"|"+h.Quantity, 1.3
		if missed, is := wider[name]; is {
			limit = missed
		}
		if off := math.Abs(h.Covered - promised); off > max(0.035, 2*h.Unsure) || h.Width > limit*h.Needs {
			t.Errorf("%s: %.1f %% are inside, %.1f %% unsure, %.2f times from low to high, where %.2f would do", name,
				100*h.Covered, 100*h.Unsure, h.Width, h.Needs)
		}
		if h.Group == "together" && math.Abs(h.Covered-promised) > 0.03 {
			t.Errorf("%s: %.1f %% are inside", name, 100*h.Covered)
		}
	}
	// Missed: a nightly build, of one configuration, that all predictions miss.
	missed := map[string]bool{"together | qwen3_5.397b_a17b | gpu.h200 | vllm|first": true,
		"together | qwen3_5.397b_a17b | gpu.h200 | vllm|rate":  true,
		"together | qwen3_5.397b_a17b | gpu.h200 | vllm|token": true}
	all, narrow := map[bool]int{}, map[bool]int{} // of first tokens, and of all else
	for _, h := range servingHeld().Validate(ByFamily) {
		if h.Fitted || h.Rows <= 30 {
			continue
		}
		all[h.Quantity == "first"]++
		if strings.HasPrefix(h.Group, "together") && h.Width > 2*h.Needs {
			t.Errorf("%s, %s: %.2f times from low to high, where %.2f would do", h.Group, h.Quantity, h.Width, h.Needs)
		}
		if h.Width <= 1.3*h.Needs {
			narrow[h.Quantity == "first"]++
		}
		if out := h.Covered < promised-max(0.03, 2*h.Unsure); out != missed[h.Group+"|"+h.Quantity] {
			t.Errorf("%s, %s: %.1f %% are inside, %.1f %% unsure", h.Group, h.Quantity, 100*h.Covered, 100*h.Unsure)
		}
	}
	// Missed: where a family is narrow by itself, others that it borrows from make it wider, first tokens above all.
	if all[false] < 30 || narrow[false] < all[false]*3/5 || narrow[true] < all[true]/4 {
		t.Errorf("%v of %v families of model, chip and engine are no wider than 1.3 times what they need", narrow, all)
	}
}

// Of all rows of closed loops, each estimated with constants and held against widths that its configuration had no part
// in, nine in ten are inside, by two in a hundred, also of those steps of which prompts take much.
func TestIntervalsHoldWhatIsUnseen(t *testing.T) {
	held := servingHeld()
	type share struct{ inside, rows float64 }
	of := map[string]share{}
	for _, u := range held.unseen {
		if u.setting.regime() != "together" {
			continue
		}
		for q, x := range u.slower {
			low, high := u.interval(q, u.k, held.widths[u.fold])
			names := []string{q}
			if u.a.prompting() > 0.324 { // a fifth of all
				names = append(names, q+" beside many prompts")
			}
			for _, name := range names {
				s := of[name]
				if s.rows++; math.Exp(x) >= low && math.Exp(x) <= high {
					s.inside++
				}
				of[name] = s
			}
		}
	}
	for name, s := range of {
		least := 0.87
		if name == "first beside many prompts" {
			least = 0.75 // missed: prompts of others wait in ways that no share tells
		}
		if x := s.inside / s.rows; s.rows < 400 || x < least || x > 0.93 {
			t.Errorf("%s: %.3f of %v rows are inside", name, x, s.rows)
		}
	}
}
