package widget

import "github.com/scalebook/scalebook/app/markup"

// What is changed or taken away text by text is marked translate="no": a translating browser would put other nodes in
// the places of those that are looked for.

// HTML prints nodes as HTML.
func HTML(nodes ...*Node) string { return markup.HTML(nodes...) }
