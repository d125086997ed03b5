package measured

import (
	"github.com/scalebook/scalebook/app/serving"
)

// kvCapacity predicts what an engine says of its memory when it starts.
func kvCapacity(row Row) (Prediction, error) {
	t, err := newStarted(row.Setup)
	if err != nil {
		return Prediction{}, err
	}
	l := t.replica.Ledger(t.length)
	fits := l.Cache > 0 && l.Concurrency >= 1
	p := Prediction{Fits: &fits, Notes: t.notes, Metrics: map[string]Interval{}}
	for name, x := range t.lines(&l) {
		p.Metrics[name] = Interval{x, x, x}
	}
	return p, nil
}

// lines are the figures of a ledger by the names that rows use.
func (t *started) lines(l *serving.Ledger) map[string]float64 {
	const gib = 1 << 30
	n := float64(t.replica.Chips())
	all := map[string]float64{
		"total_gpu_memory_GiB": l.Total / gib, "free_at_start_GiB": l.Free / gib, "budget_GiB": l.Budget / gib,
		"model_weights_GiB": l.Weights / gib, "non_torch_GiB": l.NonTorch / gib,
		"weights_plus_non_torch_GiB": (l.Weights + l.NonTorch) / gib, "activation_peak_GiB": l.Activations / gib,
		"graph_memory_GiB": l.Graphs / gib, "kv_cache_GiB": l.Cache / gib, "kv_cache_bytes": l.Cache,
		"kv_bytes_per_token": l.PerToken, "kv_cache_tokens": l.Tokens, "max_concurrency": l.Concurrency,
		"gpu_blocks": l.Blocks, "kv_blocks": l.Blocks, "block_tokens": l.Block, "bytes_per_block": l.BlockBytes,
		"blocks_per_request": l.Request / l.BlockBytes, "model_weights_total_GiB": l.Weights * n / gib,
	}
	return all
}
