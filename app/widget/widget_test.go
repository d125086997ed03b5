package widget

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
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
	for name, want := range map[string]string{"class": "sheet", "data-sheet": "kinds", "aria-labelledby": "kinds-title"} {
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
	for name, n := range map[string]*Node{"row": v.rowNode(v.row("y")), "note": el("p", spoken("did you mean `TFLOP`?"))} {
		html := HTML(n)
		if strings.Contains(html, "`") || !strings.Contains(html, "<code>") {
			t.Errorf("%s: %s", name, html)
		}
	}
}
