package training

import (
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// every calls yield with every combination of the space's values, legal or not: no rule of the search is used.
func every(p *Estimator, s *Space, yield func(Plan)) {
	for _, pp := range s.PP {
		for _, tp := range s.TP {
			for _, cp := range s.CP {
				for _, ep := range s.EP {
					for _, micro := range s.Micro {
						for _, schedule := range s.Schedules {
							for _, virtual := range s.Virtual {
								if virtual > 1 && schedule != OneFOneB {
									continue
								}
								for _, zero := range s.Zero {
									for _, r := range s.Recompute {
										plan := Plan{DP: int(p.devices) / (pp * tp * cp), TP: tp, PP: pp, CP: cp,
											EP: ep, ETP: 1, Micro: micro,
											Virtual: virtual, Schedule: schedule, Zero: zero, Recompute: r}
										yield(plan)
										if plan.Last = p.lighter(s, &plan); plan.Last > 0 {
											yield(plan)
										}
									}
								}
							}
						}
					}
				}
			}
		}
	}
}

// brute estimates every legal plan and keeps the best that the software can run, and of the others the best if it is no
// worse; and counts.
func brute(p *Estimator, s *Space, by Objective) (best, lacking Estimate, legal int) {
	capacity := AfterContext(p.job.Device.Memory)
	score := func(estimate *Estimate) float64 {
		if by == ByMemory {
			return estimate.Memory.Total()
		}
		return estimate.Time.Step()
	}
	found, others := false, false
	every(p, s, func(plan Plan) {
		if plan.PP == 1 && (plan.Virtual > 1 || plan.Schedule == GPipe) || p.Legal(plan) != nil {
			return
		}
		legal++
		estimate := p.Estimate(plan)
		if estimate.Memory.Total() > capacity {
			return
		}
		switch can := p.Lacks(&estimate.Plan) == ""; {
		case can && (!found || score(&estimate) < score(&best)):
			best, found = estimate, true
		case !can && (!others || score(&estimate) < score(&lacking)):
			lacking, others = estimate, true
		}
	})
	if found && others && score(&lacking) > score(&best) {
		lacking = Estimate{}
	}
	return best, lacking, legal
}

// The search finds what estimating every plan finds, and estimates every legal plan when it doesn't cut.
func TestSearchIsExact(t *testing.T) {
	for _, c := range []struct {
		model, device, stack     string
		devices, batch, sequence int
	}{
		{"llama3.8b", "gpu.h100", "megatron", 16, 32, 8192},
		{"llama3.70b", "gpu.h100", "megatron", 64, 128, 4096},
		{"mixtral.8x7b", "gpu.b200", "megatron", 32, 64, 4096},
		{"llama2.7b", "gpu.h100", "nanotron", 32, 64, 4096},
		{"llama3.8b", "tpu.v5p", "xla", 64, 128, 8192},
		{"deepseek.v2_lite", "gpu.a100", "fsdp", 16, 96, 4096},
		{"gemma3.12b", "gpu.mi300x", "megatron", 24, 48, 4096},
	} {
		p := NewEstimator(newJob(t, c.model, c.device, c.stack, c.devices, c.batch, c.sequence))
		s := p.Usual()
		for _, by := range []Objective{ByTime, ByMemory} {
			want, lacking, legal := brute(p, &s, by)
			all := p.Find(Search{Space: s, Objective: by, Exhaust: true})
			if all.Estimated != legal {
				t.Errorf("%s: %d plans priced without bounds, %d are legal", c.model, all.Estimated, legal)
			}
			got := p.Find(Search{Space: s, Objective: by})
			if len(got.Best) != 1 || got.Best[0].Time != want.Time || got.Best[0].Memory != want.Memory {
				t.Errorf("%s, objective %d: found %+v, want %+v", c.model, by, got.Best, want.Plan)
			}
			lacks := lacking.Plan.DP > 0
			if lacks != (len(got.Lacking) == 1) || lacks && got.Lacking[0].Time != lacking.Time {
				t.Errorf("%s, objective %d: found %+v that the software lacks, want %+v", c.model, by, got.Lacking,
					lacking.Plan)
			}
		}
	}
}

// No plan is cheaper than the bound of its division, in time or in memory.
func TestBoundsHold(t *testing.T) {
	for _, c := range []struct{ model, device, stack string }{
		{"llama3.8b", "gpu.h100", "megatron"}, {"mixtral.8x7b", "gpu.h100", "nanotron"}, {"deepseek.v3", "gpu.gb200",
			"megatron"},
		{"gpt_oss.20b", "tpu.v6e", "xla"}, {"llama2.7b", "gpu.a100", "fsdp"},
	} {
		j := newJob(t, c.model, c.device, c.stack, 64, 128, 4096)
		for _, j.Frozen = range []bool{false, true} {
			p := NewEstimator(j)
			s := p.Whole()
			s.Micro, s.TP, s.CP, s.Virtual = []int{1, 4}, []int{1, 8}, []int{1, 4}, []int{1, 2}
			p.eachDivision(&s, func(tr degrees) bool {
				b := p.bound(tr)
				p.eachPlan(&s, tr, func(plan Plan, _ change) {
					estimate := p.Estimate(plan)
					if estimate.Time.Step() < b.seconds || estimate.Memory.Total() < b.bytes {
						t.Fatalf("%s: %+v takes %v s and %v bytes, below the bound %+v", c.model, plan,
							estimate.Time.Step(), estimate.Memory.Total(), b)
					}
				})
				return true
			})
		}
	}
}

// The parts of a search find together what the whole does.
func TestPartsOfASearch(t *testing.T) {
	p := NewEstimator(newJob(t, "llama3.8b", "gpu.h100", "megatron", 32, 64, 8192))
	whole := p.Find(Search{Space: p.Usual()}).Best[0]
	best := Estimate{}
	for part := range 5 {
		for _, b := range p.Find(Search{Space: p.Usual(), Part: part, Parts: 5}).Best {
			if best.Plan.DP == 0 || b.Time.Step() < best.Time.Step() {
				best = b
			}
		}
	}
	if best.Time != whole.Time {
		t.Errorf("the parts find %v s, the whole %v s", best.Time.Step(), whole.Time.Step())
	}
}

// The best come in order, and a plan that wasn't chosen has a reason with a number.
func TestWhy(t *testing.T) {
	p := NewEstimator(newJob(t, "llama3.70b", "gpu.h100", "megatron", 64, 128, 8192))
	found := p.Find(Search{Space: p.Usual(), Top: 10})
	for i := range found.Best {
		if lacks := p.Lacks(&found.Best[i].Plan); lacks != "" {
			t.Errorf("%v is ranked, and the software lacks %s", found.Best[i].Plan, lacks)
		}
	}
	for i := range found.Lacking {
		last := &found.Best[len(found.Best)-1].Time
		if estimate := &found.Lacking[i]; p.Lacks(&estimate.Plan) == "" || estimate.Time.Step() > last.Step() {
			t.Errorf("%v stands among those that the software lacks", estimate.Plan)
		}
	}
	for i := 1; i < len(found.Best); i++ {
		if found.Best[i].Time.Step() < found.Best[i-1].Time.Step() {
			t.Error("the best are out of order")
		}
	}
	for want, plan := range map[string]Plan{
		"not 64 devices":         {DP: 16, TP: 8},
		"doesn’t divide a batch": {DP: 4, TP: 16, Micro: 3},
		"GB too much":            {DP: 64, Zero: 1},
		"slower than the best":   {DP: 2, TP: 8, PP: 4, Zero: 1, Recompute: RecomputeBlock},
		"no experts":             {DP: 8, TP: 8, EP: 2},
		"recompute=block it":     {DP: 64, Zero: 3, Micro: 2},
	} {
		if why := p.Why(plan, &found.Best[0]); !strings.Contains(why.Error(), want) {
			t.Errorf("%+v: %q, want %q", plan, why, want)
		}
		if why := p.Why(plan, &found.Best[0]).Error(); want != "slower than the best" && !strings.Contains(why, "; ") {
			t.Errorf("%+v: %q says nothing to change", plan, why)
		}
	}
}

// Estimating is fast: DESIGN asks for 300,000 plans a second.
func BenchmarkPrice(b *testing.B) {
	p := NewEstimator(newJob(b, "deepseek.v3", "gpu.h100", "megatron", 2048, 15360, 4096))
	plan := Plan{DP: 128, TP: 1, PP: 16, EP: 64, Zero: 1, Micro: 1, Schedule: ZBH1}
	for b.Loop() {
		p.Estimate(plan)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plans/s")
}

// A search through all plans of 16,384 chips, its bounds at work.
func BenchmarkSearch(b *testing.B) {
	p := NewEstimator(newJob(b, "deepseek.v3", "gpu.h100", "megatron", 16384, 16384, 4096))
	s := p.Usual()
	priced := 0
	for b.Loop() {
		priced += p.Find(Search{Space: s, Top: 20}).Estimated
	}
	b.ReportMetric(float64(priced)/b.Elapsed().Seconds(), "plans/s")
	b.ReportMetric(float64(priced)/float64(b.N), "plans")
}

// Of plans that don't fit the one that is named lacks least of all, whichever part is its largest.
func TestNothingNamesTheNearest(t *testing.T) {
	p := NewEstimator(newJob(t, "llama3.70b", "gpu.h100", "megatron", 15, 512, 8192))
	search := Search{Space: p.Usual()}
	found := p.Find(search)
	if len(found.Best) > 0 || len(found.Reasons) < 2 {
		t.Fatalf("%d plans fit, %d reasons", len(found.Best), len(found.Reasons))
	}
	why := p.ExplainNoPlan(&search, &found).Error()
	for _, r := range found.Reasons {
		if r.Excess < found.nearest().Excess {
			t.Errorf("%v lacks less than the nearest", r.Nearest.Plan)
		}
	}
	if want := gigabytes(found.nearest().Excess); !strings.Contains(why, want) {
		t.Errorf("%q, want %s", why, want)
	}
}

// sharing are searches that can be shared: for experts, for a dense model with every schedule, and where nothing fits.
func sharing(t *testing.T) map[string]func() *SearchState {
	hunts := map[string]func() *SearchState{}
	for name, c := range map[string]struct {
		model            string
		devices          int
		whole, exhausted bool
		by               Objective
	}{
		"experts":       {model: "mixtral.8x7b", devices: 64},
		"every plan":    {model: "llama3.8b", devices: 16, whole: true},
		"without bound": {model: "llama3.8b", devices: 16, exhausted: true},
		"by memory":     {model: "llama3.8b", devices: 32, by: ByMemory},
		"nothing fits":  {model: "llama3.70b", devices: 4},
	} {
		p := NewEstimator(newJob(t, c.model, "gpu.h100", "megatron", c.devices, 128, 4096))
		s := Search{Space: p.Usual(), Top: 20, Exhaust: c.exhausted, Objective: c.by}
		if c.whole {
			s.Space = p.Whole()
			s.Space.Micro = s.Space.Micro[:2]
		}
		hunts[name] = func() *SearchState { return p.BeginSearch(s) }
	}
	return hunts
}

// A shared search finds what one alone does, whoever does which piece in which order, and whatever is lost on the way.
func TestSharedSearch(t *testing.T) {
	for name, begin := range sharing(t) {
		alone := begin()
		for alone.Step() {
		}
		want := alone.Found()
		for seed := range uint64(6) {
			random := rand.New(rand.NewPCG(seed, 1))
			h, helpers, lent := begin(), []*SearchState{begin(), begin()}, []string{}
			for h.Done() < 1 {
				switch random.IntN(6) {
				case 0:
					h.Step()
				case 1, 2:
					if piece := h.LendChunk(); piece != "" {
						lent = append(lent, piece)
					}
				case 3, 4, 5:
					if len(lent) == 0 {
						continue
					}
					i := random.IntN(len(lent))
					piece := lent[i]
					lent = slices.Delete(lent, i, i+1)
					if random.IntN(4) == 0 {
						h.Back(piece)
					} else if found := helpers[random.IntN(2)].Do(piece); !h.Take(piece, found) {
						t.Fatalf("%s: can't read\n%s", name, found)
					}
				}
			}
			if got := h.Found(); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, seed %d: the shared search found %d plans, %d of %d refused, %d of %d divisions "+
					"cut; alone "+
					"%d, %d of %d, %d of %d", name, seed, len(got.Best), got.Refused, got.Estimated, got.Cut,
					got.Divisions, len(want.Best), want.Refused, want.Estimated, want.Cut, want.Divisions)
			}
		}
	}
}

// TestPlaysAreReportedOnce: who takes what others found plays no pipeline that they played.
func TestPlaysAreReportedOnce(t *testing.T) {
	begin := sharing(t)["every plan"]
	h, helper := begin(), begin()
	for piece := h.LendChunk(); piece != ""; piece = h.LendChunk() {
		if !h.Take(piece, helper.Do(piece)) {
			t.Fatal("can't read what was found in", piece)
		}
	}
	if len(h.plays.critical) == 0 || len(h.plays.held) == 0 ||
		!reflect.DeepEqual(h.plays.critical, helper.plays.critical) {
		t.Errorf("%d pipelines are known, %d to who played them", len(h.plays.critical), len(helper.plays.critical))
	}
	if len(h.plays.unreported) > 0 {
		t.Errorf("%d pipelines were played again", len(h.plays.unreported))
	}
}

// Every plan that a search tries is the same after it went as text; where this is slow, one of 17.
func TestPlansTravelAsText(t *testing.T) {
	p := NewEstimator(newJob(t, "mixtral.8x7b", "gpu.h100", "megatron", 64, 128, 8192))
	s := p.Whole()
	s.Micro = []int{1, 4}
	tried := 0
	p.eachDivision(&s, func(tr degrees) bool {
		p.eachPlan(&s, tr, func(plan Plan, _ change) {
			if tried++; testing.Short() && tried%17 != 0 {
				return
			}
			want := plan.filled()
			got, err := ParsePlan(want.String(), 64)
			if err != nil || got.filled() != want {
				t.Fatalf("%s became %+v, %v; it was %+v", want, got.filled(), err, want)
			}
		})
		return true
	})
}

// What can't be read is refused and changes nothing.
func TestUnreadableShares(t *testing.T) {
	h := sharing(t)["experts"]()
	piece := h.LendChunk()
	good := h.Do(piece)
	before := h.Found()
	for _, bad := range []string{"", "x", "d", "d 0", "d a b c", "b dp=1", good + "b dp=3 tp=7\n", good + good,
		strings.Replace(good, "d 0", "d 99", 1), strings.Replace(good, "d 0", "d -1", 1), "n dp=1\n" + good,
		good + "r 1 x y\n", "p zb-h1 4 1 12\n" + good, "p zb-h1 4 1 12 1 2 3 4 5 NaN\n" + good, "f zb-h1 4 1 1\n" +
			good,
		"f zb-h9 4 1 12 1 1 1\n" + good, "p\n" + good} {
		if h.Take(piece, bad) {
			t.Errorf("it took %q", bad)
		}
	}
	if !reflect.DeepEqual(h.Found(), before) || h.lent != len(h.piece(piece)) {
		t.Error("what was refused changed the search")
	}
	for _, piece := range []string{"", "1", "x y z", "1 -1 99999999", "NaN 0"} {
		h.Do(piece)
	}
	h.Back(piece)
	if h.lent != 0 || !slices.Equal(h.piece(h.LendChunk()), h.piece(piece)) {
		t.Error("a piece that came back isn't given again")
	}
}

// TestOnlyWhatRunsIsRanked: what software can't run together stands below, and says so. Neither Megatron's FSDP nor
// DeepSpeed's ZeRO-2 and 3 have stages; PyTorch's FSDP and MaxText have; transformers has no stages at all.
func TestOnlyWhatRunsIsRanked(t *testing.T) {
	for _, c := range []struct {
		stack, plan, lacks string
	}{
		{"megatron", "pp=4 zero=1", ""}, {"megatron", "pp=1 zero=3", ""},
		{"megatron", "pp=4 zero=2", "pp=4 with zero=2"}, {"megatron", "pp=4 zero=3", "pp=4 with zero=3"},
		{"megatron-2026", "pp=4 zero=3", "pp=4 with zero=3"}, {"megatron-2022", "pp=4 zero=3", "zero=3"},
		{"deepspeed", "pp=4 zero=1", ""}, {"deepspeed", "pp=4 zero=3", "zero=3"},
		{"deepspeed-zero3", "pp=4 zero=3", "pp=4"}, {"deepspeed-zero3", "zero=3", ""}, {"nanotron", "pp=4 zero=1", ""},
		{"nanotron", "zero=3", "zero=3"}, {"fsdp", "pp=4 zero=2", ""}, {"fsdp", "pp=4 zero=3", ""},
		{"xla", "pp=4 zero=3 schedule=gpipe", ""}, {"transformers", "pp=4 zero=1", "pp=4"},
		{"transformers", "zero=3", ""}, {"hai-llm", "pp=4 zero=1", ""},
	} {
		p := NewEstimator(newJob(t, "llama3.70b", "gpu.h100", c.stack, 512, 512, 8192))
		plan, err := ParsePlan(c.plan, 512)
		if got := p.Lacks(&plan); err != nil || got != c.lacks {
			t.Errorf("%s lacks %q of %s, want %q; %v", c.stack, got, c.plan, c.lacks, err)
		}
	}
	p := NewEstimator(newJob(t, "llama3.70b", "gpu.h100", "megatron", 512, 512, 8192))
	found := p.Find(Search{Space: p.Usual(), Top: 10})
	for _, estimate := range found.Best {
		if plan := estimate.Plan; plan.PP > 1 && plan.Zero > 1 {
			t.Errorf("%v is ranked", plan)
		}
	}
	if len(found.Best) != 10 {
		t.Errorf("%d plans", len(found.Best))
	}
}

// TestEveryStackSaysWhatItRuns: each line of the table has its source, and each family of software each part of a plan.
func TestEveryStackSaysWhatItRuns(t *testing.T) {
	read := func(table string) map[string]string {
		lines := map[string]string{}
		for line := range strings.Lines(table) {
			if c := strings.Split(strings.TrimSpace(line), "\t"); len(c) == 3 {
				lines[c[0]+" "+c[1]] = c[2]
			}
		}
		return lines
	}
	text, err := os.ReadFile("support.sources.tsv")
	if err != nil {
		t.Fatal(err)
	}
	sources, runs := read(string(text)), read(supportTable)
	for line := range runs {
		if sources[line] == "" {
			t.Errorf("%s has no source", line)
		}
	}
	for line := range sources {
		if runs[line] == "" {
			t.Errorf("%s is a source of nothing", line)
		}
	}
	for _, name := range Stacks() {
		s, _ := StackNamed(name)
		for _, part := range []string{"schedule", "context", "zero", "staged", "recompute"} {
			if !slices.ContainsFunc(s.scopes(), func(scope string) bool { return runs[scope+" "+part] != "" }) {
				t.Errorf("nobody says which %s %s can run", part, name)
			}
		}
	}
}
