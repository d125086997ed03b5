package library

import (
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
