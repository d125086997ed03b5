package library

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/input"
)

// worked is what a sheet comes to once its long work is done.
func worked(t *testing.T, src string) *sheet.Result {
	t.Helper()
	s, errs := sheet.Compile(src, New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	work := &sheet.Tasks{}
	r := s.With(work).Eval(nil)
	for work.Step() {
		r = s.With(work).Eval(nil)
	}
	return r
}

// TestSearchOfNothing has an answer at once where chips can't be divided at all, also when it is done in steps.
func TestSearchOfNothing(t *testing.T) {
	r := worked(t, `job = training_job(llama3.70b, gpu.h100, 513 chip, 4194304 token, 8192 token, bf16,
  usual_software(gpu.h100))
search = training_search(job, off, 0, 0)
plans = count(training_plans(search))
`)
	if x, err := r.Value("plans"); err != nil || x.Num.Value != 0 {
		t.Errorf("plans: %v, %v", x, err)
	}
}

// A search answers in a sentence, whatever it found.
func TestSearchAnswers(t *testing.T) {
	for chips, want := range map[string][]string{
		"8": {"8 chips of H100 SXM 80 GB train Llama 3.1 8B fastest with dp=", ": a step takes ", "at an MFU of ",
			"%. Its fullest chip holds ", " of 84.5 GB (from ", "at $2.95/hour a chip. Of the other plans listed, "},
		"1": {"No plan lets one H100 SXM 80 GB train Llama 3.1 8B: ", "; take at least "},
	} {
		r := worked(t, "job = training_job(llama3.8b, gpu.h100, "+chips+` chip, 65536 token, 8192 token, bf16,
  usual_software(gpu.h100))
search = training_search(job, off, 0, 0)
answer = search.answer
`)
		x, err := r.Value("answer")
		if err != nil {
			t.Fatalf("%s chips: %v", chips, err)
		}
		for _, part := range want {
			if !strings.Contains(x.String(), part) {
				t.Errorf("%s chips: %q lacks %q", chips, x, part)
			}
		}
	}
}

// TestSearchAnswersItsCost: what a million tokens cost is chips times their price times the step, over the batch, also
// when the state of the job was chosen.
func TestSearchAnswersItsCost(t *testing.T) {
	r := worked(t, `job = training_job(llama3.8b, gpu.h100, 8 chip, 65536 token, 8192 token, bf16,
  usual_software(gpu.h100))
search = training_search(job_with(job, "", ""), off, 0, 0)
step = search.step
answer = search.answer
`)
	step, err := r.Value("step")
	answer, err2 := r.Value("answer")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	const price = 2.95 // dollars an hour, the median of the market, as the catalog has it
	want := fmt.Sprintf("A million tokens cost $%.3g, at $2.95/hour a chip.", 8*price/3600*step.Num.Value/65536*1e6)
	if !strings.Contains(answer.String(), want) {
		t.Errorf("%q lacks %q", answer, want)
	}
}

// TestPlanSplit: a plan of FSDP and tensor parallelism alone is held to the best split; of others it is said why not.
func TestPlanSplit(t *testing.T) {
	for _, c := range []struct{ model, chip, N, B, plan, want string }{
		{"llama3.70b", "tpu.v5p", "512", "4194304", "dp=128 tp=4 zero=3",
			"has 128 by 4: its collectives take 2.47 times"},
		{"llama3.70b", "tpu.v5p", "512", "4194304", "dp=512 zero=3", "times as long, and computing still hides them"},
		{"llama3.8b", "tpu.v5p", "8192", "4194304", "dp=512 tp=16 zero=3", "which hides those of the optimum"},
		{"llama3.8b", "tpu.v5p", "4096", "524288", "dp=64 cp=8 tp=8 zero=3", "computing hides neither"},
		{"llama3.70b", "gpu.h100", "512", "4194304", "dp=512 zero=3", "these chips are joined by switches"},
		{"mixtral.8x7b", "tpu.v5p", "64", "4194304", "dp=64 zero=3", "this one has experts"},
		{"llama3.70b", "tpu.v5p", "64", "4194304", "dp=8 pp=8 zero=1", "this plan has pipeline stages"},
		{"llama3.70b", "tpu.v5p", "64", "4194304", "dp=8 tp=8 zero=1", "keeps weights whole"},
		{"llama3.8b", "tpu.v5p", "1", "4194304", "dp=1", "one chip has nothing to split"},
		{"llama3.8b", "tpu.v5e", "512", "4194304", "dp=512 zero=3", "these chips are in 2 pods"},
	} {
		s, errs := sheet.Compile(`job = training_job(`+c.model+`, `+c.chip+`, `+c.N+` chip, `+c.B+
			` token, 8192 token, bf16,
  usual_software(`+c.chip+`))
plan = training_plan(job, "`+c.plan+`", "")
split = plan_split(plan)
X = mixed_best(`+c.B+`, `+c.N+`, `+c.model+`.ff_width, split.bandwidth_fsdp, split.bandwidth_tp, 3)
best = mixed_time(X, `+c.N+`, `+c.B+`, `+c.model+`.width, `+c.model+`.ff_width, split.bandwidth_fsdp,
  split.bandwidth_tp, 3)
own = mixed_time(split.ways, `+c.N+`, `+c.B+`, `+c.model+`.width,
   `+c.model+`.ff_width, split.bandwidth_fsdp, split.bandwidth_tp, 3)
math = 6 FLOP * `+c.B+` * `+c.model+`.width * `+c.model+`.ff_width / (`+c.N+` * `+c.chip+`.flops(bf16))
says = if(split.why = "", split_verdict(split, X, best, own, math), split.why)
`, New())
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if v, err := s.Eval(nil).Value("says"); err != nil || !strings.Contains(v.Text, c.want) {
			t.Errorf("%s on %s %s, %s: %q, %v; want %q", c.model, c.N, c.chip, c.plan, v.Text, err, c.want)
		}
	}
}

// randomGroup is a torus, a switch, some ranks of a tree, or slices.
func randomGroup(r *rand.Rand) network.Group {
	size := func(most int) int { return 1 + r.IntN(most) }
	speed := func() quantity.Bandwidth { return quantity.Bandwidth(1e9 * float64(size(400))) }
	var t network.Torus
	for range size(3) {
		t.Axes = append(t.Axes, network.Axis{Size: size(6), Wrap: r.IntN(2) == 0, OneWay: speed()})
	}
	switch r.IntN(4) {
	case 0:
		return network.Switch{Devices: size(20), Egress: speed(), Reduces: r.IntN(2) == 0, Direct: r.IntN(2) == 0}
	case 1:
		tree := network.Tree{Levels: []network.Level{
			{Name: "node", Degree: size(8), Egress: speed(), Reduces: r.IntN(2) == 0},
			{Name: "leaf", Degree: size(5), Egress: speed(), Reduces: r.IntN(2) == 0},
		}}
		return network.Ranks{Tree: tree, Members: size(tree.Size()), Stride: size(3)}
	case 2:
		return network.Slices{Slice: t, Slices: size(4), DCN: speed(), Serial: r.IntN(2) == 0}
	}
	return t
}

// TestTermsAreTheirFormulas: the time of each term of a cost is what its formula makes of its values.
func TestTermsAreTheirFormulas(t *testing.T) {
	r, compared := rand.New(rand.NewPCG(11, 12)), map[network.Op]int{}
	tries := 6000
	if testing.Short() {
		tries /= 4
	}
	for range tries {
		c := network.Collective{Op: network.Op(r.IntN(7)), Bytes: quantity.Bytes(r.IntN(1 << 30)), Shift: r.IntN(9) - 4}
		c.OneWay = r.IntN(3) == 0
		if r.IntN(2) == 0 {
			c.Active = float64(1 + r.IntN(8))
		}
		g := randomGroup(r)
		cost, err := c.Over(g)
		if err != nil {
			continue
		}
		for _, s := range cost.Stages {
			for _, term := range s.Terms {
				compared[c.Op]++
				workedOut(t, c, g, term)
			}
		}
	}
	for op := network.AllGather; op <= network.Permute; op++ {
		if compared[op] < tries/30 {
			t.Errorf("%v: %d terms", op, compared[op])
		}
	}
}

func workedOut(t *testing.T, c network.Collective, g network.Group, term network.Term) {
	t.Helper()
	var values []explain.Named
	for _, v := range law.Used(term.Formula, term.Values) {
		values = append(values, explain.Named{Name: v.Name, Value: quantityValue(v.Num)})
	}
	w, err := explain.Work(term.Formula, values, nil, explain.Plain)
	got, want := w.Value.Num, term.Time.Quantity()
	if err != nil || got.Dim != want.Dim || math.Abs(got.Value-want.Value) > 1e-12*math.Abs(want.Value) {
		t.Fatalf(
			"%+v over %v, %s: %s of %v is %v, %v; it takes %v",
			c,
			g,
			term.Resource,
			term.Formula,
			term.Values,
			got,
			err,
			want,
		)
	}
}

// softwareSheet estimates a plan and searches for the best.
const softwareSheet = `let software = usual_software(gpu.h100) of training_softwares()
job = training_job(llama3.8b, gpu.h100, 64 chip, 1048576 token, 8192 token, bf16, software)
plan = training_plan(job, "dp=64 zero=3", "")
hidden x = plan_terms(plan)
step = plan.step
exposed = plan.exposed
shown = x.shown_dp
best = (first of training_plans(training_search(job, off, 0, 0))).step
name = software.name
`

// TestSoftwareConstants: what a reader changes of a software is what plans are estimated by, and no other software's.
func TestSoftwareConstants(t *testing.T) {
	s, errs := sheet.Compile(softwareSheet, New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	num := func(st input.State, name string) float64 {
		t.Helper()
		v, err := s.Eval(st).Value(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return v.Num.Value
	}
	st, err := s.Set(nil, "megatron__show_dp", "0")
	if err != nil {
		t.Fatal(err)
	}
	if changed := s.Changed(st); len(changed) != 1 || changed[0].Constant.Name != "show_dp" {
		t.Error("changed is", changed)
	}
	if num(nil, "exposed") <= 0 || num(st, "exposed") != 0 || num(st, "shown") != 0 {
		t.Error("of DP traffic shows", num(nil, "exposed"), "s, and if all is hidden", num(st, "exposed"), "s")
	}
	if less := num(nil, "step") - num(nil, "exposed"); num(st, "step") != less {
		t.Error("a step without DP traffic takes", num(st, "step"), "s, not", less, "s")
	}
	if num(st, "best") >= num(nil, "best") {
		t.Error("the best plan takes no less without DP traffic", num(st, "best"), num(nil, "best"))
	}
	if other, err := s.Set(nil, "xla__show_dp", "0"); err != nil || num(other, "step") != num(nil, "step") {
		t.Error("another software’s constant is not another’s", err)
	}
	if back := s.Without(st, "megatron__show_dp"); len(s.Changed(back)) != 0 || num(back, "step") != num(nil, "step") {
		t.Error("a constant that was taken back stays")
	}
	if half, err := s.Set(st, "megatron__show_dp", "50 %"); err != nil || num(half, "shown") != 0.5 {
		t.Error("half of it:", num(half, "shown"), err)
	}
}

// TestSoftwareConstantsRefused: what can't be is refused with what could be.
func TestSoftwareConstantsRefused(t *testing.T) {
	s, errs := sheet.Compile(softwareSheet, New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, c := range []struct{ key, text, want string }{
		{"megatron__show_dp", "110", "110 % is out of range; give 0 to 100 %"},
		{"megatron__show_dp", "-1%", "−1 % is out of range; give 0 to 100 %"},
		{"megatron__attention", "0", "0 % is out of range; give 1 to 100 %"},
		{"megatron__residual", "3 s", "this is a time; give data, such as 16 GiB"},
		{"megatron__show_dp", "0.5 GB", "this is an amount of data; give a plain number, such as 80 %"},
	} {
		if _, err := s.Set(nil, c.key, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%s of %s: %v; want %s", c.text, c.key, err, c.want)
		}
	}
	for _, key := range []string{"megatron__nothing", "megatron__ring_step", "every__show_dp", "vllm__show_dp"} {
		if _, err := s.Set(nil, key, "1"); err == nil {
			t.Error(key, "is taken")
		}
	}
}
