package sheet

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
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
	pick := func(list ...string) string { return list[g.IntN(len(list))] }
	if depth == 0 {
		return pick(
			pick(g.names...),
			pick(g.names...),
			strconv.Itoa(g.IntN(9)),
			pick("0.5", "pi", "1e3", "tpu.v5e.native.bits", "twice(3)"),
		)
	}
	x := func() string { return g.expr(g.IntN(depth)) }
	switch g.IntN(9) {
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
		g := sampler{Rand: rand.New(rand.NewPCG(uint64(seed), 0))}
		src := g.sheet()
		s := sheetOf(t, src)
		for _, in := range s.Inputs {
			quick, whole := s.sweep(nil, in.Name, names), s.sweep(nil, in.Name, names)
			for range 20 {
				q := in.Default.Num
				q.Value = in.Min + (in.Max-in.Min)*float64(g.IntN(12))/11
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
							t.Fatalf("%s%s at %s = %v: %v, not %v", src, name, in.Name, q.Value, got.Value.Num.Value,
								want.Num.Value)
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

// A solve within a sweep asks anew for what depends on the sweep's input, also beside the input that it varies itself.
func TestSolveInASweepOverMenu(t *testing.T) {
	s := sheetOf(t, "let chip = tpu.v5e\nlet B = 100 in 1..1e9 log\n"+
		"solve b: B where B * 1 FLOP / chip.flops(int8) = 0.1 us\n")
	w := s.sweep(nil, "chip", []string{"b"})
	for range 2 {
		for i, want := range []float64{3.94e7, 1.98e8} { // the peak rate for 0.1 us
			if row := w.At(s.Input("chip").Menu[i].Value)[0]; row.Err != nil || row.Value.Num.Value != want {
				t.Errorf("chip %d: B = %v, %v; want %v", i, row.Value.Num.Value, row.Err, want)
			}
		}
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
	s, errs := Compile("let B = 2 in 1..9\nlet C = 3 in 1..9\na = counted(C + 1) * B\nb = if(B > 5, counted(B), 0)\n",
		env)
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

// slopes are the elasticities of output by input.
func slopes(s *Sheet, st input.State, output string) map[string]Elasticity {
	out := map[string]Elasticity{}
	for _, e := range s.Elasticities(st, output) {
		out[e.Input] = e
	}
	return out
}

func TestElasticitiesAgainstDerivatives(t *testing.T) {
	s := explainSheet(t, `let a = 3
let b = 5
let c = 0.7
let z = 0
let n = -4
let unused = 8
power = a^2 * b / c
root = sqrt(a) * b^1.5 * 1e9
add = a + b + c
growth = exp(a * b / 10)
logs = ln(a * b)
wave = a^3 / (1 + b^2)
negative = -a * b
signed = n^3 + a
cancel = a - a + b
same = c
zero = z * a
steep = (a / 3)^40
`)
	a, b, c, n := 3.0, 5.0, 0.7, -4.0
	sum := a + b + c
	worst := 0.0
	for output, want := range map[string]map[string]float64{
		"power":    {"a": 2, "b": 1, "c": -1},
		"root":     {"a": 0.5, "b": 1.5},
		"add":      {"a": a / sum, "b": b / sum, "c": c / sum},
		"growth":   {"a": a * b / 10, "b": a * b / 10},
		"logs":     {"a": 1 / math.Log(a*b), "b": 1 / math.Log(a*b)},
		"wave":     {"a": 3, "b": -2 * b * b / (1 + b*b)},
		"negative": {"a": 1, "b": 1},
		"signed":   {"n": 3 * n * n * n / (n*n*n + a), "a": a / (n*n*n + a)},
		"cancel":   {"b": 1},
		"same":     {"c": 1},
		"steep":    {"a": 40},
		"zero":     {},
		"a":        {},
	} {
		got := s.Elasticities(nil, output)
		if len(got) != len(want) {
			t.Errorf("%s: %v, want %v", output, got, want)
			continue
		}
		for i, e := range got {
			if i > 0 && math.Abs(e.Value) > math.Abs(got[i-1].Value) {
				t.Errorf("%s: not sorted: %v", output, got)
			}
			diff := math.Abs(e.Value-want[e.Input]) / max(1, math.Abs(want[e.Input]))
			worst = max(worst, diff)
			if diff > 1e-8 || e.Kink {
				t.Errorf("%s by %s: %v, want %v", output, e.Input, e, want[e.Input])
			}
		}
	}
	t.Logf("worst error %.2g", worst)
}

// Euler: the elasticities of a homogeneous function add up to its degree, wherever they are taken.
func TestElasticitiesObeyEuler(t *testing.T) {
	s := explainSheet(t, matmulSheet)
	rnd := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		st := input.State{}
		for _, name := range []string{"B", "D", "F"} {
			in := s.Input(name)
			p := in.Span()
			st[name] = value.Value{
				Kind: value.Number,
				Num: in.Quantity(
					p.Value(
						p.Coordinate(p.Lo)*0.9 + 0.1*p.Coordinate(p.Hi) +
							0.8*rnd.Float64()*(p.Coordinate(p.Hi)-p.Coordinate(p.Lo)),
					),
				),
			}
		}
		for output, degree := range map[string]float64{"ops": 3, "moved": 2, "intensity": 1, "T_comms": 2} {
			total := 0.0
			for name, e := range slopes(s, st, output) {
				if name != "W_hbm" {
					total += e.Value
				}
			}
			if math.Abs(total-degree) > 1e-8 {
				t.Errorf("%s at %v: %.12g, want %v", output, st, total, degree)
			}
		}
	}
}

// What a solve finds has slopes too: n a = b^2 makes n = b^2/a.
func TestElasticitiesOfSolve(t *testing.T) {
	s := explainSheet(t, "let n = 4 in 0.01..1e4 log\nlet a = 3\nlet b = 7\nsolve q: n where n * a = b^2\n")
	for input, want := range map[string]float64{"a": -1, "b": 2, "n": 0} {
		if e := slopes(s, nil, "q")[input]; math.Abs(e.Value-want) > 1e-8 || e.Kink {
			t.Errorf("%s: %+v, want %v", input, e, want)
		}
	}
}

func TestElasticitiesAtCorners(t *testing.T) {
	s := explainSheet(t, `let B = 8 in 1..8
let C = 8
let low = 2 in 2..100 log
top = max(C, 8) * B
above = max(C, 7.99)
far = max(C, 7.9)
below = max(C, 8.01)
near1 = max(C, 7.996)
near2 = min(C, 8.0005)
near3 = max(C, 8.002)
stairs = ceil(C / 4)
steps = C * ceil(C / 4)
drop = C * floor(C / 4)
edge = B^2 * 3
start = low^3
valley = abs(C - 8) + 1
domain = sqrt(8 - C) + 1
wall = C * if(C > 8, 5, 1)
peak = C + sqrt(9 - C) * 2
`)
	for _, c := range []struct {
		output, input string
		want          float64
		kink          bool
	}{
		{"top", "C", 0.5, true}, {"top", "B", 1, false}, {"above", "C", 1, false}, {"far", "C", 1, false},
		{"below", "C", 0, false},
		{"near1", "C", 1, false}, {"near2", "C", 1, false}, {"near3", "C", 0, false},
		{"stairs", "C", 0, false}, {"steps", "C", 1, true}, {"drop", "C", 1, true}, {"edge", "B", 2, false},
		{"start", "low", 3, false},
		{"valley", "C", 0, true}, {"domain", "C", 0, false}, {"wall", "C", 1, true},
	} {
		e := slopes(s, nil, c.output)[c.input]
		if math.Abs(e.Value-c.want) > 1e-7 || e.Kink != c.kink {
			t.Errorf("%s by %s: %+v, want %v %v", c.output, c.input, e, c.want, c.kink)
		}
	}
	st := input.State{"C": {Kind: value.Number, Num: quantity.Quantity{Value: 7.5}}}
	if e := slopes(s, st, "peak")["C"]; math.Abs(e.Value-7.5*(1-1/math.Sqrt(1.5))/(7.5+2*math.Sqrt(1.5))) > 1e-9 {
		t.Errorf("peak: %+v", e)
	}
}

func BenchmarkElasticities(b *testing.B) {
	s := explainSheet(b, matmulSheet)
	for b.Loop() {
		if len(s.Elasticities(nil, "T_lower")) != 4 {
			b.Fatal("inputs are missing")
		}
	}
}

// TestTurns lets a table and a plot take values that other inputs choose, each once.
func TestTurns(t *testing.T) {
	s := sheetOf(t, `
let chip = tpu.v5e
let other = gpu.h100
let B = 8 in 1..64
let way = ring of ring, tree
tree = 3
W = chip.hbm_bandwidth
y = if(way = "ring", 1, 2) * B
table W over chip = chip, other
table y over way = ring, tree
table y over B = B, 2*B, 64
plot W over B for chip = chip, other
`)
	for _, c := range []struct {
		sets        []string
		table, want string
	}{
		{nil, "0", "TPU v5e, H100 SXM"},
		{[]string{"chip=gpu.h100"}, "0", "H100 SXM"},
		{[]string{"chip=gpu.h100", "other=tpu.v5e"}, "0", "H100 SXM, TPU v5e"},
		{nil, "1", "ring, tree"},
		{nil, "2", "8, 16, 64"},
		{[]string{"B=32"}, "2", "32, 64"},
	} {
		st := stateOf(t, s, c.sets...)
		for _, view := range []*Sheet{s, s.With(&Tasks{Whole: true})} {
			view.Eval(st)
			var got []string
			for _, row := range view.TableData(st, view.Tables[c.table[0]-'0']).Rows {
				got = append(got, row.Input.String())
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("%v: %v, not %s", c.sets, got, c.want)
			}
		}
	}
	if d := s.PlotData(nil, s.Plots[0]); len(d.Series) != 2 || !strings.Contains(d.Series[1].Label, "H100") {
		t.Errorf("the plot has %d curves", len(d.Series))
	}
}

// TestDocumentIsRead lets a function refuse a text, and keeps the last good one.
func TestDocumentIsRead(t *testing.T) {
	env := testEnv()
	word := value.Type{Kind: value.Text}
	env.Funcs["shout"] = &value.Func{Name: "shout", Params: []value.Param{{Name: "text", Type: word}}, Result: word,
		Call: func(a []value.Value) (value.Value, error) {
			if a[0].Text == "x" {
				return value.Value{}, errors.New("not that")
			}
			return value.Value{Kind: value.Text, Text: strings.ToUpper(a[0].Text)}, nil
		}}
	s, errs := Compile("let d = document(\".txt\", shout, 1 KiB)\ny = shout(d)\n", env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	st := stateOf(t, s, "d=good")
	if _, err := s.Set(st, "d", "x"); errorText(err) != "not that" {
		t.Error(err)
	}
	if v, err := s.Eval(st).Value("y"); err != nil || v.Text != "GOOD" {
		t.Error(v, err)
	}
	if _, err := s.Set(st, "d", " \n"); err != nil {
		t.Error("no text at all is refused:", err)
	}
}

// finished is work that is done when it begins.
type finished struct{ v value.Value }

func (finished) Step() bool                    { panic("there is nothing left") }
func (finished) Progress() float64             { return 1 }
func (f finished) Value() (value.Value, error) { return f.v, nil }

// TestFinishedWork keeps what is done at once, and is never under way.
func TestFinishedWork(t *testing.T) {
	env, started := testEnv(), 0
	env.Funcs["added"] = &value.Func{Name: "added", Params: []value.Param{{Name: "n", Type: typPlain}},
		Result: typPlain, Begin: func(a []value.Value) value.Task { started++; return finished{a[0]} }}
	s, errs := Compile("let n = 3\nlet m = 1\nx = added(n)\ny = x * m\n", env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	w := &Tasks{}
	s = s.With(w)
	for _, sets := range [][]string{nil, {"m=2"}, {"m=3"}} {
		if r := s.Eval(stateOf(t, s, sets...)); r.Rows[2].Under != nil || r.Rows[3].Err != nil || w.Busy() {
			t.Errorf("%v: %+v", sets, r.Rows[3])
		}
	}
	if started != 1 {
		t.Errorf("started %d times", started)
	}
}
