package quantity

import (
	"strings"
	"testing"
)

func TestLiteral(t *testing.T) {
	for _, c := range []struct {
		src   string
		taken string
		want
	}{
		{"1..16384", "1", want{1, "", Label{}}},
		{"1.5..2", "1.5", want{1.5, "", Label{}}},
		{"16 GiB in 1..2", "16 GiB", want{16 * gib, "byte", Label{}}},
		{"256 token in 1..16384 log", "256 token", want{256, "", Label{Over: tokenLabel}}},
		{"4096      in 128..65536 log", "4096", want{4096, "", Label{}}},
		{"8.1e11 byte/s  \"HBM\"", "8.1e11 byte/s", want{8.1e11, "byte/s", Label{}}},
		{"2 FLOP * B * D", "2 FLOP", want{2, "FLOP", Label{}}},
		{"1 byte", "1 byte", want{1, "byte", Label{}}},
		{"1 byte/token", "1 byte/token", want{1, "byte", Label{Under: tokenLabel}}},
		{"1 byte / s", "1 byte", want{1, "byte", Label{}}},
		{"2 FLOP*B", "2 FLOP", want{2, "FLOP", Label{}}},
		{"2 FLOP/x", "2 FLOP", want{2, "FLOP", Label{}}},
		{"2 FLOP/s2", "2 FLOP", want{2, "FLOP", Label{}}},
		{"2 FLOP/(byte*s)", "2 FLOP/(byte*s)", want{2, "FLOP/(byte*s)", Label{}}},
		{"2 FLOP/(byte * s)", "2 FLOP", want{2, "FLOP", Label{}}},
		{"2 FLOP/(B*s)", "2 FLOP", want{2, "FLOP", Label{}}},
		{"64 step 1", "64", want{64, "", Label{}}},
		{"64 steps", "64 steps", want{64, "", Label{Over: "step"}}},
		{"64 step", "64 step", want{64, "", Label{Over: "step"}}},
		{"70B", "70B", want{7e10, "", Label{}}},
		{"70B parameters", "70B parameters", want{7e10, "", Label{Over: "parameter"}}},
		{"8k*2", "8k", want{8000, "", Label{}}},
		{"$2.1/hour", "$2.1/hour", want{2.1 / 3600, "USD/s", Label{}}},
		{"$2.1 / hour", "$2.1", want{2.1, "USD", Label{}}},
		{"$5M", "$5M", want{5e6, "USD", Label{}}},
		{"0.1% as \"x\"", "0.1%", want{0.001, "", Label{Over: percent}}},
		{"7 % 3", "7", want{7, "", Label{}}},
		{"44 us within 1%", "44 us", want{4.4e-5, "s", Label{}}},
		{"3 s^2", "3 s^2", want{3, "s^2", Label{}}},
		{"2^20", "2", want{2, "", Label{}}},
		{"1/s", "1", want{1, "", Label{}}},
		{"16,384", "16", want{16, "", Label{}}},
		{"1, 64", "1", want{1, "", Label{}}},
		{"16 GiBs", "16", want{16, "", Label{}}},
		{"1e3)", "1e3", want{1000, "", Label{}}},
		{"5\nB = 2", "5", want{5, "", Label{}}},
		{"2.5 × 3", "2.5", want{2.5, "", Label{}}},
		{"3 FLOP·s", "3 FLOP·s", want{3, "FLOP*s", Label{}}},
	} {
		q, n, err := Literal(c.src)
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
			continue
		}
		if c.src[:n] != c.taken || q.Value != c.value || q.Dim.String() != c.unit || q.Label != c.label {
			t.Errorf("%q took %q: %v %q %v, want %q: %v", c.src, c.src[:n], q.Value, q.Dim, q.Label, c.taken, c.want)
		}
	}
}

func TestLiteralErrors(t *testing.T) {
	for src, want := range map[string]string{
		"16GiBs":  "unknown unit GiBs; did you mean GiB",
		"2 B":     "write 2 byte, 2 GB, or 2B for a billion",
		"2 k":     "attach it: 2k",
		"16Gb":    "write Gbit or GB",
		"16 Gb":   "write Gbit or GB",
		"5B/s":    "could be byte or billion",
		"1e999":   "too large",
		"$":       "a number is missing",
		".":       "a number is missing",
		"1e5x":    "unknown unit x",
		"1_a":     "unknown unit _a",
		"4x8":     "unknown unit x8",
		"2 s^99 ": "",
		"2 s^500": "this would have s^500",
	} {
		_, n, err := Literal(src)
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", src, err)
			}
			continue
		}
		if _, ok := err.(*Error); !ok || n != 0 || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d, %v, want %q", src, n, err, want)
		}
	}
}

func TestUnitOf(t *testing.T) {
	for src, want := range map[string]Quantity{
		"16 GiB":         {Value: gib, Dim: dimBytes, Binary: true},
		"8.1e11 byte/s":  {Value: 1, Dim: dimBandwidth},
		"819 GB/s":       {Value: 1e9, Dim: dimBandwidth},
		"256 token":      {Value: 1, Label: Label{Over: tokenLabel}},
		"8k":             {Value: 1},
		"4096":           {Value: 1},
		"3 us":           {Value: 1e-6, Dim: dimSeconds},
		"$2.1/hour":      {Value: 1.0 / 3600, Dim: Dim{Dollar: 1, Second: -1}},
		"100 Gbit/s etc": {Value: 1.25e8, Dim: dimBandwidth},
	} {
		if got, err := UnitOf(src); err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", src, got, err, want)
		}
	}
	if _, err := UnitOf("16GiBs"); err == nil {
		t.Error("a unit that does not exist must be an error")
	}
}
