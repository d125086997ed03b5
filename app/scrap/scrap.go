// Package scrap makes of a fuzz target's seeds thousands of texts that nobody thought of, so that plain `go test` tries
// them too: without all that a package imports being compiled once more to be watched, and without a run of its own.
// Only tests import it.
//
// The texts are the same each time. Those that chance and what they reach lead to are for `go test -fuzz`, which gets
// the seeds alone, and which `make fuzz` runs.
package scrap

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Texts is how many a target is tried with.
const Texts = 6000

// F is a target whose seeds are kept.
type F struct {
	*testing.F
	seeds [][]any
}

// Of makes a target of one of package testing's.
func Of(f *testing.F) *F { return &F{F: f} }

// Add adds a seed.
func (f *F) Add(args ...any) {
	f.F.Add(args...)
	f.seeds = append(f.seeds, args)
}

// Fuzz runs the target over its seeds and what is made of them. Short tests have the seeds alone.
func (f *F) Fuzz(target any) {
	f.Helper()
	if x := flag.Lookup("test.fuzz"); !testing.Short() && (x == nil || x.Value.String() == "") {
		m := &mill{rand.New(rand.NewPCG(1, 2)), f.seeds}
		for range Texts {
			f.F.Add(m.args()...)
		}
	}
	f.F.Fuzz(target)
}

// mill makes new arguments of old ones.
type mill struct {
	*rand.Rand
	seeds [][]any
}

// args is one of the seeds with at least one of its arguments changed, each up to five times.
func (m *mill) args() []any {
	out := slices.Clone(m.seeds[m.IntN(len(m.seeds))])
	sure := m.IntN(len(out))
	for i := range out {
		if i != sure && m.IntN(3) > 0 {
			continue
		}
		other := m.seeds[m.IntN(len(m.seeds))][i]
		for range 1 + m.IntN(5) {
			out[i] = m.change(out[i], other)
		}
	}
	return out
}

// change changes one argument; other is the same one of another seed.
func (m *mill) change(arg, other any) any {
	switch x := arg.(type) {
	case string:
		return string(m.tear([]byte(x), []byte(other.(string))))
	case []byte:
		return m.tear(slices.Clone(x), other.([]byte))
	case byte:
		return x ^ 1<<m.IntN(8)
	case int:
		return pick(m, []int{x + 1, -x, x * 10, x / 2, other.(int), 0, math.MaxInt, math.MinInt})
	case float64:
		return pick(m, []float64{x + 1, -x, x * 10, x / 3, other.(float64), 0, 1e308, 5e-324, math.Inf(1), math.NaN()})
	case bool:
		return !x
	}
	panic(fmt.Sprintf("no change is known for a %T", arg))
}

func pick[T any](m *mill, from []T) T { return from[m.IntN(len(from))] }

// numbers are what readers of texts stumble over, and marks what begins and ends things.
var (
	numbers = strings.Fields("0 -1 1 2 7 255 256 65536 2147483648 9223372036854775807 99999999999999999999 " +
		"1e308 -0.0 1e-320 NaN Infinity 0x7f 1k 8Ki 0.5 1/0 1_000")
	marks = strings.Split("\"|'|`|\\|{|}|[|]|(|)|<|>|,|:|;|=|-|--|#|$|${|*|/|\n|\n\n|\r\n|\t|  "+
		"|\x00|\x7f|\xff|\ufeff|é|"+
		"α|\u2028|😀|{\"|\"}|[[|null|true", "|")
)

// tear changes a text, which it may write over, once.
func (m *mill) tear(x, other []byte) []byte {
	from, to := m.stretch(x)
	piece := slices.Clone(x[from:to])
	at := m.IntN(len(x) + 1)
	switch m.IntN(11) {
	case 0:
		if len(x) > 0 {
			x[m.IntN(len(x))] ^= 1 << m.IntN(8)
		}
		return x
	case 1:
		return slices.Delete(x, from, to)
	case 2: // again, somewhere else
		return slices.Insert(x, at, piece...)
	case 3: // over something else
		copy(x[min(at, len(x)):], piece)
		return x
	case 4: // many times
		return slices.Insert(x, to, slices.Repeat(piece, 1+m.IntN(1<<m.IntN(7)))...)
	case 5:
		return slices.Insert(x, at, []byte(pick(m, marks))...)
	case 6:
		return m.number(x)
	case 7: // a piece of another
		from, to := m.stretch(other)
		return slices.Insert(x, at, other[from:to]...)
	case 8: // on as another ends
		return append(x[:at], other[m.IntN(len(other)+1):]...)
	case 9:
		return m.lines(x)
	default: // torn off
		return x[:at]
	}
}

// stretch is where a piece of a text begins and ends: short pieces more often than long ones.
func (m *mill) stretch(x []byte) (from, to int) {
	from = m.IntN(len(x) + 1)
	return from, from + m.IntN(min(len(x)-from, 4<<m.IntN(8))+1)
}

// number puts another number in the place of one of the text's.
func (m *mill) number(x []byte) []byte {
	digit := func(i int) bool { return i >= 0 && i < len(x) && x[i] >= '0' && x[i] <= '9' }
	var starts []int
	for i := range x {
		if digit(i) && !digit(i-1) {
			starts = append(starts, i)
		}
	}
	if len(starts) == 0 {
		return append(x, pick(m, numbers)...)
	}
	from := pick(m, starts)
	to := from
	for digit(to) {
		to++
	}
	return slices.Replace(x, from, to, []byte(pick(m, numbers))...)
}

// lines leaves out one of the text's lines, or lets two change their places.
func (m *mill) lines(x []byte) []byte {
	lines := strings.SplitAfter(string(x), "\n")
	i, j := m.IntN(len(lines)), m.IntN(len(lines))
	if i == j {
		lines = slices.Delete(lines, i, i+1)
	} else {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return []byte(strings.Join(lines, ""))
}
