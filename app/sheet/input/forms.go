package input

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Form is the kind of control that an input takes.
type Form uint8

// The forms of an input. A new one is a constant here, a type that implements form and a line in rules that registers
// it, and a line in Input.Form that says which inputs take it; package widget has a type that shows it.
const (
	NumberForm   Form = iota + 1
	SwitchForm        // on or off
	MenuForm          // one of a menu
	SeveralForm       // some of a menu: the value is a list
	StepForm          // a number that is stepped through, and played
	TextForm          // a line of text
	DocumentForm      // a longer text of the reader's own: typed, pasted, or from a file
)

// Words are what may stand in a line behind its default.
type Words uint8

// What may stand there.
const (
	Choices Words = 1 << iota // of, most, several values
	Range                     // in, log, step, play, strip
)

// form is which values a kind of control takes.
type form interface {
	words() Words
	parse(in *Input, text string) (value.Value, error) // what a reader typed or chose
	refuses(in *Input, v value.Value) *syntax.Error    // what is wrong with a value that has the type of in
}

func (f Form) rules() form {
	switch f {
	case NumberForm, StepForm:
		return numberForm{}
	case SwitchForm:
		return switchForm{}
	case MenuForm:
		return menuForm{}
	case SeveralForm:
		return severalForm{}
	case DocumentForm:
		return documentForm{}
	}
	return textForm{}
}

// Words are what may stand in the line of an input of this form.
func (f Form) Words() Words { return f.rules().words() }

// Form is the kind of control that in takes.
func (in *Input) Form() Form {
	switch {
	case in.Control != 0:
		return in.Control
	case in.Default.Kind == value.Bool:
		return SwitchForm
	case len(in.Menu) > 0:
		return MenuForm
	case in.Default.Kind == value.Number:
		return NumberForm
	}
	return TextForm
}

// IsNumber tells whether in takes any number, or any of a range: one that solves, sweeps and sliders may vary.
func (in *Input) IsNumber() bool { return in.Form().Words()&Range != 0 }

// MaxTyped is how many bytes a reader may type into a field.
const MaxTyped = 1000

// Parse reads what a reader typed or chose for in.
func (in *Input) Parse(text string) (value.Value, error) {
	form := in.Form()
	if form != DocumentForm && len(text) > MaxTyped {
		return value.Value{}, phrase.New("sheet.text-too-long")
	}
	return form.rules().parse(in, text)
}

// Refuses says what is wrong with v as a value of in; nil if nothing is.
func (in *Input) Refuses(v value.Value) *syntax.Error { return in.Form().rules().refuses(in, v) }

type numberForm struct{}

func (numberForm) words() Words { return Range }

func (numberForm) parse(in *Input, text string) (value.Value, error) {
	q, err := quantity.ParseLike(text, in.Unit)
	if err != nil {
		return value.Value{}, err
	}
	if q.Value > 0 && q.Value <= 0.01 && in.Unit.IsPercent() && strings.IndexByte(text, '%') < 0 {
		// 0.9 is a share of 90 %, unless that is out of range, or the author's own is as small
		one := in.Unit
		one.Value = 1
		share, err := quantity.ParseLike(text, one)
		if d := in.Default.Num.Value; err == nil && (d == 0 || d >= 0.01) && in.accepts(share, text) == nil {
			q = share
		}
	}
	if fault := in.accepts(q, text); fault != nil {
		return value.Value{}, fault.Fault()
	}
	return value.Value{Kind: value.Number, Num: q}, nil
}

func (numberForm) refuses(in *Input, v value.Value) *syntax.Error { return in.Accepts(v.Num) }

type switchForm struct{}

func (switchForm) words() Words { return 0 }

func (switchForm) parse(in *Input, text string) (value.Value, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "on", "true", "yes", "1":
		return value.Value{Kind: value.Bool, Bool: true}, nil
	case "off", "false", "no", "0":
		return value.Value{Kind: value.Bool}, nil
	}
	return value.Value{}, phrase.New("sheet.no-switch", "text", syntax.Quote(text))
}

func (switchForm) refuses(*Input, value.Value) *syntax.Error { return nil }

type menuForm struct{}

func (menuForm) words() Words { return Choices }

func (menuForm) parse(in *Input, text string) (value.Value, error) {
	text = strings.TrimSpace(text)
	if len(in.Menu) == 0 {
		return value.Value{}, phrase.New("sheet.fixed")
	}
	if o := in.Option(text); o != nil {
		return o.Value, nil
	}
	if q, err := quantity.ParseLike(text, in.Unit); in.Default.Kind == value.Number && err == nil {
		if v, ok := in.Entry(value.Value{Kind: value.Number, Num: q}); ok {
			return v, nil
		}
	}
	if like := in.open(); like != nil && text != "" {
		r, err := like.Type.Named(like, text)
		return value.Value{Kind: value.Rec, Record: r}, err
	}
	return value.Value{}, phrase.New("sheet.not-among-choices", "text", syntax.Quote(text), "remedy",
		syntax.DidYouMean(text, in.IDs(), phrase.New("sheet.choose-one-of", "names", syntax.OneOf(in.IDs()))))
}

func (menuForm) refuses(in *Input, v value.Value) *syntax.Error {
	if in.Member(v) {
		return nil
	}
	return &syntax.Error{What: phrase.New("sheet.value-not-among-choices", "value", syntax.Clip(v.String())),
		Remedy: phrase.New("sheet.choose-one-of", "names", syntax.OneOf(in.IDs()))}
}

// severalForm is choices with commas between them, each taken once, also as a list in JSON. None is a choice too.
type severalForm struct{}

func (severalForm) words() Words { return Choices }

func (severalForm) parse(in *Input, text string) (value.Value, error) {
	list := value.Value{Kind: value.List}
	for part := range strings.SplitSeq(strings.Trim(text, "[] "), ",") {
		if part = strings.Trim(part, "\" "); part == "" {
			continue
		}
		v, err := menuForm{}.parse(in, part)
		if err != nil {
			return value.Value{}, err
		}
		if _, twice := Find(list.List, v); !twice {
			list.List = append(list.List, v)
		}
	}
	if in.Most > 0 && len(list.List) > in.Most {
		return value.Value{}, phrase.New("sheet.too-many-choices", "n", len(list.List), "most", in.Most)
	}
	return list, nil
}

func (severalForm) refuses(in *Input, v value.Value) *syntax.Error {
	for _, x := range v.List {
		if fault := (menuForm{}).refuses(in, x); fault != nil {
			return fault
		}
	}
	return nil
}

type textForm struct{}

func (textForm) words() Words { return Choices }

func (textForm) parse(in *Input, text string) (value.Value, error) {
	if in.Default.Kind != value.Text {
		return value.Value{}, phrase.New("sheet.fixed")
	}
	return value.Value{Kind: value.Text, Text: text}, nil
}

func (textForm) refuses(*Input, value.Value) *syntax.Error { return nil }

// documentForm is a text of some length, which a function may read.
type documentForm struct{}

func (documentForm) words() Words { return 0 }

func (documentForm) parse(in *Input, text string) (value.Value, error) {
	switch {
	case len(text) > in.Cap:
		return value.Value{}, phrase.New("sheet.document-too-long", "most", max(1, in.Cap>>10))
	case !isText(text) && in.Shortens != nil && in.Shortens.Stream != nil:
		return value.Guarded(in.Shortens, []value.Value{{Kind: value.Text, Text: text}})
	case !isText(text):
		return value.Value{}, phrase.New("sheet.document-no-text")
	}
	v := value.Value{Kind: value.Text, Text: text}
	if in.Shortens != nil && strings.TrimSpace(text) != "" { // what its first step shows to be of another kind
		if task := in.Shortens.Begin([]value.Value{v}); !task.Step() {
			_, err := task.Value()
			return v, err
		}
	}
	if in.Reads == nil || strings.TrimSpace(text) == "" {
		return v, nil
	}
	_, err := value.Guarded(in.Reads, []value.Value{v})
	return v, err
}

func (documentForm) refuses(*Input, value.Value) *syntax.Error { return nil }

// isText tells text from other bytes. Of a long document it looks at the beginning, which tells them apart as surely:
// to look at all of 50 MB would stop a reader's page for longer than reading any piece of it.
func isText(s string) bool {
	const looked = 1 << 20
	if len(s) > looked {
		end := looked
		for end > looked-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}

// Typed is v as Set reads it back: a choice's id, or a number with its unit and all its digits. It is what addresses
// carry.
func (in *Input) Typed(v value.Value) string {
	switch v.Kind {
	case value.List:
		ids := make([]string, len(v.List))
		for i, x := range v.List {
			ids[i] = entryID(x)
		}
		return strings.Join(ids, ",")
	case value.Number:
		if in.Form() == MenuForm {
			return entryID(v)
		}
		return v.Num.Exact()
	case value.Rec:
		if v.Record != nil {
			return v.Record.ID
		}
	}
	return v.String()
}

// OnGrid is how far a number may lie from a step, in steps.
const OnGrid = 1e-9

// Accepts says what is wrong with q as a value of in: its range, its grid.
func (in *Input) Accepts(q quantity.Quantity) *syntax.Error { return in.accepts(q, "") }

// accepts is Accepts of a value that was typed as text, and is named as it was typed.
func (in *Input) accepts(q quantity.Quantity, text string) *syntax.Error {
	switch {
	case in.Ranged && !(in.Min <= q.Value && q.Value <= in.Max):
		return &syntax.Error{What: phrase.New("sheet.out-of-range", "value", q.Echo(text, in.Unit)),
			Remedy: phrase.New("sheet.give-value", "value", in.RangeText())}
	case in.Step > 0:
		k := (q.Value - in.Min) / in.Step
		if math.Abs(k-math.Round(k)) > OnGrid*max(1, math.Abs(k)) {
			return &syntax.Error{What: phrase.New("sheet.between-steps", "value", q.Echo(text, in.Unit),
				"step", in.amount(in.Step)),
				Remedy: phrase.New("sheet.give-value", "value", in.neighbours(k))}
		}
	}
	return nil
}

// amount is x in base units as in prints.
func (in *Input) amount(x float64) string {
	q := in.Default.Num
	q.Value = x
	return q.String()
}

// neighbours are the values of the grid beside the k-th.
func (in *Input) neighbours(k float64) any {
	low, high := in.Min+math.Floor(k)*in.Step, in.Min+math.Ceil(k)*in.Step
	switch {
	case in.Ranged && high > in.Max:
		return in.amount(low)
	case in.Ranged && low < in.Min:
		return in.amount(high)
	}
	return phrase.New("sheet.either", "low", in.amount(low), "high", in.amount(high))
}

// Span is where a search for a value of in looks: its range, or a wide one around its author's value.
func (in *Input) Span() search.Interval {
	v := in.Default.Num.Value
	switch {
	case in.Ranged:
		return search.Interval{Lo: in.Min, Hi: in.Max, Log: in.Log && in.Min > 0}
	case v > 0:
		return search.Interval{Lo: max(v/1e4, 1e-300), Hi: min(v*1e4, math.MaxFloat64), Log: true}
	case v < 0:
		v = min(-v, 1e300)
	case in.Unit.Value > 0:
		v = in.Unit.Value
	default:
		v = 1
	}
	return search.Interval{Lo: -1e4 * v, Hi: 1e4 * v}
}

// Quantity is the value x of in: its dimension, label and prefixes are those its author wrote.
func (in *Input) Quantity(x float64) quantity.Quantity {
	q := in.Default.Num
	q.Value = x
	return q
}

// Assigned is "B = 512 tokens".
func (in *Input) Assigned(x float64) string { return in.Name + " = " + in.Quantity(x).String() }

// RangeText is "1 to 16,384 tokens".
func (in *Input) RangeText() *phrase.Phrase {
	p := in.Span()
	return FromTo(in.Quantity(p.Lo), in.Quantity(p.Hi))
}

// FromTo is "1 to 16,384 tokens": the unit once where it is the same.
func FromTo(lo, hi quantity.Quantity) *phrase.Phrase {
	a, ua := lo.Parts()
	b, ub := hi.Parts()
	if ua != "" && (ua == ub || ua+"s" == ub || ua+"es" == ub) {
		return phrase.New("sheet.from-to-unit", "low", a, "high", b, "unit", ub)
	}
	return phrase.New("sheet.from-to", "low", lo.String(), "high", hi.String())
}

// AtEnd tells whether x is an end of what is searched for in.
func (in *Input) AtEnd(x float64) bool {
	p := in.Span()
	return x == p.Lo || x == p.Hi
}
