package widget

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
)

// phrases is the language in which the view speaks: that of its sheet.
func (v *View) phrases() phrase.Phrases { return v.Sheet.Phrases() }

// say is a sentence for the reader.
func (v *View) say(key string, gaps ...any) string { return v.phrases().Say(key, gaps...) }

// tell is an error for the reader.
func (v *View) tell(err error) string { return v.phrases().Text(err) }

// spoken is a message as nodes: what stands between backticks is set as code.
func spoken(message string) []*Node {
	var nodes []*Node
	for i, part := range strings.Split(message, "`") {
		switch {
		case part == "":
		case i%2 == 1:
			nodes = append(nodes, el("code", part))
		default:
			nodes = append(nodes, text(part))
		}
	}
	return nodes
}

// about is what is said of an input or a row, behind its label.
func (v *View) about(name, said string) string {
	return v.say("widget.about", "subject", v.called(name), "said", said)
}

// around is a sentence with an element in its gap {name}.
func (v *View) around(key string, n *Node) []*Node {
	before, after, _ := strings.Cut(v.say(key, "name", "\x00"), "\x00")
	return []*Node{text(before), n, text(after)}
}

// mark is a sentence as Markdown; text is what stands in its gap.
func (v *View) mark(key string, text any) string {
	return v.say(key, "text", mdCell(v.phrases().Text(text)))
}

// rowText is a row for a reader: its value, or that it has none.
func (v *View) rowText(row *expr.Row) string { return rowText(v.phrases(), row) }

// Problem is how a reader is told of a part of the address that can't be taken.
func Problem(name, text string, err error) *phrase.Phrase {
	return phrase.New("widget.address-refused", "name", name, "text", clip(text), "why", err)
}
