package library

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// TestPlanSplit: a plan of FSDP and tensor parallelism alone is held to the best split; of others it is said why not.
func TestPlanSplit(t *testing.T) {
	for _, c := range []struct{ model, chip, N, B, plan, want string }{
		{"llama3.70b", "tpu.v5p", "512", "4194304", "dp=128 tp=4 zero=3", "has 128 by 4: its collectives take 2.47 times"},
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
		s, errs := sheet.Compile(`job = training_job(`+c.model+`, `+c.chip+`, `+c.N+` chip, `+c.B+` token, 8192 token, bf16,
  usual_software(`+c.chip+`))
plan = training_plan(job, "`+c.plan+`", "")
split = plan_split(plan)
X = mixed_best(`+c.B+`, `+c.N+`, `+c.model+`.ff_width, split.wire_fsdp, split.wire_tp, 3)
best = mixed_time(X, `+c.N+`, `+c.B+`, `+c.model+`.width, `+c.model+`.ff_width, split.wire_fsdp, split.wire_tp, 3)
own = mixed_time(split.ways, `+c.N+`, `+c.B+`, `+c.model+`.width,
   `+c.model+`.ff_width, split.wire_fsdp, split.wire_tp, 3)
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
