package serving

import "testing"

// Plans of every kind come back as they are printed, and as they are typed: with MLPs split by both widths, experts
// that are there twice, and caches split along the sequence.
func TestPlansComeBack(t *testing.T) {
	degrees := []int{1, 2, 3, 8}
	for _, tp := range degrees {
		for _, dp := range degrees {
			for _, pp := range []int{1, 4} {
				for _, ep := range []int{1, tp * dp} {
					for _, ws := range []int{1, 4} {
						for _, spare := range []int{0, 1, 32} {
							p := Plan{TP: tp * ws, DP: dp, PP: pp, EP: ep * ws, WS: ws, CP: tp, Spare: spare}.full()
							for _, text := range []string{p.String(), p.Typed()} {
								if back, err := ReadPlan(text); err != nil || back.full() != p {
									t.Fatalf("%+v is read of %q as %+v, %v", p, text, back.full(), err)
								}
							}
						}
					}
				}
			}
		}
	}
}

// What is given says how many chips it takes, and that none of its prefill replicas can run.
func TestGivenApart(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{}, Fitted("vllm"))
	w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: 24, Constants: r.Constants, Load: Load{In: 1024, Out: 256}}
	w.Given = Given{Layout: Plan{TP: 8}, Prompts: Plan{TP: 4}, Replicas: 2, Prefills: 2}
	options, refused := w.Search(0, 1)
	if len(options) == 0 || len(refused) > 0 {
		t.Fatal(refused)
	}
	for _, o := range options {
		if !o.Apart || o.Chips != 24 || o.Replicas != 2 || o.Prefills != 2 {
			t.Errorf("%+v on %v chips", o.Given(), o.Chips)
		}
	}
	w.Prompts = Plan{TP: 3}
	if options, refused := w.Search(0, 1); len(options) > 0 || len(refused) != 1 || refused[0].Plan.full().TP != 3 {
		t.Errorf("%d options with prompts on 3 chips; %v", len(options), refused)
	}
}
