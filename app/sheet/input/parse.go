package input

import (
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// MaxTyped is how many bytes a reader may type into a field.
const MaxTyped = 1000

// Parse reads what a reader typed or chose for in.
func (in *Input) Parse(text string) (value.Value, error) {
	switch form := in.Form(); {
	case form == DocumentForm:
		return in.parseDocument(text)
	case len(text) > MaxTyped:
		return value.Value{}, phrase.New("sheet.text-too-long")
	case in.Default.Kind == value.Bool:
		return in.parseSwitch(text)
	case form == SeveralForm:
		return in.parseSeveral(text)
	case len(in.Menu) > 0:
		return in.parseChoice(text)
	case in.Default.Kind == value.Text:
		return value.Value{Kind: value.Text, Text: text}, nil
	case in.Default.Kind == value.Number:
		return in.parseNumber(text)
	}
	return value.Value{}, phrase.New("sheet.fixed")
}

func (in *Input) parseNumber(text string) (value.Value, error) {
	q, err := quantity.ParseLike(text, in.Unit)
	if err != nil {
		return value.Value{}, err
	}
	if fault := in.Accepts(q); fault != nil {
		return value.Value{}, fault.Fault()
	}
	return value.Value{Kind: value.Number, Num: q}, nil
}

func (in *Input) parseSwitch(text string) (value.Value, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "on", "true", "yes", "1":
		return value.Value{Kind: value.Bool, Bool: true}, nil
	case "off", "false", "no", "0":
		return value.Value{Kind: value.Bool}, nil
	}
	return value.Value{}, phrase.New("sheet.no-switch", "text", syntax.Quote(text))
}

func (in *Input) parseChoice(text string) (value.Value, error) {
	text = strings.TrimSpace(text)
	if o := in.Option(text); o != nil {
		return o.Value, nil
	}
	if q, err := quantity.ParseLike(text, in.Unit); in.Default.Kind == value.Number && err == nil {
		if v, ok := in.Entry(value.Value{Kind: value.Number, Num: q}); ok {
			return v, nil
		}
	}
	if like := in.open(); like != nil && text != "" {
		r, err := like.Kin.Named(like, text)
		return value.Value{Kind: value.Rec, Record: r}, err
	}
	return value.Value{}, phrase.New("sheet.not-among-choices", "text", syntax.Quote(text), "remedy",
		syntax.DidYouMean(text, in.IDs(), phrase.New("sheet.choose-one-of", "names", syntax.OneOf(in.IDs()))))
}

// parseSeveral reads choices with commas between them, each taken once, also as a list in JSON. None is a choice too.
func (in *Input) parseSeveral(text string) (value.Value, error) {
	list := value.Value{Kind: value.List}
	for part := range strings.SplitSeq(strings.Trim(text, "[] "), ",") {
		if part = strings.Trim(part, "\" "); part == "" {
			continue
		}
		v, err := in.parseChoice(part)
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

// parseDocument takes a text of some length.
func (in *Input) parseDocument(text string) (value.Value, error) {
	switch {
	case len(text) > in.Cap:
		return value.Value{}, phrase.New("sheet.document-too-long", "most", max(1, in.Cap>>10))
	case !isText(text) && in.Shortens != nil && in.Shortens.Stream != nil:
		return value.Guarded(in.Shortens, []value.Value{{Kind: value.Text, Text: text}})
	case !isText(text):
		return value.Value{}, phrase.New("sheet.document-no-text")
	}
	v := value.Value{Kind: value.Text, Text: text}
	if in.Reads == nil || strings.TrimSpace(text) == "" {
		return v, nil
	}
	_, err := value.Guarded(in.Reads, []value.Value{v})
	return v, err
}

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
