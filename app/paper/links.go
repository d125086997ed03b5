package paper

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// inPicture is where a picture names one of its own parts.
var inPicture = regexp.MustCompile(`url\(#`)

// idOf is an id of a page within the whole book; none of XML has a colon.
func idOf(part, id string) string { return part + "--" + strings.ReplaceAll(id, ":", "-") }

// own makes the ids of a page those of its part, so that no two parts share one.
func own(top *html.Node, part string) {
	for _, n := range all(top, func(*html.Node) bool { return true }) {
		for i, a := range n.Attr {
			switch a.Key {
			case "id", "aria-labelledby", "headers":
				ids := strings.Fields(a.Val)
				for i, id := range ids {
					ids[i] = idOf(part, id)
				}
				n.Attr[i].Val = strings.Join(ids, " ")
			case "href":
				if id, ok := strings.CutPrefix(a.Val, "#"); ok {
					n.Attr[i].Val = "#" + idOf(part, id)
				}
			default:
				n.Attr[i].Val = inPicture.ReplaceAllString(a.Val, "url(#"+part+"--")
			}
		}
	}
}

// link lets the links of a part lead to parts, to the site where that is known, or nowhere.
func (b *Book) link(p *Part) {
	for _, n := range all(p.Body, func(n *html.Node) bool { return n.Data == "a" && bears(n, "href") }) {
		to := b.target(get(n, "href"))
		if to == "" {
			rename(n, "span")
			n.Attr = nil
			continue
		}
		set(n, "href", to)
	}
}

// target is where an address of a page leads in the book: "#id", an address of the web, or "" if nowhere.
func (b *Book) target(href string) string {
	if id, ok := strings.CutPrefix(href, "#"); ok {
		if b.ids[id] == nil {
			return "" // it left with what a screen shows only
		}
		return href
	}
	rest, ok := b.Under(href)
	if !ok {
		if strings.HasPrefix(href, "/") {
			return b.Address(href)
		}
		return href
	}
	rest, id, _ := strings.Cut(rest, "#")
	rest, _, asked := strings.Cut(rest, "?")
	if asked && b.Origin != "" {
		return b.Origin + href
	}
	if rest == "" {
		return "#contents"
	}
	to := b.parts[rest]
	switch {
	case to == nil:
		return b.Address(href)
	case b.ids[idOf(to.ID, id)] != nil:
		return "#" + idOf(to.ID, id)
	}
	return "#" + to.ID
}
