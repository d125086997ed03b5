package network

import (
	"math"
	"strconv"
	"strings"
)

// mostChips is more than anybody has, and few enough that counts of them do not overflow.
const mostChips = 1 << 30

// check finds what makes a cost impossible before anything is computed.
func (c Collective) check(g Group) error {
	if g == nil {
		return &Error{What: "no group of chips", Remedy: "give a torus, a switch, ranks of a tree, or slices"}
	}
	if c.Op > Permute {
		return &Error{What: "unknown collective", Remedy: "choose among " + strings.Join(opNames[:], ", ")}
	}
	if v := float64(c.Bytes); !(v >= 0) || math.IsInf(v, 1) {
		return &Error{What: "an array of " + number(v) + " bytes", Remedy: "its size must be 0 or more, and finite"}
	}
	if !(c.Active >= 0) || math.IsInf(c.Active, 1) {
		return &Error{What: number(c.Active) + " active choices", Remedy: "they must be 0 (dense) or more"}
	}
	if n := g.Size(); n < 1 || n > mostChips {
		return &Error{What: "a group of " + strconv.Itoa(n) + " chips", Remedy: "give 1 to " + strconv.Itoa(mostChips)}
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
