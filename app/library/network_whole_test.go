package library

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A count that is too large names its limit; it is whole already.
func TestTooManyNamesTheLimit(t *testing.T) {
	for x, want := range map[float64]string{1e15: "from 1 to 1073741824", 2.5: "give a whole number"} {
		_, err := whole(value.Value{Kind: value.Number, Num: quantity.Quantity{Value: x}}, "library.number-of-devices")
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), ",", ""), want) {
			t.Errorf("%v: %v", x, err)
		}
	}
}
