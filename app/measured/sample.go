package measured

import (
	"strconv"
	"strings"
)

// Sample is a row with what was measured: for fitting and for tests, never for predictions.
type Sample struct {
	Row
	Measured map[string]float64
}

// ReadSamples reads a table of measurements: a column a value of the set-up, "prefill" and "decode" with parts between
// slashes; columns after "|" are what was measured.
func ReadSamples(table string) []Sample {
	var out []Sample
	var names []string
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if names == nil {
			names = cells
			continue
		}
		out = append(out, readSample(names, cells))
	}
	return out
}

// readSample reads one line.
func readSample(names, cells []string) Sample {
	s := Sample{Row: Row{Kind: "inference", Setup: Setup{}}, Measured: map[string]float64{}}
	result := false
	for i, name := range names {
		switch cell := cells[i]; {
		case name == "|":
			result = true
		case cell == "":
		case result:
			s.Measured[name], _ = strconv.ParseFloat(cell, 64)
		case name == "id":
			s.ID = cell
		case name == "prefill" || name == "decode":
			s.Setup[name] = readParts(cell)
		default:
			s.Setup[name] = value(cell)
		}
	}
	return s
}

// readParts reads "8/1/1/1/8/2/16": tp, pp, attention_dp, moe_tp, moe_ep, workers, batch.
func readParts(text string) map[string]any {
	names := []string{"tp", "pp", "attention_dp", "moe_tp", "moe_ep", "workers", "batch"}
	out := map[string]any{}
	for i, part := range strings.Split(text, "/") {
		if part != "" && i < len(names) {
			out[names[i]] = value(part)
		}
	}
	return out
}

// value is a number if it is one, otherwise the text.
func value(text string) any {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	return text
}
