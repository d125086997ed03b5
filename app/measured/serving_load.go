package measured

import (
	_ "embed"
	"errors"
	"strconv"
	"strings"
)

// loadKind is how requests come.
type loadKind uint8

const (
	closedLoop loadKind = iota // so many under way
	openLoop                   // so many a second
	offline                    // all at once: as many as fit run
)

// workloadTable is the loads that rows name without lengths: name, tokens of prompt and answer, requests a second. They
// are the profiles of inference-sim/training (2026-03-18) as their own rows print them; roleplay's lengths are
// inferred.
//
//go:embed workloads.tsv
var workloadTable string

// mostOfLoad is more than anyone runs.
const mostOfLoad = 1e9

// readLoad reads lengths and how requests come.
func (t *setting) readLoad(s Setup) error {
	rate, err := t.readLengths(s)
	if err != nil {
		return err
	}
	if rate, err = s.Number(rate, "request_per_s", "rate"); err != nil {
		return err
	}
	if t.concurrency, err = s.Number(0, "concurrency", "batch", "batch_size"); err != nil {
		return err
	}
	load := s.Text("load")
	switch {
	case strings.Contains(load, "offline") || s.Text("scenario") == "Offline":
		t.kind = offline
	case t.concurrency > 0:
	case rate > 0:
		t.kind, t.arrivals.Rate = openLoop, rate
		t.arrivals.Even = strings.Contains(load, "constant")
		t.arrivals.Duration, err = s.Number(0, "stage_s")
	case t.apart:
		t.kind = offline
	default:
		err = errors.New("the load is not given; write concurrency, or request_per_s, or load offline")
	}
	if max(t.load.In, t.load.Out, t.concurrency, t.arrivals.Rate) > mostOfLoad {
		return errors.New("lengths, requests under way or their rate are above a thousand million; write what was run")
	}
	return err
}

// readLengths reads the lengths of prompts and answers, or takes them and the rate from the workload that is named.
func (t *setting) readLengths(s Setup) (rate float64, err error) {
	for line := range strings.Lines(workloadTable) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if c[0] == s.Text("workload") {
			t.load.In, _ = strconv.ParseFloat(c[1], 64)
			t.load.Out, _ = strconv.ParseFloat(c[2], 64)
			rate, _ = strconv.ParseFloat(c[3], 64)
		}
	}
	if in, out, both := strings.Cut(s.Text("isl_osl"), "/"); both {
		t.load.In, _ = number(in)
		t.load.Out, _ = number(out)
	}
	if t.load.In, err = s.Number(t.load.In, "isl", "isl_mean", "isl_approx", "input_len", "input_tokens"); err != nil {
		return 0, err
	}
	if t.load.Out, err = s.Number(t.load.Out, "osl", "osl_mean", "output_len", "output_tokens", "new_tokens"); err != nil {
		return 0, err
	}
	if t.load.In < 1 || t.load.Out < 1 {
		return 0, errors.New("the lengths of prompts and answers are not given; write isl and osl in tokens")
	}
	return rate, nil
}

// readEngine reads how the engine is set.
func (t *setting) readEngine(s Setup) error {
	const block = 16 // tokens
	blocks := 0.0
	for _, v := range []struct {
		to    *float64
		names []string
	}{
		{&t.options.Chunk, []string{"max_num_batched_tokens", "chunked_prefill_size", "max_num_tokens"}},
		{&t.options.Sequences, []string{"max_num_seqs", "max_batch_size"}},
		{&t.options.Share, []string{"gpu_memory_utilization", "mem_fraction_static"}},
		{&blocks, []string{"total_kv_blocks", "num_gpu_blocks"}},
	} {
		x, err := s.Number(0, v.names...)
		if err != nil {
			return err
		}
		*v.to = x
	}
	t.options.Tokens = blocks * block
	t.options.OfFree = t.engine == "trtllm"
	return nil
}
