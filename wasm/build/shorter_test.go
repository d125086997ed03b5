package build

import "testing"

// Each case is a function's instructions, in hexadecimal, before and after; function 9 never returns.
func TestShorterCode(t *testing.T) {
	const again = "2300 2101 0440 4101 0f 0b "
	for what, c := range map[string][2]string{
		"an address":             {"4290c801 a7 290300 1a", "4190c801 290300 1a"},
		"an address above 2 GiB": {"4280808080 0a a7 1a", "41 808080807a 1a"},
		"half a number":          {"2001 290310 a7 1a", "2001 280210 1a"},
		"half a byte's number":   {"2001 310010 a7 1a", "2001 2d0010 1a"},
		"half of 32 bits":        {"2001 350210 a7 1a", "2001 280210 1a"},
		"a number with a point":  {"2001 2b0310 1a", ""},
		"there and back":         {"2001 ad a7 1a", "2001 1a"},
		"a byte is stored":       {"2001 2002 ad 3c0007", "2001 2002 3a0007"},
		"32 bits are stored":     {"2001 2002 ad 3e0207", "2001 2002 360207"},
		"64 bits are stored":     {"2001 2002 ad 370307", ""},
		"not less":               {"2001 2002 48 45 1a", "2001 2002 4e 1a"},
		"not not less":           {"2001 2002 48 45 45 1a", "2001 2002 48 1a"},
		"not less, with a point": {"4400000000 00000000 4400000000 00000000 63 45 1a", ""},
		"is a truth zero":        {"2001 ad 50 1a", "2001 45 1a"},
		"if not not":             {"2001 45 45 0440 0b", "2001 0440 0b"},
		"not not, as a number":   {"2001 45 45 1a", ""},
		"nothing":                {"01 2001 01 1a", "2001 1a"},
		"a call that ends":       {"1009 " + again, "1009 0f"},
		"a call that returns":    {"1008 " + again, ""},
		"a call that returns 0":  {"1009 2300 2101 0440 4100 0f 0b ", "1009 2300 2101 0440 4100 0f 0b "},
		"out of a frame": {"2001 4110 6a 2201 2400 2001 4108 6a 2201 2400 4100 0f",
			"2001 4118 6a 2400 4100 0f"},
		"out of no frame":           {"2001 4108 6a 2201 2400 4100 0f", "2001 4108 6a 2400 4100 0f"},
		"out, with another copy":    {"2001 4108 6a 2202 2400 4100 0f", ""},
		"out of a frame, not twice": {"2001 4110 6a 2400 2001 4108 6a 2400 4100 0f", ""},
		"no frame is left":          {"2001 4110 6a 2201 2400 2001 1a", ""},
	} {
		if c[1] == "" {
			c[1] = c[0]
		}
		got, want := shorter(function(t, c[0]), isNine), function(t, c[1])
		if string(got) != string(want) {
			t.Errorf("%s: got %x, want %x", what, got, want)
		}
		if again := shorter(got, isNine); string(again) != string(got) {
			t.Errorf("%s: twice, it became %x", what, again)
		}
	}
}

func isNine(function int) bool { return function == 9 }

// Blocks that nothing leads to go, and branches out of them leave fewer.
func TestBlocksGo(t *testing.T) {
	for what, c := range map[string][2]string{
		"nothing leads there":        {"0240 2001 1a 0b", "2001 1a"},
		"a loop that isn't one":      {"0340 2001 1a 0b", "2001 1a"},
		"a branch through it":        {"0240 0240 2001 0d01 0b 0b", "0240 2001 0d00 0b"},
		"through it and a condition": {"0240 0240 2001 0440 0c02 0b 0b 0b", "0240 2001 0440 0c01 0b 0b"},
		"a table through it": {"0240 0340 0240 2000 0e02 00 02 02 0b 0b 0b",
			"0240 0240 2000 0e02 00 01 01 0b 0b"},
		"a table into it":          {"0240 0340 0240 2000 0e02 00 01 02 0b 0b 0b", ""},
		"a block with a value":     {"027f 4101 0b 1a", ""},
		"a condition":              {"2001 0440 2001 1a 0b", ""},
		"out of the function":      {"0240 2001 0d01 0b", "2001 0d00"},
		"what isn't reached gives": {"0240 2001 1a 00 0b 4101", "2001 1a 00"},
		"what is reached gives":    {"0240 2001 0d00 00 0b 4101", ""},
	} {
		if c[1] == "" {
			c[1] = c[0]
		}
		if got, want := shorter(function(t, c[0]), isNine), function(t, c[1]); string(got) != string(want) {
			t.Errorf("%s: got %x, want %x", what, got, want)
		}
	}
}

func FuzzShorter(f *testing.F) {
	f.Add([]byte("\x01\x03\x7f\x02\x40\x20\x01\x45\x45\x0d\x00\x0b\x41\x01\x0b"))
	f.Add([]byte("\x00\x0b\x0b\x0e\x01\x00\x00\x0f"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if short := shorter(body, isNine); len(short) > len(body)+len(body)/2 {
			t.Errorf("%d bytes became %d", len(body), len(short))
		}
		enteredAt(body, 5, 3)
	})
}
