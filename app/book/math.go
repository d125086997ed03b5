package book

import (
	"errors"

	"github.com/scalebook/scalebook/app/book/tex"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// mathematics translates a formula and reports what can't be, at its place in the file.
func (d *draft) mathematics(n ast.Node, lines *text.Segments, display bool) string {
	html, err := tex.MathML(string(lines.Value(d.src)), display)
	if err == nil {
		return html
	}
	offset := posOf(n)
	var fault *tex.Error
	if errors.As(err, &fault) {
		offset = offsetIn(lines, fault.Offset)
		d.problemAt(offset, "mathematics: "+fault.What, fault.Remedy)
		return ""
	}
	d.problemAt(offset, "mathematics: "+err.Error(), "")
	return ""
}

// offsetIn turns an offset in the text of some lines into one in the file.
func offsetIn(lines *text.Segments, at int) int {
	for i := range lines.Len() {
		seg := lines.At(i)
		n := seg.Len() + seg.Padding
		if at < n || i == lines.Len()-1 {
			return min(seg.Start+max(at-seg.Padding, 0), seg.Stop)
		}
		at -= n
	}
	return 0
}
