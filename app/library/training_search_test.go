package library

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// TestSearchOfNothing has an answer at once where chips can't be divided at all, also when it is done in steps.
func TestSearchOfNothing(t *testing.T) {
	s, errs := sheet.Compile(`job = training_job(llama3.70b, gpu.h100, 513 chip, 4194304 token, 8192 token, bf16,
  usual_software(gpu.h100))
search = training_search(job, off, 0, 0)
plans = count(training_plans(search))
`, New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	work := &sheet.Tasks{}
	r := s.With(work).Eval(nil)
	for work.Step() {
		r = s.With(work).Eval(nil)
	}
	if x, err := r.Value("plans"); err != nil || x.Num.Value != 0 {
		t.Errorf("plans: %v, %v", x, err)
	}
}

// A search answers in a sentence, whatever it found.
func TestSearchAnswers(t *testing.T) {
	for chips, want := range map[string][]string{
		"8": {"8 chips of H100 SXM 80 GB train Llama 3.1 8B fastest with dp=", ": a step takes ", "at an MFU of ",
			"%. Of the other plans listed, "},
		"1": {"No plan lets one H100 SXM 80 GB train Llama 3.1 8B: ", "; take at least "},
	} {
		s, errs := sheet.Compile("job = training_job(llama3.8b, gpu.h100, "+chips+` chip, 65536 token, 8192 token, bf16,
  usual_software(gpu.h100))
search = training_search(job, off, 0, 0)
answer = search.answer
`, New())
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		work := &sheet.Tasks{}
		r := s.With(work).Eval(nil)
		for work.Step() {
			r = s.With(work).Eval(nil)
		}
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
