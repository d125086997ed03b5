package measured

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Of 416 requests, 13 to a replica, there are 416/13 = 32 replicas; where a replica has two attention groups of 13, 16.
// Each sees what 13 or 26 requests see, and all deliver as much as their number. A batch_size that divides nothing is
// named, one that says the same is not, and replicas that are stated count.
func TestBatchSizeGivesReplicas(t *testing.T) {
	setup := func(more Setup) Setup {
		s := Setup{"model": "Qwen/Qwen3-32B", "device": "B200", "engine": "trtllm 1.3.0rc5", "precision": "fp4",
			"isl": 15000.0,
			"osl": 500.0, "concurrency": 416.0, "tp": 2.0, "pp": 1.0}
		for name, value := range more {
			s[name] = value
		}
		return s
	}
	for _, c := range []struct {
		more     Setup
		replicas float64
		note     string
	}{
		{Setup{"batch_size": 13.0}, 32, "of 32 replicas"},
		{Setup{"batch_size": 13.0, "attention_dp": 2.0}, 16, "of 16 replicas"},
		{Setup{"batch_size": 416.0}, 0, ""},
		{Setup{"batch_size": 100.0}, 0, "divides no concurrency of 416"},
		{Setup{"batch_size": 13.0, "replicas": 4.0}, 4, ""},
		{nil, 0, ""},
	} {
		read, err := readServing(setup(c.more))
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(read.notes, "; ")
		noted := strings.Contains(notes, c.note) && (c.note != "" || !strings.Contains(notes, "batch"))
		if read.replicas != c.replicas || !noted {
			t.Errorf("%v: %v replicas, %q", c.more, read.replicas, notes)
		}
	}
	all, err := readServing(setup(Setup{"batch_size": 13.0}))
	if err != nil {
		t.Fatal(err)
	}
	one, err := readServing(setup(Setup{"concurrency": 13.0}))
	if err != nil {
		t.Fatal(err)
	}
	k := serving.Fitted("trtllm")
	a, _ := all.answer(k)
	b, _ := one.answer(k)
	if a.TTFT != b.TTFT || a.TPOT != b.TPOT || a.Output != 32*b.Output || a.chips != 64 {
		t.Errorf("%+v; of one %+v", a, b)
	}
}

// With the switch that gives each chip sequences of its own eight chips are eight groups, with whole experts unless the
// row splits them; without it, or where groups are stated, the plan is as it is written.
func TestSwitchOfAttentionGroups(t *testing.T) {
	for _, c := range []struct {
		more Setup
		want string
	}{
		{nil, "TP8"}, {Setup{"enable_attention_dp": true}, "TP1 DP8 EP8"}, {Setup{"enable_attention_dp": false}, "TP8"},
		{Setup{"enable_attention_dp": true, "moe_ep": 2.0}, "TP1 DP8 EP2"},
		{Setup{"enable_attention_dp": true, "tp": 1.0, "attention_dp": 8.0, "moe_ep": 8.0}, "TP1 DP8 EP8"},
	} {
		s := Setup{"model": "Qwen/Qwen3-235B-A22B", "device": "B200", "engine": "trtllm", "precision": "fp4",
			"isl": 1000.0,
			"osl": 1000.0, "load": "offline max throughput", "tp": 8.0}
		for name, value := range c.more {
			s[name] = value
		}
		read, err := readServing(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := read.plan.String(); got != c.want {
			t.Errorf("%v: %s, want %s", c.more, got, c.want)
		}
	}
}

// A list of requests that is all there from the start ends: of fewer than have room at a time, each sees what so many
// under way see, and takes as long as they do; of more than any machine has room for, hardly anything tells the end.
func TestListsOfRequestsEnd(t *testing.T) {
	rate := func(requests float64) float64 {
		s, err := readServing(Setup{"model": "meta-llama/Llama-3.1-8B", "device": "H100", "engine": "trtllm",
			"precision": "fp8",
			"isl":       128.0, "osl": 2048.0, "load": "offline max throughput", "tp": 1.0, "num_requests": requests})
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.answer(serving.Fitted("trtllm"))
		if err != nil {
			t.Fatal(err)
		}
		return a.Output
	}
	endless := rate(0)
	if few := rate(16); few > endless/4 {
		t.Errorf("16 requests deliver %v tokens a second, a list without an end %v", few, endless)
	}
	if many := rate(1e6); many < endless*0.99 || many > endless*1.01 {
		t.Errorf("a million requests deliver %v tokens a second, a list without an end %v", many, endless)
	}
}
