package quantity

import (
	"errors"
	"math"
	"strings"
	"testing"
)

const (
	tokenLabel = "token"
	gib        = 1 << 30
)

// want is a quantity in base units; unit is the base unit as text.
type want struct {
	value float64
	unit  string
	label Label
}

func TestParse(t *testing.T) {
	for text, w := range map[string]want{
		"16 GiB":            {16 * gib, "byte", Label{}},
		"16GiB":             {16 * gib, "byte", Label{}},
		"9.2e14 FLOP/s":     {9.2e14, "FLOP/s", Label{}},
		"197 TFLOPS":        {1.97e14, "FLOP/s", Label{}},
		"197 TFLOPs/s":      {1.97e14, "FLOP/s", Label{}},
		"197 TFLOPs":        {1.97e14, "FLOP", Label{}},
		"394 TOPS":          {3.94e14, "FLOP/s", Label{}},
		"1.5 TB/s":          {1.5e12, "byte/s", Label{}},
		"819 GBps":          {8.19e11, "byte/s", Label{}},
		"200 Gbps":          {2.5e10, "byte/s", Label{}},
		"3.2 Tbit/s":        {4e11, "byte/s", Label{}},
		"8 bits":            {1, "byte", Label{}},
		"3 KB":              {3000, "byte", Label{}},
		"3 KiB":             {3072, "byte", Label{}},
		"240 token":         {240, "", Label{Over: tokenLabel}},
		"240 Tokens":        {240, "", Label{Over: tokenLabel}},
		"8 gpus":            {8, "", Label{Over: "GPU"}},
		"$2.1/hour":         {2.1 / 3600, "USD/s", Label{}},
		"$ 5":               {5, "USD", Label{}},
		"-$5":               {-5, "USD", Label{}},
		"50 cents":          {0.5, "USD", Label{}},
		"3 USD/token":       {3, "USD", Label{Under: tokenLabel}},
		"$2.10/Mtoken":      {2.1e-6, "USD", Label{Under: tokenLabel}},
		"$1.2 M":            {1.2e6, "USD", Label{}},
		"$3 B/year":         {3e9 / 31557600, "USD/s", Label{}},
		"8k":                {8000, "", Label{}},
		"8 k":               {8000, "", Label{}},
		"17.4 B":            {1.74e10, "", Label{}},
		"17.4 B parameters": {1.74e10, "", Label{Over: "parameter"}},
		"17.4B param":       {1.74e10, "", Label{Over: "parameter"}},
		"15T tokens":        {1.5e13, "", Label{Over: tokenLabel}},
		"2 B FLOP":          {2e9, "FLOP", Label{}},
		"4*8192":            {32768, "", Label{}},
		"4x8192":            {32768, "", Label{}},
		"4 x 8192":          {32768, "", Label{}},
		"1.0x8":             {8, "", Label{}},
		"10x8":              {80, "", Label{}},
		"16 × 16":           {256, "", Label{}},
		"6·7":               {42, "", Label{}},
		"1 ÷ 4":             {0.25, "", Label{}},
		"5 − 3":             {2, "", Label{}},
		"3 − 5 − 1":         {-3, "", Label{}},
		"5 GIB":             {5 * gib, "byte", Label{}},
		"3 tflop":           {3e12, "FLOP", Label{}},
		"3 tflop/s":         {3e12, "FLOP/s", Label{}},
		"1,5":               {1.5, "", Label{}},
		"1.234,5":           {1234.5, "", Label{}},
		"12345,678":         {12345.678, "", Label{}},
		"0,125":             {0.125, "", Label{}},
		"1234,567":          {1234.567, "", Label{}}, // thousands have three digits before a comma at most
		"½":                 {0.5, "", Label{}},
		"2^20":              {1048576, "", Label{}},
		"2**20":             {1048576, "", Label{}},
		"2^20 byte":         {1048576, "byte", Label{}},
		"-2^2":              {-4, "", Label{}},
		"2^-2":              {0.25, "", Label{}},
		"2^(1+2)":           {8, "", Label{}},
		"(2 s)^2":           {4, "s^2", Label{}},
		"(1+2)*4 KiB":       {12288, "byte", Label{}},
		"(1+2) KiB":         {3072, "byte", Label{}},
		"16,384":            {16384, "", Label{}},
		"1,234,567.5":       {1234567.5, "", Label{}},
		"1_000_000":         {1e6, "", Label{}},
		"1/3":               {1.0 / 3, "", Label{}},
		"25%":               {0.25, "", Label{Over: percent}},
		"25 %":              {0.25, "", Label{Over: percent}},
		"  -5\n":            {-5, "", Label{}},
		"+5":                {5, "", Label{}},
		"--5":               {5, "", Label{}},
		".5":                {0.5, "", Label{}},
		"1.":                {1, "", Label{}},
		"87.2 us":           {8.72e-5, "s", Label{}},
		"87.2 µs":           {8.72e-5, "s", Label{}},
		"87.2 μs":           {8.72e-5, "s", Label{}},
		"1.5\u00a0ms":       {1.5e-3, "s", Label{}},
		"1.5\u2009ms":       {1.5e-3, "s", Label{}},
		"2 hours":           {7200, "s", Label{}},
		"1 week":            {604800, "s", Label{}},
		"2 years":           {2 * 365.25 * 86400, "s", Label{}},
		"100 GB / 5 s":      {2e10, "byte/s", Label{}},
		"100 GB / s":        {1e11, "byte/s", Label{}},
		"4 byte per token":  {4, "byte", Label{Under: tokenLabel}},
		"1 FLOP/(byte*s)":   {1, "FLOP/(byte*s)", Label{}},
		"1 / (byte * s)":    {1, "1/(byte*s)", Label{}},
		"2 s^-1":            {2, "1/s", Label{}},
		"940 MHz":           {9.4e8, "1/s", Label{}},
		"400 W":             {400, "J/s", Label{}},
		"1 kWh":             {3.6e6, "J", Label{}},
		"0.7 pJ/FLOP":       {7e-13, "J/FLOP", Label{}},
		"900 GB/s/chip":     {9e11, "byte/s", Label{Under: "chip"}},
		"8E12":              {8e12, "", Label{}},
		"8EB":               {8e18, "byte", Label{}},
		"1 s + 500 ms":      {1.5, "s", Label{}},
		"0e-400":            {0, "", Label{}},
		"2.3e-308":          {2.3e-308, "", Label{}},
	} {
		q, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if q.Value != w.value || q.Dim.String() != w.unit || q.Label != w.label {
			t.Errorf("%q = %v %q %v, want %v %q %v", text, q.Value, q.Dim, q.Label, w.value, w.unit, w.label)
		}
	}
}

func TestParseKeepsBinary(t *testing.T) {
	for text, want := range map[string]bool{"1 GiB": true, "1 GB": false, "1 GB + 1 KiB": true, "1 GiB / 1 KiB": false,
		"2 GiB/s": true} {
		if q, err := Parse(text); err != nil || q.Binary != want {
			t.Errorf("%q: %v, %v", text, q.Binary, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		want   string // part of the message
	}{
		{"", 0, "nothing is written"},
		{"   ", 0, "nothing is written"},
		{"1e999", 0, "too large"},
		{"1e308 TB", 0, "too large"},
		{"1e200*1e200", 5, "too large"},
		{"10^400", 2, "too large"},
		{"NaN", 0, "NaN is not a number"},
		{"-Inf", 1, "Inf is not a number"},
		{"16 GiBs", 3, "unknown unit GiBs; did you mean GiB"},
		{"16 gb", 3, "gb could be bit or byte; write Gbit or GB"},
		{"3 tflops", 2, "tflops could be TFLOPs or TFLOPS; write the one that you mean"},
		{"3 tokn", 2, "did you mean token"},
		{"3 secnds", 2, "did you mean second"},
		{"3 zorkmid", 2, "units are byte"},
		{"16 Gb", 3, "Gb could be bit or byte; write Gbit or GB"},
		{"5 b", 2, "b could be bit or byte; write bit or byte"},
		{"3 kb/s", 2, "write kbit or KB"},
		{"5 B/s", 2, "B/s could be byte or billion; write byte/s, GB/s"},
		{"16 B/token", 3, "byte/token"},
		{"GiB", 0, "a number is missing before GiB"},
		{"5 +", 3, "ends where a number should follow"},
		{"(1", 0, "not closed"},
		{"(1+2", 0, "not closed"},
		{"1)", 1, "unexpected )"},
		{"1/0", 1, "divides by zero"},
		{"1/(2-2) s", 1, "divides by zero"},
		{"0^-1", 1, "too large"},
		{"(-8)^0.5", 4, "no real number"},
		{"(2 s)^0.5", 5, "has no unit"},
		{"2^(3 s)", 2, "exponent is a plain number"},
		{"1 s + 2 byte", 4, "cannot add byte (data) to s (time)"},
		{"1 - 2 byte", 0, "this could be a range or a difference"},
		{"2 byte - 1", 7, "cannot subtract a plain number from byte (data)"},
		{"4 4", 2, "two numbers follow each other"},
		{"1..2", 1, "this could be a range or a difference"},
		{"2 s^", 3, "power is missing"},
		{"2 s^999", 3, "this would have s^999 in its unit; exponents of units go from -127 to 127"},
		{"1 s^100 * 2 s^100", 8, "this would have s^200 in its unit"},
		{"1 s^100 / 2 s^-100", 8, "this would have s^200 in its unit"},
		{"1 s^127*s", 9, "this would have s^128 in its unit"},
		{"2^2 s^127/s^-1", 11, "this would have s^128 in its unit"},
		{"1e-400", 0, "1e-400 is too small a number, though not 0; counted in bytes"},
		{"1e-308 us", 0, "1e-308 us is too small a number"},
		{"4 ps^127", 0, "too small a number"},
		{"1e-200*1e-200", 6, "the result is too small a number"},
		{"1e-200/1e200", 6, "the result is too small a number"},
		{"1; rm", 1, "unexpected ;"},
		{"1 €", 2, "unexpected €"},
		{"0x10", 1, "unknown unit x10"},
		{"5*0x10", 3, "unknown unit x10"},
		{strings.Repeat("(", 100), 32, "nested too deeply"},
		{strings.Repeat("-", 100) + "1", 32, "nested too deeply"},
		{strings.Repeat("1", 201), 200, "too long"},
		{"\xff", 0, "not text"},
	} {
		_, err := Parse(c.text)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: error %v", c.text, err)
			continue
		}
		if e.Remedy == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %q, want %q and a remedy", c.text, err, c.want)
		}
		if e.Offset != c.offset {
			t.Errorf("%q: at %d, want %d (%v)", c.text, e.Offset, c.offset, err)
		}
	}
}

// A share is written as a number or in hundredths, and lies between nothing and all.
func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{"0.25": 0.25, "25%": 0.25, "100%": 1, "0": 0, "1": 1} {
		if got, ok := ParseShare(text); !ok || got != want {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "%", "25", "101%", "-1%", "NaN", "a%", "25%%"} {
		if got, ok := ParseShare(text); ok {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestParseLike(t *testing.T) {
	unit := func(literal string) Quantity {
		q, err := UnitOf(literal)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	for _, c := range []struct {
		text, like string
		want       Quantity
	}{
		{"32", "16 GiB", Quantity{Value: 32 * gib, Dim: dimBytes, Binary: true}},
		{"32 GB", "16 GiB", Quantity{Value: 32e9, Dim: dimBytes}},
		{"2*16", "16 GiB", Quantity{Value: 32 * gib, Dim: dimBytes, Binary: true}},
		{"9e11", "8.1e11 byte/s", Quantity{Value: 9e11, Dim: dimBandwidth}},
		{"87.2", "1 us", Quantity{Value: 8.72e-5, Dim: dimSeconds}},
		{"512", "256 token", Quantity{Value: 512, Label: Label{Over: tokenLabel}}},
		{"512 tokens", "256 token", Quantity{Value: 512, Label: Label{Over: tokenLabel}}},
		{"8k", "4096", Quantity{Value: 8000}},
		{"16 B", "70B parameters", Quantity{Value: 1.6e10, Label: Label{Over: "parameter"}}},
		{"2", "$1/hour", Quantity{Value: 2 * (1.0 / 3600), Dim: Dim{Dollar: 1, Second: -1}}},
		{"25%", "0.5", Quantity{Value: 0.25}},
		{"0", "3 s", Quantity{Dim: dimSeconds}},
	} {
		got, err := ParseLike(c.text, unit(c.like))
		if c.like == "$1/hour" && err == nil && math.Abs(got.Value-c.want.Value) < 1e-18 {
			got.Value = c.want.Value
		}
		if err != nil || got != c.want {
			t.Errorf("%q like %q: %+v, %v, want %+v", c.text, c.like, got, err, c.want)
		}
	}
	for _, c := range []struct{ text, like, want string }{
		{"3 s", "8.1e11 byte/s", "this is a time; give data per second, such as 900 GB/s"},
		{"3 s", "4096", "this is a time; give a plain number, such as 4096"},
		{"3 GB", "256 token", "this is an amount of data; give a plain number, such as 500 tokens"},
		{"3 token", "16 GiB", "this is a plain number; give data, such as 16 GiB"},
		{"16 B", "16 GiB", "B could be byte or billion; write 16 byte, 16 GB, or 16e9"},
		{"16B", "16 GiB", "B could be byte or billion"},
		{"1e300", "1 TB", ""},
		{"1e300", "1e9 TB", ""},
		{"1e306", "1 TB", "too large"},
		{"1e-305", "1 us", "too small"},
		{"", "1 TB", "nothing is written"},
	} {
		_, err := ParseLike(c.text, unit(c.like))
		if c.want == "" && err == nil {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q like %q: %v, want %q", c.text, c.like, err, c.want)
		}
	}
}

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

// TestEcho: a message names a bare number with an exponent as it was typed, in the unit in which it was read.
func TestEcho(t *testing.T) {
	unit := func(text string) Quantity {
		q, err := UnitOf(text)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	for _, c := range []struct{ text, like, want string }{
		{"1e9", "64 token", "1e9 tokens"}, {" 2.5E4 ", "2 ms", "2.5E4 ms"}, {"1e9 tokens", "64 token", "1 B tokens"},
		{"20000", "64 token", "20,000 tokens"}, {"1e3", "7", "1e3"}, {"1e3", "40%", "1e3 %"},
		{"2*1e3", "64 token", "2000 tokens"}, {"8k", "64 token", "8000 tokens"},
	} {
		q, err := ParseLike(c.text, unit(c.like))
		if err != nil {
			t.Errorf("%q like %s: %v", c.text, c.like, err)
			continue
		}
		if got := q.Echo(c.text, unit(c.like)); got != c.want {
			t.Errorf("%q like %s is named %q, want %q", c.text, c.like, got, c.want)
		}
	}
}
