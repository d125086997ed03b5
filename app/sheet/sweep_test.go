package sheet

import (
	"math"
	"math/rand"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// sampler makes expressions at random: plain numbers over the inputs a, b and c and the steps before.
type sampler struct {
	*rand.Rand
	names []string
}

func (g sampler) expr(depth int) string {
	pick := func(list ...string) string { return list[g.Intn(len(list))] }
	if depth == 0 {
		return pick(
			pick(g.names...),
			pick(g.names...),
			strconv.Itoa(g.Intn(9)),
			pick("0.5", "pi", "1e3", "tpu.v5e.native.bits", "twice(3)"),
		)
	}
	x := func() string { return g.expr(g.Intn(depth)) }
	switch g.Intn(9) {
	case 0:
		return pick(
			"abs",
			"sqrt",
			"cbrt",
			"exp",
			"ln",
			"log2",
			"log10",
			"floor",
			"ceil",
			"round",
			"twice",
			"-",
		) + "(" + x() + ")"
	case 1:
		return pick("min", "max", "sum", "mean", "total") + "(" + x() + ", " + x() + ", " + x() + ")"
	case 2:
		return "if(" + x() + pick(
			" < ",
			" >= ",
			" = ",
		) + x() + pick(
			" and ",
			" or not ",
		) + x() + " > " + x() + ", " + x() + ", " + x() + ")"
	case 3:
		return "mod(" + x() + ", " + x() + ")"
	case 4:
		return "clamp(" + x() + ", 0, " + x() + ")"
	case 5:
		return "(" + x() + ")^" + pick("2", "0.5", "-1", "3", "("+x()+")")
	}
	return "(" + x() + pick(" + ", " - ", " * ", " / ") + x() + ")"
}

func (g *sampler) sheet() string {
	var b strings.Builder
	b.WriteString("let a = 3 token in -9..9\nlet b = 0.7 in 0..5\nlet c = 100 in 1..1e4 log\n")
	g.names = []string{"a", "b", "c"}
	for i := range 8 {
		name := "x" + strconv.Itoa(i)
		b.WriteString(name + " = " + g.expr(3) + "\n")
		g.names = append(g.names, name)
	}
	b.WriteString("solve s: c where x7 = x3 + c\ny = s + x2\n")
	return b.String()
}

// A sweep, with bare numbers and with whole values, must say bit for bit what evaluating the sheet anew says.
func TestSweepIsEval(t *testing.T) {
	names := []string{"a", "b", "c", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "s", "y", "s.left"}
	valued, failed := 0, 0
	seeds := int64(60)
	if testing.Short() {
		seeds /= 10
	}
	for seed := range seeds {
		g := sampler{Rand: rand.New(rand.NewSource(seed))}
		src := g.sheet()
		s := sheetOf(t, src)
		for _, in := range s.Inputs {
			quick, whole := s.sweep(nil, in.Name, names), s.sweep(nil, in.Name, names)
			for range 20 {
				q := in.Default.Num
				q.Value = in.Min + (in.Max-in.Min)*float64(g.Intn(12))/11
				v := value.Value{Kind: value.Number, Num: q}
				r := s.Eval(input.State{in.Name: v})
				fast, slow := quick.Num(q.Value), whole.At(v)
				for i, name := range names[:len(names)-1] {
					want, err := r.Value(name)
					for _, got := range []expr.Row{fast[i], slow[i]} {
						if (err == nil) != (got.Err == nil) || err != nil && err.Error() != got.Err.Error() {
							t.Fatalf("%s%s at %s = %v: error %v, not %v", src, name, in.Name, q.Value, got.Err, err)
						}
						if math.Float64bits(got.Value.Num.Value) != math.Float64bits(want.Num.Value) {
							t.Fatalf("%s%s at %s = %v: %v, not %v", src, name, in.Name, q.Value, got.Value.Num.Value, want.Num.Value)
						}
					}
					if !reflect.DeepEqual(slow[i].Value, want) {
						t.Fatalf("%s%s at %s = %v: %#v, not %#v", src, name, in.Name, q.Value, slow[i].Value, want)
					}
					if err == nil {
						valued++
					} else {
						failed++
					}
				}
			}
		}
	}
	if valued < 166*int(seeds) || failed < 16*int(seeds) {
		t.Errorf("%d rows with a value and %d without are too few to compare", valued, failed)
	}
}

func TestSweepOverMenu(t *testing.T) {
	s := sheetOf(t, "let chip = tpu.v5e\nlet n = 2\nlink = chip.link\npeak = chip.flops(int8) * n\nother = n + 1\n")
	w := s.sweep(nil, "chip", []string{"peak", "link", "other", "nothing"})
	for range 2 {
		for i, want := range []float64{2 * 3.94e14, 2 * 1.98e15} {
			rows := w.At(s.Input("chip").Menu[i].Value)
			if got := rows[0].Value.Num.Value; got != want {
				t.Errorf("peak of chip %d is %v, not %v", i, got, want)
			}
			if (rows[1].Err != nil) != (i == 1) {
				t.Errorf("link of chip %d: %v", i, rows[1].Err)
			}
			if rows[2].Value.Num.Value != 3 {
				t.Errorf("other = %v", rows[2].Value)
			}
			if rows[3].Err == nil {
				t.Error("a row that does not exist has a value")
			}
		}
	}
	if rows := w.At(num(1, dimTime)); rows[0].Err == nil {
		t.Error("a chip that is a time has a peak")
	}
	if rows := s.sweep(nil, "nothing", []string{"peak"}).At(num(1, dimTime)); rows[0].Err == nil {
		t.Error("an input that does not exist can be swept")
	}
}

// What does not vary is computed once: a library function is not called again for each sample.
func TestSweepRemembers(t *testing.T) {
	env, calls := testEnv(), 0
	env.Funcs["counted"] = &value.Func{
		Name: "counted", Params: []value.Param{{Name: "x", AnyDim: true}}, Result: value.Type{},
		Call: func(a []value.Value) (value.Value, error) { calls++; return a[0], nil }}
	s, errs := Compile("let B = 2 in 1..9\nlet C = 3 in 1..9\na = counted(C + 1) * B\nb = if(B > 5, counted(B), 0)\n", env)
	if errs != nil {
		t.Fatal(errs[0])
	}
	w := s.sweep(nil, "B", []string{"a", "b"})
	for i := range 100 {
		w.Num(1 + float64(i)/20)
	}
	if calls != 1+19 { // once for C, and for each B above 5
		t.Errorf("called %d times", calls)
	}
	// A new state starts anew.
	if v, _ := s.Eval(input.State{"C": num(5, [5]int8{})}).Value("a"); v.Num.Value != 12 {
		t.Errorf("a = %v", v)
	}
}

// A plot of what is solved needs a search for each point: the fuel must last.
func TestPlotOfSolve(t *testing.T) {
	s := sheetOf(t, int8Matmul+"plot B_crit over D in 2048..65536 for F = 4096, 16384, 65536\n")
	d := s.PlotData(nil, s.Plots[1])
	if d.Err != nil || len(d.Series) != 3 {
		t.Fatalf("%d curves, %v", len(d.Series), d.Err)
	}
	for k, series := range d.Series {
		F := []float64{4096, 16384, 65536}[k]
		for i, D := range series.X {
			want := D * F / (2*D*F*8.1e11/3.94e14 - D - F)
			if math.Abs(series.Y[i]/want-1) > 1e-9 {
				t.Fatalf("F = %v, D = %v: %v, not %v", F, D, series.Y[i], want)
			}
		}
	}
}

// A sheet may be used from several goroutines at once. (Run with -race.)
func TestConcurrent(t *testing.T) {
	s := sheetOf(t, int8Matmul)
	want, _ := s.Eval(nil).Value("B_crit")
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 20 {
				if got, _ := s.Eval(nil).Value("B_crit"); !reflect.DeepEqual(got, want) {
					t.Errorf("B_crit = %v", got)
				}
				s.TableData(nil, s.Tables[0])
			}
		}()
	}
	wg.Wait()
}
