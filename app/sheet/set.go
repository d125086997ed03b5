package sheet

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Set is st with the named input as a reader typed or chose it. The error is for the reader: what is wrong, and what
// would be valid; st stays as it is then. A bare number counts in the unit that the sheet's author wrote. What equals
// the author's value is left out of the new state.
func (s *Sheet) Set(st State, name, text string) (State, error) {
	in := s.InputIn(st, name)
	if r, c := s.Constant(name); in == nil && c != nil {
		return s.setConstant(st, r, c, text)
	}
	if in == nil {
		return st, phrase.New("sheet.no-such-input", "name", syntax.Clip(name), "remedy",
			syntax.DidYouMean(name, s.inputNames(), phrase.New("sheet.its-inputs", "names", syntax.OneOf(s.inputNames()))))
	}
	v, err := in.parse(text)
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
	if in.checked {
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

// parse reads what a reader typed or chose for in.
func (in *Input) parse(text string) (Value, error) {
	switch form := in.Form(); {
	case form == DocumentForm:
		return in.parseDocument(text)
	case len(text) > maxTyped:
		return Value{}, phrase.New("sheet.text-too-long")
	case in.Default.Kind == Bool:
		return in.parseSwitch(text)
	case form == SeveralForm:
		return in.parseSeveral(text)
	case len(in.Menu) > 0:
		return in.parseChoice(text)
	case in.Default.Kind == Text:
		return Value{Kind: Text, Text: text}, nil
	case in.Default.Kind == Number:
		return in.parseNumber(text)
	}
	return Value{}, phrase.New("sheet.fixed")
}

func (in *Input) parseNumber(text string) (Value, error) {
	q, err := quantity.ParseLike(text, in.Unit)
	if err != nil {
		return Value{}, err
	}
	if fault := in.accepts(q); fault != nil {
		return Value{}, fault.Fault()
	}
	return Value{Kind: Number, Num: q}, nil
}

func (in *Input) parseSwitch(text string) (Value, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "on", "true", "yes", "1":
		return Value{Kind: Bool, Bool: true}, nil
	case "off", "false", "no", "0":
		return Value{Kind: Bool}, nil
	}
	return Value{}, phrase.New("sheet.no-switch", "text", syntax.Quote(text))
}

func (in *Input) parseChoice(text string) (Value, error) {
	text = strings.TrimSpace(text)
	if o := in.Option(text); o != nil {
		return o.Value, nil
	}
	if q, err := quantity.ParseLike(text, in.Unit); in.Default.Kind == Number && err == nil {
		if v, ok := in.entry(Value{Kind: Number, Num: q}); ok {
			return v, nil
		}
	}
	if like := in.open(); like != nil && text != "" {
		r, err := like.Kin.Named(like, text)
		return Value{Kind: Rec, Record: r}, err
	}
	return Value{}, phrase.New("sheet.not-among-choices", "text", syntax.Quote(text), "remedy",
		syntax.DidYouMean(text, in.ids(), phrase.New("sheet.choose-one-of", "names", syntax.OneOf(in.ids()))))
}

// parseSeveral reads choices with commas between them, each taken once, also as a list in JSON. None is a choice too.
func (in *Input) parseSeveral(text string) (Value, error) {
	list := Value{Kind: List}
	for part := range strings.SplitSeq(strings.Trim(text, "[] "), ",") {
		if part = strings.Trim(part, "\" "); part == "" {
			continue
		}
		v, err := in.parseChoice(part)
		if err != nil {
			return Value{}, err
		}
		if _, twice := find(list.List, v); !twice {
			list.List = append(list.List, v)
		}
	}
	if in.Most > 0 && len(list.List) > in.Most {
		return Value{}, phrase.New("sheet.too-many-choices", "n", len(list.List), "most", in.Most)
	}
	return list, nil
}

// parseDocument takes a text of some length.
func (in *Input) parseDocument(text string) (Value, error) {
	switch {
	case len(text) > in.Cap:
		return Value{}, phrase.New("sheet.document-too-long", "most", max(1, in.Cap>>10))
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return Value{}, phrase.New("sheet.document-no-text")
	}
	v := Value{Kind: Text, Text: text}
	if in.Reads == nil || strings.TrimSpace(text) == "" {
		return v, nil
	}
	_, err := value.Guarded(in.Reads, []Value{v})
	return v, err
}

// Typed is v as Set reads it back: a choice's id, or a number with its unit and all its digits. It is what addresses
// carry.
func (in *Input) Typed(v Value) string {
	switch v.Kind {
	case List:
		ids := make([]string, len(v.List))
		for i, x := range v.List {
			ids[i] = entryID(x)
		}
		return strings.Join(ids, ",")
	case Number:
		if in.Form() == MenuForm {
			return entryID(v)
		}
		return v.Num.Exact()
	case Rec:
		if v.Record != nil {
			return v.Record.ID
		}
	}
	return v.String()
}
