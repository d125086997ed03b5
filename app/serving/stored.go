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

// Int4 is the bytes of an element of weights in integers of 4 bits that have a scale of 16 bits and a zero of 4 for
// each 128 of them, as AWQ and GPTQ store them.
const Int4 = (4 + 20.0/128) / 8

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

// besideTable is the weights that a model loads beside its text model, in bytes: encoders of images, in bf16. A line is
// a model, the bytes, and what they are.
//
//go:embed beside.tsv
var besideTable string

// beside is the bytes of besideTable; 0 of a model that has none, or of which nobody knows.
func beside(model string) float64 {
	for line := range strings.Lines(besideTable) {
		if c := strings.Split(line, "\t"); c[0] == model {
			bytes, _ := strconv.ParseFloat(c[1], 64)
			return bytes
		}
	}
	return 0
}
