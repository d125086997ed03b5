package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/solve"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Seek answers "which input makes output equal target?": the value nearest to the present one, within the input's
// range. The error says, in words for the reader, what the output can reach. It evaluates the sheet some thousand
// times at most.
func (s *Sheet) Seek(st input.State, output string, target quantity.Quantity, input string) (quantity.Quantity, error) {
	in, row := s.InputIn(st, input), s.Row(output)
	switch {
	case in == nil:
		return quantity.Quantity{}, phrase.New("sheet.no-input-named", "name", input)
	case row == nil:
		return quantity.Quantity{}, phrase.New("sheet.no-row", "name", output)
	case !in.IsNumber():
		return quantity.Quantity{}, phrase.New("sheet.not-sought", "what", s.writer().WordsFor(input))
	case row.Type.Kind != value.Number:
		return quantity.Quantity{}, phrase.New("sheet.not-aimed", "what", s.writer().WordsFor(output))
	case row.Type.Dim != target.Dim:
		return quantity.Quantity{}, phrase.New("sheet.target-dim", "what", s.writer().WordsFor(output), "dim",
			row.Type.Dim.Words(), "target", target.String(), "wanted", target.Dim.Words())
	case !target.IsFinite():
		return quantity.Quantity{}, phrase.New("sheet.target-not-finite-number")
	}
	sw := s.sweep(st, input, []string{output})
	sw.frame.Searches = true
	search := solve.Search{In: in, Rows: sw.Num, Words: s.words}
	return search.Reach(target, s.writer().WordsFor(output), s.current(st, in))
}

// current is the present value of a number input.
func (s *Sheet) current(st input.State, in *input.Input) float64 {
	return s.present(st, in).Num.Value
}

// present is the value of an input in state st.
func (s *Sheet) present(st input.State, in *input.Input) value.Value {
	if in.Dependent {
		f := s.newFrame(st, s.share(evalFuel))
		slots, _ := s.prog.plan([]int{s.slot(in.Name)}, -1)
		f.run(slots, false)
		if r := f.Rows[s.slot(in.Name)]; r.Err == nil {
			return r.Value
		}
		return in.Default
	}
	if v, ok := st[in.Name]; ok && v.Kind == in.Default.Kind {
		return v
	}
	return in.Default
}
