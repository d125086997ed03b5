package sheet

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/sheet/explain"
)

// wellFormed reads text as XML and allows only elements of MathML Core that formulas use.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	allowed := " math mrow mi mn mo mtext mfrac msup msub msqrt mroot mtable mtr mtd "
	children := map[string]int{"mfrac": 2, "msup": 2, "msub": 2, "mroot": 2}
	var stack []string
	var counts []int
	d := xml.NewDecoder(strings.NewReader("<math>" + text + "</math>"))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("not XML: %v in %s", err, text)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name := e.Name.Local
			if !strings.Contains(allowed, " "+name+" ") {
				t.Fatalf("element %s in %s", name, text)
			}
			for _, a := range e.Attr {
				if !strings.Contains(" lspace rspace form class mathvariant ", " "+a.Name.Local+" ") {
					t.Fatalf("attribute %s in %s", a.Name.Local, text)
				}
			}
			if len(counts) > 0 {
				counts[len(counts)-1]++
			}
			stack, counts = append(stack, name), append(counts, 0)
		case xml.EndElement:
			last := len(stack) - 1
			if want := children[stack[last]]; want > 0 && counts[last] != want {
				t.Fatalf("%s has %d children in %s", stack[last], counts[last], text)
			}
			if stack[last] == "math" && counts[last] != 1 {
				t.Fatalf("%d elements instead of one: %s", counts[last], text)
			}
			stack, counts = stack[:last], counts[:last]
		}
	}
}

// balanced tells whether the parentheses of text match.
func balanced(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

func TestFormulasGolden(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "formulas.sheet"))
	if err != nil {
		t.Fatal(err)
	}
	s := explainSheet(t, string(src))
	r := s.Eval(nil)
	var plain, math strings.Builder
	for _, row := range s.Rows {
		if row.Kind == "input" {
			continue
		}
		v, err := r.Value(row.Name)
		if err != nil {
			t.Errorf("%s: %v", row.Name, err)
		}
		name := row.Name
		plain.WriteString(
			name + " = " + v.String() + "\n  code     " + s.Formula(name, explain.Code) +
				"\n  plain    " + s.Formula(name, explain.Plain) +
				"\n  working  " + r.Working(name, explain.Plain) + "\n",
		)
		if operand, ok := r.Binding(name); ok {
			plain.WriteString("  binding  " + operand + "\n")
		}
		for _, l := range r.Opened(name, explain.Plain) {
			plain.WriteString("  opened   " + l.Call + " = " + l.Formula + " = " + l.Working + "\n")
		}
		math.WriteString("<p>" + name + "</p>\n")
		for _, m := range []string{s.Formula(name, explain.MathML), r.Working(name, explain.MathML)} {
			wellFormedUnlessEmpty(t, m)
			math.WriteString("<math display=\"block\">" + m + "</math>\n")
		}
	}
	golden.Check(t, "testdata/formulas.golden", plain.String())
	golden.Check(t, "testdata/formulas.mathml.golden", math.String())
}

func wellFormedUnlessEmpty(t *testing.T, text string) {
	t.Helper()
	if text != "" {
		wellFormed(t, text)
	}
}

func BenchmarkFormulas(b *testing.B) {
	s := explainSheet(b, matmulSheet)
	r := s.Eval(nil)
	for name, write := range map[string]func(row string) string{
		"symbols": func(row string) string { return s.Formula(row, explain.MathML) },
		"numbers": func(row string) string { return r.Working(row, explain.MathML) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				n := 0
				for i := range s.Rows {
					n += len(write(s.Rows[i].Name))
				}
				if n < 500 {
					b.Fatal("too little was written")
				}
			}
		})
	}
}
