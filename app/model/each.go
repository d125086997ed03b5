package model

// Each is what layers have of their own size (DeciLM, Laguna): query heads, heads of keys and values, and the width of
// the dense MLP, each from 1 to 2^24 - 1, 0 where it is the model's. The model's are then the largest. It is a text so
// that models stay comparable: nine bytes for each layer, none if all have the model's.
type Each string

// NewEach is what n layers have of their own, as a function tells it.
func NewEach(n int, own func(layer int) [3]int) Each {
	b := make([]byte, 0, 9*n)
	some := false
	for i := range n {
		for _, x := range own(i) {
			some = some || x != 0
			b = append(b, byte(x>>16), byte(x>>8), byte(x))
		}
	}
	if !some {
		return ""
	}
	return Each(b)
}

// of is what layer i has of its own.
func (e Each) of(i int) (own [3]int) {
	if 9*i+9 <= len(e) {
		for k := range own {
			at := 9*i + 3*k
			own[k] = int(e[at])<<16 | int(e[at+1])<<8 | int(e[at+2])
		}
	}
	return own
}
