package site

import (
	"strconv"

	"github.com/scalebook/scalebook/app/book"
)

// part is an entry of the contents: a chapter with the pages that belong to it, or a page that stands for itself.
type part struct {
	*book.Page
	Beside []*book.Page // a chapter's problems and tables, in reading order
}

// Here says whether p is the page or one that belongs to it.
func (e part) Here(p *book.Page) bool {
	for _, b := range e.Beside {
		if b == p {
			return true
		}
	}
	return e.Page == p
}

// Chapters are the chapters, in reading order.
func (s *shell) Chapters() []part {
	var list []part
	for _, p := range s.book.Pages {
		switch {
		case p.Kind == book.Chapter:
			list = append(list, part{Page: p})
		case belongs(list, p):
			last := &list[len(list)-1]
			last.Beside = append(last.Beside, p)
		}
	}
	return list
}

// belongs says whether p is a page of the last chapter: it has the chapter's number, or its place.
func belongs(list []part, p *book.Page) bool {
	if len(list) == 0 || p.Kind != book.Plain {
		return false
	}
	chapter := list[len(list)-1].Number
	return p.Number == chapter || p.Number == "" && strconv.Itoa(p.Order) == chapter
}

// Instruments are the pages of instruments.
func (s *shell) Instruments() []*book.Page {
	return s.others(func(p *book.Page) bool { return p.Kind == book.Tool })
}

// Reference is what belongs to no chapter and is no instrument.
func (s *shell) Reference() []*book.Page {
	return s.others(func(p *book.Page) bool { return p.Kind == book.Plain })
}

// others are the pages outside the chapters that want takes, in reading order.
func (s *shell) others(want func(*book.Page) bool) []*book.Page {
	taken := map[*book.Page]bool{}
	for _, e := range s.Chapters() {
		for _, p := range e.Beside {
			taken[p] = true
		}
	}
	var list []*book.Page
	for _, p := range s.book.Pages {
		if !taken[p] && want(p) {
			list = append(list, p)
		}
	}
	return list
}
