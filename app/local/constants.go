package local

import (
	_ "embed"
	"slices"
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

// constantNames are the constants by their names in the table.
const constantNames = "weights,cache,layer,sparse,math,score,batch,hop,sum,low,high,prompt_low,prompt_high"

// ConstantNames are the constants by their names in the table.
func ConstantNames() []string { return strings.Split(constantNames, ",") }

// Field is a constant by its name; nil if there is none.
func (c *Constants) Field(name string) *float64 {
	at := slices.Index(ConstantNames(), name)
	if at < 0 {
		return nil
	}
	return [...]*float64{&c.Weights, &c.Cache, &c.Layer, &c.Sparse, &c.Math, &c.Score, &c.Batch, &c.Hop, &c.Sum, &c.Low,
		&c.High, &c.PromptLow, &c.PromptHigh}[at]
}

// memoryNames are the kinds of memory as the table has them.
var memoryNames = [...]string{Graphics: "graphics", Stacked: "stacked", Unified: "unified"}

// Stacks are the columns: an engine and a kind of memory each.
func Stacks() []string {
	head, _, _ := strings.Cut(constantTable, "\n")
	return strings.Split(head, "\t")[1:]
}

// Stack is the column of an engine on a kind of memory: of engines that nobody measured there, llama.cpp's.
func Stack(engine string, memory Memory) string {
	if name := engine + "." + memoryNames[memory]; slices.Contains(Stacks(), name) {
		return name
	}
	return "llama.cpp." + memoryNames[memory]
}

// ConstantsOf are the constants of a column.
func ConstantsOf(stack string) *Constants {
	c := &Constants{}
	column := 1 + slices.Index(Stacks(), stack)
	for line := range strings.Lines(constantTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if to := c.Field(cells[0]); to != nil {
			*to, _ = strconv.ParseFloat(cells[column], 64)
		}
	}
	return c
}
