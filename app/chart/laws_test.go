package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scalebook/scalebook/app/phrase"
)

func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// TestXAtInvertsCursor moves a pointer across each example.
func TestXAtInvertsCursor(t *testing.T) {
	for _, p := range examples() {
		dr := p.Draw()
		l := dr.l
		if l.why != nil {
			continue
		}
		from, to := l.area.x0, l.area.x1
		if p.categorical() {
			from, to = l.area.y0, l.area.y1
		}
		for i := range 101 {
			x := dr.XAt(float64(i) / 100)
			px := dr.Cursor(x)
			if p.categorical() {
				if again := dr.XAt((px - from) / (to - from)); again != x {
					t.Errorf("%s: row %v stands at %v, which is row %v", p.ID, x, px, again)
				}
				continue
			}
			if want := from + (to-from)*float64(i)/100; math.Abs(px-want) > 1e-6 {
				t.Errorf("%s: XAt(%v) stands at %v, want %v", p.ID, float64(i)/100, px, want)
			}
		}
		if dr.XAt(-1) != dr.XAt(0) || dr.XAt(2) != dr.XAt(1) || dr.XAt(math.NaN()) != dr.XAt(0) {
			t.Errorf("%s: a pointer outside does not mean the ends", p.ID)
		}
	}
}

// TestReadAtData reads the curves where their values are given, and between.
func TestReadAtData(t *testing.T) {
	p := matmul()
	for i, x := range p.Series[0].X {
		r := p.Read(x)
		if r.Values[0].Y != p.Series[0].Y[i] || r.Values[1].Y != p.Series[1].Y[i] {
			t.Errorf("at %v: %v, want %v and %v", x, r.Values, p.Series[0].Y[i], p.Series[1].Y[i])
		}
	}
	// A power law is a straight line on logarithmic axes: reading between values is exact.
	for _, x := range []float64{1.5, 33, 1000, 16000} {
		if got := p.Read(x).Values[0].Y; math.Abs(got/tMath(x)-1) > 1e-12 {
			t.Errorf("at %v: %v, want %v", x, got, tMath(x))
		}
	}
	if v := p.Read(20000).Values[0]; v.Text != "ends at 16,384" || !math.IsNaN(v.Y) || !math.IsNaN(v.At) {
		t.Errorf("beyond the data: %+v", v)
	}
	if r := bars().Read(4); r.XText != "TPU v5e" || r.Values[0].Text != "197 TFLOP/s" {
		t.Errorf("a category: %+v", r)
	}
}

// TestClip holds clipping to its definition: what is left lies in the box and on the line.
func TestClip(t *testing.T) {
	r := seeded()
	b := box{0, 0, 10, 10}
	coordinate := func() float64 { return r.Float64()*40 - 15 }
	for range 10000 {
		p, q := pt{coordinate(), coordinate()}, pt{coordinate(), coordinate()}
		from, to, ok := b.clip(p, q)
		inside := false
		for i := range 1001 {
			f := float64(i) / 1000
			inside = inside || b.contains(pt{p.x + (q.x-p.x)*f, p.y + (q.y-p.y)*f})
		}
		if inside && !ok {
			t.Fatalf("%v..%v passes the box, clip says not", p, q)
		}
		if !ok {
			continue
		}
		for _, c := range []pt{from, to} {
			if !b.grow(1e-9).contains(c) || distance(c, p, q) > 1e-9 {
				t.Fatalf("%v..%v is clipped to %v", p, q, c)
			}
		}
	}
}

// distance of p from the line a..b.
func distance(p, a, b pt) float64 {
	d := pt{b.x - a.x, b.y - a.y}
	f := 0.0
	if n := d.x*d.x + d.y*d.y; n > 0 {
		f = clamp(((p.x-a.x)*d.x+(p.y-a.y)*d.y)/n, 0, 1)
	}
	return length(pt{p.x - a.x - f*d.x, p.y - a.y - f*d.y})
}

// TestSimplify draws random and smooth curves: no value may stray further from the thinned line than the eye can see.
func TestSimplify(t *testing.T) {
	r := seeded()
	for k := range 200 {
		var run []pt
		y := 0.0
		for i := range 300 {
			switch k % 3 {
			case 0:
				y = 100 * math.Sin(float64(i)/float64(5+k))
			case 1:
				y += r.Float64() - 0.5
			case 2:
				y = float64(r.IntN(3)) * 40
			}
			run = append(run, pt{float64(i) * 0.7 * float64(k%5), y})
		}
		thinned := simplify(run)
		for _, p := range run {
			nearest := math.Inf(1)
			for i := 1; i < len(thinned); i++ {
				nearest = min(nearest, distance(p, thinned[i-1], thinned[i]))
			}
			if nearest > 3*tolerance {
				t.Fatalf("curve %d: %v is %v from the thinned line", k, p, nearest)
			}
		}
		if k%3 == 0 && k > 60 && len(thinned) > 150 {
			t.Errorf("curve %d: %d of %d points kept", k, len(thinned), len(run))
		}
	}
}

// TestSafe holds every example to what a drawing must be, and its labels to keeping apart.
func TestSafe(t *testing.T) {
	for _, p := range examples() {
		t.Run(p.ID, func(t *testing.T) { keepApart(t, inspect(t, p.SVG())) })
	}
}

func keepApart(t *testing.T, labels []label) {
	t.Helper()
	for i, a := range labels {
		for _, b := range labels[:i] {
			if a.s != "" && b.s != "" && a.box.grow(-0.2).intersects(b.box) {
				t.Errorf("the labels %q %v and %q %v overlap", a.s, a.box, b.s, b.box)
			}
		}
	}
}

// TestFormatMeetsNumbersOnly: whoever formats need not think of infinities.
func TestFormatMeetsNumbersOnly(t *testing.T) {
	for _, p := range examples() {
		for _, a := range []*Axis{&p.X, &p.Y} {
			inner := *a
			a.Format = func(v float64) string {
				if !finite(v) {
					t.Errorf("%s: Format(%v)", p.ID, v)
				}
				return inner.format(v)
			}
		}
		p.SVG()
		p.AltTable()
		p.Read(math.NaN())
		p.Read(math.Inf(1))
	}
}

// TestSameBytes draws at once in several goroutines.
func TestSameBytes(t *testing.T) {
	p := crowded()
	want := p.SVG()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if p.SVG() != want {
				t.Error("two drawings of one plot differ")
			}
		})
	}
	wg.Wait()
}

func TestEscaping(t *testing.T) {
	evil := "<script>\"'&\x00\xff\ufffe"
	xs := []float64{1, 2, 3}
	p := &Plot{
		ID:      evil,
		Title:   evil,
		X:       Axis{Label: evil},
		Y:       Axis{Label: evil, Format: func(v float64) string { return evil + plain(v) }},
		Series:  []Series{{Label: evil, X: xs, Y: xs}, {Label: evil, X: xs, Y: xs}},
		Marks:   []Mark{{X: 2, Y: 2, Label: evil}},
		Current: &Mark{X: 2, Label: evil},
	}
	inspect(t, p.SVG())
	p.X.Categories = []string{evil, evil, evil}
	inspect(t, p.SVG())
}

func BenchmarkSVG(b *testing.B) {
	for _, p := range []*Plot{matmul(), family(), crowded(), bars()} {
		b.Run(p.ID, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p.SVG()
			}
		})
	}
}

func TestSharedUnit(t *testing.T) {
	for _, c := range []struct{ labels, want, unit string }{
		{"1 GB|2 GB|3 GB", "1|2|3", "GB"},
		{"0 B|50 GB|100 GB", "0|50|100", "GB"},
		{"500 MB|1 GB", "500 MB|1 GB", ""},
		{"1 ms|10 ms|1 s", "1 ms|10 ms|1 s", ""},
		{"300 GFLOP/s|1 TFLOP/s|3 TFLOP/s", "300 G|1 T|3 T", "FLOP/s"},
		{"100 FLOP/s|1 kFLOP/s|10 kFLOP/s", "100|1 k|10 k", "FLOP/s"},
		{"1 token|10 tokens|100 tokens", "1|10|100", "tokens"},
		{"1|2|3", "1|2|3", ""},
		{"1|2 GB", "1|2 GB", ""},
		{"0 s", "0 s", ""},
		{"$20 M|$500 M", "$20 M|$500 M", ""},
		{"2 B|5 B", "2 B|5 B", ""},
		{"10 byte/s|10 xbyte/s", "10 byte/s|10 xbyte/s", ""},
	} {
		var labels []tick
		for _, s := range strings.Split(c.labels, "|") {
			labels = append(labels, tick{text: s})
		}
		unit := shared(labels)
		var got []string
		for _, l := range labels {
			got = append(got, l.text)
		}
		if unit != c.unit || strings.Join(got, "|") != c.want {
			t.Errorf("%s: got %s in %q, want %s in %q", c.labels, strings.Join(got, "|"), unit, c.want, c.unit)
		}
	}
	for _, c := range [][3]string{{"KV cache", "GB", "KV cache in GB"},
		{"Tokens in the batch (B)", "tokens", "Tokens in the batch (B)"},
		{"Time", "", "Time"}, {"Time", "s", "Time in s"}} {
		if got := withUnit(phrase.Phrases{}, c[0], c[1]); got != c[2] {
			t.Errorf("withUnit(%q, %q) = %q", c[0], c[1], got)
		}
	}
}

// TestHeightStays moves the reader along the axis: the page must not move with them.
func TestHeightStays(t *testing.T) {
	places := 60
	if testing.Short() {
		places /= 6
	}
	crowd := crowded()
	crowd.Marks = append(crowd.Marks, slices.Repeat(crowd.Marks, 5)...)
	for _, p := range []*Plot{matmul(), roofline(), family(), many(), crowded(), crowd} {
		p.Current = &Mark{}
		heights := map[float64]bool{}
		for i := range places {
			p.Current.X = p.XAt(float64(i) / float64(places-1))
			p.Current.Label = "here " + plain(p.Current.X)
			l := p.layout()
			heights[l.height] = true
			if l.area.y1-l.area.y0 < 100 {
				t.Errorf("%s: the plot area is only %v high", p.ID, l.area.y1-l.area.y0)
			}
		}
		if len(heights) != 1 {
			t.Errorf("%s: heights %v", p.ID, heights)
		}
	}
}

// TestLongMarks holds that the words of marks that are too long to stand beside each other stand above each other.
func TestLongMarks(t *testing.T) {
	p := &Plot{ID: "p", Y: Axis{Label: "All users together", Log: true}, X: Axis{Label: "Sequences", Min: 1, Max: 256},
		Series: []Series{{Label: "All users together", X: []float64{1, 50, 150, 256},
			Y: []float64{373, 9734, 14724, 14724}}},
		Current: &Mark{X: 16, Label: "B = 16"},
		Marks: []Mark{{Vertical, 52.6, 0, "Caches outweigh weights from 52.6 sequences", 0},
			{Vertical, 148, 0, "Matmuls compute from a batch of 148 tokens", 0}}}
	svg := p.Draw().SVG()
	for _, m := range p.Marks {
		if !strings.Contains(svg, `<text class="vert"`) || strings.Count(svg, ">"+m.Label+"<") != 1 {
			t.Errorf("what stands at %v is not said once, above it: %s", m.X, m.Label)
		}
	}
	keepApart(t, inspect(t, svg))
}

// TestCloseMarks holds that marks beside each other, with curves between, all have their words beside them or at the
// end of a line that leads there, each in the colour of its curve.
func TestCloseMarks(t *testing.T) {
	roof := func(name string, left, ridge, peak float64) Series {
		return Series{Label: name, X: []float64{0.05, ridge, 20000}, Y: []float64{left, peak, peak}}
	}
	p := &Plot{ID: "p", X: Axis{Label: "Intensity", Log: true}, Y: Axis{Label: "Rate", Log: true},
		Series: []Series{roof("TPU v5e", 41e9, 241, 197e12), roof("H100", 168e9, 295, 989e12),
			roof("TPU7x", 369e9, 313, 2307e12)},
		Current: &Mark{X: 30, Label: "I = 30 FLOP/byte"},
		Marks: []Mark{{Point, 241, 197e12, "241 FLOP/byte", 1}, {Point, 295, 989e12, "295 FLOP/byte", 2},
			{Point, 313, 2307e12, "313 FLOP/byte", 3}, {Vertical, 0.5, 0, "A dot product at 0.5 FLOP/byte", 0},
			{Vertical, 512, 0, "A matmul of 512 tokens at 512 FLOP/byte", 0}}}
	svg := p.Draw().SVG()
	for _, m := range p.Marks {
		if n := strings.Count(svg, ">"+m.Label+"<"); n != 1 {
			t.Errorf("%s is said %d times", m.Label, n)
		}
	}
	for _, s := range []string{"s1", "s2", "s3"} {
		if strings.Count(svg, `<text class="point `+s+`"`) != 1 || strings.Count(svg, `<text class="name `+s+`"`) != 1 {
			t.Errorf("curve %s or its ridge is not named once, in its colour", s)
		}
	}
	keepApart(t, inspect(t, svg))
}

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

// A logarithmic axis labels the values that it is given, where three lie on it and their labels fit.
func TestGivenTicks(t *testing.T) {
	round := []float64{1, 10, 60, 600, 3600, 36000}
	for _, c := range []struct {
		log    bool
		lo, hi float64
		want   string
	}{
		{true, 60, 86400, "60 600 3,600 36,000"},
		{true, 1, 60, "1 10 60"},
		{true, 61, 900, "100 200 500"},
		{false, 0, 4000, "0 1,000 2,000 3,000 4,000"},
		{true, 1e5, 1e6, "100,000 200,000 500,000 1,000,000"},
	} {
		s := scale{log: c.log, lo: c.lo, hi: c.hi, a: 0, b: 400}
		var got []string
		for _, m := range chooseTicks(s, &Axis{Round: round}, func(m []tick) bool { return len(m) < 8 }).major {
			got = append(got, m.text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v..%v (log %v): ticks %v, want %v", c.lo, c.hi, c.log, got, c.want)
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

// A line to a label runs over no dot but its own, wherever the reader stands.
func TestLeadersKeepOffDots(t *testing.T) {
	line := func(name string, y0, y1 float64) Series {
		return Series{Label: name, X: []float64{2, 64}, Y: []float64{y0, y1}}
	}
	lines := 0
	for x := 2.0; x <= 64; x *= 1.06 {
		p := &Plot{ID: "p", X: Axis{Label: "Chips", Log: true}, Y: Axis{Label: "Time", Log: true},
			Series: []Series{line("Compute, forward", 0.1, 0.0032),
				line("All-gather and reduce-scatter", 0.018, 0.018)},
			Current: &Mark{X: x, Label: "Y"}, Marks: []Mark{{Point, 11.2, 0.018, "Y = 11.2", 0}}}
		l := p.layout()
		dots := []pt{l.point(0)}
		for _, v := range l.read(x).Values {
			dots = append(dots, pt{l.x.pos(x), v.At})
		}
		for _, to := range l.leaders {
			lines++
			for _, d := range dots {
				own := box{to.from.x, to.from.y, to.from.x, to.from.y}.grow(8).contains(d)
				if _, _, over := (box{d.x, d.y, d.x, d.y}.grow(3)).clip(to.from, to.to); over && !own {
					t.Errorf("at %.3g the line from %v to %v runs over the dot at %v", x, to.from, to.to, d)
				}
			}
		}
	}
	if lines == 0 {
		t.Error("no label has a line to it")
	}
}
