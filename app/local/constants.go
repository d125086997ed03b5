package local

import (
	_ "embed"
	"strconv"
	"strings"
)

// constantTable is the constants: a row each, a column a software on a kind of memory.
//
//go:embed constants.tsv
var constantTable string

// Constants are what a software reaches on a kind of memory.
type Constants struct {
	Weights float64 // share of the bandwidth at which weights are read
	Cache   float64 // the same of the cache
	Layer   float64 // seconds of a layer and a token besides
	Sparse  float64 // more of them of a layer with experts
	Math    float64 // share of the peak on products of a prompt
	Score   float64 // the same on its attention
	Batch   float64 // the same where some sequences generate together
	Hop     float64 // seconds of a token from a card to the next
	Sum     float64 // seconds of a layer's sums over cards that share it

	Low, High             float64 // times of tokens, measured over predicted: nine in ten lie between
	PromptLow, PromptHigh float64 // the same of prompts
}

// fields are the constants by their names in the table.
func (c *Constants) fields() map[string]*float64 {
	return map[string]*float64{"weights": &c.Weights, "cache": &c.Cache, "layer": &c.Layer, "sparse": &c.Sparse,
		"math": &c.Math, "score": &c.Score, "batch": &c.Batch, "hop": &c.Hop, "sum": &c.Sum, "low": &c.Low, "high": &c.High,
		"prompt_low": &c.PromptLow, "prompt_high": &c.PromptHigh}
}

// memoryNames are the kinds of memory as the table has them.
var memoryNames = [...]string{Graphics: "graphics", Stacked: "stacked", Unified: "unified"}

// Stack is the column of an engine on a kind of memory: of engines that nobody measured there, llama.cpp's.
func Stack(engine string, memory Memory) string {
	head, _, _ := strings.Cut(constantTable, "\n")
	for name := range strings.FieldsSeq(head) {
		if name == engine+"."+memoryNames[memory] {
			return name
		}
	}
	return "llama.cpp." + memoryNames[memory]
}

// ConstantsOf are the constants of a column.
func ConstantsOf(stack string) Constants {
	var c Constants
	fields := c.fields()
	column := 0
	for line := range strings.Lines(constantTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if column == 0 {
			for i, name := range cells {
				if name == stack {
					column = i
				}
			}
			continue
		}
		if to := fields[cells[0]]; to != nil {
			*to, _ = strconv.ParseFloat(cells[column], 64)
		}
	}
	return c
}
