package serving

import (
	"regexp"
	"strconv"
	"testing"
)

// flagNames are the flags of each engine that say how long sequences are and how many of them a replica takes, and
// whether the number is of one attention group or of a chip.
var flagNames = map[string]struct{ length, sequences, of string }{
	"vllm":    {"--max-model-len ", "--max-num-seqs ", "group"},
	"sglang":  {"--context-length ", "--max-running-requests ", "replica"},
	"trtllm":  {"--max_seq_len ", "--max_batch_size ", "group"},
	"maxtext": {"max_target_length=", "per_device_batch_size=", "chip"},
}

// number is the number behind a flag.
func number(t *testing.T, flags, name string) float64 {
	t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(name) + `([0-9.]+)`).FindStringSubmatch(flags)
	if found == nil {
		t.Fatalf("%q has no %s", flags, name)
	}
	x, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Every plan that a search gives starts: its flags ask for no longer sequences and no more of them than the caches
// hold.
func TestFlagsStart(t *testing.T) {
	for _, c := range []struct {
		model, chip string
		load        Load
	}{{"llama3.70b", "gpu.h100", Load{In: 2000, Out: 500}}, {"deepseek.r1", "gpu.h200", Load{In: 67000, Out: 400,
		Hit: 0.95}}} {
		r := replica(t, c.model, c.chip, 1, Plan{}, Fitted("vllm"))
		w := Wish{Shape: r.Shape, Chip: r.Chip, Chips: 8, Constants: r.Constants, Load: c.load}
		options, _ := w.Search(0, 1)
		if len(options) == 0 {
			t.Fatalf("nothing serves %s", c.model)
		}
		for _, o := range options {
			r, err := NewReplica(w.Shape, w.Chip, o.Plan, w.Constants, w.Engine)
			if err != nil {
				t.Fatal(err)
			}
			for _, engine := range Engines() {
				starts(t, r, engine, r.Flags(engine, c.load, o.Batch))
				starts(t, r, engine, r.Flags(engine, c.load, 1e9))
			}
		}
	}
}

// starts checks flags against the memory of a replica.
func starts(t *testing.T, r *Replica, engine, flags string) {
	t.Helper()
	f := flagNames[engine]
	length, n := number(t, flags, f.length), number(t, flags, f.sequences)
	switch f.of {
	case "group":
		n *= float64(r.DP)
	case "chip":
		n *= float64(r.Chips())
	}
	if fit := r.Memory(length).Sequences; n > fit {
		t.Errorf("%s asks for %v sequences of %v tokens, where %.1f fit: %s", engine, n, length, fit, flags)
	}
}
