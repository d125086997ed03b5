package paper

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"rsc.io/qr"
)

// note puts each note of a part behind the block that refers to it.
func (b *Book) note(p *Part) {
	for _, n := range all(p.Body, class("sidenote")) {
		foot := el("aside", "class", "footnote", "role", "doc-footnote", "id", get(n, "id"))
		if after := above(n, class("note-after")); after != nil {
			replace(after, foot)
		} else if block := above(n, tag("p", "table", "dl")); block != nil {
			block.Parent.InsertBefore(foot, block.NextSibling)
		} else {
			with(above(n, tag("li", "dd", "div")), foot)
		}
		remove(n)
		move(foot, n)
	}
}

// addressed says at each calculator of a part where readers can change its numbers: as a picture for a phone's camera
// where the site is known, else by its path in the book.
func (b *Book) addressed(p *Part) {
	for _, s := range all(p.Body, class("sheet")) {
		id := strings.TrimPrefix(get(s, "id"), p.ID+"--")
		url := p.page.URL + "#" + id
		path, _ := b.Under(url)
		link := with(el("p", "class", "sheet-link"), words(path))
		if address := b.Address(url); address != "" {
			a := el("a", "href", address, "aria-label", b.Phrases.Say("site.open-it"))
			if picture := picture(address); picture != nil {
				with(a, picture)
			}
			with(a, with(el("span", "class", "sheet-path"), words(path)))
			link = with(el("p", "class", "sheet-link"), a)
		}
		at := first(s, class("sheet-head"))
		if at == nil {
			at = s
		}
		at.InsertBefore(link, at.FirstChild)
	}
}

// picture is an address as a QR code, nil for one that is too long for a small one.
func picture(address string) *html.Node {
	code, err := qr.Encode(address, qr.L)
	if err != nil {
		return nil
	}
	var d strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&d, "M%d %dh%dv1h-%dz", from, y, x-from, x-from)
			}
		}
	}
	svg := el("svg", "class", "qr", "viewBox", fmt.Sprintf("0 0 %d %d", code.Size, code.Size), "aria-hidden", "true")
	svg.Namespace = "svg"
	path := el("path", "d", d.String())
	path.Namespace = "svg"
	return with(svg, path)
}
