package build

import (
	"encoding/hex"
	"strings"
	"testing"
)

// Each case is a function's instructions, in hexadecimal, before and after.
func TestPeepholeAddresses(t *testing.T) {
	const sum8 = "2001 ad 4208 7c a7 " // local 1, as 64 bits, + 8, as 32 bits
	for what, c := range map[string][2]string{
		"a load":                      {sum8 + "290300 2102", "2001 290308 2102"},
		"a load with an offset":       {sum8 + "290310 2102", "2001 290318 2102"},
		"a store of a constant":       {sum8 + "4207 370300", "2001 4207 370308"},
		"a store of a loaded value":   {sum8 + "2001 290340 370300", "2001 2001 290340 370308"},
		"both places":                 {sum8 + sum8 + "290300 370300", "2001 2001 290308 370308"},
		"a store of a sum":            {sum8 + "2002 2003 7c 370300", "2001 2002 2003 7c 370308"},
		"a byte":                      {sum8 + "4101 3a0000", "2001 4101 3a0008"},
		"an offset of two bytes":      {"2001 ad 42f8 007c a7 290310", "2001 29038801"},
		"no load":                     {sum8 + "2102", sum8 + "2102"},
		"a negative constant":         {"2001 ad 4278 7c a7 290300", "2001 ad 4278 7c a7 290300"},
		"a constant that is too far":  {"2001 ad 4280808001 7c a7 290300", "2001 ad 4280808001 7c a7 290300"},
		"a difference":                {"2001 ad 4208 7d a7 290300", "2001 ad 4208 7d a7 290300"},
		"an address that was kept":    {sum8 + "2202 290300", sum8 + "2202 290300"},
		"a value of a call":           {sum8 + "4100 1003 370300", sum8 + "4100 1003 370300"},
		"a branch in between":         {sum8 + "0240 0b 4207 370300", sum8 + "0240 0b 4207 370300"},
		"the sum as the stored value": {"2001 2001 ad 4208 7c 370300", "2001 2001 ad 4208 7c 370300"},
		"of a number of 64 bits":      {"2002 4208 7c a7 290300", "2002 4208 7c a7 290300"},
	} {
		if got, want := peephole(function(t, c[0])), function(t, c[1]); string(got) != string(want) {
			t.Errorf("%s: got %x, want %x", what, got, want)
		}
	}
}

// A block around everything ends where the function gives 1.
func TestPeepholeExits(t *testing.T) {
	const leave = "0440 4101 0f 0b "
	for what, c := range map[string][2]string{
		"out of one block": {"0240 2001 0d00 0b 4101", "0240 2001 " + leave + "0b 4101"},
		"out of a loop in it": {"0240 0340 0240 2001 0d02 0b 0b 0b 4101",
			"0240 0340 0240 2001 " + leave + "0b 0b 0b 4101"},
		"always":                {"0240 0c00 0b 4101", "0240 4101 0f 0b 4101"},
		"only to the loop":      {"0240 0340 2001 0d00 0b 0b 4101", ""},
		"out of the function":   {"0240 2001 0d01 0b 4101", ""},
		"where it gives 0":      {"0240 2001 0d00 0b 4100", ""},
		"where more is done":    {"0240 2001 0d00 0b 01 4101", ""},
		"a block with a result": {"027f 4100 2001 0d00 0b 1a 0240 0b 4101", ""},
		"out of an earlier one": {"0240 2001 0d00 0b 0240 2001 0d00 0b 4101",
			"0240 2001 0d00 0b 0240 2001 " + leave + "0b 4101"},
		"back to a loop's start": {"0340 2001 0d00 0b 4101", ""},
	} {
		if c[1] == "" {
			c[1] = c[0]
		}
		if got, want := peephole(function(t, c[0])), function(t, c[1]); string(got) != string(want) {
			t.Errorf("%s: got %x, want %x", what, got, want)
		}
	}
}

// function is a body with three variables of 32 bits.
func function(t *testing.T, code string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll("01 03 7f "+code+" 0b", " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every function of a real program is understood, and comes out the same when nothing is to be done.
func TestPeepholeProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	_, program := stress(t)
	parts, ok := readSections(program)
	if !ok {
		t.Fatal("no program")
	}
	r := &reader{b: *parts.body(codeSection)}
	moved := 0
	for i := range r.unsigned() {
		body := r.bytes(r.unsigned())
		code, ok := instructions(body)
		if !ok || code[len(code)-1].op != opEnd {
			t.Fatalf("function %d isn't understood", i)
		}
		short := peephole(body)
		if again := peephole(short); string(again) != string(short) {
			t.Fatalf("function %d: shortening twice changes something", i)
		}
		if len(short) < len(body) {
			moved++
		}
	}
	if moved < 500 {
		t.Errorf("%d functions became shorter", moved)
	}
}

func FuzzPeephole(f *testing.F) {
	f.Add([]byte("\x01\x03\x7f\x20\x01\xad\x42\x08\x7c\xa7\x29\x03\x00\x21\x02\x0b"))
	f.Add([]byte("\x00\x0e\x01\x00\x00\xfc\x0a\x00\x00\x0b"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if short := peephole(body); len(short) > len(body)+len(body)/2 {
			t.Errorf("%d bytes became %d", len(body), len(short))
		}
	})
}

// Three blocks of instructions in a loop, and what the first two of them do, before and after.
func TestJumpsForward(t *testing.T) {
	const begin = "0340 0240 0240 0240 2000 0e02 00 01 02 0b "
	for what, c := range map[string][4]string{
		"if something is true":      {"2001 0440 4102 2100 0c03 0b", "", "2001 0d01", ""},
		"if, to the next block":     {"2001 0440 4101 2100 0c03 0b", "", "2001 0d00", ""},
		"always":                    {"4102 2100 0c02", "", "0c01", ""},
		"from the second block":     {"", "4102 2100 0c01", "", "0c00"},
		"out of another block":      {"0240 2001 0440 4102 2100 0c04 0b 0b", "", "0240 2001 0d02 0b", ""},
		"with more to do":           {"2001 0440 01 4102 2100 0c03 0b", "", "2001 0440 01 0c02 0b", ""},
		"or else":                   {"2001 0440 4102 2100 0c03 05 01 0b", "", "2001 0440 0c02 05 01 0b", ""},
		"back":                      {"", "2001 0440 4100 2100 0c02 0b", "", ""},
		"back to its own begin":     {"4100 2100 0c02", "", "", ""},
		"of another variable":       {"4102 2101 0c02", "", "", ""},
		"of a function's own block": {"4102 2100 0c01", "", "", ""},
		"to what the table hasn't":  {"4103 2100 0c02", "", "", ""},
	} {
		if c[2] == "" && c[3] == "" {
			c[2], c[3] = c[0], c[1]
		}
		before := function(t, begin+c[0]+" 0b "+c[1]+" 0b 0f 0b")
		want := function(t, begin+c[2]+" 0b "+c[3]+" 0b 0f 0b")
		if got := peephole(before); string(got) != string(want) {
			t.Errorf("%s: got %x, want %x", what, got, want)
		}
	}
}

// Without a loop and a table as Go writes them nothing is changed.
func TestJumpsElsewhere(t *testing.T) {
	for what, code := range map[string]string{
		"no table":           "0340 0240 0b 4100 2100 0c00 0b",
		"no loop":            "0240 0240 2000 0e01 00 01 0b 4101 2100 0c00 0b",
		"another variable":   "0340 0240 0240 2001 0e01 00 01 0b 4101 2100 0c01 0b 0b",
		"a block of a value": "0340 0240 027f 2000 0e01 00 01 0b 4101 2100 0c01 0b 0b",
		"a table at the end": "0340 0240 2000 0e00 00",
	} {
		body := function(t, code)
		if got := peephole(body); string(got) != string(body) {
			t.Errorf("%s: %x became %x", what, body, got)
		}
	}
}
