package widget

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget/address"
)

// plansEnv has a function that lists plans of three speeds; the last has no memory.
func plansEnv() *value.Env {
	second, data := quantity.Dim{quantity.Second: 1}, quantity.Dim{quantity.Byte: 1}
	rt := &value.RecordType{Name: "way", Fields: []value.Field{
		{Name: "title", Label: "Way", Type: value.Type{Kind: value.Text}},
		{Name: "time", Label: "Time", Type: value.Type{Kind: value.Number, Dim: second}},
		{Name: "memory", Type: value.Type{Kind: value.Number, Dim: data}},
	}}
	plan := func(id string, time, memory float64) value.Value {
		r := &value.Record{ID: id, Name: "the " + id, Type: rt, Fields: map[string]value.Value{
			"title": {Kind: value.Text, Text: "by " + id},
			"time":  {Kind: value.Number, Num: quantity.Quantity{Value: time, Dim: second}},
		}}
		if memory > 0 {
			r.Fields["memory"] = value.Value{Kind: value.Number, Num: quantity.Quantity{Value: memory, Dim: data}}
		}
		return value.Value{Kind: value.Rec, Record: r}
	}
	return &value.Env{Funcs: map[string]*value.Func{"ways": {
		Name: "ways", Params: []value.Param{{Name: "n"}}, Result: value.ListOf(value.Type{Kind: value.Rec, Record: rt}),
		Call: func(a []value.Value) (value.Value, error) {
			n := a[0].Num.Value
			if n < 0 {
				return value.Value{}, errors.New("no ways back")
			}
			return value.Value{Kind: value.List, List: []value.Value{
				plan("ring", 2e-3*n, 1e9), plan("tree", 12e-3, 2.5e9), plan("line", 1.5e-3*n, 0),
			}}, nil
		},
	}}}
}

func plansView(t *testing.T, src string) *View {
	t.Helper()
	s, errs := sheet.Compile(src, plansEnv())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "w"
	return New(s)
}

const plansSource = `
let n = 1 in -1..100
xs = ways(n)
table xs show title, time, memory by time "Ways"
table xs top 2
`

// cells are the texts of a table's lines, heads first.
func cells(t *testing.T, html string) string {
	t.Helper()
	var lines []string
	for _, tr := range find(parse(t, "<table>"+html[strings.Index(html, "<thead>"):]), "tr", "", "") {
		var texts []string
		for _, c := range append(find(tr, "th", "", ""), find(tr, "td", "", "")...) {
			texts = append(texts, said(c))
		}
		lines = append(lines, strings.Join(texts, "|"))
	}
	return strings.Join(lines, "\n")
}

func TestListTable(t *testing.T) {
	v := plansView(t, plansSource)
	if got, want := cells(t, part(v, "table:0")), "Way↕|Time (ms)↑|Memory (GB)↕\nby line|1.5|–no entry for memory of "+
		"the line\nby ring|2|1\nby "+
		"tree|12|2.5"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := v.Pick("sort.xs=-memory"); err != nil {
		t.Fatal(err)
	}
	if got, want := cells(t, part(v, "table:0")), "Way↕|Time (ms)↕|Memory (GB)↓\nby tree|12|2.5\nby ring|2|1\nby "+
		"line|1.5|–no entry for memory of the line"; got != want {
		t.Errorf("by memory, got\n%s\nwant\n%s", got, want)
	}
	if got := address.Encode(v.Params()); got != "w.sort.xs=-memory" {
		t.Errorf("the address has %q", got)
	}
	again := plansView(t, plansSource)
	ps, others, problems := address.Decode("w.sort.xs=-memory&w.n=5&w.sort.xs.2=title&w.sort.xs.1=title")
	if problems = append(problems, again.Apply(ps)...); len(problems) > 0 || len(others) != 1 ||
		again.order(0).String() != "-memory" ||
		again.order(1).String() != "title" {
		t.Errorf("read back: %v, %v, %v", problems, others, again.orders)
	}
	if problems := again.Apply([]address.Param{{Sheet: "w", Name: "sort.xs", Text: "speed"}}); len(problems) != 1 ||
		!strings.Contains(problems[0].String(), "columns are title, time or memory") {
		t.Errorf("an order that there is not: %v", problems)
	}
	if again.Reset(); len(again.Params()) != 0 {
		t.Errorf("after a reset the address has %v", again.Params())
	}
}

// A table shows its first lines, and all when the reader asks.
func TestListTop(t *testing.T) {
	v := plansView(t, plansSource)
	if got := part(v, "table:1"); strings.Count(got, "<tr>") != 3 || !strings.Contains(got, "The first 2 of 3.") {
		t.Errorf("the first two: %s", got)
	}
	before := v.Fingerprint("table:1")
	if v.Toggle("all:1", true); v.Fingerprint("table:1") == before {
		t.Error("the part isn't built anew")
	}
	if got := part(v, "table:1"); strings.Count(got, "<tr>") != 4 || !strings.Contains(got, "All 3.") {
		t.Errorf("all: %s", got)
	}
	if v.Set("n", "-1"); !strings.Contains(part(v, "table:1"), "There is no table: ") {
		t.Errorf("without a list: %s", part(v, "table:1"))
	}
}

func TestListExport(t *testing.T) {
	v := plansView(t, plansSource)
	for form, want := range map[string]string{
		"text":     "\nWays\n\nWay      Time (ms)  Memory (GB)\nby line  1.5        no value\n",
		"markdown": "\nWays\n\n| Way | Time (ms) | Memory (GB) |\n|---|---|---|\n| by line | 1.5 | no value |\n",
		"csv":      "\r\nWay,Time (ms),Memory (GB)\r\nby line,1.5,\r\nby ring,2,1\r\n",
	} {
		if got := v.Export(form); !strings.Contains(got, want) {
			t.Errorf("%s: %q", form, got)
		}
	}
}

// The lines of an input's menu can be chosen; the choice stays with the entry when the order changes.
func TestListChoice(t *testing.T) {
	v := plansView(t, plansSource+"let way = first of xs\ntook = way.time\n")
	chosen := func() string {
		for _, tr := range find(parse(t, "<table>"+part(v, "table:0")), "tr", "aria-current", "true") {
			return said(find(tr, "th", "", "")[0])
		}
		return "none"
	}
	if got := chosen(); got != "by ring" {
		t.Errorf("at first %s is chosen", got)
	}
	radios := find(parse(t, part(v, "table:0")), "input", "type", "radio")
	if set, _ := get(radios[2], "data-set"); len(radios) != 3 || set != "way=tree" {
		t.Fatalf("%d radio buttons, the last sets %q", len(radios), set)
	}
	if err := v.Pick("way=tree"); err != nil || chosen() != "by tree" || v.row("took").Value.Num.Value != 12e-3 {
		t.Errorf("after a choice: %v, %s, %v", err, chosen(), v.row("took").Value)
	}
	if v.Pick("sort.xs=-time"); chosen() != "by tree" || address.Encode(v.Params()) != "w.sort.xs=-time&w.way=tree" {
		t.Errorf("ranked anew: %s, %s", chosen(), address.Encode(v.Params()))
	}
	on := 0
	for _, c := range v.Controls() {
		if strings.Contains(c.ID, "--line--") && c.Value == "on" {
			on++
		}
	}
	if got := part(v, "table:1"); !strings.Contains(got, "The first 2 of 3.") {
		t.Errorf("the chosen line is among the first: %s", got)
	}
	v.Pick("way=line")
	if got := part(v, "table:1"); !strings.Contains(got, "The first 2 of 3, and the chosen one.") ||
		strings.Count(got, "<tr") != 4 {
		t.Errorf("what is chosen isn't in sight: %s", got)
	}
	v.Pick("way=tree")
	if on != 2 { // one for each table
		t.Errorf("%d radio buttons are on", on)
	}
	if v.Set("n", "20"); v.row("took").Value.Num.Value != 12e-3 || chosen() != "by tree" {
		t.Errorf("after a change of the list: %v", v.row("took").Value)
	}
}

// A row that only reads a field of a record out of sight shows no formula: its label says as much.
func TestRowsThatRepeat(t *testing.T) {
	v := plansView(t, "let n = 1\nhidden w = first of ways(n)\nshown = first of ways(n)\nT = w.time \"Time\"\n"+
		"T_2 = 2 * w.time\nT_shown = shown.time")
	for name, want := range map[string]bool{"T": true, "T_2": false, "T_shown": false} {
		if got := strings.Contains(HTML(v.rowNode(v.row(name))), `<span class="row-formula"></span>`); got != want {
			t.Errorf("%s without a formula: %v, want %v", name, got, want)
		}
	}
}

// A number that is small beside the others of its column doesn't push their points apart further than the style sheet
// follows.
func TestSmallBesideLarge(t *testing.T) {
	second := quantity.Dim{quantity.Second: 1}
	var column listColumn
	for _, ms := range []float64{3835, 18.1, -0.00158} {
		n := quantity.Quantity{Value: ms / 1000, Dim: second}
		column.cells = append(column.cells, listCell{value: value.Value{Kind: value.Number, Num: n}, text: n.String()})
	}
	columns := []listColumn{column}
	level(columns)
	var texts []string
	for _, cell := range columns[0].cells {
		texts = append(texts, cell.text)
	}
	if got := strings.Join(texts, " "); got != "3835 18.1 −0.0016" {
		t.Error(got)
	}
	for i, pad := range columns[0].pads() {
		if want := []int{9, 6, 0}[i]; pad != want {
			t.Errorf("%s keeps %d from the end, want %d", texts[i], pad, want)
		}
	}
}

// Beside fractions of three digits others have as many; what is whole throughout, or halves, stays as it is.
func TestColumnsHaveEvenDigits(t *testing.T) {
	for _, c := range []struct {
		numbers []float64
		want    string
	}{
		{[]float64{1.69, 1.7, 18, 100, 0, -7}, "1.69 1.70 18.0 100 0 −7.00"},
		{[]float64{0.5, 1, 4096}, "0.5 1 4096"},
		{[]float64{3, 64, 8192}, "3 64 8192"},
		{[]float64{8192, 12.5, 96}, "8192 12.5 96.0"},
		{[]float64{0.05, -1.5, 2}, "0.05 −1.5 2"},
		{[]float64{1.69, 2, 112.5}, "1.69 2.00 112"},
	} {
		var column listColumn
		for _, x := range c.numbers {
			v := value.Value{Kind: value.Number, Num: quantity.Quantity{Value: x}}
			column.cells = append(column.cells, listCell{value: v})
		}
		columns := []listColumn{column}
		level(columns)
		var got []string
		for _, cell := range columns[0].cells {
			got = append(got, cell.text)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%v are %s, want %s", c.numbers, got, c.want)
		}
	}
}

// TestPlainRows shows no formula that says what the value says, and the beginning of a list that a table shows.
func TestPlainRows(t *testing.T) {
	s := written(t, "x", "let chip = tpu.v5e\nn = \"1 GB/s; 2 GB/s\"\nall = accelerators\nmany = count(all)\n"+
		"chips = all\ntwo = 2\n")
	v := New(s)
	for name, plain := range map[string]bool{"n": true, "all": true, "many": false, "chips": false, "two": false} {
		if got := v.repeats(name); got != plain {
			t.Errorf("%s: %v, want %v", name, got, plain)
		}
	}
	if got := HTML(v.output(v.row("all"))); !strings.Contains(got, "TPU v5e") || !strings.Contains(got, "…") {
		t.Errorf("the list reads %s", got)
	}
}

// A reader types into the field of a table: the lines that have all the words stay, their number is said, and what was
// ranked and exported before follows.
func TestFilter(t *testing.T) {
	const src = "all = training_optimizers()\ntable all show name, state, flops by state top 5 \"Optimizers\"\n"
	s, errs := sheet.Compile(src, Env())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "o"
	v := New(s)
	id := v.filterID(0)
	lines := func() []string {
		var names []string
		for _, line := range find(parse(t, HTML(v.table(0))), "th", "scope", "row") {
			names = append(names, said(line))
		}
		return names
	}
	all := v.list(0).all
	if all < filtered || len(lines()) != 5 || !strings.Contains(HTML(v.table(0)), `id="`+id+`"`) {
		t.Fatalf("%d entries, lines %q", all, lines())
	}
	v.SetFilter(id, "ADAM")
	found := lines()
	lacks := func(s string) bool { return !strings.Contains(strings.ToLower(s), "adam") }
	if len(found) < 2 || slices.ContainsFunc(found, lacks) {
		t.Errorf("adam finds %q", found)
	}
	match := v.say("widget.list-match", "n", len(found), "all", all)
	if html := HTML(v.table(0)); !strings.Contains(html, `role="status">`+match+"<") {
		t.Errorf("nothing says %q", match)
	}
	if csv := v.Export("csv"); strings.Contains(csv, "Lion") {
		t.Errorf("the export has what is filtered out:\n%s", csv)
	}
	v.SetFilter(id, "adam 8-bit nothing-like-this")
	if got := lines(); len(got) > 0 {
		t.Errorf("no entry has all words, but %q stand there", got)
	}
	v.SetFilter(id, " ")
	if got := lines(); len(got) != 5 {
		t.Errorf("without words %q stand there", got)
	}
}

// A setting is a word as a whole, once it has a value; other words are found within others.
func TestFilterWords(t *testing.T) {
	const line = "5.27 s 48 % dp=128 tp=16 pp=8 zero=2 compute-bound"
	for word, want := range map[string]bool{"tp=": true, "tp=1": false, "tp=16": true, "p=8": false, "pp=8": true,
		"bound": true, "5.2": true, "cp": false, "cp=1": true, "cp=2": false} {
		if hasWord(line, word) != want {
			t.Errorf("%s in %q: %s", word, line, strconv.FormatBool(!want))
		}
	}
	const layout = "2 × tp2 pp16 343 1715"
	for word, want := range map[string]bool{"tp=1": false, "tp=2": true, "pp=1": false, "pp=16": true, "ep=1": true,
		"ep=8": false, "tp=": false, "tp2": true} {
		if hasWord(layout, word) != want {
			t.Errorf("%s in %q: %s", word, layout, strconv.FormatBool(!want))
		}
	}
	if hasWord("adam 8-bit 343", "tp=1") {
		t.Error("a line without settings has tp=1")
	}
}

// A table that can be seen at a glance has no field.
func TestShortTableHasNoFilter(t *testing.T) {
	v := plansView(t, plansSource)
	if n := len(find(parse(t, HTML(v.table(0))), "input", "type", "search")); n != 0 {
		t.Errorf("%d fields", n)
	}
}
