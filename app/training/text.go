package training

import "strconv"

// Error says why something can't be, with its numbers.
type Error struct{ What string }

func (e *Error) Error() string { return e.What }

// fault is an error made of words and numbers.
func fault(words ...any) error { return &Error{text(words...)} }

// text joins words and numbers.
func text(words ...any) string {
	all := ""
	for _, w := range words {
		switch v := w.(type) {
		case string:
			all += v
		case int:
			all += strconv.Itoa(v)
		case float64:
			if v >= 1000 || v <= -1000 {
				all += strconv.FormatFloat(v, 'f', 0, 64)
			} else {
				all += strconv.FormatFloat(v, 'g', 3, 64)
			}
		}
	}
	return all
}
