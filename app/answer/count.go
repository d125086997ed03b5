package answer

import (
	"fmt"
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
)

// MostCount is the most devices, sequences, or tokens of a sequence.
const MostCount = 1 << 24

// aCount reads a number above 0 without a unit, such as 4M or 4M token.
func aCount(flag, text string) (float64, error) {
	q, err := quantity.Parse(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %v", flag, err)
	case !q.Dim.IsZero() || !(q.Value > 0) || q.IsPercent():
		return 0, fmt.Errorf("%s is %q; write a number above 0, such as 1024 or 4M", flag, text)
	}
	return q.Value, nil
}

// WholeCount reads a whole number within limits.
func WholeCount(flag, text string, least, most int) (int, error) {
	x, err := aCount(flag, strings.TrimSpace(text))
	if err != nil || x != math.Trunc(x) || x < float64(least) || x > float64(most) {
		return 0, fmt.Errorf("%s is %q; write a whole number from %d to %d", flag, text, least, most)
	}
	return int(x), nil
}
