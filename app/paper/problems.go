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
		id := get(problem, "id")
		title := first(problem, class("problem-title"))
		if title == nil || id == "" {
			continue
		}
		var leads []*html.Node
		for _, kind := range []string{"hint", "answer"} {
			item := el("div", "class", "solved", "id", id+"--"+kind)
			back := el("p", "class", "solved-title")
			with(item, with(back, with(move(el("a", "href", "#"+id), copied(title)))))
			label := ""
			for _, n := range all(problem, func(n *html.Node) bool { return taken(n, kind) && above(n, taking(kind)) == nil }) {
				if has(n, kind) {
					if t := first(n, class("fold-title")); t != nil {
						label = plain(t)
						remove(t)
					}
				}
				with(item, n)
			}
			if label == "" {
				continue
			}
			c.add(kind, item)
			label, _, _ = strings.Cut(label, ":")
			leads = append(leads, with(el("a", "class", "to-page", "href", "#"+id+"--"+kind), words(label)))
		}
		if len(leads) > 0 {
			line := el("p", "class", "leads")
			for i, lead := range leads {
				if i > 0 {
					with(line, words(" · "))
				}
				with(line, lead)
			}
			with(problem, line)
		}
	}
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
