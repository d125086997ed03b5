package measured

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

// placesTable is how the published systems of TensorRT-LLM that prefill and decode apart are set where a row doesn't
// tell (SemiAnalysisAI/InferenceX, nvidia-master.yaml @48f302c and later; the recipes of srt-slurm that it names, read
// as connorcarpenter15/srt-slurm @5a156f6 has them): chip, bits of a weight, lengths, workers that prefill and that
// decode, requests under way; then the sequences that an attention group of a worker decodes at once (max_batch_size),
// and the tokens of prompts in one step (max_num_tokens). Files are named after a batch that isn't always the one set.
//
//go:embed places.tsv
var placesTable string

// findPlaces sets the places of the workers that decode, and the tokens of a step of those that prefill, as published.
func (t *setting) findPlaces() {
	whole := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	want := []string{t.chip.ID, t.bits(), t.lengths(), whole(t.prefill.workers),
		whole(t.decode.workers)}
	for line := range strings.Lines(placesTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if slices.Equal(c[:len(want)], want) && slices.Contains(strings.Split(c[5], ","), whole(t.concurrency)) {
			t.decode.slots, _ = strconv.ParseFloat(c[6], 64)
			t.prefill.tokens, _ = strconv.ParseFloat(c[7], 64)
		}
	}
}

// scriptTable is how the scripts of InferenceMAX spread DeepSeek-R1 over chips by the number of requests, while they
// still chose it themselves and told no release (benchmarks/dsr1_*_trt_slurm.sh, as faradawn/InferenceMAX @9596d23 has
// them): chip, bits of a weight, tp, lengths; the requests under way from which experts stay whole on their ranks, and
// those from which attention runs in groups too. The database that rows come from records neither.
//
//go:embed scripts.tsv
var scriptTable string

// scripted is the plan that the scripts choose for rows that name TensorRT-LLM without a release.
func (t *setting) scripted(s Setup) serving.Plan {
	p := t.plan
	if strings.ToLower(s.Text("engine", "framework")) != "trtllm" || t.kind != closedLoop || p.DP > 1 || p.EP > 1 ||
		!strings.HasPrefix(t.shape.Model.ID, "deepseek") {
		return p
	}
	want := []string{t.chip.ID, t.bits(), strconv.Itoa(p.TP), t.lengths()}
	for line := range strings.Lines(scriptTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		whole, _ := strconv.ParseFloat(c[4], 64)
		groups, _ := strconv.ParseFloat(c[5], 64)
		if slices.Equal(c[:len(want)], want) && t.concurrency >= whole {
			p.EP, p.ETP = p.TP, 1
			if t.concurrency >= groups {
				p.DP, p.TP = p.TP, 1
			}
		}
	}
	if p != t.plan {
		t.notes = append(t.notes, fmt.Sprintf("the scripts that measure such rows choose %s at %v requests, which is "+
			"priced; write moe_ep and attention_dp, and the engine's release, for another plan", p, t.concurrency))
	}
	return p
}
