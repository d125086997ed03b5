package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// somewhere is a positive number of any size that a plot may meet.
func somewhere(r *rand.Rand) float64 { return math.Pow(10, r.Float64()*600-300) }

// domains are random ranges, of every size and closeness.
func domains(n int) []scale {
	r := seeded()
	var scales []scale
	for len(scales) < n {
		s := scale{log: r.IntN(2) == 0, a: 60, b: 430}
		lo := somewhere(r)
		hi := lo * (1 + math.Pow(10, r.Float64()*12-6))
		if r.IntN(3) == 0 {
			hi = somewhere(r)
		}
		if !s.log && r.IntN(2) == 0 {
			lo = -lo
		}
		s.lo, s.hi = min(lo, hi), max(lo, hi)
		if finite(s.hi) && s.lo < s.hi {
			scales = append(scales, s)
		}
	}
	return scales
}

func TestScaleIsMonotoneAndInverse(t *testing.T) {
	r := seeded()
	for _, s := range domains(500) {
		if s.pos(s.lo) != s.a || s.pos(s.hi) != s.b || s.valueAt(0) != s.lo || s.valueAt(1) != s.hi {
			t.Fatalf("%+v is not exact at its ends", s)
		}
		fs := make([]float64, 20)
		for i := range fs {
			fs[i] = r.Float64()
		}
		slices.Sort(fs)
		last := s.lo
		for _, f := range fs {
			v := s.valueAt(f)
			if v < last || v > s.hi {
				t.Fatalf("%+v.at(%v) = %v after %v", s, f, v, last)
			}
			last = v
			if back := s.fraction(v); math.Abs(back-f) > 1e-6 {
				t.Fatalf("%+v: fraction(at(%v)) = %v", s, f, back)
			}
		}
	}
}

func TestTicks(t *testing.T) {
	for _, s := range domains(1000) {
		for _, format := range []func(float64) string{plain, si("s"), tokens} {
			tk := chooseTicks(s, &Axis{Format: format}, func([]tick) bool { return true })
			if len(tk.major) > mostTicks || len(tk.major) == 0 {
				t.Errorf("%+v has %d ticks", s, len(tk.major))
			}
			values := append([]float64(nil), tk.minor...)
			for i, m := range tk.major {
				values = append(values, m.v)
				if i > 0 && (m.v <= tk.major[i-1].v || m.text == tk.major[i-1].text) {
					t.Errorf("%+v: tick %v after %v", s, m, tk.major[i-1])
				}
			}
			slices.Sort(values)
			for i, v := range values {
				if v < s.lo || v > s.hi || i > 0 && v == values[i-1] {
					t.Errorf("%+v: a tick at %v is outside or there twice", s, v)
				}
			}
		}
	}
}

// TestTicksAreRound tries the ranges whose ticks anyone would know.
func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		log    bool
		lo, hi float64
		want   string
	}{
		{false, 0, 10, "0 2 4 6 8 10"},
		{false, 0, 1, "0 0.2 0.4 0.6 0.8 1"},
		{false, -0.3, 0.3, "−0.3 −0.2 −0.1 0 0.1 0.2 0.3"},
		{false, 1000, 1004, "1,000 1,001 1,002 1,003 1,004"},
		{true, 1, 100, "1 2 5 10 20 50 100"},
		{true, 1, 16384, "1 10 100 1,000 10,000"},
		{true, 0.002, 3, "0.003 0.01 0.03 0.1 0.3 1 3"},
		{true, 100, 300, "100 150 200 250 300"},
		{true, 1e-300, 1e300, "10⁻³⁰⁰ 10⁻²⁰⁰ 10⁻¹⁰⁰ 1 10¹⁰⁰ 10²⁰⁰ 10³⁰⁰"},
	} {
		s := scale{log: c.log, lo: c.lo, hi: c.hi, a: 0, b: 400}
		var got []string
		for _, m := range chooseTicks(s, &Axis{}, func(m []tick) bool { return len(m) < 8 }).major {
			got = append(got, m.text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v..%v (log %v): ticks %v, want %v", c.lo, c.hi, c.log, got, c.want)
		}
	}
}

func TestLogarithms(t *testing.T) {
	r := seeded()
	for range 20000 {
		x := somewhere(r)
		if got, want := log10(x), math.Log10(x); math.Abs(got-want) > 1e-15*math.Max(1, math.Abs(want)) {
			t.Fatalf("log10(%v) = %v, math has %v", x, got, want)
		}
		v := r.Float64()*600 - 300
		if got, want := exp10(v), math.Pow(10, v); math.Abs(got/want-1) > 1e-14 {
			t.Fatalf("exp10(%v) = %v, math has %v", v, got, want)
		}
	}
	for e := -323; e <= 308; e++ {
		if got := log10(power10(e)); math.Abs(got-float64(e)) > 1e-13 && e > -300 {
			t.Errorf("log10(1e%d) = %v", e, got)
		}
		if exp10(float64(e)) != power10(e) && e > -300 {
			t.Errorf("exp10(%d) = %v", e, exp10(float64(e)))
		}
	}
}
