package figure_test

import (
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
)

// planner is the sheet of the serving planner's page.
func planner(t *testing.T) *sheet.Sheet {
	t.Helper()
	page, err := os.ReadFile("../../content/serving-planner.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```sheet serving hero\n")
	text, _, _ = strings.Cut(text, "```")
	env := library.New()
	figure.Offer(env)
	s, errs := sheet.Compile(text, env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return s
}

// set is a state of a sheet, from inputs as addresses write them.
func set(t *testing.T, s *sheet.Sheet, inputs string) input.State {
	t.Helper()
	st := input.State{}
	for input := range strings.FieldsSeq(inputs) {
		name, text, _ := strings.Cut(input, "=")
		var err error
		if st, err = s.Set(st, name, text); err != nil {
			t.Fatal(input, err)
		}
	}
	return st
}

// The sheet's laws and the search price a step alike: dense or with experts, latent attention or not, windows or not,
// on switches and on a torus, every kind of plan, with a prompt or without.
func TestServingSheetEqualsSearch(t *testing.T) {
	s := planner(t)
	for _, inputs := range []string{
		"", "m=llama3.8b N=4", "m=deepseek.r1 chip=gpu.h200 N=16", "m=gpt_oss.120b w=bf16 x=mxfp4 N=2 engine=trtllm",
		"m=qwen3.235b_a22b chip=gpu.b200 engine=sglang work=code", "m=gemma3.27b chip=tpu.v6e N=16 engine=maxtext",
		"m=mixtral.8x7b N=32 chip=tpu.v5p engine=maxtext work=agent d=fp8", "m=llama3.405b chip=gpu.gb200 w=nvfp4 work=agent",
	} {
		for _, pass := range []string{"decode", "prefill"} {
			st := set(t, s, inputs+" ttft_most=0 tpot_most=0 view=step pass="+pass)
			v, err := s.Eval(st).Value("plans")
			if err != nil {
				t.Errorf("%s: %v", inputs, err)
				continue
			}
			for i := 0; i < len(v.List); i += max(len(v.List)/4, 1) {
				r := s.Eval(st.With("plan", v.List[i]))
				if apart, err := r.Value("apart_from"); err != nil || apart.Num.Value > 1e-12 || apart.Num.Value < -1e-12 {
					t.Errorf("%s, %s, %v: the sheet differs by %v, %v", inputs, pass, v.List[i], apart, err)
				}
			}
		}
	}
}
