package network

import "strconv"

// Error says what cannot be, and what would be valid.
type Error struct {
	What   string // "TPU v5e has no slice 3x5"
	Remedy string // "sides are powers of two up to 16"
}

func (e *Error) Error() string { return e.What + "; " + e.Remedy }

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
