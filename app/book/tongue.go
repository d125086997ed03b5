package book

import (
	"bytes"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/yuin/goldmark/ast"
)

// phrases are what the book says in its language.
func (d *draft) phrases() phrase.Phrases {
	if d.b.cfg.Env == nil {
		return phrase.Phrases{}
	}
	return d.b.cfg.Env.Phrases
}

// say is a sentence of the book in its language.
func (d *draft) say(key string, gaps ...any) string { return d.phrases().Say(key, gaps...) }

// inEnglish says whether a block is still in English in a book of another language.
func (d *draft) inEnglish(n ast.Node) bool {
	if d.b.cfg.English == nil || n.Type() != ast.TypeBlock || n.Lines() == nil || n.Lines().Len() == 0 {
		return false
	}
	line := n.Lines().At(0)
	text := d.src[line.Start:line.Stop]
	return d.b.cfg.English(d.name, line.Start+len(text)-len(bytes.TrimLeft(text, " \t")))
}

// tongue marks the element that is being opened as English, if its block is.
func (p *printer) tongue(n ast.Node) {
	if p.d.inEnglish(n) {
		p.attribute("lang", "en")
	}
}

// titleText prints the title of a directive.
func (p *printer) titleText(t *titleNode) {
	if p.d.inEnglish(t) {
		p.wrap(`<span lang="en">`, t, "</span>")
		return
	}
	p.children(t)
}
