package measured

import (
	"encoding/json"
	"fmt"
)

// Row is a measurement without what was measured.
type Row struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Setup Setup  `json:"setup"`
}

// ReadRow reads a line.
func ReadRow(line []byte) (Row, error) {
	var r Row
	if err := json.Unmarshal(line, &r); err != nil {
		return Row{}, fmt.Errorf("it is no row: %v; write {\"id\": ..., \"kind\": ..., \"setup\": {...}} on one line", err)
	}
	return r, nil
}

// Setup is what was run, by the names that rows use.
type Setup map[string]any
