package build

import "testing"

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
