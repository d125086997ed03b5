package sheet

import (
	"errors"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// Set is st with the named input as a reader typed or chose it. The error is for the reader: what is wrong, and what
// would be valid; st stays as it is then. A bare number counts in the unit that the sheet's author wrote. What equals
// the author's value is left out of the new state.
func (s *Sheet) Set(st input.State, name, text string) (input.State, error) {
	in := s.InputIn(st, name)
	if r, c := s.Constant(name); in == nil && c != nil {
		return s.setConstant(st, r, c, text)
	}
	if in == nil {
		return st, phrase.New("sheet.no-such-input", "name", syntax.Clip(name), "remedy",
			syntax.DidYouMean(name, s.inputNames(), phrase.New("sheet.its-inputs", "names", syntax.OneOf(s.inputNames()))))
	}
	v, err := in.Parse(text)
	if err != nil {
		return st, err
	}
	if v.Equal(in.Default) {
		return st.Without(name), nil
	}
	if in.Absent {
		return st, phrase.New("sheet.absent", "name", name)
	}
	next := st.With(name, v)
	if in.Checked {
		if why := s.refusal(next, name); why != "" {
			return st, errors.New(why)
		}
	}
	return next, nil
}

func (s *Sheet) inputNames() []string {
	names := make([]string, len(s.Inputs))
	for i, in := range s.Inputs {
		names[i] = in.Name
	}
	return names
}
