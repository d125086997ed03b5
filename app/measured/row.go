package measured

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Row is a measurement without what was measured.
type Row struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Setup  Setup  `json:"setup"`
	Source string `json:"source"`
	Asked  Names  `json:"measured"` // what was measured, by name
}

// sourced keeps with what was run where it is told: a source is dated, as software is.
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

// ReadRow reads a line.
func ReadRow(line []byte) (Row, error) {
	if bytes.IndexByte(line, 0) >= 0 {
		return Row{}, errors.New("it is no row: it holds a NUL byte, which no text has; take it out")
	}
	var r Row
	if err := json.Unmarshal(line, &r); err != nil {
		return Row{}, fmt.Errorf("it is no row: %s; write {\"id\": \"...\", \"kind\": \"...\", \"setup\": {...}} on one line",
			whyNoRow(err))
	}
	r.sourced()
	return r, nil
}

// whyNoRow says what is wrong with a line: a field of the wrong kind, or no JSON.
func whyNoRow(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return "the line is not an object but of kind " + kind.Value
	case errors.As(err, &kind):
		wanted := "a text"
		if kind.Field == "setup" {
			wanted = "an object"
		}
		return fmt.Sprintf("%s is of kind %s, not %s", kind.Field, kind.Value, wanted)
	case errors.As(err, &syntax):
		return fmt.Sprintf("it is not JSON after %d bytes: %s", syntax.Offset, strings.TrimPrefix(err.Error(), "json: "))
	}
	return err.Error()
}

// Setup is what was run, by the names that rows use.
type Setup map[string]any
