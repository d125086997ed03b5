package book

import (
	"cmp"
	_ "embed" // the accents
	"errors"
	"html"
	"io/fs"
	"slices"
	"strings"
)

// Reference is an entry of a page's list of references.
type Reference struct {
	ID, Key string
	HTML    string // the formatted entry
}

// bibliography is references.bib.
type bibliography struct {
	entries map[string]*bibEntry
	keys    []string          // sorted
	year    map[string]string // by key: "2025", or "2025a" where authors and year alone would not tell two works apart
}

// readBibliography reads references.bib, if there is one.
func (b *builder) readBibliography() *bibliography {
	bib := &bibliography{entries: map[string]*bibEntry{}, year: map[string]string{}}
	src, err := fs.ReadFile(b.fsys, "references.bib")
	if errors.Is(err, fs.ErrNotExist) {
		return bib
	}
	file := b.path("references.bib")
	if err != nil {
		b.problems = append(b.problems, Problem{File: file, What: err.Error()})
		return bib
	}
	entries, faults := parseBib(string(Normalise(src)))
	for _, f := range faults {
		b.problems = append(b.problems, Problem{file, f.line, f.col, f.what, f.remedy})
	}
	for _, e := range entries {
		if what, remedy := e.fault(bib); what != "" {
			b.problems = append(b.problems, Problem{file, e.line, 1, what, remedy})
			continue
		}
		bib.entries[e.key] = e
		bib.keys = append(bib.keys, e.key)
	}
	slices.Sort(bib.keys)
	bib.letterYears()
	return bib
}

// fault says what an entry lacks.
func (e *bibEntry) fault(bib *bibliography) (what, remedy string) {
	switch {
	case bib.entries[e.key] != nil:
		return "a second entry `" + e.key + "`", "give it another key"
	case !validID(e.key):
		return "the key `" + e.key + "` is not one", "use letters, digits and single dashes, a letter first"
	case e.fields["title"] == "":
		return "`" + e.key + "` has no title", "add `title = {...}`"
	case len(e.people()) == 0:
		return "`" + e.key + "` has no author", "add `author = {...}`, or `organization = {...}`"
	}
	for _, name := range []string{"url", "doi"} {
		if v := e.fields[name]; v != "" && safeURL(name, v) == "" {
			return "the " + name + " of `" + e.key + "` is not one: " +
				v, "write `url = {https://...}`, `doi = {10.1000/xyz}`"
		}
	}
	return "", ""
}

// safeURL is the address of a url or doi field, or "".
func safeURL(field, v string) string {
	if field == "doi" {
		v = strings.TrimPrefix(strings.TrimPrefix(v, "https://doi.org/"), "doi:")
		if !strings.HasPrefix(v, "10.") {
			return ""
		}
		return "https://doi.org/" + v
	}
	if !strings.HasPrefix(v, "https://") && !strings.HasPrefix(v, "http://") {
		return ""
	}
	return v
}

// letterYears puts letters behind the years of works that would be cited alike.
func (bib *bibliography) letterYears() {
	alike := map[string][]string{}
	for _, key := range bib.keys {
		label := bib.entries[key].short() + bib.entries[key].fields["year"]
		alike[label] = append(alike[label], key)
	}
	for _, key := range bib.keys {
		e := bib.entries[key]
		year := cmp.Or(e.fields["year"], "n.d.")
		if group := alike[e.short()+e.fields["year"]]; len(group) > 1 {
			year += string(rune('a' + slices.Index(group, key)%26))
		}
		bib.year[key] = year
	}
}

// people returns the authors, or who stands for them, as {family, given}.
func (e *bibEntry) people() [][2]string {
	field := cmp.Or(e.fields["author"], e.fields["editor"])
	if field == "" {
		if org := cmp.Or(e.fields["organization"], e.fields["institution"], e.fields["publisher"]); org != "" {
			return [][2]string{{org, ""}}
		}
		return nil
	}
	var out [][2]string
	for name := range strings.SplitSeq(field, " and ") {
		name = strings.TrimSpace(name)
		family, given, comma := strings.Cut(name, ",")
		if i := strings.LastIndexByte(name, ' '); !comma && i > 0 {
			family, given = name[i+1:], name[:i]
		}
		if family = strings.TrimSpace(family); family != "" {
			out = append(out, [2]string{strings.ReplaceAll(family, "\u00a0", " "), strings.TrimSpace(given)})
		}
	}
	return out
}

// short is who is named in the text: "Austin et al.".
func (e *bibEntry) short() string {
	p := e.people()
	switch len(p) {
	case 1:
		return p[0][0]
	case 2:
		if p[1][0] != "others" {
			return p[0][0] + " and " + p[1][0]
		}
	}
	return p[0][0] + " et al."
}

// cite checks a citation and remembers its works for the list of references.
func (s *survey) cite(n *citeNode) {
	for _, item := range n.items {
		switch {
		case item.key == "":
			s.problemAt(item.offset, "a citation without a key", "write `[@key]`, `[@key, p. 3]` or `[@one; @two]`")
		case s.b.bib.entries[item.key] == nil:
			s.problemAt(
				item.offset,
				"nothing has the key `"+item.key+"` in references.bib",
				suggest(item.key, s.b.bib.keys, "add it there"),
			)
		case !slices.Contains(s.cited, item.key):
			s.cited = append(s.cited, item.key)
		}
	}
}

// citation prints `(Austin et al., 2025; Pope, 2023, p. 3)`.
func (p *printer) citation(n *citeNode) {
	p.raw(`<span class="cite">(`)
	for i, item := range n.items {
		e := p.d.b.bib.entries[item.key]
		if e == nil {
			continue
		}
		if i > 0 {
			p.raw("; ")
		}
		text := e.short() + ", " + p.d.b.bib.year[item.key]
		if p.bare {
			p.text(text)
		} else {
			p.raw(`<a href="#ref:` + html.EscapeString(item.key) + `" role="doc-biblioref">`)
			p.text(text)
			p.raw("</a>")
		}
		if item.locator != "" {
			p.text(", " + item.locator)
		}
	}
	p.raw(")</span>")
}

// references makes the list of a page's references, by author and year.
func (d *draft) references() []Reference {
	keys := slices.Clone(d.cited)
	bib := d.b.bib
	slices.SortFunc(keys, func(a, b string) int {
		x, y := bib.entries[a], bib.entries[b]
		return cmp.Or(
			strings.Compare(strings.ToLower(x.short()), strings.ToLower(y.short())),
			strings.Compare(bib.year[a], bib.year[b]),
			strings.Compare(a, b),
		)
	})
	var out []Reference
	for _, key := range keys {
		out = append(out, Reference{ID: "ref:" + key, Key: key, HTML: bib.entries[key].format(bib.year[key])})
	}
	return out
}

// format prints an entry: authors (year). title. where. link.
func (e *bibEntry) format(year string) string {
	f := e.fields
	title := html.EscapeString(f["title"])
	if e.kind == "book" || e.kind == "misc" || e.kind == "online" || e.kind == "manual" || e.kind == "techreport" {
		title = "<cite>" + title + "</cite>"
	} else {
		title = "“" + title + "”"
	}
	s := html.EscapeString(e.authors()) + " (" + html.EscapeString(year) + "). " + title + "."
	if in := e.container(); in != "" {
		s += " " + in
		if !strings.HasSuffix(strings.TrimSuffix(in, "</cite>"), ".") {
			s += "."
		}
	}
	for _, name := range []string{"doi", "url"} {
		if url := safeURL(name, f[name]); url != "" {
			text := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(url, "https://"), "http://"), "/")
			return s + ` <a class="ref-link" href="` + html.EscapeString(url) + `">` + html.EscapeString(text) + "</a>"
		}
	}
	return s
}

// authors lists up to ten names.
func (e *bibEntry) authors() string {
	var names []string
	for i, p := range e.people() {
		if i == 10 || p[0] == "others" {
			if i == 1 {
				return names[0] + " et al."
			}
			return strings.Join(names, ", ") + ", et al."
		}
		name := p[0]
		if p[1] != "" {
			name = p[1] + " " + p[0]
		}
		names = append(names, name)
	}
	if len(names) == 2 {
		return names[0] + " and " + names[1]
	}
	if n := len(names); n > 2 {
		return strings.Join(names[:n-1], ", ") + ", and " + names[n-1]
	}
	return names[0]
}

// container says where a work appeared, as HTML.
func (e *bibEntry) container() string {
	f := e.fields
	in := cmp.Or(f["journal"], f["booktitle"])
	s := ""
	if in != "" {
		s = "<cite>" + html.EscapeString(in) + "</cite>"
	}
	add := func(sep, v string) {
		if v == "" {
			return
		}
		if s != "" {
			s += sep
		}
		s += html.EscapeString(v)
	}
	add(" ", f["volume"])
	if f["number"] != "" && f["volume"] != "" {
		s += "(" + html.EscapeString(f["number"]) + ")"
	}
	add(", ", f["pages"])
	if f["eprint"] != "" {
		add(", ", "arXiv:"+strings.TrimPrefix(f["eprint"], "arXiv:"))
	}
	for _, name := range []string{"edition", "howpublished", "publisher", "organization", "institution", "school",
		"note"} {
		if f[name] != "" && f[name] != e.people()[0][0] {
			add(", ", f[name])
		}
	}
	return s
}

// accents is accents.txt: a line holds a TeX accent, its combining character, the letters that carry it, and the same
// letters bare.
//
//go:embed accents.txt
var accents string

// bibSymbols are the TeX commands for letters and signs that names and titles use.
var bibSymbols = map[string]string{
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
	"i": "i", "j": "j", "&": "&", "%": "%", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", " ": " ", "-": "",
	"/": "", "textendash": "–", "textemdash": "—", "textquoteright": "’", "ldots": "…", "dots": "…", "LaTeX": "LaTeX",
	"TeX": "TeX", "times": "×", "textbackslash": "\\", "textasciitilde": "~",
}

// texSigns are the signs that TeX writes with other letters, the longer ones first.
var texSigns = []struct{ tex, text string }{
	{"~", "\u00a0"}, {"---", "—"}, {"--", "–"}, {"``", "“"}, {"''", "”"},
}

// texSign is the index of the sign with which s begins, -1 for none.
func texSign(s string) int {
	for i := range texSigns {
		if strings.HasPrefix(s, texSigns[i].tex) {
			return i
		}
	}
	return -1
}

// texText turns the TeX of a bibliography into text: accents, dashes, quotes; braces vanish.
// In names, braces keep words together: their spaces become unbreakable ones.
func texText(s string, names bool) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(s); {
		switch {
		case names && depth > 0 && s[i] == ' ':
			b.WriteString("\u00a0")
			i++
		case s[i] == '\\' && i+1 < len(s):
			i = texCommand(&b, s, i+1)
		case s[i] == '{':
			depth++
			i++
		case s[i] == '}':
			depth--
			i++
		case s[i] == '$':
			i++
		case texSign(s[i:]) >= 0:
			sign := texSigns[texSign(s[i:])]
			b.WriteString(sign.text)
			i += len(sign.tex)
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// texCommand writes the command whose name begins at i and returns where it ends.
func texCommand(b *strings.Builder, s string, i int) int {
	name := s[i : i+1]
	if isLetter(s[i]) {
		name = leadingName([]byte(s[i:]))
		name, _, _ = strings.Cut(name, "-")
	}
	end := i + len(name)
	if accent := accentOf(name); accent != nil {
		if next := accented(b, s, end, accent); next > end {
			return next
		}
	}
	if sign, ok := bibSymbols[name]; ok {
		b.WriteString(sign)
	}
	for isLetter(name[0]) && end < len(s) && s[end] == ' ' {
		end++
	}
	return end
}

// accentOf finds the line of accents.txt for a TeX accent: nil if name is none.
func accentOf(name string) []string {
	for line := range strings.Lines(accents) {
		if f := strings.Fields(line); len(f) == 4 && f[0] == name {
			return f
		}
	}
	return nil
}

// accented writes the letter behind an accent with its mark and returns where that ends; i if there is no letter.
func accented(b *strings.Builder, s string, i int, accent []string) int {
	j, open := i, 0
	for j < len(s) && (s[j] == '{' || s[j] == ' ' || s[j] == '\\') {
		if s[j] == '{' {
			open++
		}
		j++
	}
	if j >= len(s) || !isLetter(s[j]) {
		return i
	}
	if k := strings.IndexByte(accent[3], s[j]); k >= 0 {
		b.WriteRune([]rune(accent[2])[k])
	} else {
		b.WriteString(s[j:j+1] + accent[1])
	}
	for j++; open > 0 && j < len(s) && s[j] == '}'; j++ {
		open--
	}
	return j
}
