package instrument_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
	"golang.org/x/net/html"
)

var update = flag.Bool("update", false, "write the golden files anew")

// all has a control of every kind.
func all() *instrument.Instrument {
	return &instrument.Instrument{
		ID: "all", Title: "All <kinds>", About: "For tests.",
		Controls: func() []instrument.Control {
			abc := []instrument.Option{{ID: "a", Name: "Anna"}, {ID: "b", Name: "Bert", Group: "Others"}, {ID: "c", Name: "Carl", Group: "Others"}}
			return []instrument.Control{
				{Name: "size", Label: "Size", Default: "16 GiB", Min: "1 GiB", Max: "64 GiB", Log: true, Help: "Of everything."},
				{Name: "many", Label: "Chosen", Kind: instrument.Many, Default: "a,b", Options: abc, Most: 2},
				{Name: "one", Label: "Best", Kind: instrument.Menu, Default: "a", Fit: func(s *instrument.State, c *instrument.Control) {
					c.Options = nil
					for _, o := range abc {
						if slices.Contains(s.List("many"), o.ID) {
							c.Options = append(c.Options, o)
						}
					}
				}},
				{Name: "on", Label: "Really", Kind: instrument.Switch, Default: "off"},
				{Name: "word", Label: "Word", Kind: instrument.Text, Default: "hello"},
				{Name: "paper", Label: "Paper", Kind: instrument.Document, Cap: 64, Accept: ".json"},
				{Name: "step", Label: "Way", Kind: instrument.Step, Default: "1", Steps: 4, Strip: []int{0, 3}},
				{Name: "sort", Label: "Order", Kind: instrument.Text, Placed: true},
			}
		},
		Cell: func(name string) (instrument.Control, bool) {
			if name != "a__speed" && name != "b__speed" {
				return instrument.Control{}, false
			}
			return instrument.Control{Label: "speed of " + name[:1], Default: "100 GB/s"}, true
		},
		Values: func(s *instrument.State) []instrument.Value {
			return []instrument.Value{instrument.Of("size", "How much", s.Quantity("size"))}
		},
		Act: func(s *instrument.State, act string) []instrument.Change {
			return []instrument.Change{{Name: "word", Text: act}, {Name: "size"}}
		},
		Summary: func(s *instrument.State) string { return "Best is " + s.Text("one") },
		View: func(s *instrument.State) []instrument.Part {
			return []instrument.Part{
				{Key: "answer", Uses: "size", Build: func() *instrument.Node { return s.Row("size", "as it is set") }},
				{Key: "table", Uses: "many sort a__* b__*", Build: func() *instrument.Node {
					t := instrument.Table{Key: "t", Caption: "Those chosen", Sort: "sort", Heads: []instrument.Head{{Text: "Name"}, {Key: "speed", Text: "Speed"}}}
					for _, id := range s.List("many") {
						cell := instrument.Unknown("not known", "nobody measured it")
						if id != "c" {
							field := s.Field(id+"__speed", "Speed of "+id)
							cell = instrument.Q(s.Quantity(id + "__speed"))
							cell.Node = field
							cell.Mark = s.Changed(id + "__speed")
						}
						t.Rows = append(t.Rows, []instrument.Cell{instrument.Say(id), cell})
					}
					return s.Table(t)
				}},
				{Key: "drawing", Uses: "step", Steps: true, Build: func() *instrument.Node {
					return s.Stage(instrument.SVG(`<svg class="fig" role="img" viewBox="0 0 9 9"><title>Step ` + instrument.Escape(s.Text("word")) + `</title><path data-set="step=2" d="M0 0h9"/></svg>`))
				}},
			}
		},
	}
}

func view2(t *testing.T, in *instrument.Instrument, source string) *instrument.View {
	t.Helper()
	p, faults := instrument.Place(in, "", source)
	for _, f := range faults {
		t.Error(f)
	}
	return p.View()
}

func params(v *instrument.View) string { return widget.Encode(v.Params()) }

func TestAllKindsHaveNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(all(), 3000) {
		t.Error(f)
	}
}

func TestStatic(t *testing.T) {
	p, _ := instrument.Place(all(), "", "")
	got := p.Static()
	if _, err := html.Parse(strings.NewReader(got)); err != nil {
		t.Error(err)
	}
	const file = "testdata/all.html"
	if *update {
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(got, "><", ">\n<")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || strings.ReplaceAll(got, "><", ">\n<") != string(want) {
		t.Errorf("%s differs (%v); run with -update and look at the difference", file, err)
	}
}

// What a page prints and what takes its place have the same elements in the same places, but for what menus and strips
// hold: so nothing moves, and the focus finds its way.
func TestLiveHasTheShapeOfStatic(t *testing.T) {
	p, _ := instrument.Place(all(), "", "")
	still, live := p.View(), p.View()
	still.Still()
	shape := func(v *instrument.View) string {
		var b strings.Builder
		var walk func(n *instrument.Node, depth int)
		walk = func(n *instrument.Node, depth int) {
			class, _ := n.Attr("class")
			if class == "strip" || n.Tag == "select" {
				b.WriteString(n.Tag + ";")
				return
			}
			id, _ := n.Attr("id")
			b.WriteString(strings.Repeat(" ", depth) + n.Tag + "." + class + "#" + id + "\n")
			for _, k := range n.Kids {
				if k.Tag != "" {
					walk(k, depth+1)
				}
			}
		}
		for _, n := range v.Fill(v.Frame()) {
			walk(n, 0)
		}
		return b.String()
	}
	if a, b := shape(still), shape(live); a != b {
		t.Errorf("printed\n%s\nlive\n%s", a, b)
	}
}

// A text that can't be read leaves the last good value, with the reason beside it; a choice that a Fit takes away falls back.
func TestRefusals(t *testing.T) {
	v := view2(t, all(), "")
	v.Set("size", "8 GiB")
	if err := v.Set("size", "12 parrots"); err == nil {
		t.Error("parrots are taken")
	}
	out := v.Values()[0]
	if out.Text != "8 GiB" || !strings.Contains(widget.HTML(v.Part("input:size")), `aria-invalid="true"`) {
		t.Error(out, widget.HTML(v.Part("input:size")))
	}
	if params(v) != "" {
		t.Error("what was refused is in the address:", params(v))
	}
	v.Set("one", "b")
	v.Set("one", "zz")
	v.Set("size", "9 GiB")
	if got := v.Summary(); !strings.Contains(got, "Best is b") {
		t.Error("the last good choice is lost:", got)
	}
	v.Set("one", "b")
	v.Drop("many b")
	if got := v.Summary(); !strings.Contains(got, "Best is a") || !strings.Contains(got, "not among") {
		t.Error(got)
	}
	v.Add("many", "c")
	v.Add("many", "b")
	if got := v.Summary(); !strings.Contains(got, "at most 2") {
		t.Error(got)
	}
	if got := v.Summary(); !strings.Contains(widget.HTML(v.Part("input:many")), "at most 2") {
		t.Error(got)
	}
}

func TestStepper(t *testing.T) {
	v := view2(t, all(), "")
	at := func() string { return strings.SplitN(v.Summary(), ";", 2)[0] }
	for _, c := range []struct{ do, want string }{
		{"next", "Step 3 of 4"}, {"next", "Step 4 of 4"}, {"next", "Step 4 of 4"}, {"first", "Step 1 of 4"}, {"back", "Step 1 of 4"}, {"last", "Step 4 of 4"}, {"back", "Step 3 of 4"},
	} {
		if v.Step("step", c.do); at() != c.want {
			t.Error(c, at())
		}
	}
	if v.Wait() != 0 {
		t.Error("plays by itself")
	}
	v.Step("step", "play")
	if v.Wait() == 0 || at() != "Step 3 of 4" {
		t.Error("doesn't play", at())
	}
	if v.Tick() != 0 || at() != "Step 4 of 4" {
		t.Error("doesn't stop at its end", at())
	}
	if v.Step("step", "play"); at() != "Step 1 of 4" || v.Wait() == 0 {
		t.Error("doesn't begin anew", at())
	}
	if v.Step("step", "next"); v.Wait() != 0 {
		t.Error("a hand doesn't stop it")
	}
	v.Change("word=x\nstep=\nsize=32 GiB")
	if at() != "Step 2 of 4" || params(v) != "all.size=32+GiB&all.word=x" {
		t.Error(at(), params(v))
	}
	v.Act("done")
	if params(v) != "all.word=done" {
		t.Error(params(v))
	}
}

// A part is built again when something changes that it names, and only then.
func TestFingerprints(t *testing.T) {
	v := view2(t, all(), "")
	prints := func() map[string]string {
		m := map[string]string{}
		for _, key := range []string{"input:one", "input:size", "part:answer", "part:table", "part:drawing"} {
			m[key] = v.Fingerprint(key)
		}
		return m
	}
	changed := func(do func()) string {
		before := prints()
		do()
		var keys []string
		for key, was := range before {
			if v.Fingerprint(key) != was {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		return strings.Join(keys, " ")
	}
	for _, c := range []struct {
		do   func()
		want string
	}{
		{func() { v.Set("size", "8 GiB") }, "input:size part:answer"},
		{func() { v.Set("many", "b,c") }, "input:one part:table"},
		{func() { v.Set("b__speed", "1 GB/s") }, "part:table"},
		{func() { v.Step("step", "next") }, "part:drawing"},
		{func() { v.Set("word", "x") }, ""},
	} {
		if got := changed(c.do); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	p, faults := instrument.Place(all(), "mine", "# a remark\ntitle = Mine\nsize = 8\nmany = c\n\nb__speed = 7 GB/s\n")
	if len(faults) > 0 || p.ID != "mine" || p.Title != "Mine" {
		t.Error(faults, p)
	}
	v := p.View()
	if got := v.Values()[0].Text; got != "8 GiB" || params(v) != "" {
		t.Error("an author's setting is no default:", got, params(v))
	}
	v.Set("size", "16 GiB")
	if got := params(v); got != "mine.size=16+GiB" {
		t.Error(got)
	}
	v.Undo("size")
	if got := v.Values()[0].Text; got != "8 GiB" {
		t.Error(got)
	}
	_, faults = instrument.Place(all(), "", "size = 12 parrots\nnothing = 1\nsize\nword = a\nword = b\n")
	var lines []int
	for _, f := range faults {
		lines = append(lines, f.Line)
	}
	if !slices.Equal(lines, []int{1, 2, 3, 5}) {
		t.Error(faults)
	}
}

func TestDocument(t *testing.T) {
	v := view2(t, all(), "")
	if err := v.Set("paper", strings.Repeat("x", 65)); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Error(err)
	}
	if err := v.Set("paper", "\xff"); err == nil {
		t.Error("bytes that are no text are taken")
	}
	if err := v.Set("paper", "{}"); err != nil || params(v) != "" {
		t.Error(err, params(v))
	}
}

func TestSorting(t *testing.T) {
	v := view2(t, all(), "many = a,b")
	v.Set("a__speed", "50 GB/s")
	v.Set("b__speed", "70 GB/s")
	order := func() string {
		text := v.Export("csv")
		return strings.Join(strings.Fields(strings.ReplaceAll(text, "*", "")), " ")
	}
	for _, c := range []struct{ sort, want string }{
		{"", "Name,Speed a,5e+10 b,7e+10"}, {"speed", "Name,Speed b,7e+10 a,5e+10"}, {"-speed", "Name,Speed a,5e+10 b,7e+10"}, {"nonsense", "Name,Speed a,5e+10 b,7e+10"},
	} {
		if v.Set("sort", c.sort); order() != c.want {
			t.Errorf("%q: %s", c.sort, order())
		}
	}
}

func FuzzPlace(f *testing.F) {
	f.Add("size = 8\nmany = a\n# x\ntitle = y", "all.size=3&all.one=b")
	f.Fuzz(func(t *testing.T, source, query string) {
		p, _ := instrument.Place(all(), "", source)
		v := p.View()
		ps, _, _ := widget.Decode(query)
		v.Apply(ps)
		again, _, problems := widget.Decode(params(v))
		w := p.View()
		if problems = append(problems, w.Apply(again)...); len(problems) > 0 {
			t.Error(problems)
		}
		if v.Export("text") != w.Export("text") {
			t.Errorf("%q: %s\n%s", params(v), v.Export("text"), w.Export("text"))
		}
	})
}
