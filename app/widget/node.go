package widget

import "github.com/scalebook/scalebook/app/markup"

// The names under which views build their nodes.

type (
	Node  = markup.Node      // one node of a view
	Attr  = markup.Attribute // one attribute of it
	Event = markup.Event     // what happens when an event reaches it
	Act   = markup.Act       // what a reader can do to a view, as data: Do is one of the Do constants
)

func el(tag string, parts ...any) *Node { return markup.El(tag, parts...) }
func text(s string) *Node               { return markup.Text(s) }
func raw(html string) *Node             { return markup.Raw(html) }
func attr(name, value string) any       { return markup.Attr(name, value) }
func class(c string) any                { return markup.Class(c) }
func bare(name string, on bool) any     { return markup.Flag(name, on) }
func maybe(name, value string) any      { return markup.Optional(name, value) }
func on(event, do, what string) any     { return markup.On(event, do, what) }
