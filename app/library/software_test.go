package library

import (
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
)

// softwareSheet prices a plan and searches for the best.
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

// TestSoftwareConstants: what a reader changes of a software is what plans are priced by, and no other software's.
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
