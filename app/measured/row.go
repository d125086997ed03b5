package measured

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/spell"
)

// Row is a measurement without what was measured.
type Row struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Setup  Setup  `json:"setup"`
	Source string `json:"source"`
	Asked  Names  `json:"measured"` // what was measured, by name
	More   Names  `json:"metrics"`  // the same, as others call it
}

// sourced keeps with what was run where it stands: a source is dated, as software is.
func (r *Row) sourced() {
	if r.Setup != nil && r.Source != "" && !r.Setup.Has("source") {
		r.Setup["source"] = r.Source
	}
}

// Names are the names of what was measured, sorted, "busbw_GBps_by_bytes/8192" where one holds others. The values are
// not read.
type Names []string

// UnmarshalJSON reads the names of an object; of anything else it reads none.
func (n *Names) UnmarshalJSON(text []byte) error {
	var within map[string]json.RawMessage
	if json.Unmarshal(text, &within) != nil {
		var list []string // names alone, of what is to be measured
		if json.Unmarshal(text, &list) == nil {
			*n = append(*n, list...)
		}
		return nil
	}
	for name, value := range within {
		var inner Names
		if inner.UnmarshalJSON(value); len(inner) == 0 {
			*n = append(*n, name)
		}
		for _, more := range inner {
			*n = append(*n, name+nested+more)
		}
	}
	slices.Sort(*n)
	return nil
}

// nested stands between the name of a metric and that of one in it.
const nested = "/"

// ReadRow reads a line: a row as JSON. The error says what it should be instead.
func ReadRow(line []byte) (Row, error) {
	if bytes.IndexByte(line, 0) >= 0 {
		return Row{}, errors.New("it is no row: it holds a NUL byte, which no text has; take it out")
	}
	var r Row
	if err := json.Unmarshal(line, &r); err != nil {
		return Row{}, fmt.Errorf("it is no row: %s; write {\"id\": \"...\", \"kind\": \"...\", \"setup\": {...}} on "+
			"one line",
			whyNoRow(err))
	}
	r.sourced()
	r.Asked, r.More = append(r.Asked, r.More...), nil
	if r.Setup != nil {
		r.respelled()
	}
	return r, nil
}

// whyNoRow says what is wrong with a line: a field of the wrong kind, or no JSON.
func whyNoRow(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return "the line is not an object but of kind " + kind.Value
	case errors.As(err, &kind) && strings.HasPrefix(kind.Value, "number "):
		return kind.Value + " of " + kind.Field + " is out of range"
	case errors.As(err, &kind):
		wanted := "a text"
		if kind.Field == "setup" {
			wanted = "an object"
		}
		return fmt.Sprintf("%s is of kind %s, not %s", kind.Field, kind.Value, wanted)
	case errors.As(err, &syntax):
		return fmt.Sprintf("it is not JSON after %d bytes: %s", syntax.Offset,
			strings.TrimPrefix(err.Error(), "json: "))
	}
	return err.Error()
}

// Setup is what was run, by the names that rows use.
type Setup map[string]any

// lookup is the first of the named values that says something: null, "", "n/a" and the like say nothing.
func (s Setup) lookup(names []string) (name string, value any, found bool) {
	s.read(names)
	for _, name := range names {
		value, found := s[name]
		if text, is := value.(string); is && silent(text) || value == nil {
			found = false
		}
		if found {
			return name, value, true
		}
	}
	return "", nil, false
}

// silent tells whether a text stands for no value.
func silent(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "n/a", "na", "none", "null", "-", "?":
		return true
	}
	return false
}

// Has tells whether one of the named values says something.
func (s Setup) Has(names ...string) bool {
	_, _, found := s.lookup(names)
	return found
}

// Text is the first of the named values that says something, as a text; "" if none does, or if it is a list or holds
// further values.
func (s Setup) Text(names ...string) string {
	_, value, _ := s.lookup(names)
	switch v := value.(type) {
	case nil, []any, map[string]any:
		return ""
	case string:
		return strings.TrimSpace(v)
	}
	return fmt.Sprint(value)
}

// Number is the first of the named values that says something, or otherwise if none does. A text may be a number
// ("128", "16M"), a range ("64-512": its lower end) or a formula over other values ("GPUs/32").
func (s Setup) Number(otherwise float64, names ...string) (float64, error) {
	name, value, found := s.lookup(names)
	if !found {
		return otherwise, nil
	}
	switch v := value.(type) {
	case float64:
		return v, nil
	case bool:
		return 0, fmt.Errorf("%s is %v; write a number, such as 128", name, v)
	case string:
		x, err := formula{setup: s}.value(plainCount(name, v))
		if err != nil {
			return 0, fmt.Errorf("%s is %q: %v", name, v, err)
		}
		return x, nil
	}
	return 0, fmt.Errorf("%s is no number; write one, such as 128", name)
}

// Amount is Number for what can't be below zero.
func (s Setup) Amount(otherwise float64, names ...string) (float64, error) {
	x, err := s.Number(otherwise, names...)
	if err == nil && !(x >= 0 && x <= mostOfLoad) {
		name, _, _ := s.lookup(names)
		err = fmt.Errorf("%s is %v; write a number from 0 to a thousand million", name, x)
	}
	return x, err
}

// Length is Amount for tokens of a sequence: 8k is 8192. Only tens that are no multiples of 32 mean thousands: 10k and
// 200k, but not 160k, which is the context of a model.
func (s Setup) Length(otherwise float64, names ...string) (float64, error) {
	x, err := s.Amount(otherwise, names...)
	name, _, _ := s.lookup(names)
	return binary(plainCount(name, s.Text(names...)), x), err
}

// binary is x, read of that text, with 1024 for a k.
func binary(text string, x float64) float64 {
	text = strings.TrimSpace(text)
	if !strings.HasSuffix(text, "k") && !strings.HasSuffix(text, "K") {
		return x
	}
	if k := x / 1000; math.Mod(k, 10) != 0 || math.Mod(k, 32) == 0 {
		return k * 1024
	}
	return x
}

// leastPercents is from where on a share is taken as percents: 1.9 may be meant for 0.9, and is neither.
const leastPercents = 2

// Share is Number for a share: 0.9, or 90 in percent.
func (s Setup) Share(otherwise float64, names ...string) (float64, error) {
	name, value, _ := s.lookup(names)
	if text, is := value.(string); is && strings.HasSuffix(strings.TrimSpace(text), "%") {
		s, names = Setup{name: strings.TrimSuffix(strings.TrimSpace(text), "%")}, []string{name}
	}
	x, err := s.Number(otherwise, names...)
	if x >= leastPercents && x <= 100 {
		x /= 100
	}
	if err == nil && !(x >= 0 && x <= 1) {
		err = fmt.Errorf("%s is %v; write a share from 0 to 1, or percents from %d to 100", name, x, leastPercents)
	}
	return x, err
}

// Count is Number for what is at least 1 and whole if it is given at all, and 0 otherwise.
func (s Setup) Count(most float64, names ...string) (float64, error) {
	x, err := s.Number(0, names...)
	name, _, found := s.lookup(names)
	whole := math.Round(x)
	if err == nil && found && !(whole >= 1 && whole <= most && math.Abs(x-whole) <= 1e-9*whole) {
		return 0, fmt.Errorf("%s is %v; write a whole number from 1 to %.0f", name, x, most)
	}
	return whole, err
}

// Whole is Number for what must be a whole number within limits.
func (s Setup) Whole(otherwise, least, most int, names ...string) (int, error) {
	x, err := s.Number(float64(otherwise), names...)
	if err != nil {
		return 0, err
	}
	if x != math.Trunc(x) || x < float64(least) || x > float64(most) {
		name, _, _ := s.lookup(names)
		if name == "" {
			name = names[0]
		}
		return 0, fmt.Errorf("%s is %v; write a whole number from %d to %d", name, x, least, most)
	}
	return int(x), nil
}

// Switch is the first of the named values that says something, as yes or no; a number is yes unless it is 0.
func (s Setup) Switch(otherwise bool, names ...string) bool {
	_, value, found := s.lookup(names)
	if !found {
		return otherwise
	}
	switch v := value.(type) {
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		switch strings.ToLower(v) {
		case "false", "no", "off", "0":
			return false
		}
	}
	return true
}

// seen is the names that were asked for.
type seen map[string]bool

// watch is the name under which a set-up keeps what was asked for. No row has a value of its type.
const watch = "\x00"

// watched is a copy of s that remembers which of its values are asked for; its parts do too.
func (s Setup) watched() Setup {
	c := maps.Clone(s)
	if c == nil {
		c = Setup{}
	}
	c[watch] = seen{}
	for _, part := range []string{"prefill", "decode"} {
		if sub, is := s[part].(map[string]any); is {
			c[part] = map[string]any(Setup(sub).watched())
		}
	}
	return c
}

// read remembers that some values were asked for.
func (s Setup) read(names []string) {
	if seen, is := s[watch].(seen); is {
		for _, name := range names {
			seen[name] = true
		}
	}
}

// object is a value that holds others; nil if there is none.
func (s Setup) object(name string) Setup {
	_, value, _ := s.lookup([]string{name})
	sub, _ := value.(map[string]any)
	return sub
}

// repeated are values that say again what the plan and the precision say.
const repeated = " n_devices gpus chips nodes layout moe_quant n_requests id notes software date source section " +
	"interconnect vocab_note params_label plan "

// mostUnread is how many names are listed.
const mostUnread = 8

// unread are the names of values that nobody asked for though they say something.
func (s Setup) unread() []string {
	known, is := s[watch].(seen)
	if !is {
		return nil
	}
	var names []string
	for name, value := range s {
		if sub, is := value.(map[string]any); is && known[name] {
			for _, inner := range Setup(sub).unread() {
				names = append(names, name+"."+inner)
			}
		}
		if name != watch && !known[name] && s.Has(name) && !strings.Contains(repeated, " "+name+" ") {
			names = append(names, spell.Clip(name, 32))
		}
	}
	slices.Sort(names)
	return names[:min(len(names), mostUnread)]
}
