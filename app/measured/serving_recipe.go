package measured

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
)

// recipeTable is how the published benchmarks start their engines where a row doesn't tell: SemiAnalysisAI/InferenceX,
// benchmarks/*.sh and benchmarks/single_node/*.sh, read at @1fc5d73, @73ef922, @0a919c5, @5632483 and @34bc7c4. A line
// has conditions, all of which hold or are empty: engine and release, model, chips, bits of a weight, lengths, chips of
// a group below, requests from and below; then the steps between two looks for new requests (SGLang's
// --scheduler-recv-interval), those for which prompts wait for more (TensorRT-LLM's batch_wait_timeout_iters), how far
// lengths differ (random_range_ratio 0.8), and tokens that are guessed a step (num_nextn_predict_layers): two releases
// of TensorRT-LLM served DeepSeek-R1 with guesses (dsr1_*_trt_mtp.sh; perf-changelog.yaml). The last line that fits
// counts.
//
//go:embed recipes.tsv
var recipeTable string

// follow sets what a row leaves out as the scripts do that measure such rows.
func (t *setting) follow(s Setup) error {
	var poll, wait, guesses float64
	for line := range strings.Lines(recipeTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if !t.cooked(c, s) {
			continue
		}
		for i, to := range []*float64{&poll, &wait, &t.load.Spread, &guesses} {
			*to, _ = strconv.ParseFloat(c[8+i], 64)
		}
	}
	if t.load.Tokens == 0 && !s.Has(guessed[:]...) {
		t.guess(guesses)
	}
	if t.apart && t.decode.slots == 0 && t.engine == "trtllm" && strings.HasPrefix(t.shape.Model.ID, "deepseek") {
		t.findPlaces()
	}
	var err error
	if t.options.Poll, err = s.Amount(poll, "scheduler_recv_interval"); err != nil {
		return err
	}
	t.options.Wait, err = s.Amount(wait, "batch_wait_timeout_iters")
	return err
}

// cooked tells whether the conditions of a line hold.
func (t *setting) cooked(c []string, s Setup) bool {
	engine := strings.ToLower(s.Text("engine", "framework"))
	among := func(list, x string) bool { return list == "" || slices.Contains(strings.Split(list, ","), x) }
	below := func(x float64, limit string) bool {
		most, err := strconv.ParseFloat(limit, 64)
		return err != nil || x < most
	}
	least, _ := strconv.ParseFloat(c[6], 64)
	return strings.HasPrefix(engine, c[0]) && strings.HasPrefix(t.shape.Model.ID, c[1]) && among(c[2], t.chip.ID) &&
		among(c[3], t.bits()) && among(c[4], t.lengths()) && below(float64(t.plan.TP), c[5]) &&
		t.concurrency >= least && below(t.concurrency, c[7]) && t.kind == closedLoop
}

// publishedLengths are the lengths of prompts and answers that the scripts of InferenceX ask for.
var publishedLengths = []string{"1024/1024", "1024/8192", "8192/1024"}

// bits is how wide the weights of experts are, as tables of conditions have it.
func (t *setting) bits() string { return strconv.FormatFloat(8*t.shape.Precision.Experts, 'g', 2, 64) }

// lengths are those of prompts and answers, as tables of conditions have them.
func (t *setting) lengths() string {
	return strconv.FormatFloat(t.load.In, 'f', -1, 64) + "/" + strconv.FormatFloat(t.load.Out, 'f', -1, 64)
}
