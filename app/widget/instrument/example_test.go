package instrument_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// begin
func New() *instrument.Instrument {
	return &instrument.Instrument{
		ID: "ring", Title: "A ring AllGather", About: "How shards travel round a ring of chips, and what it costs.",
		Controls: controls, Values: values, View: view, Summary: summary,
	}
}

func controls() []instrument.Control {
	return []instrument.Control{
		{Name: "n", Label: "Chips in the ring", Default: "4", Min: "2", Max: "16", Whole: true},
		{Name: "size", Label: "The whole array", Default: "64 MiB", Min: "1 KiB", Max: "1 GiB", Log: true},
		{Name: "link", Label: "Link", Kind: instrument.Menu, Default: "45",
			Options: []instrument.Option{{ID: "45", Name: "45 GB/s one way"}, {ID: "90", Name: "90 GB/s one way"}}},
		{Name: "step", Label: "Step", Kind: instrument.Step, Default: "1", Strip: []int{0, 1, 3},
			Fit:      func(s *instrument.State, c *instrument.Control) { c.Steps = s.Int("n") },
			StepName: func(s *instrument.State, step int) string { return fmt.Sprint("each chip has ", step+1, " shards") }},
	}
}

func took(s *instrument.State) quantity.Quantity { // every chip sends n-1 shards over one link
	n, link := s.Number("n"), map[string]float64{"45": 45e9, "90": 90e9}[s.Text("link")]
	return quantity.Seconds(s.Number("size") * (n - 1) / n / link).Quantity()
}

func values(s *instrument.State) []instrument.Value {
	return []instrument.Value{instrument.Of("T", "Time for all steps", took(s))}
}

func summary(s *instrument.State) string { return "It takes " + took(s).String() }

func view(s *instrument.State) []instrument.Part {
	return []instrument.Part{
		{Key: "answer", Uses: "n size link", Build: func() *instrument.Node { return s.Row("T", "(n − 1) shards over one link") }},
		{Key: "held", Uses: "n step", Steps: true, Build: func() *instrument.Node {
			t := instrument.Table{Key: "held", Caption: "Who has which shard", Heads: []instrument.Head{{Text: "Chip"}, {Text: "Shards"}}}
			for chip := range s.Int("n") {
				t.Rows = append(t.Rows, []instrument.Cell{instrument.Say(fmt.Sprint(chip)), instrument.Say(shards(chip, s.Int("step"), s.Int("n")))})
			}
			return s.Table(t)
		}},
	}
}

// end

// shards are those that a chip holds after so many steps: its own, and those of the chips before it.
func shards(chip, step, n int) string {
	var held []string
	for k := range step + 1 {
		held = append(held, fmt.Sprint(((chip-k)%n+n)%n))
	}
	return strings.Join(held, ", ")
}

// The example of the package's documentation is this file's, which compiles.
func TestDocumentation(t *testing.T) {
	here, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(here), "// begin\n")
	code, _, _ = strings.Cut(code, "\n// end")
	for line := range strings.Lines(code) {
		if line = strings.TrimRight(line, "\n"); line != "" {
			line = "//\t" + line
		} else {
			line = "//"
		}
		if !strings.Contains(string(doc), line+"\n") {
			t.Errorf("the documentation lacks %s", line)
		}
	}
}

func TestExampleHasNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(New(), 2000) {
		t.Error(f)
	}
}
