package paper

import (
	"strings"

	"golang.org/x/net/html"
)

// chapter gathers what stands at the end of a chapter.
type chapter struct {
	book           *Book
	title, slug    string
	hints, answers *html.Node
}

// solve takes hints, answers and the calculators that have them out of the problems of a part. Links lead there and
// back.
func (c *chapter) solve(p *Part) {
	for _, problem := range all(p.Body, class("problem")) {
		id, title := get(problem, "id"), first(problem, class("problem-title"))
		if title == nil || id == "" {
			continue
		}
		leads := el("p", "class", "leads")
		for _, kind := range []string{"hint", "answer"} {
			label := c.take(problem, title, kind)
			if label == "" {
				continue
			}
			if leads.FirstChild != nil {
				with(leads, words(" · "))
			}
			with(leads, with(el("a", "class", "to-page", "href", "#"+id+"--"+kind), words(label)))
		}
		if leads.FirstChild != nil {
			with(problem, leads)
		}
	}
}

// take moves the hints of a problem, or its answers, to the end of the chapter, and gives what they are called: "Hint";
// "" if there are none.
func (c *chapter) take(problem, title *html.Node, kind string) (label string) {
	nodes := all(problem, func(n *html.Node) bool { return taken(n, kind) && above(n, taking(kind)) == nil })
	for _, n := range nodes {
		if t := first(n, class("fold-title")); has(n, kind) && t != nil {
			label, _, _ = strings.Cut(plain(t), ":")
			remove(t)
		}
	}
	if label == "" {
		return ""
	}
	id := get(problem, "id")
	back := with(el("p", "class", "solved-title"), move(el("a", "href", "#"+id), copied(title)))
	c.add(kind, with(with(el("div", "class", "solved", "id", id+"--"+kind), back), nodes...))
	return label
}

// taken says whether a node of a problem goes to the hints, or to the answers: there go its calculators too.
func taken(n *html.Node, kind string) bool {
	return has(n, kind) || kind == "answer" && has(n, "sheet")
}

func taking(kind string) func(*html.Node) bool {
	return func(n *html.Node) bool { return taken(n, kind) }
}

// add puts a hint or an answer at the end of its list.
func (c *chapter) add(kind string, item *html.Node) {
	list := &c.hints
	if kind == "answer" {
		list = &c.answers
	}
	if *list == nil {
		*list = el("div", "class", "solutions")
	}
	with(*list, item)
}

// end adds the parts with the chapter's hints and answers to the book.
func (c *chapter) end() {
	for _, part := range []struct {
		kind, key string
		list      *html.Node
	}{{"hints", "paper.hints", c.hints}, {"answers", "paper.answers", c.answers}} {
		if part.list == nil {
			continue
		}
		c.book.Parts = append(c.book.Parts, &Part{
			ID: c.slug + "--" + part.kind, Level: 2, Title: c.book.Phrases.Say(part.key, "chapter", c.title),
			Body: with(el("div"), part.list),
		})
	}
}
