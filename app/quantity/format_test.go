package quantity

import (
	"math"
	"math/rand"
	"strings"
	"testing"
)

func TestString(t *testing.T) {
	flop, data, time := Dim{FLOP: 1}, Dim{Byte: 1}, Dim{Second: 1}
	token := Label{Over: "token"}
	for _, c := range []struct {
		q    Quantity
		want string
	}{
		{Quantity{Value: 0.00131, Dim: time}, "1.31 ms"},
		{Quantity{Value: 8.720745778680202e-5, Dim: time}, "87.2 µs"},
		{Quantity{Value: 0, Dim: time}, "0 s"},
		{Quantity{Value: 3e-9, Dim: time}, "3 ns"},
		{Quantity{Value: 4.56e-13, Dim: time}, "0.456 ps"},
		{Quantity{Value: 3e-20, Dim: time}, "3×10⁻²⁰ s"},
		{Quantity{Value: 0.9996, Dim: time}, "1.00 s"},
		{Quantity{Value: 119.9, Dim: time}, "120 s"},
		{Quantity{Value: 150, Dim: time}, "2.5 min"},
		{Quantity{Value: 119 * 60, Dim: time}, "119 min"},
		{Quantity{Value: 3 * 3600, Dim: time}, "3 hours"},
		{Quantity{Value: 47 * 3600, Dim: time}, "47 hours"},
		{Quantity{Value: 24 * 86400, Dim: time}, "24 days"},
		{Quantity{Value: 729 * 86400, Dim: time}, "729 days"},
		{Quantity{Value: 2 * 31557600, Dim: time}, "2 years"},
		{Quantity{Value: -0.5, Dim: time}, "−500 ms"},
		{Quantity{Value: 34.36e9, Dim: flop}, "34.4 GFLOP"},
		{Quantity{Value: 4.1e18, Dim: dimFLOPRate}, "4.1 EFLOP/s"},
		{Quantity{Value: 9.9999e14, Dim: dimFLOPRate}, "1.00 PFLOP/s"},
		{Quantity{Value: 5.76e23, Dim: flop}, "5.76×10²³ FLOP"},
		{Quantity{Value: 2, Dim: flop, Label: token}, "2 FLOP"},
		{Quantity{Value: 2, Dim: flop, Label: Label{Under: "token"}}, "2 FLOP/token"},
		{Quantity{Value: 486.4, Dim: dimIntensity}, "486 FLOP/byte"},
		{Quantity{Value: 12345.6, Dim: dimIntensity}, "12,346 FLOP/byte"},
		{Quantity{Value: 0.25, Dim: dimIntensity}, "0.25 FLOP/byte"},
		{Quantity{Value: 2.5e6, Dim: dimIntensity}, "2.5 MFLOP/byte"},
		{Quantity{Value: 8.1e11, Dim: dimBandwidth}, "810 GB/s"},
		{Quantity{Value: 512, Dim: dimBandwidth}, "512 byte/s"},
		{Quantity{Value: 2 * gib, Dim: dimBandwidth, Binary: true}, "2 GiB/s"},
		{Quantity{Value: 72.34e6, Dim: data}, "72.3 MB"},
		{Quantity{Value: 512, Dim: data}, "512 bytes"},
		{Quantity{Value: 1, Dim: data}, "1 byte"},
		{Quantity{Value: 0.5, Dim: data}, "0.5 bytes"},
		{Quantity{Value: 2, Dim: data, Label: Label{Under: "token"}}, "2 byte/token"},
		{Quantity{Value: 327680, Dim: data, Label: Label{Under: "token"}}, "328 kB/token"},
		{Quantity{Value: 16 * gib, Dim: data, Binary: true}, "16 GiB"},
		{Quantity{Value: 1023, Dim: data, Binary: true}, "1023 bytes"},
		{Quantity{Value: 1023.9 * 1024, Dim: data, Binary: true}, "1.00 MiB"},
		{Quantity{Value: 1000.4 * 1024, Dim: data, Binary: true}, "1000 KiB"},
		{Quantity{Value: 16 * gib, Dim: data}, "17.2 GB"},
		{Quantity{Value: 1.74e10, Label: Label{Over: "parameter"}}, "17.4 B parameters"},
		{Quantity{Value: 1.74e10}, "17.4 B"},
		{Quantity{Value: 263.4, Label: token}, "263 tokens"},
		{Quantity{Value: 1, Label: token}, "1 token"},
		{Quantity{Value: 8192, Label: token}, "8192 tokens"},
		{Quantity{Value: 131072}, "131,072"},
		{Quantity{Value: 4096}, "4096"},
		{Quantity{Value: 1234.56}, "1235"},
		{Quantity{Value: 999999.4}, "999,999"},
		{Quantity{Value: 999999.7}, "1.00 M"},
		{Quantity{Value: 1048576}, "1.05 M"},
		{Quantity{Value: 1.5e13, Label: token}, "15 T tokens"},
		{Quantity{Value: 1e18}, "10¹⁸"},
		{Quantity{Value: 0.25}, "0.25"},
		{Quantity{Value: 0.00031}, "3.1×10⁻⁴"},
		{Quantity{Value: 0.0031}, "0.0031"},
		{Quantity{Value: 1.0 / 3}, "0.333"},
		{Quantity{Value: math.Copysign(0, -1)}, "0"},
		{Quantity{Value: -12.5}, "−12.5"},
		{Quantity{Value: 240, Dim: Dim{Second: -1}, Label: token}, "240 tokens/s"},
		{Quantity{Value: 1.2e6, Dim: Dim{Second: -1}, Label: token}, "1.2 M tokens/s"},
		{Quantity{Value: 250, Dim: Dim{Second: -1}}, "250/s"},
		{Quantity{Value: 1.75e9, Dim: Dim{Second: -1}}, "1.75 GHz"},
		{Quantity{Value: 8, Label: Label{"token", "chip"}}, "8 tokens/chip"},
		{Quantity{Value: 8, Label: Label{"", "chip"}}, "8/chip"},
		{Quantity{Value: 2.1 / 3600, Dim: Dim{Dollar: 1, Second: -1}}, "$2.10/hour"},
		{Quantity{Value: 10.8 / 3600, Dim: Dim{Dollar: 1, Second: -1}}, "$10.80/hour"},
		{Quantity{Value: 1.2e6, Dim: Dim{Dollar: 1}}, "$1.2 M"},
		{Quantity{Value: 12345.6, Dim: Dim{Dollar: 1}}, "$12,346"},
		{Quantity{Value: -5, Dim: Dim{Dollar: 1}}, "−$5.00"},
		{Quantity{Value: 0.0042, Dim: Dim{Dollar: 1}}, "$0.0042"},
		{Quantity{Value: 2.1e-6, Dim: Dim{Dollar: 1}, Label: Label{Under: "token"}}, "$2.10/Mtoken"},
		{Quantity{Value: 400, Dim: Dim{Joule: 1, Second: -1}}, "400 W"},
		{Quantity{Value: 1.2e9, Dim: Dim{Joule: 1}}, "1.2 GJ"},
		{Quantity{Value: 7e-13, Dim: Dim{Joule: 1, FLOP: -1}}, "0.7 pJ/FLOP"},
		{Quantity{Value: 30e-12, Dim: Dim{Joule: 1, Byte: -1}}, "30 pJ/byte"},
		{Quantity{Value: 0.002, Dim: time, Label: Label{Under: "token"}}, "2 ms/token"},
		{Quantity{Value: 500, Dim: time, Label: Label{Under: "step"}}, "500 s/step"},
		{Quantity{Value: 9, Dim: Dim{Second: 2}}, "9 s^2"},
		{Quantity{Value: math.NaN()}, "no finite value"},
		{Quantity{Value: math.Inf(-1), Dim: time}, "no finite value"},
	} {
		if got := c.q.String(); got != c.want {
			t.Errorf("%v %q = %q, want %q", c.q.Value, c.q.Dim, got, c.want)
		}
	}
}

func TestFormatDigits(t *testing.T) {
	q := Quantity{Value: 8.720745778680202e-5, Dim: dimSeconds}
	for digits, want := range map[int]string{0: "90 µs", 1: "90 µs", 2: "87 µs", 5: "87.207 µs",
		16: "87.20745778680202 µs", 99: "87.207457786802017 µs"} {
		if got := q.Format(digits); got != want {
			t.Errorf("%d digits: %q, want %q", digits, got, want)
		}
	}
	if got := (Quantity{Value: 1048576}).Format(7); got != "1.048576 M" {
		t.Errorf("2^20 = %q", got)
	}
}

// What pages print of a large or small number reads back, and is typed without raised digits.
func TestPowersOfTen(t *testing.T) {
	for _, c := range []struct {
		value        float64
		shown, typed string
	}{
		{6.3e24, "6.3×10²⁴ FLOP", "6.3e24 FLOP"},
		{1e24, "10²⁴ FLOP", "1e24 FLOP"},
		{-1e24, "−10²⁴ FLOP", "-1e24 FLOP"},
		{-4.5e-13, "−4.5×10⁻¹³ FLOP", "-4.5e-13 FLOP"},
	} {
		q := Quantity{Value: c.value, Dim: dimFLOPs}
		if q.String() != c.shown || q.Typed(3) != c.typed {
			t.Errorf("%g: %q, typed %q; want %q, %q", c.value, q, q.Typed(3), c.shown, c.typed)
		}
		for _, text := range []string{c.shown, c.typed} {
			if back, err := Parse(text); err != nil || back != q {
				t.Errorf("%q reads as %v, %v", text, back, err)
			}
		}
	}
	for _, text := range []string{"6×10 FLOP", "2×1024 FLOP", "10×102 FLOP"} {
		if q, err := Parse(text); err != nil || q.Value > 2048 {
			t.Errorf("%q reads as %v, %v", text, q, err)
		}
	}
}

func TestPartsAndExact(t *testing.T) {
	for _, c := range []struct {
		q                   Quantity
		number, unit, exact string
	}{
		{Quantity{Value: 0.00131, Dim: dimSeconds}, "1.31", "ms", "0.00131 s"},
		{Quantity{Value: 2.25 / 3600, Dim: Dim{Dollar: 1, Second: -1}}, "$2.25", "/hour", "0.000625 USD/s"},
		{Quantity{Value: 240, Dim: Dim{Second: -1}, Label: Label{Over: "token"}}, "240", "tokens/s", "240 token/s"},
		{Quantity{Value: 1e24}, "10²⁴", "", "1e+24"},
		{Quantity{Value: math.Inf(1)}, "no finite value", "", "no finite value"},
	} {
		number, unit := c.q.Parts()
		if number != c.number || unit != c.unit || c.q.Exact() != c.exact {
			t.Errorf("%q, %q, %q, want %q, %q, %q", number, unit, c.q.Exact(), c.number, c.unit, c.exact)
		}
	}
}

// randomQuantity is a quantity of any size, dimension and label that the parser knows.
func randomQuantity(r *rand.Rand) Quantity {
	noun := func() string {
		if r.Intn(2) == 0 {
			return ""
		}
		return nouns[r.Intn(len(nouns))].one
	}
	q := Quantity{Value: (r.Float64() + 0.1) * math.Pow(10, float64(r.Intn(60)-30)), Label: Label{noun(), noun()}}
	if q.Label.Over == q.Label.Under {
		q.Label.Under = "" // a noun over itself cancels
	}
	switch r.Intn(4) {
	case 0:
		q.Value = float64(r.Intn(2_000_000))
	case 1:
		q.Value = -q.Value
	}
	switch r.Intn(3) {
	case 0:
		q.Dim = dimWords[r.Intn(len(dimWords))].dim
	case 1:
		q.Dim = randomDim(r, 2)
	}
	q.Binary = q.Dim[Byte] != 0 && r.Intn(2) == 0
	return q
}

// What is printed is read back as the same quantity, as far as the printed digits go.
func TestParseInvertsFormat(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 50000 {
		q, digits := randomQuantity(r), 1+r.Intn(17)
		text := q.Format(digits)
		back, err := Parse(text)
		if err != nil {
			t.Fatalf("%v %v %v: %q: %v", q.Value, q.Dim, q.Label, text, err)
		}
		slack := math.Abs(q.Value) * (0.5000001*math.Pow(10, float64(1-digits)) + 1e-15)
		if back.Dim != q.Dim || math.Abs(back.Value-q.Value) > slack {
			t.Fatalf("%v %q -> %q -> %v %q", q.Value, q.Dim, text, back.Value, back.Dim)
		}
		if shown := shownLabel(q); back.Label != shown {
			t.Fatalf("%v %q %v -> %q -> %v", q.Value, q.Dim, q.Label, text, back.Label)
		}
	}
}

// shownLabel is the part of a label that is printed.
func shownLabel(q Quantity) Label {
	if _, power := q.Dim.lead(); power > 0 {
		return Label{Under: q.Label.Under}
	}
	return q.Label
}

func TestParseInvertsExact(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for range 20000 {
		q := randomQuantity(r)
		back, err := Parse(q.Exact())
		if err != nil || back.Value != q.Value || back.Dim != q.Dim || back.Label != shownLabel(q) {
			t.Fatalf("%v %q %v -> %q -> %v %q %v, %v", q.Value, q.Dim, q.Label, q.Exact(), back.Value, back.Dim,
				back.Label, err)
		}
	}
}

// However few digits, a larger number never prints as a smaller one.
func TestFormatIsMonotone(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 20000 {
		q := randomQuantity(r)
		next := q.Scale(1 + r.Float64()*0.01)
		a, err1 := Parse(q.String())
		b, err2 := Parse(next.String())
		if err1 != nil || err2 != nil || math.Abs(b.Value) < math.Abs(a.Value)*(1-1e-12) {
			t.Fatalf("%v -> %s, %v -> %s", q.Value, q, next.Value, next)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"16 GiB", "9.2e14 FLOP/s", "$2.1/hour", "4*8192", "2^20 byte", "(1+2)*4 KiB", "16,384",
		"17.4 B parameters",
		"1/3", "25%", "16 × 16", "1.3 µs", "1 / (byte * s)", "5 B/s", "1e999", "NaN", "((((", "--1", "4x8", "8 per " +
			"chip", "$1.2 M/hour", "22,5 ГБ/с", "4,2 Mio. tokens", "1'000.5 KIB", "≈ 3·10⁸", "1½ day", "half a day",
		"5–7 ms",
		"1.234.567,8", "two thousand", "４٢"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := Parse(s)
		if err != nil {
			e, ok := err.(*Error)
			if !ok || e.Offset < 0 || e.Offset > len(s) || e.What == nil || e.Remedy == nil {
				t.Fatalf("%q: %#v", s, err)
			}
			return
		}
		if !q.IsFinite() {
			t.Fatalf("%q is %v", s, q.Value)
		}
		text := q.String()
		if math.Abs(q.Value) > 1e300 || q.Value != 0 && math.Abs(q.Value) < 1e-290 {
			return // rounding may leave the range
		}
		back, err := Parse(text)
		if err != nil || back.Dim != q.Dim {
			t.Fatalf("%q -> %q -> %v, %v", s, text, back, err)
		}
		if strings.ContainsAny(text, "\n\x00<>&\"") {
			t.Fatalf("%q prints %q", s, text)
		}
	})
}

func FuzzLiteral(f *testing.F) {
	for _, s := range []string{"1..16384", "16GiB in", "16GiBs", "2 B", "70B", "1 byte/token", "2 FLOP/(byte*s) x",
		"64 step 1", "$2.1/hour",
		"5B/s", "0.1% as", "1_000_000", "3 s^2", "8E", "1e5x", ".5", "4 µs·s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, n, err := Literal(s)
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Offset < 0 || e.Offset > len(s) || n != 0 {
				t.Fatalf("%q: %#v, %d", s, err, n)
			}
			return
		}
		if n <= 0 || n > len(s) || !q.IsFinite() {
			t.Fatalf("%q: %d bytes, %v", s, n, q.Value)
		}
		again, m, err := Literal(s[:n])
		if err != nil || m != n || again != q {
			t.Fatalf("%q: %v, then %q: %v, %d, %v", s, q, s[:n], again, m, err)
		}
		if unit, err := UnitOf(s[:n]); err != nil || unit.Dim != q.Dim || unit.Label != q.Label ||
			unit.Binary != q.Binary {
			t.Fatalf("%q: unit %v, %v", s[:n], unit, err)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Parse("(1+2)*4.5 TFLOP/s"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkString(b *testing.B) {
	q := Quantity{Value: 8.720745778680202e-5, Dim: dimSeconds}
	for b.Loop() {
		_ = q.String()
	}
}

func BenchmarkLiteral(b *testing.B) {
	for b.Loop() {
		if _, _, err := Literal("1638 GB/s"); err != nil {
			b.Fatal(err)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"80%", "80 %"}, {"0.07%", "0.07 %"}, {"25% * 2", "50 %"}, {"80% / 2", "40 %"}, {"1 / 80%", "1.25"},
		{"80% / 40%", "2"}, {"100% * 3/4", "75 %"}, {"50% * 240 token", "120 tokens"}, {"80% * 10 GB/s", "8 GB/s"},
		{"250%", "250 %"}, {"-5%", "−5 %"}, {"10% + 5%", "15 %"}, {"1 - 80%", "0.2"}, {"50% * 50%", "0.25"},
		{"1e305 * 100%", "10³⁰⁷ %"},
	} {
		q, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := q.String(); got != c.want {
			t.Errorf("%s prints as %s, want %s", c.text, got, c.want)
		}
		if back, err := Parse(q.String()); err != nil || back.Dim != q.Dim || back.Label != q.Label {
			t.Errorf("%s came back as %v, %v", q, back, err)
		}
	}
}

// A share that is no number in hundredths prints as it is.
func TestPercentTooLarge(t *testing.T) {
	for text, want := range map[string]string{"1e308 * 100%": "10³⁰⁸", "-1.7e308 * 100%": "−1.7×10³⁰⁸"} {
		if q, err := Parse(text); err != nil || q.String() != want || !q.IsPercent() {
			t.Errorf("%s prints as %s, want %s (%v)", text, q, want, err)
		}
	}
}

func TestPercentInAField(t *testing.T) {
	like, err := UnitOf("80%")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]float64{"75": 0.75, "75%": 0.75, "75 %": 0.75, "100": 1} {
		if q, err := ParseLike(text, like); err != nil || q.Value != want || !q.IsPercent() {
			t.Errorf("%q in a field of percents is %v (%v), want %v", text, q, err, want)
		}
	}
}

func TestPercentRefused(t *testing.T) {
	like, err := UnitOf("70.31 %")
	if err != nil {
		t.Fatal(err)
	}
	want := "this is an amount of data; give a plain number, such as 80 %"
	if _, err := ParseLike("0.5 GB", like); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if q, err := ParseLike("110", like); err != nil || q.String() != "110 %" {
		t.Error(q, err)
	}
}

func TestPercentOfAShare(t *testing.T) {
	for share, want := range map[float64]string{0.1712: "17.1\u00a0%", -0.05: "−5.0\u00a0%", 0: "0.0\u00a0%"} {
		if got := Percent(share, 1); got != want {
			t.Errorf("%v is %q, want %q", share, got, want)
		}
	}
}

// Nouns cancel in ratios, in whatever order the factors come, and a ratio times 100% is a share.
func TestLabelsCancel(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"6 token / 3 token", "2"}, {"6 token * 2 layer / 3 token", "4 layers"},
		{"6 token * 2 layer / 3 layer", "4 tokens"}, {"6 token * 2 layer / 3 layer / 2 token", "2"},
		{"6 token * 2 layer", "12"}, {"6 token * 2 layer / 3 chip", "4"},
		{"6 token * 2 layer * 5 head / 3 layer / 5 head", "4 tokens"}, {"6 token * 2 token / 3 token", "4 tokens"},
		{"6 token / 2 chip * 4 chip", "12 tokens"}, {"6 / 2 chip / 3 layer * 4 chip", "4/layer"},
		{"80 layer * 3 / 70B parameter * 100%", "3.43×10⁻⁷ %"}, {"1 / 80 chip * 100%", "1.25 %"},
		{"100% * (1 / 80 chip)", "1.25 %"}, {"240 token * 100%", "240 tokens"},
		{"128 token / 2 chip * 50%", "32 tokens/chip"}, {"3 layer / 6 layer * 100%", "50 %"},
		{"10 GB/s / 5 GB/s * 100%", "200 %"}, {"10 / 2 chip / 50%", "10/chip"},
	} {
		q, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := q.String(); got != c.want {
			t.Errorf("%s prints as %s, want %s", c.text, got, c.want)
		}
		if back, err := Parse(q.Exact()); err != nil || back.Value != q.Value || back.String() != q.String() {
			t.Errorf("%s, %s, came back as %v, %v", c.text, q.Exact(), back, err)
		}
	}
}

func TestCountLabel(t *testing.T) {
	for text, want := range map[string]string{
		"GPUs": "2 GPUs", "GPU": "2 GPUs", "tokens/chip": "2 tokens/chip", "%": "200 %", "": "2", "/chip": "2/chip",
		"batches": "2 batches",
		"boxes":   "2 boxes", "replicas": "2 replicas", "copies": "2 copies", "attention heads": "2 attention heads",
		"all-reduces": "2 all-reduces", "задачи": "2 задачи", "шт": "2 шт", "題": "2 題",
	} {
		l, err := CountLabel(text)
		if got := (Quantity{Value: 2, Label: l}).String(); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"/", "a/", "a/b/c", "2 GPUs", "a*b", "%%", "<b>", " x", "x ", "GB/s/",
		"a very long name for what nobody ever counts"} {
		if l, err := CountLabel(text); err == nil {
			t.Errorf("%q is taken: %v", text, l)
		}
	}
}
