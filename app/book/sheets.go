package book

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
	"github.com/yuin/goldmark/ast"
)

// Source is the text of one sheet in a file.
type Source struct {
	ID   string // empty for a bare sheet
	Made bool   // the id was made up, for an example that its author did not name
	Text string
	Line int    // of the file, where the text begins; 1-based
	Page string // the file
	Size string // the word behind the id: "hero", "inline", "opening", or empty for a worked answer
	GPU  string // what readers see who asked for examples on GPUs, as `chip=gpu.h100`; empty for the same as all
	Mode string // "sheet", "sheet-example" or "sheet-error"; a "sheet-error" is meant not to compile
	cols []int  // by line: how many characters stand before it in the file (a list's or a quote's indentation)
}

// Position turns a position in the sheet's text into line and column of the file.
func (s Source) Position(p sheet.Pos) (line, col int) {
	line = max(p.Line, 1)
	col = max(p.Col, 1)
	if line <= len(s.cols) {
		col += s.cols[line-1]
	}
	return s.Line + line - 1, col
}

// Sheets returns the sheets of a file in their order: every sheet fence of a .md, or the whole of a .sheet file as one.
func Sheets(name string, src []byte) []Source {
	if !strings.HasSuffix(name, ".md") {
		return []Source{{Text: string(Normalise(src)), Line: 1, Page: name, Mode: "sheet"}}
	}
	b := &builder{}
	d := b.newDraft(name, src)
	var out []Source
	walk(d.doc, func(n ast.Node) bool {
		if f, ok := n.(*ast.FencedCodeBlock); ok {
			if s, ok := d.source(f); ok {
				if s.Mode == "sheet-example" && s.ID == "" {
					s.ID, s.Made = exampleID(d.page, len(out)+1), true
				}
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

// exampleID names an example that its author did not name.
func exampleID(p *Page, n int) string {
	slug := p.Slug
	if slug == "" {
		slug = "home"
	}
	return slug + "-example-" + strconv.Itoa(n)
}

// source reads a fence if it holds a sheet.
func (d *draft) source(f *ast.FencedCodeBlock) (Source, bool) {
	if f.Info == nil {
		return Source{}, false
	}
	mode, id, _ := strings.Cut(string(f.Info.Segment.Value(d.src)), " ")
	if mode != "sheet" && mode != "sheet-example" && mode != "sheet-error" {
		return Source{}, false
	}
	id, size, _ := strings.Cut(strings.TrimSpace(id), " ")
	s := Source{ID: id, Page: d.name, Mode: mode}
	s.Size, s.GPU = sizeAndGPU(size)
	s.Line, _ = d.place(f.Info.Segment.Start)
	s.Line++
	s.Text = d.fenceText(f)
	for i := range f.Lines().Len() {
		seg := f.Lines().At(i)
		_, col := d.place(seg.Start)
		s.cols = append(s.cols, col-1-seg.Padding)
	}
	return s, true
}

// sizeAndGPU are a size and what may stand behind it, `{gpu="chip=gpu.h100"}`.
func sizeAndGPU(words string) (size, gpu string) {
	line, attrs := cutAttrs([]byte(words), 0)
	if len(attrs) != 1 || attrs[0].name != "gpu" {
		return strings.TrimSpace(words), "" // what else it may be is reported as a size
	}
	return strings.TrimSpace(string(line)), attrs[0].value
}

// fenceText is the text of a code block.
func (d *draft) fenceText(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.Write(seg.Value(d.src))
	}
	return b.String()
}

// compiled is what came of the text of a sheet, before the book knows it.
type compiled struct {
	*sheet.Sheet
	errs    []*sheet.Error
	expects []sheet.ExpectResult
}

// compile compiles and checks the sheets of the page.
func (d *draft) compile() {
	walk(d.doc, func(n ast.Node) bool {
		f, ok := n.(*ast.FencedCodeBlock)
		if !ok {
			return true
		}
		if src, ok := d.source(f); ok {
			var c compiled
			if c.Sheet, c.errs = sheet.Compile(src.Text, d.b.cfg.Env); c.Sheet != nil && src.Mode != "sheet-error" {
				c.expects = c.Check()
			}
			d.compiled[f] = c
		}
		return true
	})
}

// checkGPU checks what a sheet shows to readers who asked for examples on GPUs.
func (d *draft) checkGPU(f *ast.FencedCodeBlock, block *sheetBlock) {
	if block.src.GPU == "" {
		return
	}
	const remedy = `name an input and what it takes, as in {gpu="chip=gpu.h100"}`
	ps, others, problems := address.Decode(block.state())
	for _, what := range append(problems, widget.Check(block.Sheet, ps)...) {
		d.problem(f, what.String(), remedy)
	}
	if len(others) > 0 || len(ps)+len(problems) != 1 {
		d.problem(f, "`"+block.src.GPU+"` sets no input", remedy)
	}
}

// state is what readers see who asked for examples on GPUs, as an address has it.
func (s *sheetBlock) state() string {
	if s.src.GPU == "" {
		return ""
	}
	return s.src.ID + "." + s.src.GPU
}

// surveySheet is the survey's work on a sheet fence.
func (d *draft) surveySheet(f *ast.FencedCodeBlock, src Source) *sheetBlock {
	block := &sheetBlock{mode: src.Mode, src: src, compiled: d.compiled[f]}
	d.sheets[f] = block
	if src.Mode == "sheet-error" {
		if len(block.errs) == 0 {
			d.problem(f, "this sheet should not compile, but does", "show it as a `sheet-example`")
		}
		return block
	}
	for _, e := range block.errs {
		line, col := src.Position(e.Pos)
		d.problemLine(line, col, e.What.String(), e.Remedy.String())
	}
	if block.Sheet == nil {
		return block
	}
	block.Sheet.ID, block.Sheet.Size = src.ID, src.Size
	d.checkExpects(block)
	d.checkGPU(f, block)
	d.registerSheet(f, block)
	return block
}

// registerSheet makes the sheet known in the book and its id in the page.
func (d *draft) registerSheet(f *ast.FencedCodeBlock, block *sheetBlock) {
	id := block.ID
	if other := d.b.sheets[id]; other != nil {
		if d.b.owner[other] != d { // within a page, both have claimed the id
			d.problem(f, "a second sheet `"+id+"`; the first is at "+d.b.fences[id],
				"ids of sheets are unique in the whole book")
		}
		block.Sheet = nil
		return
	}
	s := block.Sheet
	d.b.sheets[id], d.b.owner[s], d.b.fences[id] = s, d, d.at(f)
	d.b.results[s] = sync.OnceValue(func() *sheet.Result { return s.Eval(nil) })
	d.page.Sheets = append(d.page.Sheets, block.Sheet)
	label := block.Title
	if label == "" {
		label = id
		d.problem(f, "the sheet `"+id+"` has no title", "begin it with `title ...`")
	}
	d.targets[id] = &target{label: label}
}

// checkExpects reports every `expect` of the sheet that does not hold.
func (d *draft) checkExpects(block *sheetBlock) {
	for _, r := range block.expects {
		if r.OK {
			continue
		}
		line, col := block.src.Position(r.Expect.Pos)
		what := "`expect " + r.Expect.Name + "` does not hold: it is " + valueText(r.Got) + ", not " +
			r.Expect.Wanted(d.b.cfg.Env.Phrases)
		if r.Err != nil {
			what = "`expect " + r.Expect.Name + "` has no value: " + r.Err.Error()
		}
		d.problemLine(line, col, what, "correct the sheet or the expectation")
	}
}

// valueText prints a value as the page does.
func valueText(v value.Value) string {
	if s, ok := any(v).(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprint(v.Num.Value)
}
