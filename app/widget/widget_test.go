package widget

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
	"golang.org/x/net/html"
)

// compiled is a sheet of testdata.
func compiled(t testing.TB, id string) *sheet.Sheet {
	t.Helper()
	src, err := os.ReadFile("testdata/" + id + ".sheet")
	if err != nil {
		t.Fatal(err)
	}
	return written(t, id, string(src))
}

func written(t testing.TB, id, src string) *sheet.Sheet {
	t.Helper()
	s, errs := sheet.Compile(src, library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = id
	return s
}

// parse is HTML as a browser takes it, for asking questions.
func parse(t testing.TB, s string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader("<!doctype html><body>" + s))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// find are the elements with the tag (or any, if empty) that have the attribute with that value (any, if "*").
func find(n *html.Node, tag, name, value string) []*html.Node {
	var out []*html.Node
	for d := range n.Descendants() {
		if d.Type != html.ElementNode || tag != "" && d.Data != tag {
			continue
		}
		if v, ok := get(d, name); name == "" ||
			ok && (value == "*" || v == value || name == "class" && slices.Contains(strings.Fields(v), value)) {
			out = append(out, d)
		}
	}
	return out
}

func get(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// said is the text in a node.
func said(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// TestStatic holds the section of two sheets, one of which has every kind of input, to what was looked at and found
// good.
func TestStatic(t *testing.T) {
	for _, id := range []string{"int8-matmul", "kinds"} {
		s := compiled(t, id)
		got := Static(s)
		if got != Static(s) {
			t.Errorf("%s: two prints differ", id)
		}
		lines := strings.NewReplacer("</div>", "</div>\n", "</details>", "</details>\n", "</p>", "</p>\n").Replace(got)
		golden.Check(t, "testdata/"+id+".html", lines+"\n")
	}
}

// The page's contract, asked of the parsed HTML.
func TestStaticKeepsTheContract(t *testing.T) {
	s := compiled(t, "kinds")
	doc := parse(t, Static(s))
	section := find(doc, "section", "id", "kinds")
	if len(section) != 1 {
		t.Fatal("no section")
	}
	for name, want := range map[string]string{"class": "sheet", "data-sheet": "kinds",
		"aria-labelledby": "kinds-title"} {
		if got, _ := get(section[0], name); got != want {
			t.Errorf("section: %s = %q, want %q", name, got, want)
		}
	}
	if got := said(find(doc, "h3", "id", "kinds-title")[0]); got != s.Title {
		t.Errorf("title %q", got)
	}
	r := s.Eval(nil)
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Def.Kind == "input" {
			control := find(doc, "", "name", row.Def.Name)
			if len(control) != 1 {
				t.Fatalf("%d controls are called %s", len(control), row.Def.Name)
			}
			id, _ := get(control[0], "id")
			if id != "kinds--"+row.Def.Name || len(find(doc, "label", "for", id)) != 1 {
				t.Errorf("%s: id %q, or no label for it", row.Def.Name, id)
			}
			continue
		}
		out := find(doc, "output", "data-name", row.Def.Name)
		if len(out) != 1 || said(out[0]) != rowText(phrase.Phrases{}, row) {
			t.Fatalf("%s: %d outputs", row.Def.Name, len(out))
		}
		if data, _ := get(out[0], "data-value"); row.Err == nil && data != dataValue(row.Value) {
			t.Errorf("%s: data-value %q", row.Def.Name, data)
		}
	}
}

// Ids are unique, whatever points at an id finds it, and nothing is styled or scripted inline.
func TestStaticIsWellFormed(t *testing.T) {
	for _, id := range []string{"int8-matmul", "kinds"} {
		doc := parse(t, Static(compiled(t, id)))
		ids := map[string]int{}
		for _, n := range find(doc, "", "id", "*") {
			v, _ := get(n, "id")
			ids[v]++
		}
		for v, n := range ids {
			if n > 1 {
				t.Errorf("%d elements have the id %q", n, v)
			}
		}
		for _, name := range []string{"for", "aria-labelledby", "aria-describedby"} {
			for _, n := range find(doc, "", name, "*") {
				v, _ := get(n, name)
				for _, ref := range strings.Fields(v) {
					if ids[ref] == 0 {
						t.Errorf("%s: %s=%q points nowhere", n.Data, name, ref)
					}
				}
			}
		}
		for d := range doc.Descendants() {
			for _, a := range d.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("<%s %s=%q>", d.Data, a.Key, a.Val)
				}
			}
		}
	}
}

// Whatever an author or a reader writes comes out as text.
func TestNothingEscapes(t *testing.T) {
	const evil = `"><img src=x onerror=alert(1)>&amp;'</template></script>`
	n := el(
		"p",
		attr("title", evil),
		class(evil),
		el("option", attr("value", evil), bare("selected", true)),
		evil,
		"\x00\x1f",
	)
	doc := parse(t, HTML(n))
	if len(find(doc, "img", "", "")) > 0 {
		t.Fatal("a text became an element")
	}
	p := find(doc, "p", "title", evil)
	if len(p) != 1 || !strings.Contains(said(p[0]), evil) || strings.ContainsAny(HTML(n), "\x00\x1f") {
		t.Errorf("got %s", HTML(n))
	}
	s := written(
		t,
		"evil",
		"title <img src=x>\nlet a = \"</template><img src=x>\" \"<img src=x>\"\nb = a \"<img src=x>\"\n",
	)
	v := New(s)
	v.Set("a", evil)
	doc = parse(t, HTML(Section(v)))
	if len(find(doc, "img", "", "")) > 0 {
		t.Error("a sheet's text became an element")
	}
	if got := said(find(doc, "output", "data-name", "b")[0]); got != evil {
		t.Errorf("b is %q", got)
	}
	if got := Number(s, v.Result, "b"); len(find(parse(t, got), "img", "", "")) > 0 {
		t.Errorf("got %s", got)
	}
}

// A static page carries the source so that it comes back as it was.
func TestSourceComesBack(t *testing.T) {
	s := written(t, "src", "let a = 1 \"A & B </template>\"\nb = if(a < 2, 1, 2)\n")
	template := find(parse(t, Static(s)), "template", "class", "sheet-source")
	if len(template) != 1 || said(template[0]) != s.Source {
		t.Errorf("the source came back as %q", said(template[0]))
	}
}

// A message names code as code, wherever it is shown.
func TestMessagesSetCode(t *testing.T) {
	s := written(t, "own", "let x = 5 in 0..9\ny = 1 / (x - 5) \"Y\"\n")
	v := New(s)
	for name, n := range map[string]*Node{"row": v.rowNode(v.row("y")),
		"note": el("p", spoken("did you mean `TFLOP`?"))} {
		html := HTML(n)
		if strings.Contains(html, "`") || !strings.Contains(html, "<code>") {
			t.Errorf("%s: %s", name, html)
		}
	}
}

func TestLiveSourceMeansTheSame(t *testing.T) {
	const src = `title A   title
let B = 2 token   in 1..9    "Two   spaces"   # a   note
let s =   "a   text"     "Label"
x = B *
    3                        "Times"
y = if(s = "a   text", 1, 2)

expect x = 6
expect y = 1 at B = 3,
   s = "a   text"
`
	lean := liveSource(src)
	s, errs := sheet.Compile(lean, library.New())
	if len(errs) > 0 {
		t.Fatalf("%v in\n%s", errs[0], lean)
	}
	if len(s.Expects) > 1 || len(lean) >= len(src) {
		t.Errorf("nothing was left out:\n%s", lean)
	}
	full, _ := sheet.Compile(src, library.New())
	for i, row := range full.Eval(nil).Rows {
		got := s.Eval(nil).Rows[i]
		if got.Text() != row.Text() || got.Def.Label != row.Def.Label || got.Err != nil {
			t.Errorf("%s is %s %q (%v), was %s %q", row.Def.Name, got.Text(), got.Def.Label, got.Err, row.Text(),
				row.Def.Label)
		}
	}
}

// What the page around gives is where a reader starts from, no edit of theirs.
func TestHostsValuesAreDefaults(t *testing.T) {
	s := written(t, "own", "let n = 2 in 1..99 \"N\"\nlet m = 3 in 1..99 \"M\"\nx = n * m\n")
	v := New(s)
	given := []address.Param{{Sheet: s.ID, Name: "n", Text: "5"}, {Sheet: s.ID, Name: "m", Text: "cat"}}
	if problems := v.Host(given); len(problems) != 1 {
		t.Fatalf("problems: %v", problems)
	}
	is := func(when, want string, changed bool) {
		t.Helper()
		if got := v.rowText(v.row("x")); got != want || v.Changed("n") != changed {
			t.Errorf("%s: x = %s, changed %v; want %s, %v", when, got, v.Changed("n"), want, changed)
		}
	}
	is("given", "15", false)
	if html := HTML(v.input(s.Input("n"))); strings.Contains(html, "changed") || strings.Contains(html, "undo") {
		t.Errorf("the host's value is shown as an edit: %s", html)
	}
	v.Set("n", "2") // the author's
	is("typed", "6", true)
	if html := HTML(v.input(s.Input("n"))); !strings.Contains(html, "was 5") {
		t.Errorf("the way back is not to the host's value: %s", html)
	}
	v.Undo("n")
	is("undone", "15", false)
	v.Set("n", "7")
	v.Set("n", "5")
	is("typed back", "15", false)
	v.Set("n", "7")
	v.Reset()
	is("reset", "15", false)
	if got := address.Encode(v.Params()); got != s.ID+".n=5" {
		t.Errorf("a link carries %s", got)
	}
}

func TestSlices(t *testing.T) {
	for _, c := range []struct {
		chip, shape, wraps                 string
		chips, hosts, cores, hops, cutsize float64 // the links across the narrowest cut
	}{
		{"tpu.v5e", "16x16", "X and Y wrap around", 256, 32, 256, 16, 32},
		{"tpu.v5e", "8x16", "Y wraps around, X not", 128, 16, 128, 15, 16},
		{"tpu.v5e", "4x4", "No axis wraps around", 16, 2, 16, 6, 4},
		{"tpu.v5p", "4x4x4", "X, Y and Z wrap around", 64, 16, 128, 6, 32},
		{"tpu.v5p", "2x2x4", "No axis wraps around", 16, 4, 32, 5, 4},
		{"tpu.v5p", "8 x 8 × 16", "X, Y and Z wrap around", 1024, 256, 2048, 16, 128},
		{"tpu.v5e", "1x1", "A single chip", 1, 1, 1, 0, 0},
	} {
		v := onChips(t, "pod-slice", "chip", c.chip, "shape", c.shape, "link", "1 GB/s")
		if got := whole(v); !strings.Contains(got, ". "+c.wraps+".") {
			t.Errorf("%s %s: not %s", c.chip, c.shape, c.wraps)
		}
		for name, want := range map[string]float64{"chips": c.chips, "hosts": c.hosts, "cores": c.cores,
			"diameter": c.hops, "bisection": c.cutsize * 1e9} {
			if got := v.row(name).Value.Num.Value; got != want {
				t.Errorf("%s %s: %v %s, not %v", c.chip, c.shape, got, name, want)
			}
		}
	}
}

// At the 50 GB/s a link that Google's table implies, a pod of v5e has the bisection that Google prints.
func TestBisectionIsThePublishedOne(t *testing.T) {
	a, err := hardware.Catalog().Get("tpu.v5e")
	if err != nil {
		t.Fatal(err)
	}
	published, err := a.Get("pod_bisection")
	if err != nil {
		t.Fatal(err)
	}
	v := onChips(t, "pod-slice", "chip", "tpu.v5e", "shape", "16x16", "link", "50 GB/s")
	if got := v.row("bisection").Value.Num.Value; !near(got, published.Value.Value) {
		t.Error(got, published.Value)
	}
}

// What is no slice is refused with what there is, and the last slice stays; one that the next chip lacks is kept in
// mind.
func TestNoSuchSlice(t *testing.T) {
	v := onChips(t, "pod-slice")
	chips := func() float64 { return v.row("chips").Value.Num.Value }
	for _, bad := range []string{"", "x", "3x5x7", "4x4", "0x0x0", "99999999999999999999x4x4", "-4x4x4", "4x4x4x4",
		"1e9x4x4", "<b>4</b>"} {
		if err := v.Set("shape", bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
		if chips() != 128 {
			t.Errorf("%q: %v chips", bad, chips())
		}
	}
	for _, bad := range []string{"0", "-1 GB/s", "1e308 GB/s", "12 s"} {
		if v.Set("link", bad) == nil || chips() != 128 {
			t.Errorf("a link of %s is taken", bad)
		}
	}
	if err := v.Set("shape", "8x8x8"); err != nil || chips() != 512 {
		t.Fatal(err)
	}
	if v.Set("chip", "tpu.v5e"); chips() != 32 || v.fault("shape") == "" {
		t.Error("a v5e has no 8x8x8, it has", chips(), v.fault("shape"))
	}
	if v.Set("chip", "tpu.v4"); chips() != 512 {
		t.Error("the shape is lost:", chips())
	}
}

// An address that was written is read back as the same state, by every kind of input.
func TestAddressRoundTrip(t *testing.T) {
	s := compiled(t, "kinds")
	v := New(s)
	for name, text := range map[string]string{"chip": "gpu.h100", "mode": "tree", "on_": "off", "d": "bf16",
		"M": "4*8 GiB", "n": "8", "price": "$3/hour", "note_": "a&b=c#d%zz+é \"x\""} {
		if err := v.Set(name, text); err != nil {
			t.Fatal(name, err)
		}
	}
	ps, others, problems := address.Decode(address.Query(v.Params(), []string{"utm=1"}))
	if len(others) != 1 || len(problems) != 0 {
		t.Errorf("others %q, problems %q", others, problems)
	}
	w := New(s)
	if problems := w.Apply(ps); len(problems) > 0 {
		t.Error(problems)
	}
	if HTML(Section(v)) != HTML(Section(w)) {
		t.Error("the state came back as another")
	}
}

// What an address carries by mistake is reported and changes nothing.
func TestApplyReports(t *testing.T) {
	s := compiled(t, "int8-matmul")
	before := HTML(Section(New(s)))
	for _, query := range []string{"int8-matmul.B=cat", "int8-matmul.B=-5", "int8-matmul.nope=1",
		"int8-matmul.chip=abacus", "int8-matmul.B=", "int8-matmul.ops=3"} {
		ps, _, _ := address.Decode(query)
		v := New(s)
		if problems := v.Apply(ps); len(problems) != 1 {
			t.Errorf("%s: %q", query, problems)
		}
		if HTML(Section(v)) != before {
			t.Errorf("%s changed the sheet", query)
		}
	}
	if problems := New(s).Apply([]address.Param{{Sheet: "other", Name: "B", Text: "x"}}); len(problems) != 0 {
		t.Errorf("another sheet's: %q", problems)
	}
}
