package measured

import (
	"fmt"
	"os"
	"testing"
)

func TestZF(t *testing.T) {
	if os.Getenv("ZF") == "" {
		t.Skip()
	}
	pub := Trials(Published())
	runs := Trials(Runs())
	for _, h := range Families(nil, pub, nil) {
		if h.Rows > 0 {
			fmt.Printf("%4d med %5.1f p90 %5.1f in %3.0f w %.2f %s %s %s\n", h.Rows, 100*h.Median, 100*h.P90, 100*h.Coverage, h.Width, h.Name, h.Quantity, h.Part)
		}
	}
	for _, part := range []string{"kept aside", "all"} {
		h := Judge("runs", part, runs, false, func(*Trial) bool { return true })
		fmt.Printf("%4d med %5.1f p90 %5.1f in %3.0f w %.2f RUNS %s\n", h.Rows, 100*h.Median, 100*h.P90, 100*h.Coverage, h.Width, part)
	}
}
