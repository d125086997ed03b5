package tex

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
)

func lines(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// TestFormulas holds every formula to its MathML and to the laws of sound.
func TestFormulas(t *testing.T) {
	var got strings.Builder
	for _, src := range lines(t, "testdata/formulas.txt") {
		out, err := MathML(src, true)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if err := sound(out); err != nil {
			t.Errorf("%s: %v\n%s", src, err, out)
		}
		got.WriteString(src + "\n\t" + out + "\n")
	}
	golden.Check(t, "testdata/formulas.golden", got.String())
}

// TestErrors holds every fault to its message and place.
func TestErrors(t *testing.T) {
	var got strings.Builder
	for _, src := range lines(t, "testdata/errors.txt") {
		out, err := MathML(src, false)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q became %s", src, out)
			continue
		}
		fmt.Fprintf(&got, "%s\n\t%d: %v\n", src, e.Offset, e)
	}
	golden.Check(t, "testdata/errors.golden", got.String())
}

// children is how many children an element must have; others may have any number.
var children = map[string]int{
	"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3, "mroot": 2,
	"mi": 0, "mn": 0, "mo": 0, "mtext": 0, "mspace": 0,
}

// containers are the other elements that may appear.
const containers = " math mrow mstyle msqrt mtable mtr mtd "

// attributes that may appear.
const attributes = " display displaystyle class stretchy fence form lspace rspace minsize maxsize movablelimits " +
	"accent accentunder mathvariant linethickness width "

// sound checks MathML against the rules that browsers rely on: XML, one <math>, elements with the right number of
// children.
func sound(out string) error {
	dec := xml.NewDecoder(strings.NewReader(out))
	var names []string
	var counts []int
	roots := 0
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			name := tok.Name.Local
			if len(names) == 0 {
				roots++
			} else {
				counts[len(counts)-1]++
			}
			if _, ok := children[name]; !ok && !strings.Contains(containers, " "+name+" ") {
				return fmt.Errorf("<%s>", name)
			}
			for _, a := range tok.Attr {
				if !strings.Contains(attributes, " "+a.Name.Local+" ") {
					return fmt.Errorf("attribute %s of <%s>", a.Name.Local, name)
				}
			}
			names, counts = append(names, name), append(counts, 0)
		case xml.EndElement:
			top := len(names) - 1
			if want, ok := children[names[top]]; ok && counts[top] != want {
				return fmt.Errorf("<%s> has %d children, not %d", names[top], counts[top], want)
			}
			if parent := top - 1; names[top] == "mtr" && names[parent] != "mtable" || names[top] == "mtd" &&
				names[parent] != "mtr" {
				return fmt.Errorf("<%s> in <%s>", names[top], names[parent])
			}
			names, counts = names[:top], counts[:top]
		}
	}
	if roots != 1 {
		return fmt.Errorf("%d roots", roots)
	}
	return nil
}

// TestLettersSurvive builds formulas at random and checks that what a reader sees holds the same letters in the same
// order, fraction by fraction and index by index.
func TestLettersSurvive(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 2000 {
		src, letters := randomFormula(rng, 4)
		out, err := MathML(src, rng.Intn(2) == 0)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		if err := sound(out); err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		var seen strings.Builder
		for _, part := range strings.Split(out, "<mi>")[1:] {
			seen.WriteString(part[:strings.IndexByte(part, '<')])
		}
		if seen.String() != letters {
			t.Fatalf("%s shows %s, not %s", src, seen.String(), letters)
		}
	}
}

func randomFormula(rng *rand.Rand, depth int) (src, letters string) {
	letter := string(rune('a' + rng.Intn(26)))
	if depth == 0 {
		return letter, letter
	}
	a, la := randomFormula(rng, depth-1)
	b, lb := randomFormula(rng, depth-1)
	switch rng.Intn(8) {
	case 0:
		return `\frac{` + a + "}{" + b + "}", la + lb
	case 1:
		return "{" + a + "}_{" + b + "}", la + lb
	case 2:
		return `\left(` + a + `\right)^{` + b + "}", la + lb
	case 3:
		return `\sqrt{` + a + "} + " + b, la + lb
	case 4:
		return `\begin{aligned} ` + a + " &= " + b + ` \end{aligned}`, la + lb
	case 5:
		return `\sum_{` + a + "}^{" + b + "}", la + lb
	case 6:
		return letter + " - " + a, letter + la
	}
	return a + " " + b, la + lb
}

// TestBounds checks that nesting and length are bounded.
func TestBounds(t *testing.T) {
	for _, src := range []string{strings.Repeat("{", 5000), strings.Repeat("x", maxLength+1),
		strings.Repeat(`\sqrt`, 1500), strings.Repeat(`\left(`, 1000)} {
		if _, err := MathML(src, false); err == nil {
			t.Errorf("%.20s... was translated", src)
		}
	}
}

func FuzzMathML(f *testing.F) {
	for _, name := range []string{"testdata/formulas.txt", "testdata/errors.txt"} {
		for _, src := range lines(f, name) {
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		out, err := MathML(src, true)
		var e *Error
		switch {
		case err == nil:
			if err := sound(out); err != nil {
				t.Errorf("%q: %v\n%s", src, err, out)
			}
		case !errors.As(err, &e):
			t.Errorf("%q: %v is no *Error", src, err)
		case e.Offset < 0 || e.Offset > len(src):
			t.Errorf("%q: offset %d", src, e.Offset)
		}
	})
}

func BenchmarkMathML(b *testing.B) {
	src := `\begin{aligned} T_\text{math} &= \frac{2BDF}{\text{FLOPs/s}} \\ &= \sum_{i=1}^N \left( x_i + \alpha \right) \end{aligned}`
	for b.Loop() {
		if _, err := MathML(src, true); err != nil {
			b.Fatal(err)
		}
	}
}
