package build

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Each case is a function's instructions, in hexadecimal, before and after. Variables 1 to 9 are of 32 bits.
func TestValuesAreUsedWhereTheyAreMade(t *testing.T) {
	for what, c := range map[string][2]string{
		"a value on the stack": {"2001 280200 2104 2001 2004 360208 0f", "2001 2001 280200 360208 0f"},
		"one that is read again": {"2001 280200 2104 2001 2004 360208 2004 1a",
			"2001 2001 280200 2204 360208 2004 1a"},
		"one that is read by a way": {"0340 2004 1a 2001 280200 2104 2001 2004 360208 0c00 0b",
			"0340 2004 1a 2001 2001 280200 2204 360208 0c00 0b"},
		"behind two others":       {"4107 2104 2001 2002 2004 6a 6a 1a", "2001 2002 4107 6a 6a 1a"},
		"written and read":        {"2001 280200 2104 2004 1a", "2001 280200 1a"},
		"nobody reads it":         {"2001 2204 1a", "2001 1a"},
		"nor what is only there":  {"4107 2104 0f", "0f"},
		"but what is made":        {"2001 280200 2104 0f", ""},
		"into itself":             {"2004 2104 2004 1a", "2004 1a"},
		"written in between":      {"2001 2205 2104 2005 2004 6a 1a", ""},
		"other memory in between": {"2001 280200 2104 2001 280204 2004 6a 1a", ""},
		"a call made it":          {"1003 2104 2001 2004 6a 1a", ""},
		"a global was set":        {"2300 2400 2001 2104 2300 2004 6a 1a", "2300 2400 2300 2001 6a 1a"},
		"only on one way":         {"4107 2104 2001 0440 2004 1a 0b 0f", ""},
		"on the other way":        {"2004 1a 4107 2204 1a 2001 0440 2004 1a 0b 0f", ""},
		"not behind the end":      {"0240 4107 2204 0d00 2004 1a 0b 0f", "0240 4107 2204 0d00 2004 1a 0b 0f"},
		"where a table leads":     {"0240 0240 4107 2204 0e01 00 01 0b 2004 1a 0b 0f", ""},
		"where no table leads": {"0240 0240 4107 2204 0e01 01 01 0b 2004 1a 0b 0f",
			"0240 0240 4107 0e01 01 01 0b 2004 1a 0b 0f"},
		"the place of entry": {"1003 2100 4100 2000 1100 00", ""},
		"another branch":     {"2001 0440 4107 2204 1a 05 0b", ""},
	} {
		if c[1] == "" {
			c[1] = c[0]
		}
		before, want := function(t, c[0]), function(t, c[1])
		got, ok := withoutLocals(before)
		if !ok {
			got = before
		}
		if string(got) != string(want) {
			t.Errorf("%s: got  %x,\nwant %x", what, got, want)
		}
	}
}

// Functions of chance write the same numbers to memory, in the same order, before and after.
func TestFewerLocalsDoTheSame(t *testing.T) {
	changed := 0
	for seed := range uint64(6_000) {
		c := chance{Rand: rand.New(rand.NewPCG(seed, 1))}
		c.statements(4, 0)
		body := append(append([]byte{0}, c.b...), opEnd)
		after, ok := withoutLocals(body)
		if !ok {
			continue
		}
		changed++
		want, short := ran(t, body), shorter(after, isNine)
		if !slices.Equal(ran(t, after), want) || !slices.Equal(ran(t, short), want) {
			t.Fatalf("seed %d: %x became %x, and %x", seed, body, after, short)
		}
	}
	if changed < 3_000 {
		t.Errorf("only %d functions changed", changed)
	}
}

// chance writes a function of chance, with variables 1 to 5.
type chance struct {
	*rand.Rand
	b []byte
}

func (c *chance) add(b ...byte) { c.b = append(c.b, b...) }

func (c *chance) statements(depth, open int) {
	for range 1 + c.IntN(5) {
		switch c.IntN(8) {
		case 0:
			if depth > 0 {
				c.add(opBlock, empty)
				c.statements(depth-1, open+1)
				c.add(opEnd)
			}
		case 1:
			if depth > 0 {
				c.add(opLoop, empty)
				c.statements(depth-1, open+1)
				c.add(opEnd)
			}
		case 2:
			if depth > 0 {
				c.value(2)
				c.add(opIf, empty)
				c.statements(depth-1, open+1)
				c.add(opEnd)
			}
		case 3:
			if open > 0 {
				c.value(1)
				c.add(opBrIf, byte(c.IntN(open)))
			}
		case 4, 5:
			c.value(2)
			c.add(opLocalSet, byte(1+c.IntN(5)))
		default:
			c.value(1)
			c.value(2)
			c.add(opI32Store, 2, byte(4*c.IntN(4)))
		}
	}
}

// value writes what makes a value.
func (c *chance) value(depth int) {
	switch n := c.IntN(6); {
	case n == 0:
		c.add(opI32Const, byte(c.IntN(8)))
	case n < 3 || depth == 0:
		c.add(opLocalGet, byte(1+c.IntN(5)))
	case n == 3:
		c.value(depth - 1)
		c.add(opLocalTee, byte(1+c.IntN(5)))
	default:
		c.value(depth - 1)
		c.value(depth - 1)
		c.add(opI32Add)
	}
}

// ran is what a function writes to memory until it ends or has run for some time.
func ran(t *testing.T, body []byte) (written []string) {
	t.Helper()
	all, ok := instructions(body)
	begin, also := begins(all)
	if !ok || !also {
		t.Fatalf("not understood: %x", body)
	}
	end := map[int]int{}
	for to, from := range begin {
		end[from] = to
	}
	var stack, open []int
	var locals [8]int
	pop := func() int {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return v
	}
	for at := 0; at < len(all) && len(written) < 60 && len(open) < 50; at++ {
		switch c := all[at]; c.op {
		case opI32Const:
			stack = append(stack, int(c.number))
		case opLocalGet:
			stack = append(stack, locals[c.number])
		case opLocalSet:
			locals[c.number] = pop()
		case opLocalTee:
			locals[c.number] = stack[len(stack)-1]
		case opI32Add:
			stack = append(stack, pop()+pop()&0xff)
		case opI32Store:
			value := pop()
			written = append(written, fmt.Sprint(pop(), c.number, value))
		case opDrop:
			pop()
		case opBlock, opLoop:
			open = append(open, at)
		case opIf:
			if pop()&1 == 0 {
				at = end[at]
			} else {
				open = append(open, at)
			}
		case opEnd:
			open = open[:max(0, len(open)-1)]
		case opBrIf:
			if pop()&1 == 0 {
				continue
			}
			k := len(open) - 1 - int(c.number)
			if at = open[k]; all[at].op == opLoop {
				written = append(written, "again") // so that a loop ends
				open = open[:k+1]
			} else {
				at, open = end[at], open[:k]
			}
		default:
			t.Fatalf("opcode %x", c.op)
		}
	}
	return written
}
