package library_test

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/measured/rows"
	"github.com/scalebook/scalebook/app/sheet"
)

// servedPlans is a search over plans of serving.
const servedPlans = "plans = serving_plans(llama3.70b, gpu.h100, 8, 1024, 1024, 0, fp8, fp8, bf16, \"vllm\", on, 2 " +
	"s, 50 ms)\n"

// The measurements that the planner's figure shows are those of the tables.
func TestServingMeasuredAreTheRows(t *testing.T) {
	var samples []measured.Sample
	for _, table := range rows.Serving() {
		samples = append(samples, measured.ReadSamples(table)...)
	}
	cases, _ := measured.Cases(samples)
	golden.Check(t, "serving_measured.tsv", measured.ServingPoints(cases))
}

// Input that makes no sense gets a sentence that says what would.
func TestServingRefusesWithRemedies(t *testing.T) {
	for call, want := range map[string]string{
		`serving_plans(llama3.70b, gpu.h100, 0, 1024, 1024, 0, fp8, fp8, bf16, "vllm", on, 0 s, 0 s)`: "give a whole " +
			"number of chips from 1 to 4096",
		`serving_plans(llama3.70b, gpu.h100, 8, 1e12, 1024, 0, fp8, fp8, bf16, "vllm", on, 0 s, 0 s)`: "give 1 to " +
			"100 million tokens",
		`serving_plans(llama3.70b, gpu.h100, 8, 1024, 1024, 2, fp8, fp8, bf16, "vllm", on, 0 s, 0 s)`: "give a share " +
			"from 0 to 1",
		`serving_plans(llama3.70b, gpu.h100, 8, 1024, 1024, 0, fp8, fp8, bf16, "gllm", on, 0 s, 0 s)`: "write one of " +
			"vllm",
		`serving_plans(llama3.405b, gpu.h100, 2, 1024, 1024, 0, bf16, bf16, bf16, "vllm", on, 0 s, 0 s)`:   "give more chips",
		`serving_plans(llama3.70b, gpu.h100, 8, 1024, 1024, 0, fp8, fp8, bf16, "vllm", on, -1 s, 0 s)`:     "or 0 s for none",
		`serving_plans(llama3.70b, original.h100, 8, 1024, 1024, 0, fp8, fp8, bf16, "vllm", on, 0 s, 0 s)`: "",
		`serving_smallest(llama3.405b, gpu.h100, 2, 1024, 1024, 0, bf16, bf16, bf16, "vllm")`:              "give more chips",
		`serving_fleet("2 many 3", 1 hour, 2 request/s, 8)`: "write " +
			"numbers with spaces",
		`serving_fleet("", 1 hour, 2 request/s, 8)`: "write 1 to " +
			"10000 rates",
	} {
		s, errs := sheet.Compile("x = "+call, library.New())
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if _, err := s.Eval(nil).Value("x"); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// A search in steps, as a browser does it, ends where one at once does, and keeps the records of plans it has shown.
func TestServingSearchInSteps(t *testing.T) {
	env := library.New()
	s, errs := sheet.Compile(servedPlans, env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want, err := s.Eval(nil).Value("plans")
	if err != nil {
		t.Fatal(err)
	}
	w := &sheet.Tasks{}
	view := s.With(w)
	if _, err := view.Eval(nil).Value("plans"); err == nil || !strings.Contains(err.Error(), "wait") {
		t.Errorf("before the search begins: %v", err)
	}
	for w.Step() {
	}
	got, err := view.Eval(nil).Value("plans")
	if err != nil || !got.Equal(want) {
		t.Errorf("in steps %v, %v; at once %v", got, err, want)
	}
	if again, _ := view.Eval(nil).Value("plans"); !again.Same(got) {
		t.Error("the same plans are other records")
	}
}

// Where requests come at a rate, the answer begins with the replicas that it takes and with their chips, as many times
// those of the plan; without one it begins with the plan.
func TestAnswerForARate(t *testing.T) {
	text := func(row string) string {
		source := servedPlans + "let plan = first of plans\nchips = plan.chips\nrow = " + row + "\n"
		s, errs := sheet.Compile(source, library.New())
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		x, err := s.Eval(nil).Value("row")
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(x.String(), "\u202f", " ")
	}
	plan := text("serving_answer(plans, plan, 2 USD/hour)")
	for arguments, begins := range map[string]string{
		"30 request/s, 3": "3 replicas of the plan below keep the limits at 30 requests/s: " + text("3 * chips") + ". ",
		"30 request/s, 1": "One replica of the plan below keeps the limits at 30 requests/s: " + text("chips") + ". ",
		"30 request/s, 0": "",
	} {
		if got := text("serving_answer(plans, plan, 2 USD/hour, " + arguments + ")"); got != begins+plan {
			t.Errorf("%s: %q, want %q", arguments, got, begins+plan)
		}
	}
}
