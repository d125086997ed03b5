package measured

import (
	"fmt"
	"testing"
)

func TestKVShow(t *testing.T) {
	for _, f := range StartFamilies() {
		fmt.Printf("%s | %s | %s rows %d median %.3f p90 %.3f cov %.2f width %.2f\n", f.Name, f.Quantity, f.Part, f.Rows, f.Median, f.P90, f.Coverage, f.Width)
	}
}
