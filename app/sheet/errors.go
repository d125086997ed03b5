package sheet

import "strconv"

// Error says where, what, and what would be valid: `3:7: unknown name `x`; did you mean `y`?`
func (e *Error) Error() string {
	s := strconv.Itoa(e.Pos.Line) + ":" + strconv.Itoa(e.Pos.Col) + ": " + e.What
	if e.Remedy != "" {
		s += "; " + e.Remedy
	}
	return s
}
