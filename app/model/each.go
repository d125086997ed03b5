package model

// Each is what layers have of their own (DeciLM, Laguna, OpenELM): query heads, heads of keys and values, and the width
// of the dense MLP, each from 1 to 2^24 - 1, 0 where it is the model's, and then Traits. The model's sizes are then the
// largest. It is a text so that models stay comparable: twelve bytes for each layer, none if all have the model's.
type Each string

// What a layer lacks of its own, or has in place of it: the last of its numbers in Each, a sum of these.
const (
	LacksMixer  = 1 << iota // no attention
	LacksMLP                // no MLP
	MatrixMixer             // one matrix of Width by Width in place of attention
	MatrixMLP               // one matrix of Width by Width in place of the MLP
	Crossing                // attention to a picture, or to another text: its keys and values are not of these tokens
)

// NewEach is what n layers have of their own, as a function tells it.
func NewEach(n int, own func(layer int) [4]int) Each {
	b := make([]byte, 0, 12*n)
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
func (e Each) of(i int) (own [4]int) {
	if 12*i+12 <= len(e) {
		for k := range own {
			at := 12*i + 3*k
			own[k] = int(e[at])<<16 | int(e[at+1])<<8 | int(e[at+2])
		}
	}
	return own
}

// traits says what layer l has by its traits.
func (l *Layer) traits(own int) {
	l.NoMixer, l.NoMLP = l.NoMixer || own&LacksMixer != 0, l.NoMLP || own&LacksMLP != 0
	l.OneMatrix, l.MatrixMLP, l.Cross = own&MatrixMixer != 0, own&MatrixMLP != 0, own&Crossing != 0
	l.Linear, l.Experts = l.Linear && !l.NoMixer && !l.OneMatrix, l.Experts && !l.NoMLP && !l.MatrixMLP
}
