package config

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/scrap"
)

// plain is a value as the standard library would have it.
func (v *value) plain() any {
	switch v.kind {
	case boolean:
		return v.text == "true"
	case number, strange:
		return json.Number(v.text)
	case text:
		return v.text
	case list:
		all := []any{}
		for i := range v.items {
			all = append(all, v.items[i].plain())
		}
		return all
	case object:
		all := map[string]any{}
		for i, n := range v.names {
			all[n.text] = v.items[i].plain()
		}
		return all
	}
	return nil
}

// agree compares the reader with the standard library's, which it must agree with on every text that is an object.
func agree(t *testing.T, src string) {
	t.Helper()
	got, _, err := readJSON(src)
	decoder := json.NewDecoder(strings.NewReader(src))
	decoder.UseNumber()
	var want map[string]any
	valid := json.Valid([]byte(src)) && decoder.Decode(&want) == nil && want != nil
	switch {
	case err == nil && !valid && !loose.MatchString(src) && !strings.Contains(src, "NaN") &&
		!strings.Contains(src, "Infinity") && !strings.HasPrefix(src, "\ufeff"):
		t.Errorf("%q is read, but is no JSON", src)
	case err != nil && valid && !ours(err):
		t.Errorf("%q is not read: %v", src, err)
	case err == nil && valid && !reflect.DeepEqual(got.plain(), any(want)):
		t.Errorf("%q is read as %v, the standard library has %v", src, got.plain(), want)
	}
}

// loose is what Python and YAML have beyond JSON.
var loose = regexp.MustCompile(`['#/]|True|False|None|,\s*[}\]]`)

// ours tells whether an error is about a limit that the standard library does not have, or has elsewhere.
func ours(err *Error) bool {
	for _, limit := range []string{"deeper than", "more than", "characters", "no UTF-8", "UTF-16"} {
		if strings.Contains(err.What.String(), limit) {
			return true
		}
	}
	return false
}

func TestReaderAgainstStandardLibrary(t *testing.T) {
	cuts := 15
	if testing.Short() {
		cuts = 2
	}
	for _, s := range samples(t) {
		agree(t, string(s.text))
		for i := 0; i < len(s.text); i += 1 + len(s.text)/cuts { // cut off, and with a byte of another kind
			agree(t, string(s.text[:i]))
			for _, c := range []string{`"`, "\\", "{", "]", ",", "0", "-", ".", "e", "\n", "\u00e9", "t"} {
				agree(t, string(s.text[:i])+c+string(s.text[i+1:]))
			}
		}
	}
	for _, src := range []string{`{"a":"\ud83d\ude00\ud83d\u0041\ude00\ud83d"}`, `{"a":-0.0e-0,"b":1E+5}`,
		`{"a":{"a":1,"b":2,"a":3}}`, `{"\u0000":"\/"}`, `{"a": 1E5 , "b" :[ ] }`} {
		agree(t, src)
	}
}

func FuzzJSON(plain *testing.F) {
	f := scrap.Of(plain)
	for _, src := range []string{`{"a": [1, -2.5e3, "x\n\u00e9", true, null, {}]}`, `{"a":NaN}`, `{"a":{"b":[[]]}}`,
		`{"\ud83d\ude00":"\ud800"}`, `{"x_config": {"model_type": "y", "depths": [3, 3]}, "moe_layer_freq": "1"}`} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) { agree(t, src) })
}
