package measured

import (
	_ "embed"
	"errors"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

// loadKind is how requests come.
type loadKind uint8

const (
	closedLoop loadKind = iota // so many under way
	openLoop                   // so many a second
	offline                    // all at once: as many as fit run
)

// workloadTable is the loads that rows name without lengths: name, tokens of prompt and answer, requests a second stage
// by stage, and how many prompts there are, which come again and again; 0 if that isn't known. They are the profiles of
// inference-sim/training (2026-03-18) as their own rows print them; roleplay's lengths are inferred.
//
//go:embed workloads.tsv
var workloadTable string

// mostOfLoad is more than anyone runs.
const mostOfLoad = 1e9

// readLoad reads lengths, how requests come, and what they find in the cache.
func (t *setting) readLoad(s Setup) error {
	stages, err := t.readLengths(s)
	if err != nil {
		return err
	}
	if err = t.readReuse(s); err != nil {
		return err
	}
	rate, err := s.Amount(0, "request_per_s", "rate")
	if err != nil {
		return err
	}
	if rate > 0 {
		stages = []float64{rate}
	}
	if t.concurrency, err = s.Amount(0, "concurrency", "batch", "batch_size"); err != nil {
		return err
	}
	load := s.Text("load")
	switch {
	case strings.Contains(load, "offline") || s.Text("scenario") == "Offline":
		t.kind = offline
	case t.concurrency > 0:
	case len(stages) > 0:
		t.kind, t.stages = openLoop, stages
		t.arrivals.Even = strings.Contains(load, "constant")
		t.arrivals.Duration, err = s.Amount(0, "stage_s")
	case t.apart:
		t.kind = offline
	default:
		err = errors.New("the load is not given; write concurrency, or request_per_s, or load offline")
	}
	return err
}

// readLengths reads the lengths of prompts and answers, or takes them and the rates from the workload that is named.
func (t *setting) readLengths(s Setup) (stages []float64, err error) {
	if c := workload(s.Text("workload")); c != nil {
		t.load.In, _ = strconv.ParseFloat(c[1], 64)
		t.load.Out, _ = strconv.ParseFloat(c[2], 64)
		for text := range strings.SplitSeq(c[3], ",") {
			rate, _ := strconv.ParseFloat(text, 64)
			stages = append(stages, rate)
		}
	}
	if in, out, both := strings.Cut(s.Text("isl_osl"), "/"); both {
		t.load.In, _ = number(in)
		t.load.Out, _ = number(out)
	}
	if t.load.In, err = s.Amount(t.load.In, "isl", "isl_mean", "isl_approx", "input_len", "input_tokens"); err != nil {
		return nil, err
	}
	if t.load.Out, err = s.Amount(t.load.Out, "osl", "osl_mean", "output_len", "output_tokens", "new_tokens"); err != nil {
		return nil, err
	}
	if t.load.In < 1 || t.load.Out < 1 {
		return nil, errors.New("the lengths of prompts and answers are not given; write isl and osl in tokens")
	}
	return stages, nil
}

// workload is the line of the table that has this name; nil if none has.
func workload(name string) []string {
	for line := range strings.Lines(workloadTable) {
		if c := strings.Split(strings.TrimSpace(line), "\t"); c[0] == name {
			return c
		}
	}
	return nil
}

// readEngine reads how the engine is set.
func (t *setting) readEngine(s Setup) error {
	blocks := 0.0
	for _, v := range []struct {
		to    *float64
		names []string
	}{
		{&t.options.Chunk, []string{"max_num_batched_tokens", "chunked_prefill_size", "max_num_tokens"}},
		{&t.options.Sequences, []string{"max_num_seqs", "max_batch_size"}},
		{&blocks, []string{"total_kv_blocks", "num_gpu_blocks"}},
	} {
		x, err := s.Amount(0, v.names...)
		if err != nil {
			return err
		}
		*v.to = x
	}
	t.options.Tokens = blocks * block
	t.options.Name = t.engine
	t.options.OfFree, t.options.Reserve = t.engine == "trtllm", serving.Reserves(t.engine)
	if t.engine == "" && t.kind == offline { // tables of throughput that name no engine are TensorRT-LLM's
		t.options.Reserve = serving.Reserves("trtllm")
	}
	t.options.Halves = s.Switch(false, "two_batch_overlap", "enable_two_batch_overlap", "enable_dbo")
	var err error
	t.options.Share, err = s.Share(0, "gpu_memory_utilization", "mem_fraction_static", "kv_cache_free_gpu_memory_fraction")
	return err
}
