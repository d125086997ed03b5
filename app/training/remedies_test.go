package training

import (
	"strings"
	"testing"
)

// TestWhatIsNotLegalSaysWhatToChange: each rule that a plan can break names the numbers, and behind a semicolon what to
// change.
func TestWhatIsNotLegalSaysWhatToChange(t *testing.T) {
	dense := newJob(t, "llama3.70b", "gpu.h100", "megatron", 64, 512, 8192)
	three := newJob(t, "llama3.70b", "gpu.h100", "megatron", 3, 512, 8192)
	uneven := newJob(t, "llama3.70b", "gpu.h100", "megatron", 96, 512, 12288)
	sparse := newJob(t, "deepseek.v3", "gpu.h100", "megatron", 64, 512, 4096)
	for want, c := range map[string]struct {
		job  Job
		plan Plan
	}{
		"not 64 devices; choose":        {dense, Plan{DP: 16, TP: 8}},
		"shards of 7 don’t":             {dense, Plan{DP: 64, Zero: 3, Shard: 7}},
		"TP 3 doesn’t":                  {three, Plan{DP: 1, TP: 3}},
		"exceeds 80 layers":             {dense, Plan{PP: 64, DP: 1, Virtual: 2, Schedule: Interleaved}},
		"needs a pipeline":              {dense, Plan{DP: 64, Schedule: ZBH1}},
		"CP 3 doesn’t":                  {three, Plan{DP: 1, CP: 3}},
		"whole ones":                    {uneven, Plan{TP: 8, CP: 12, DP: 1, Context: UlyssesContext}},
		"no experts":                    {dense, Plan{DP: 64, EP: 2}},
		"EP 3 doesn’t":                  {sparse, Plan{DP: 64, EP: 3}},
		"doesn’t divide DP x CP x TP":   {sparse, Plan{DP: 4, PP: 16, EP: 8}},
		"doesn’t divide a batch of 512": {dense, Plan{DP: 4, TP: 16, Micro: 3}},
		"as interleaving needs":         {dense, Plan{DP: 8, PP: 8, Micro: 64, Virtual: 2, Schedule: Interleaved}},
		"DualPipe needs an even PP":     {dense, Plan{DP: 8, PP: 8, Micro: 32, Schedule: DualPipe}},
		"of a pipeline, and there is":   {dense, Plan{DP: 64, First: 3}},
		"other stages need one each":    {dense, Plan{DP: 8, PP: 8, First: 40, Last: 40}},
		"are not the 80 layers":         {dense, Plan{DP: 32, PP: 2, First: 3, Last: 3}},
	} {
		err := NewEstimator(c.job).Legal(c.plan)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "; ") {
			t.Errorf("%+v: %v; want %q and a remedy", c.plan, err, want)
		}
	}
}
