package build

import "testing"

// Each case is a function's instructions, in hexadecimal, before and after; $push has number 9.
func TestPlacesAreCounted(t *testing.T) {
	const (
		noted = "2002 1009 2100 " // which gives the place before to $push
		call  = "4100 1003 2300 2101 0440 4101 0f 0b "
		table = "0240 0240 2000 0e01 00 01 0b " // place 0 leads behind the inner block, place 1 behind the outer one
	)
	for what, c := range map[string][2]string{
		"the begin":             {table + "4100 " + noted + call + "0b", table + "2000 " + noted + call + "0b"},
		"entered behind a call": {table + "0b 4101 " + noted + call, table + "0b 4101 " + noted + call},
		"only entered there":    {table + "00 0b 4101 " + noted + call, table + "00 0b 2000 " + noted + call},
		"behind the first call": {
			"4100 " + noted + call + "4101 " + noted + call,
			"4100 " + noted + call + "2000 " + noted + call,
		},
		"another number": {"4100 " + noted + call + "4103 " + noted + call, ""},
		"a branch around a call": {
			"4100 " + noted + call + "0240 2003 0d00 4101 " + noted + call + "0b 4102 " + noted + call,
			"4100 " + noted + call + "0240 2003 0d00 2000 " + noted + call + "0b 4102 " + noted + call,
		},
		"a branch around a panic": {
			"4100 " + noted + call + "2003 0440 4101 " + noted + "4100 1003 0f 0b 4101 " + noted + call,
			"4100 " + noted + call + "2003 0440 2000 " + noted + "4100 1003 0f 0b 2000 " + noted + call,
		},
		"a loop":                   {"4100 " + noted + call + "0340 4101 " + noted + call + "0b", ""},
		"another value in between": {"4100 " + noted + call + "2003 2100 4101 " + noted + call, ""},
		"a zero below, in between": {
			"4100 " + noted + "2003 2100 4100 2000 110000 4101 " + noted + call,
			"4100 " + noted + "2003 2100 4100 2000 110000 2000 " + noted + call,
		},
		"what isn't known at first": {"4100 " + noted + call, ""},
		"an else":                   {"4100 " + noted + call + "2003 0440 05 0b 4101 " + noted + call, ""},
	} {
		if c[1] == "" {
			c[1] = c[0]
		}
		got, want := counted(body(t, "01 03 7f "+c[0]), 9), body(t, "01 03 7f "+c[1])
		if string(got) != string(want) {
			t.Errorf("%s: got\n%x, want\n%x", what, got, want)
		}
	}
}
