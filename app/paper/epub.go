package paper

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"golang.org/x/net/html"
)

//go:embed epub.css
var epubStyle string

//go:embed epub.tmpl
var epubText string

//go:embed package.opf
var packageText string

// member is a file of a book for e-readers.
type member struct {
	Name, Type string // below the folder of the book; its media type
	Properties string // as the package says them: "mathml svg"
	Data       []byte
}

// ID names a member within the package.
func (m member) ID() string { return strings.NewReplacer(".", "-", "/", "-").Replace(m.Name) }

// packing is what the templates of a book for e-readers see.
type packing struct {
	*Book
	Members []member // in reading order, the cover first
	Others  []member // style, navigation, pictures
	Top     []entry
	part    *Part
}

// entry is an entry of the contents with those below it.
type entry struct {
	*Part
	Below []*Part
}

// EPUB packs the book for e-readers: EPUB 3, a file for each part, formulas in MathML, pictures in SVG. Cover is a
// picture in PNG; without one there is only a page with the title. The same book gives the same bytes.
func (b *Book) EPUB(cover []byte) ([]byte, error) {
	p := packing{Book: b}
	t, err := template.New("epub").Funcs(template.FuncMap{"declare": declare}).Parse(epubText + packageText)
	if err != nil {
		return nil, err
	}
	add := func(to *[]member, kind string, m member) {
		var out strings.Builder
		if e := t.ExecuteTemplate(&out, kind, p); err == nil {
			err = e
		}
		m.Data = []byte(out.String())
		*to = append(*to, m)
	}
	add(&p.Members, "cover", member{Name: "cover.xhtml", Type: xhtmlType, Properties: "svg"})
	for _, part := range b.Parts {
		p.part = part
		add(&p.Members, "part", member{Name: part.file(), Type: xhtmlType, Properties: part.properties()})
		if part.Level > 1 && len(p.Top) > 0 {
			last := &p.Top[len(p.Top)-1]
			last.Below = append(last.Below, part)
		} else {
			p.Top = append(p.Top, entry{Part: part})
		}
	}
	add(&p.Others, "nav", member{Name: navName, Type: xhtmlType, Properties: "nav"})
	p.Others = append(p.Others, member{Name: "book.css", Type: "text/css", Data: []byte(epubStyle)})
	if cover != nil {
		p.Others = append(p.Others, member{Name: "cover.png", Type: "image/png", Properties: "cover-image", Data: cover})
	}
	var packages []member
	add(&packages, "package", member{Name: "book.opf"})
	if err != nil {
		return nil, err
	}
	return zipped(b.moment(), append(append(packages, p.Members...), p.Others...))
}

const (
	xhtmlType = "application/xhtml+xml"
	navName   = "contents.xhtml"
)

// moment is the day of the edition. Without one it is a day that every build shares.
func (b *Book) moment() time.Time {
	day, err := time.Parse(time.DateOnly, b.Day)
	if err != nil {
		day = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return day
}

// zipped is a container of these files, the first of which is the package.
func zipped(day time.Time, members []member) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	write := func(name string, method uint16, data []byte) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: day})
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	// What it is stands first, unpacked and without an extra field: with the size and the sum in the header.
	mime := []byte("application/epub+zip")
	first := &zip.FileHeader{Name: "mimetype", Method: zip.Store, CRC32: 0x2cab616f,
		CompressedSize64: uint64(len(mime)), UncompressedSize64: uint64(len(mime))}
	w, err := z.CreateRaw(first)
	if err == nil {
		_, err = w.Write(mime)
	}
	if err == nil {
		err = write("META-INF/container.xml", zip.Deflate, []byte(container))
	}
	for _, m := range members {
		if err == nil {
			err = write("EPUB/"+m.Name, zip.Deflate, m.Data)
		}
	}
	if err == nil {
		err = z.Close()
	}
	return out.Bytes(), err
}

const container = xml.Header + `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

// file is the name of the part's file.
func (p *Part) file() string { return p.ID + ".xhtml" }

// properties are those that the package must name.
func (p *Part) properties() string {
	var all []string
	if first(p.Body, tag("math")) != nil {
		all = append(all, "mathml")
	}
	if first(p.Body, func(n *html.Node) bool { return n.Data == "svg" && !has(n, "qr") }) != nil {
		all = append(all, "svg")
	}
	return strings.Join(all, " ")
}

// declare is the line with which a file of XML begins.
func declare() template.HTML { return template.HTML(strings.TrimSpace(xml.Header)) }

// The methods below are the template's words.

// Identifier is a name that no other book has (RFC 9562, version 8), the same for all editions.
func (b *Book) Identifier() string {
	h := sha256.Sum256([]byte("scalebook epub " + cmp.Or(b.URL(), b.Base) + b.Volume.Code))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// Modified is when the edition was made.
func (b *Book) Modified() string { return b.moment().Format("2006-01-02T15:04:05Z") }

// File is the name of the part's file.
func (p *Part) File() string { return p.file() }

// Part is the part that is being packed.
func (p packing) Part() *Part { return p.part }

// Logo is the book's mark, within XML.
func (p packing) Logo() template.HTML {
	tree, err := parse(string(p.Mark))
	if err != nil {
		return ""
	}
	return p.xml(tree)
}

// Text is the text of the part as XML, with links between files.
func (p packing) Text() template.HTML {
	body := copied(p.part.Body)
	for _, n := range all(body, func(n *html.Node) bool { return n.Data == "a" && bears(n, "href") }) {
		if id, ok := strings.CutPrefix(get(n, "href"), "#"); ok {
			switch to := p.ids[id]; {
			case id == "contents":
				set(n, "href", navName)
			case to != p.part:
				set(n, "href", to.file()+"#"+id)
			}
		}
		if get(n, "role") == "doc-noteref" {
			set(n, "epub:type", "noteref")
		}
	}
	for _, n := range all(body, class("footnote")) {
		set(n, "epub:type", "footnote")
	}
	for _, n := range all(body, class("qr")) {
		remove(n)
	}
	return p.xml(body)
}

// xml is what is within a tree, as XML.
func (packing) xml(tree *html.Node) template.HTML {
	var b strings.Builder
	for c := range tree.ChildNodes() {
		writeXML(&b, c, "")
	}
	return template.HTML(b.String())
}

// spaces are the names of the languages that stand within HTML.
var spaces = map[string]string{
	"svg": "http://www.w3.org/2000/svg", "math": "http://www.w3.org/1998/Math/MathML",
}

// writeXML writes a node as XML; outer is the language that it stands in.
func writeXML(w io.StringWriter, n *html.Node, outer string) {
	switch n.Type {
	case html.TextNode:
		w.WriteString(escapeXML(n.Data))
	case html.ElementNode:
		w.WriteString("<" + n.Data)
		if n.Namespace != outer && n.Namespace != "" {
			w.WriteString(` xmlns="` + spaces[n.Namespace] + `"`)
		}
		for _, a := range n.Attr {
			if a.Key != "xmlns" && !strings.HasPrefix(a.Key, "xmlns:") && a.Namespace != "xmlns" {
				w.WriteString(" " + a.Key + `="` + escapeXML(a.Val) + `"`)
			}
		}
		if n.FirstChild == nil && (n.Namespace != "" || void[n.Data]) {
			w.WriteString("/>")
			return
		}
		w.WriteString(">")
		for c := range n.ChildNodes() {
			writeXML(w, c, n.Namespace)
		}
		w.WriteString("</" + n.Data + ">")
	}
}

// void are the elements of HTML that have no end.
var void = map[string]bool{"br": true, "hr": true, "img": true, "wbr": true, "col": true}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escapeXML(text string) string { return escapes.Replace(text) }
