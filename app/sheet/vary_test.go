package sheet

import (
	"errors"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/value"
)

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
	env, begun := testEnv(), 0
	env.Funcs["added"] = &value.Func{Name: "added", Params: []value.Param{{Name: "n", Type: typPlain}}, Result: typPlain,
		Begin: func(a []value.Value) value.Task { begun++; return finished{a[0]} }}
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
	if begun != 1 {
		t.Errorf("begun %d times", begun)
	}
}
