package paper

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/site"
	"golang.org/x/net/html"
)

// small is a book of two pages, made ready.
func small(t *testing.T) *Book {
	t.Helper()
	all, err := site.Volumes(site.Options{
		Content: os.DirFS("testdata/book"), Web: os.DirFS("../../web"), Dir: "testdata/book", Base: "/b/",
		Origin: "https://example.org", Day: "2026-11-26",
	}, []string{"en"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Bind(all[0])
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// unpacked are the files of a book for e-readers, by name.
func unpacked(t *testing.T, data []byte) (names []string, files map[string]string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for i, f := range z.File {
		if i == 0 && (f.Name != "mimetype" || f.Method != zip.Store || len(f.Extra) > 0) {
			t.Errorf("%s comes first, packed by method %d; e-readers look for mimetype as it is", f.Name, f.Method)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		names, files[f.Name] = append(names, f.Name), string(text)
	}
	return names, files
}

// The structure of a book for e-readers is as somebody has read it: its files, its package, its contents, a part. The
// same book gives the same bytes.
func TestEPUB(t *testing.T) {
	data, err := small(t).EPUB(nil)
	if err != nil {
		t.Fatal(err)
	}
	names, files := unpacked(t, data)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", strings.Join(names, "\n"))
	for _, name := range []string{"mimetype", "META-INF/container.xml", "EPUB/book.opf", "EPUB/contents.xhtml",
		"EPUB/one--answers.xhtml", "EPUB/one-problems.xhtml"} {
		fmt.Fprintf(&b, "\n--- %s\n%s\n", name, files[name])
	}
	golden.Check(t, "testdata/epub.golden", b.String())
	if again, err := small(t).EPUB(nil); err != nil || !bytes.Equal(data, again) {
		t.Errorf("packed again it has other bytes (%v)", err)
	}
}

// item is a file as a package declares it.
type item struct {
	ID         string `xml:"id,attr"`
	Href       string `xml:"href,attr"`
	Type       string `xml:"media-type,attr"`
	Properties string `xml:"properties,attr"`
}

// Every file of a book for e-readers is well-formed, declared with its media type and with what is in it, and in the
// reading order if it is text; every link within the book leads to an id that is there, and no id is there twice.
func TestEPUBIsWhole(t *testing.T) {
	data, err := small(t).EPUB([]byte("\x89PNG"))
	if err != nil {
		t.Fatal(err)
	}
	names, files := unpacked(t, data)
	var p struct {
		Items []item `xml:"manifest>item"`
		Spine []struct {
			ID string `xml:"idref,attr"`
		} `xml:"spine>itemref"`
	}
	if err := xml.Unmarshal([]byte(files["EPUB/book.opf"]), &p); err != nil {
		t.Fatal(err)
	}
	types := map[string]string{".xhtml": "application/xhtml+xml", ".css": "text/css", ".png": "image/png"}
	declared, inOrder := map[string]item{}, map[string]bool{}
	for _, s := range p.Spine {
		inOrder[s.ID] = true
	}
	for _, i := range p.Items {
		declared["EPUB/"+i.Href] = i
		if i.Type != types[path.Ext(i.Href)] || files["EPUB/"+i.Href] == "" {
			t.Errorf("%s is declared as %s, and has %d bytes", i.Href, i.Type, len(files["EPUB/"+i.Href]))
		}
		if path.Ext(i.Href) == ".xhtml" && !inOrder[i.ID] {
			t.Errorf("%s isn't in the reading order", i.Href)
		}
	}
	ids := map[string]bool{}
	var links []string
	for _, name := range names[2:] {
		if _, known := declared[name]; !known && name != "EPUB/book.opf" {
			t.Errorf("the package doesn't declare %s", name)
		}
		if path.Ext(name) != ".xhtml" {
			continue
		}
		has := elements(t, name, files[name], ids, &links)
		for element, property := range map[string]string{"math": "mathml", "svg": "svg"} {
			if strings.Contains(declared[name].Properties, property) != has[element] {
				t.Errorf("%s: has %s: %v; declared is %q", name, element, has[element], declared[name].Properties)
			}
		}
		for _, control := range []string{"input", "button", "select", "details", "template", "script"} {
			if has[control] {
				t.Errorf("%s has <%s>", name, control)
			}
		}
	}
	for _, link := range links {
		if file, _, _ := strings.Cut(link, "#"); !ids[link] && files[file] == "" {
			t.Errorf("a link leads to %s, which isn't there", link)
		} else if strings.Contains(link, "#") && !ids[link] {
			t.Errorf("a link leads to %s, which isn't there", link)
		}
	}
	if len(links) < 20 {
		t.Errorf("only %d links", len(links))
	}
}

// elements reads a file of XML: the elements that it has, its ids as file#id, and where its links lead.
func elements(t *testing.T, name, text string, ids map[string]bool, links *[]string) map[string]bool {
	t.Helper()
	has := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return has
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		has[start.Name.Local] = true
		if want := spaces[start.Name.Local]; want != "" && start.Name.Space != want {
			t.Errorf("%s: <%s> is of %s", name, start.Name.Local, start.Name.Space)
		}
		for _, a := range start.Attr {
			switch {
			case a.Name.Local == "id" && ids[name+"#"+a.Value]:
				t.Errorf("%s: two things have the id %s", name, a.Value)
			case a.Name.Local == "id":
				ids[name+"#"+a.Value] = true
			case a.Name.Local == "href" && strings.HasPrefix(a.Value, "#"):
				*links = append(*links, name+a.Value)
			case a.Name.Local == "href" && !strings.Contains(a.Value, ":"):
				*links = append(*links, path.Join(path.Dir(name), a.Value))
			}
		}
	}
}

// A problem has its hint, its answer and its calculator at the end of the chapter, and leads there.
func TestAnswersStandAtTheEnd(t *testing.T) {
	b := small(t)
	var order []string
	for _, p := range b.Parts {
		order = append(order, p.ID)
	}
	if want := []string{"one", "one-problems", "one--hints", "one--answers"}; !slices.Equal(order, want) {
		t.Fatalf("the parts are %q, not %q", order, want)
	}
	for _, p := range b.Parts {
		text := plain(p.Body)
		for words, at := range map[string]string{
			"Divide.": "one--hints", "It takes": "one--answers", "The second sheet": "one--answers", "How many?": "one-problems",
			"The first sheet": "one", "5.": "one--answers",
		} {
			if strings.Contains(text, words) != (p.ID == at) {
				t.Errorf("%q stands in %s: %v", words, p.ID, p.ID != at)
			}
		}
	}
	for from, to := range map[string]string{"one--problem-what--hint": "one--hints",
		"one--problem-what--answer": "one--answers", "one-problems--problem-more--answer": "one--answers"} {
		if b.ids[from] == nil || b.ids[from].ID != to {
			t.Errorf("%s isn't in %s", from, to)
		}
	}
}

// A note stands behind the paragraph that refers to it.
func TestNotesStandBelowTheirParagraph(t *testing.T) {
	b := small(t)
	note := first(b.Parts[0].Body, class("footnote"))
	if note == nil || note.PrevSibling == nil || note.PrevSibling.Data != "p" ||
		!strings.Contains(plain(note.PrevSibling), "Words with a note") {
		t.Fatalf("the note is %v", note)
	}
	if got := plain(note); got != "1 A note with code and x<2." {
		t.Errorf("the note says %q", got)
	}
}

// A calculator on paper has what is given, its formulas with the numbers put into them and its results, and says
// its address; a row without a value says why.
func TestStill(t *testing.T) {
	b := small(t)
	sheet := first(b.Parts[0].Body, func(n *html.Node) bool { return get(n, "id") == "one--alpha" })
	if sheet == nil {
		t.Fatal("no calculator")
	}
	text := plain(sheet)
	for _, want := range []string{"Chip TPU v5e", "256 tokens", "Deep off", "= 2 FLOP · 256 tokens · 4096 · 4096",
		"8.59 GFLOP", "43.6 µs", "1 / (B - 256) divides by zero", "one/#alpha"} {
		if !strings.Contains(text, want) {
			t.Errorf("it doesn't say %q: %s", want, text)
		}
	}
	if svg := first(sheet, class("qr")); svg == nil || get(svg.Parent, "href") != "https://example.org/b/one/#alpha" {
		t.Error("no code with its address")
	}
	if first(sheet, tag("svg")) == nil || first(sheet, class("chart")) == nil {
		t.Error("no plot")
	}
}
