package serving

import (
	_ "embed"
	"strconv"
	"strings"
)

// storedTable is published checkpoints whose parts are stored in different formats: the model, the bytes of an element
// of the format that the checkpoint is named by, then those of attention, MLPs, experts and tables, and whose it is.
//
//go:embed stored.tsv
var storedTable string

// Stored is how the published checkpoint of a model in a format of so many bytes an element stores its parts. Most
// have one format for all weights but tables.
func Stored(model string, weights, cache float64) Precision {
	p := Uniform(weights, cache)
	for line := range strings.Lines(storedTable) {
		c := strings.Split(line, "\t")
		if size, _ := strconv.ParseFloat(c[1], 64); c[0] == model && size == weights {
			for i, at := range []*float64{&p.Attention, &p.MLP, &p.Experts, &p.Tables} {
				*at, _ = strconv.ParseFloat(c[2+i], 64)
			}
		}
	}
	return p
}
