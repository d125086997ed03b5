package value

import "math"

// rounding is the relative difference up to which two numbers are the same: some thousand times what an operation
// loses, and less than one part in a count of parameters.
const rounding = 1e-12

// Compare is the sign of x-y, and 0 if they are the same but for rounding. size is the largest number from which x and
// y were summed: what is left of a difference is as inexact as its terms.
func Compare(x, y, size float64) int {
	switch d := x - y; {
	case math.Abs(d) <= float64(rounding*max(math.Abs(x), math.Abs(y), size)):
		return 0
	case d < 0:
		return -1
	}
	return 1
}

// Holds tells whether an operator is true of numbers that compare as order says.
func Holds(op string, order int) bool {
	switch op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "!=":
		return order != 0
	}
	return order == 0
}
