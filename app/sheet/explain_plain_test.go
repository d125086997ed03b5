package sheet

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/explain"
)

// Plain notation, read as a person reads it, computes the same: juxtaposition and · multiply, / binds like ·. What
// notation drops (units, parentheses) must not change the value.
func TestPlainMeansTheSame(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(17, 18))}
	formulas := 1000
	if testing.Short() {
		formulas /= 10
	}
	for range formulas {
		src := w.arithmetic(1 + w.IntN(5))
		s, errs := Compile("let a = 3\nlet b = 0.7\nlet c = -11\ny = "+src+"\n", nil)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", src, errs[0])
		}
		want, err := s.Eval(nil).Value("y")
		if err != nil {
			continue
		}
		plain := s.Formula("y", explain.Plain)
		if !balanced(plain) {
			t.Fatalf("%s\nbecomes %s", src, plain)
		}
		p := &plainReader{text: plain, names: map[string]float64{"a": 3, "b": 0.7, "c": -11}}
		got := p.sum()
		if strings.TrimSpace(p.text) != "" || p.bad {
			t.Fatalf("%s\nbecomes %s, unreadable from %q", src, plain, p.text)
		}
		if math.Abs(got-want.Num.Value) > 1e-9*max(1, math.Abs(want.Num.Value)) {
			t.Errorf("%s = %v\nbecomes %s = %v", src, want.Num.Value, plain, got)
		}
	}
}

func (w writer) arithmetic(depth int) string {
	if depth == 0 {
		return w.pick("a", "b", "c", "2", "0.5", "1", "4096", "12.25")
	}
	x := func() string { return w.arithmetic(depth - 1 - w.IntN(depth)) }
	return w.pick(x()+" + "+x(), x()+" - "+x(), x()+" * "+x(), x()+" / "+x(), "("+x()+")", "-"+x(), x()+" * "+x(),
		"("+x()+" - "+x()+")", "("+x()+" / "+x()+")", "("+x()+" * "+x()+")", "max("+x()+", "+x()+")", "abs("+x()+")",
		"("+x()+")^"+w.pick("2", "3"), "a^2")
}

// plainReader is an independent reader of plain notation.
type plainReader struct {
	text        string
	names       map[string]float64
	bad, inside bool
}

func (p *plainReader) take(prefix string) bool {
	p.text = strings.TrimLeft(p.text, " ")
	if strings.HasPrefix(p.text, prefix) {
		p.text = p.text[len(prefix):]
		return true
	}
	return false
}

func (p *plainReader) sum() float64 {
	var x float64
	if p.take("−") {
		x = -p.product()
	} else {
		x = p.product()
	}
	for {
		switch {
		case p.take("+"):
			x += p.product()
		case p.take("−"):
			x -= p.product()
		default:
			return x
		}
	}
}

// product reads factors side by side and one quotient: what stands after / is a single factor.
func (p *plainReader) product() float64 {
	x := p.power()
	for {
		switch {
		case p.take("·"):
			x *= p.power()
		case p.take("/"):
			x /= p.power()
			if t := strings.TrimLeft(p.text, " "); t != "" && !strings.ContainsRune("+)|,/", []rune(t)[0]) &&
				!strings.HasPrefix(t, "−") {
				p.bad = true // a factor after the quotient: above or below the line?
			}
		case p.starts():
			x *= p.power()
		default:
			return x
		}
	}
}

func (p *plainReader) starts() bool {
	t := strings.TrimLeft(p.text, " ")
	return t != "" &&
		(t[0] == '|' && !p.inside || strings.ContainsRune("abc(0123456789", rune(t[0])) || strings.HasPrefix(t, "max") ||
			strings.HasPrefix(t, "abs"))
}

func (p *plainReader) power() float64 {
	x := p.atom()
	switch {
	case p.take("²"):
		return x * x
	case p.take("³"):
		return x * x * x
	}
	return x
}

func (p *plainReader) atom() float64 {
	switch {
	case p.take("max("):
		x := p.sum()
		p.bad = p.bad || !p.take(",")
		x = max(x, p.sum())
		p.bad = p.bad || !p.take(")")
		return x
	case p.take("("):
		x := p.sum()
		p.bad = p.bad || !p.take(")")
		return x
	case p.take("abs("):
		x := p.sum()
		p.bad = p.bad || !p.take(")")
		return math.Abs(x)
	case p.take("|"):
		p.bad, p.inside = p.bad || p.inside, true // bars inside bars: which end?
		x := p.sum()
		p.bad, p.inside = p.bad || !p.take("|"), false
		return math.Abs(x)
	}
	for name, v := range p.names {
		if p.take(name) {
			return v
		}
	}
	end := len(p.text) - len(strings.TrimLeft(p.text, "0123456789.,"))
	x, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimRight(p.text[:end], ","), ",", ""), 64)
	p.bad = p.bad || err != nil
	p.text = p.text[len(strings.TrimRight(p.text[:end], ",")):]
	return x
}
