package network

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
)

// mostChips is more than anybody has, and few enough that counts of them do not overflow.
const mostChips = 1 << 30

// check finds what makes a cost impossible before anything is computed.
func (c Collective) check(g Group) error {
	if g == nil {
		return phrase.Fault{What: phrase.New("network.no-group"), Remedy: phrase.New("network.give-group")}
	}
	if c.Op > Permute {
		return phrase.Fault{What: phrase.New("network.unknown-op"), Remedy: offerOps()}
	}
	if v := float64(c.Bytes); !(v >= 0) || math.IsInf(v, 1) {
		return phrase.Fault{What: phrase.New("network.bad-size", "bytes", number(v)), Remedy: phrase.New("network.give-size")}
	}
	if !(c.Active >= 0) || math.IsInf(c.Active, 1) {
		return phrase.Fault{
			What:   phrase.New("network.bad-active", "n", number(c.Active)),
			Remedy: phrase.New("network.give-active"),
		}
	}
	if n := g.Size(); n < 1 || n > mostChips {
		return phrase.Fault{
			What:   phrase.New("network.bad-group", "n", n),
			Remedy: phrase.New("network.up-to", "most", mostChips),
		}
	}
	return nil
}

// product is that of the sizes: 0 if one of them is below 1, and no more than any machine has if it would overflow.
func product(sizes []int) int {
	const huge = 1 << 40
	n := 1
	for _, s := range sizes {
		if s < 1 {
			return 0
		}
		if s > huge/n {
			n = huge
			continue
		}
		n *= s
	}
	return n
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
