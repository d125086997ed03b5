package measured

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	f := os.Getenv("ZZ")
	if f == "" {
		t.Skip()
	}
	var all []RunCase
	if p := os.Getenv("ZZF"); p != "" {
		b, _ := os.ReadFile(p)
		all = runCases(string(b))
	} else {
		all = Published()
	}
	if os.Getenv("ZZT") != "" {
		for _, x := range TuningTrials(Tunings()) {
			if x.Seconds > 0 {
				fmt.Printf("%.3f %s %v\n", x.Step.Mid/x.Seconds, x.ID, x.Measured)
			}
		}
		return
	}
	for _, x := range Trials(all) {
		ok := false
		for _, w := range strings.Split(f, ",") {
			ok = ok || strings.Contains(x.ID, w)
		}
		if !ok || x.Seconds == 0 {
			continue
		}
		tm := x.Price.Time
		m := tm.MicroBatches
		st := tm.Step()
		fmt.Printf("%.3f in %v %-44s %-14s pred %.3f meas %.3f use  mm %.0f%% att %.0f el %.0f log %.0f host %.0f tp %.0f ep %.0f ga %.0f pp %.0f bub %.0f dp %.0f opt %.0f | m %.0f %s gb %.0f\n", x.Step.Mid/x.Seconds, x.Step.Low <= x.Seconds && x.Seconds <= x.Step.High, x.ID, x.Run.Job.Stack.Name, x.Step.Mid, x.Seconds, 100*m*tm.Matmul/st, 100*m*tm.Attention/st, 100*m*tm.Elementwise/st, 100*m*tm.Logits/st, 100*m*tm.Host/st, 100*m*tm.TP/st, 100*m*tm.EP/st, 100*m*tm.Gather/st, 100*m*tm.PP/st, 100*tm.Bubble/st, 100*tm.DP/st, 100*tm.Optimizer/st, m, x.Run.Plan.String(), x.Price.Memory.Total()/1e9)
	}
}
