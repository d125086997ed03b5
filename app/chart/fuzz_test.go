package chart

import (
	"encoding/binary"
	"math"
	"testing"
	"unicode/utf8"
)

// FuzzPlot draws whatever the bytes say, and holds the drawing to what every drawing must be.
func FuzzPlot(f *testing.F) {
	f.Add([]byte{}, "Time", "Chips")
	f.Add([]byte{3, 2, 1, 1, 200, 100, 50, 25, 12, 6, 3, 1, 255, 0, 128, 64, 32}, "A rather long label with words", "x")
	f.Add(
		[]byte{4, 255, 7, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
			26},
		"µs",
		"",
	)
	f.Add([]byte{1, 8, 0, 0, 0, 0, 0, 0, 0, 0, 240, 127, 0, 0, 0, 0, 0, 0, 248, 127}, "<&>", "\xff\x00")
	f.Fuzz(func(t *testing.T, data []byte, one, two string) {
		if len(one)+len(two) > 400 || len(data) > 4000 {
			return
		}
		p := (&decoder{data}).plot(clean(one), clean(two))
		keepApart(t, inspect(t, p.SVG()))
		p.AltTable()
		for _, x := range []float64{p.XAt(0), p.XAt(0.3), p.XAt(1), math.NaN(), math.Inf(-1)} {
			if c := p.Cursor(x); !finite(c) {
				t.Errorf("Cursor(%v) = %v", x, c)
			}
			p.Read(x)
		}
	})
}

// clean takes out what the inspection would take for a number gone wrong.
func clean(s string) string {
	for _, r := range s {
		if r == 'N' || r == 'I' || r == '+' || !utf8.ValidRune(r) {
			return "label"
		}
	}
	return s
}

// decoder reads a plot from bytes; where they end it reads zeros.
type decoder struct{ data []byte }

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

// number is a small one, a power of ten, or any float64 at all.
func (d *decoder) number() float64 {
	switch b := d.byte(); {
	case b < 100:
		return float64(b)
	case b < 220:
		return math.Pow(10, float64(b)-160)
	case b < 235:
		return -float64(b)
	case len(d.data) >= 8:
		v := math.Float64frombits(binary.LittleEndian.Uint64(d.data))
		d.data = d.data[8:]
		return v
	}
	return math.NaN()
}

func (d *decoder) plot(one, two string) *Plot {
	kind := d.byte()
	p := &Plot{ID: two, X: Axis{Label: one, Log: kind&1 > 0}, Y: Axis{Label: two, Log: kind&2 > 0}}
	if kind&4 > 0 {
		p.X.Min, p.X.Max = d.number(), d.number()
	}
	if kind&8 > 0 {
		p.Y.Min, p.Y.Max = d.number(), d.number()
	}
	if kind&16 > 0 {
		for i := range int(d.byte()%40) + 1 {
			p.X.Categories = append(p.X.Categories, one+itoa(i))
		}
	}
	if kind&32 > 0 {
		p.Y.Format = func(v float64) string { return two + plain(v) }
	}
	if kind&64 > 0 {
		p.Current = &Mark{X: d.number(), Label: one}
	}
	for i := range int(d.byte()%4) + int(kind>>7)*7 {
		p.Marks = append(p.Marks, Mark{MarkKind(d.byte() % 2), d.number(), d.number(), one + itoa(i), 0})
	}
	n := int(d.byte()%8) + 1
	for i := range n {
		p.Series = append(p.Series, Series{Label: two + itoa(i), Dots: d.byte()%5 == 4})
	}
	for i := 0; len(d.data) > 0; i++ {
		s := &p.Series[i%n]
		x := float64(len(s.X))
		if kind&1 > 0 {
			x = d.number()
		}
		s.X, s.Y = append(s.X, x), append(s.Y, d.number())
	}
	return p
}

// TestRandomPlots draws plots from random bytes with words of a book.
func TestRandomPlots(t *testing.T) {
	r := seeded()
	words := []string{
		"",
		"x",
		"Time",
		"Time to move the bytes",
		"tokens",
		"D = 8,192",
		"Bandwidth that each of the chips would need at the least (GB/s)",
		"µs",
		"critical batch 240",
	}
	plots := 600
	if testing.Short() {
		plots /= 10
	}
	for i := range plots {
		data := make([]byte, r.IntN(400))
		for j := range data {
			data[j] = byte(r.UintN(256))
		}
		p := (&decoder{data}).plot(words[r.IntN(len(words))], words[r.IntN(len(words))])
		if keepApart(t, inspect(t, p.SVG())); t.Failed() {
			t.Fatalf("plot %d", i)
		}
	}
}
