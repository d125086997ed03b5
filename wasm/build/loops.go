package build

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A loop over an iterator is compiled to a function of its own, with what says how the loop was left, where nothing is
// inlined: some 300 bytes. So where our sources go through the pieces of a text by one of the iterators of package
// strings, the compiled program goes through a slice of them. Pieces and their order are the same.

// sliced are the functions of package strings that give as a slice what an iterator of it gives, by the iterator.
var sliced = map[string]string{
	"SplitSeq": "Split", "SplitAfterSeq": "SplitAfter", "FieldsSeq": "Fields", "Lines": "SplitAfter",
}

// linesFile has the function that loops over lines need, as the package of this file; its text is put into others.
const linesFile = "lines.go"

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
			text, err := packing.ReadFile(linesFile)
			if err != nil {
				return err
			}
			_, function, _ := strings.Cut(string(text), "\n")
			if err := b.instead(p.Dir, "sliced_"+linesFile, "package "+pkg+"\n"+function); err != nil {
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
	var edits []edit
	change := func(from, to token.Pos, with string) {
		edits = append(edits, edit{set.Position(from).Offset, set.Position(to).Offset, with})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		loop, call, iterator := slicedLoop(n)
		if iterator == nil {
			return true
		}
		if loop.Key != nil {
			change(loop.Key.Pos(), loop.Key.Pos(), "_, ")
		}
		change(iterator.Pos(), iterator.End(), sliced[iterator.Name])
		if iterator.Name == "Lines" {
			lines = true
			change(call.Pos(), call.Pos(), "withoutLast(")
			change(call.Rparen, call.Rparen, `, "\n")`)
		}
		return true
	})
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	done := 0
	for _, e := range edits {
		changed = append(append(changed, text[done:e.from]...), e.with...)
		done = e.to
	}
	return append(changed, text[done:]...), file.Name.Name, lines
}

// edit puts a text in the place of another one.
type edit struct {
	from, to int
	with     string
}

// slicedLoop is a loop over an iterator of package strings that is to be rewritten, and the iterator's name.
func slicedLoop(n ast.Node) (loop *ast.RangeStmt, call *ast.CallExpr, iterator *ast.Ident) {
	loop, ok := n.(*ast.RangeStmt)
	if !ok || loop.Value != nil {
		return nil, nil, nil
	}
	if call, ok = loop.X.(*ast.CallExpr); !ok {
		return nil, nil, nil
	}
	name, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sliced[name.Sel.Name] == "" {
		return nil, nil, nil
	}
	if of, ok := name.X.(*ast.Ident); !ok || of.Name != "strings" {
		return nil, nil, nil
	}
	return loop, call, name.Sel
}
