package build

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// A loop over an iterator is compiled to a function of its own, with what says how the loop was left, where nothing is
// inlined: some 300 bytes. So where our sources go through the pieces of a text by one of the iterators of package
// strings, the compiled program goes through a slice of them. Pieces and their order are the same.

// sliced are the functions of package strings that give as a slice what an iterator of it gives, by the iterator.
var sliced = map[string]string{
	"SplitSeq": "Split", "SplitAfterSeq": "SplitAfter", "FieldsSeq": "Fields", "Lines": "SplitAfter",
}

// withoutLast takes the empty piece behind the last line, which strings.Lines doesn't give, from a slice of lines.
const (
	withoutLast     = "withoutLast"
	withoutLastText = `
func withoutLast(lines []string) []string {
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	return lines
}
`
)

// slicedLoops rewrites the loops in all files of ours.
func (b *builder) slicedLoops(parts []part) error {
	for _, p := range parts {
		if p.Standard {
			continue
		}
		lines, pkg := false, ""
		for _, name := range p.GoFiles {
			err := b.rewrite(p.Dir, name, func(text []byte) []byte {
				changed, of, has := slicedText(text)
				lines, pkg = lines || has, of
				return changed
			})
			if err != nil {
				return err
			}
		}
		if lines {
			if err := b.instead(p.Dir, withoutLast+"_js.go", "package "+pkg+"\n"+withoutLastText); err != nil {
				return err
			}
		}
	}
	return nil
}

// slicedText is a file with such loops rewritten, its package, and whether it needs withoutLast. What isn't read stays.
func slicedText(text []byte) (changed []byte, pkg string, lines bool) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return text, "", false
	}
	type edit struct {
		from, to int
		with     string
	}
	var edits []edit
	at := func(p token.Pos) int { return set.Position(p).Offset }
	ast.Inspect(file, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || loop.Value != nil {
			return true
		}
		call, ok := loop.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !isIdent(name.X, "strings") || sliced[name.Sel.Name] == "" {
			return true
		}
		if loop.Key != nil {
			edits = append(edits, edit{at(loop.Key.Pos()), at(loop.Key.Pos()), "_, "})
		}
		if name.Sel.Name == "Lines" {
			lines = true
			edits = append(edits, edit{at(name.Pos()), at(name.Pos()), withoutLast + "("},
				edit{at(call.Rparen), at(call.Rparen), `, "\n")`})
		}
		edits = append(edits, edit{at(name.Sel.Pos()), at(name.Sel.End()), sliced[name.Sel.Name]})
		return true
	})
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	done := 0
	for _, e := range edits {
		fmt.Fprintf(&out, "%s%s", text[done:e.from], e.with)
		done = e.to
	}
	out.Write(text[done:])
	return out.Bytes(), file.Name.Name, lines
}

func isIdent(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}
