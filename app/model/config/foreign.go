package config

import (
	_ "embed"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Files that describe no model are refused by the name of what they are.

var (
	//go:embed foreign.tsv
	foreignTable string // what a file is that describes no model, names that it has
	//go:embed begins.tsv
	beginTable string // how a text begins, or behind a star what stands in it; what it is; what to do
)

// foreign refuses a file that describes no model, by the name of what it is.
func (r *reading) foreign() *Error {
	if r.format != nil || r.hasWidth(r.inner) {
		return nil
	}
	for table := foreignTable; table != ""; {
		var c []string
		c, table = cells(table)
		for n := range strings.FieldsSeq(c[1]) {
			if c != nil && r.outer.field(n) == nil {
				c = nil
			}
		}
		if c != nil {
			return r.fault(r.outer, phrase.New("config.foreign", "what", c[0]), r.needed())
		}
	}
	text := reader{src: r.src}
	text.holds()
	return text.err
}

// needed is the remedy: the file that is needed, and of which model.
func (r *reading) needed() *phrase.Phrase {
	for _, n := range []string{"base_model_name_or_path", "base_model", "model_name_or_path"} {
		if base := wordOf(r.outer.field(n)); base != "" {
			return phrase.New("config.need-base", "base", quote(base))
		}
	}
	return phrase.New("config.need-config")
}

// begins refuses a text that begins as no description of a model does.
func (r *reader) begins() bool {
	return r.other(func(mark string) bool { return strings.HasPrefix(r.src[r.pos:], mark) })
}

// holds refuses a text of which nothing can be read, by what stands in it: what the table has behind a star.
func (r *reader) holds() bool {
	return r.other(func(mark string) bool { return mark[0] == '*' && strings.Contains(r.src, mark[1:]) })
}

// other refuses a text that has a mark of the table, by the name of what it is.
func (r *reader) other(has func(mark string) bool) bool {
	for table := beginTable; table != ""; {
		var c []string
		if c, table = cells(table); !has(c[0]) {
			continue
		}
		remedy := phrase.New("config.need-config")
		if len(c) > 2 {
			remedy = phrase.New("config.need-printed", "how", c[2])
		}
		return r.fail(r.pos, phrase.New("config.foreign", "what", c[1]), remedy)
	}
	return true
}
