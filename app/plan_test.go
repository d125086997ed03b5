package main

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// planned runs the verb plan, and reads the objects that it prints.
func planned(t *testing.T, args ...string) (plans []answer.Plan, said string) {
	t.Helper()
	var out, complaints bytes.Buffer
	if status := planTraining(args, streams{in: strings.NewReader(""), out: &out, err: &complaints}); status != ok {
		t.Fatalf("plan %v: %s", args, &complaints)
	}
	said = out.String()
	for line := range strings.Lines(said) {
		if !strings.HasPrefix(line, "{") {
			return nil, said
		}
		var p answer.Plan
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		plans = append(plans, p)
	}
	return plans, said
}

// What plan -json prints of a plan, -plan reads as the same plan: uneven stages, shards within nodes, kinds of context
// parallelism too. Those that the software can't run come last.
func TestPlansReadBack(t *testing.T) {
	for _, set := range [][]string{
		{"-model", "llama3.70b", "-chip", "h100", "-chips", "192", "-all"},
		{"-model", "deepseek.v3", "-chip", "h800", "-chips", "2048", "-batch", "62914560", "-sequence", "4096",
			"-dtype", "fp8"},
		{"-model", "llama3.405b", "-chip", "tpu.v5p", "-chips", "4096", "-sequence", "65536"},
		{"-model", "gemma3.12b", "-chip", "mi300x", "-chips", "48", "-software", "fsdp", "-all", "-batch", "1.2M"},
	} {
		plans, _ := planned(t, append(set, "-json", "-top", "6")...)
		lacks := false
		for _, p := range plans {
			again, _ := planned(t, append(set, "-json", "-plan", p.Plan)...)
			if len(again) != 1 || again[0].Step != p.Step || again[0].Plan != p.Plan || again[0].Memory != p.Memory {
				t.Errorf("%v: %s takes %v s, read again %v", set, p.Plan, p.Step, again)
			}
			if p.Lacks == "" && lacks {
				t.Errorf("%v: %s stands below plans that the software can't run", set, p.Plan)
			}
			lacks = lacks || p.Lacks != ""
			if p.MFU > 100 || p.Step[0] < p.Times["matmuls"]*(1-1e-9) {
				t.Errorf("%v: %s has an MFU of %v %%, from %v s, its matmuls take %v s", set, p.Plan, p.MFU, p.Step[0],
					p.Times["matmuls"])
			}
		}
		if len(plans) < 6 {
			t.Errorf("%v: %d plans", set, len(plans))
		}
	}
}

// What is typed of the state stands beside the plan, where -state takes it.
func TestStateReadsBack(t *testing.T) {
	set := []string{"-model", "llama3.8b", "-chip", "h100", "-chips", "8", "-json"}
	first, _ := planned(t, append(set, "-plan", "dp=8 zero=2 mtp=1 optimizer=lion moments=bf16 loss=fused")...)
	again, _ := planned(t, append(set, "-plan", first[0].Plan, "-state", first[0].State)...)
	bare, _ := planned(t, append(set, "-plan", first[0].Plan)...)
	if again[0].Step != first[0].Step || again[0].Memory != first[0].Memory || bare[0].Memory == first[0].Memory {
		t.Errorf("%q: %v and %v GB, read again %v and %v", first[0].State, first[0].Step, first[0].Memory,
			again[0].Step, again[0].Memory)
	}
}

// The batch is the number of whole sequences that comes nearest.
func TestPlannedBatchIsTheNearest(t *testing.T) {
	for _, c := range []struct {
		batch, sequence string
		tokens          int
	}{{"4M", "8192", 3997696}, {"4000000", "3", 3999999}, {"4194304", "8192", 4194304}, {"20000", "8192", 16384}} {
		plans, _ := planned(t, "-model", "llama3.8b", "-chip", "h100", "-chips", "8", "-batch", c.batch, "-sequence",
			c.sequence, "-json", "-plan", "tp=8 recompute=block")
		if got := plans[0].Batch * plans[0].Sequence; got != c.tokens {
			t.Errorf("a batch of %s in sequences of %s is %d tokens, want %d", c.batch, c.sequence, got, c.tokens)
		}
	}
}

// servedRows is the options that serve-plan prints as JSON.
func servedRows(t *testing.T, args ...string) []servedRow {
	t.Helper()
	var out, errs bytes.Buffer
	if status := servePlan(append(args, "-json"), streams{out: &out, err: &errs}); status != ok {
		t.Fatalf("%v: %s", args, errs.String())
	}
	var all []servedRow
	for line := range strings.Lines(out.String()) {
		var r servedRow
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// However few options are shown, the fastest for a user and the one with most tokens a chip are among them, and no
// option of a front is beaten by another, together or apart.
func TestServePlanShowsTheEnds(t *testing.T) {
	set := []string{"-model", "llama3.70b", "-weights", "fp8", "-chips", "8", "-apart"}
	every := servedRows(t, append(set, "-all", "-top", "0")...)
	fastest, most := 0.0, 0.0
	for _, r := range every {
		fastest, most = max(fastest, r.PerUser), max(most, r.PerChip)
	}
	for _, top := range []string{"2", "3", "20"} {
		for _, more := range [][]string{{"-all"}, {}} {
			some := servedRows(t, append(append(set, "-top", top), more...)...)
			thrifty := 0.0
			for _, r := range some {
				thrifty = max(thrifty, r.PerChip)
			}
			if some[0].PerUser != fastest || thrifty != most {
				t.Errorf("%v, of %s options the first gives a user %v tokens a second, not %v, and the best %v a "+
					"chip, not %v",
					more, top, some[0].PerUser, fastest, thrifty, most)
			}
		}
	}
	front := servedRows(t, append(set, "-top", "0")...)
	for _, a := range front {
		for _, b := range front {
			if a.PerUser > b.PerUser && a.PerChip >= b.PerChip {
				t.Fatalf("%+v beats %+v", a, b)
			}
		}
	}
}

// What serve-plan -json prints of a plan, -plan reads as the same plan with the same numbers: groups of attention and
// experts, copies of experts, split caches, MLPs that are split by both widths, prefill apart, weights on hosts.
func TestServePlansReadBack(t *testing.T) {
	kinds := map[string]bool{}
	for _, set := range [][]string{
		{"-model", "llama3.70b", "-chip", "h100", "-chips", "16", "-weights", "fp8", "-engine", "vllm"},
		{"-model", "deepseek.v3", "-chip", "gb200", "-chips", "72", "-weights", "fp8", "-engine", "trtllm"},
		{"-model", "qwen3.235b_a22b", "-chip", "h200", "-chips", "12", "-weights", "fp8", "-in", "30000", "-out", "50"},
		{"-model", "llama3.405b", "-chip", "tpu.v5p", "-chips", "128", "-engine", "maxtext"},
		{"-model", "llama3.70b", "-chip", "h100", "-chips", "20", "-engine", "sglang", "-apart"},
		{"-model", "llama3.70b", "-chip", "h100", "-chips", "2", "-offload", "40"},
	} {
		rows := servedRows(t, append(set, "-all", "-top", "0")...)
		for i := 0; i < len(rows); i += 1 + len(rows)/25 {
			a := rows[i]
			for _, kind := range []string{"DP", "EP", "CP", "PP", "+", "x"} {
				kinds[kind] = kinds[kind] || strings.Contains(a.Plan, kind)
			}
			kinds["apart"], kinds["host"] = kinds["apart"] || a.Prompts != "", kinds["host"] || a.Offload > 0
			layout := a.Layout
			if i%2 == 0 && a.Prompts == "" {
				layout = a.Plan
			}
			same := false
			for _, b := range servedRows(t, append(set, "-all", "-top", "0", "-plan", layout)...) {
				b.Equal = a.Equal // of others in its list
				same = same || a == b
			}
			if !same {
				t.Errorf("%v: %s with %v is not what -plan makes of it: %+v", set, layout, a.Batch, a)
			}
		}
	}
	if len(kinds) < 8 || !kinds["+"] || !kinds["x"] || !kinds["CP"] || !kinds["apart"] || !kinds["host"] {
		t.Errorf("only kinds of plans tried: %v", kinds)
	}
}

// Where no plan serves, the exit status is 1; what makes no sense is refused by name, with 2.
func TestServePlanStatus(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		names  string
	}{
		{[]string{"-chips", "1", "-weights", "bf16", "-model", "llama3.405b"}, failed, "nothing serves this"},
		{[]string{"-ttft", "0.0001s"}, failed, "a later first token"},
		{[]string{"-plan", "tp=16", "-chips", "4"}, failed, "nothing serves this"},
		{[]string{"-plan", "tp=3", "-chips", "6"}, failed, "heads"},
		{[]string{"-chips", "0"}, misuse, "-chips"}, {[]string{"-chips", "-3"}, misuse, "-chips"},
		{[]string{"-in", "-5"}, misuse, "-in"}, {[]string{"-out", "0"}, misuse, "-out"},
		{[]string{"-hit", "2"}, misuse, "-hit"}, {[]string{"-share", "NaN"}, misuse, "-share"},
		{[]string{"-rate", "-1"}, misuse, "-rate"}, {[]string{"-top", "-1"}, misuse, "-top"},
		{[]string{"-engine", "excel"}, misuse, "-engine"}, {[]string{"-weights", "fp5"}, misuse, "fp5"},
		{[]string{"-plan", "tp=2x"}, misuse, "-plan"}, {[]string{"-plan", "ep=4x2"}, misuse, "-plan"},
		{[]string{"-plan", "tp=0"}, misuse, "-plan"}, {[]string{"-plan", "+"}, misuse, "-plan"},
		{[]string{"-survival", "1.2"}, misuse, "-survival"}, {[]string{"-part", "3/2"}, misuse, "-part"},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"-model", "llama3.8b", "-chips", "8"}, c.args...)
		if status := servePlan(args, streams{out: &out, err: &errs}); status != c.status ||
			!strings.Contains(errs.String(), c.names) {
			t.Errorf("%v: %d, %s", c.args, status, &errs)
		}
	}
}

// A rate is named as one: requests a second, which with the time of each are those under way.
func TestRatesAreNamed(t *testing.T) {
	var out, errs bytes.Buffer
	args := []string{"-model", "llama3.8b", "-chips", "1", "-top", "1", "-json"}
	if status := servePlan(args, streams{out: &out, err: &errs}); status != ok {
		t.Fatal(errs.String())
	}
	var row map[string]any
	if err := json.Unmarshal(out.Bytes(), &row); err != nil {
		t.Fatal(err)
	}
	rate, named := row["request_per_s"].(float64)
	_, before := row["request_s"]
	whole := row["ttft_s"].(float64) + row["tpot_s"].(float64)*1023
	if !named || before || rate*whole < 0.98*row["batch"].(float64) || rate*whole > 1.02*row["batch"].(float64) {
		t.Errorf("%v requests a second of %v s each, at a batch of %v: %s", rate, whole, row["batch"], out.String())
	}
}

// The command prints a plan's numbers as the planner's sheet does: by the same columns, with the same heads and digits.
func TestPlansArePrintedAsTheSheetDoes(t *testing.T) {
	const text = `let N = 64 chip in 8..4096 log "Chips"
let T = 8192 token in 1..65536 log "Sequence"
job = training_job(llama3.8b, gpu.h100, N, 4194304, T, bf16, usual_software(gpu.h100)) "Job"
search = training_search(job, off, 0, 0) "Search"
plans = training_plans(search) "Plans"
table plans show step, low, high, plan, mfu, rate, memory by step top 3
`
	sh, errs := sheet.Compile(text, widget.Env())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	_, said := planned(t, "-model", "llama3.8b", "-chip", "h100", "-chips", "64", "-top", "3")
	printed, shown := planTableIn(said), planTableIn(widget.New(sh).Export("text"))
	if len(shown) != 3 || len(printed) != 3 {
		t.Fatalf("the sheet shows %d plans, the command prints %d", len(shown), len(printed))
	}
	for i, want := range shown {
		got := slices.Delete(slices.Clone(printed[i]), 4, 5) // the layers of stages, which no sheet shows
		if !slices.Equal(got, want) {
			t.Errorf("the command prints %q, the sheet shows %q", got, want)
		}
	}
}

// planTableIn are the cells of the lines of a text that hold a plan and its numbers.
func planTableIn(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		if cells := regexp.MustCompile(` {2,}`).Split(strings.TrimSpace(line), -1); len(cells) >= 7 &&
			strings.HasPrefix(cells[3], "dp=") {
			rows = append(rows, cells)
		}
	}
	return rows
}

// TestPlanPrintsExchanges: who sends what to whom stands below plans and in each object, and what shows of it adds up
// to the parts of the step. Two nodes of eight as DP 2 x TP 8: blocks inside a node, gradients between them.
func TestPlanPrintsExchanges(t *testing.T) {
	args := []string{"-model", "llama3.8b", "-chip", "h100", "-chips", "16", "-batch", "131072", "-plan",
		"dp=2 tp=8 zero=1 recompute=none"}
	_, text := planned(t, args...)
	if !strings.Contains(text, "who sends what to whom in a step of dp=2 tp=8 zero=1") ||
		!strings.Contains(text, "activations of blocks") || !strings.Contains(text, "the scale-out network") {
		t.Error(text)
	}
	plans, _ := planned(t, append(args, "-json")...)
	plan, shown := plans[0], map[string]float64{}
	for _, e := range plan.Exchanges {
		shown[e.Group] += e.Shown
		if e.Inside != (e.Group == "TP") || e.Times < 1 || e.Bytes <= 0 || e.Time < e.Shown {
			t.Errorf("%+v", e)
		}
	}
	for group, part := range map[string]string{"TP": "tensor parallelism", "DP": "gradients between replicas"} {
		if got, want := shown[group], plan.Times[part]; math.Abs(got-want) > 1e-9*want || want == 0 {
			t.Errorf("%s shows %v s, its part of the step is %v s", group, got, want)
		}
	}
}
