package training

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/runs.txt
var runsAsWritten string // "=== name", what is right, "---", the text

// written is a run as people write it, with what is right of it.
type written struct {
	name, model, plan, trains, doubt string
	chips, batch, sequence           int
	state, said                      []string
	text                             string
}

// writtenRuns are those of a file. Of each the plan is right, sequences of a step and their tokens, words of the state,
// the model that it trains, and what is said to be left out; or a doubt must be said, by an error or beside the plan.
func writtenRuns(t *testing.T, file string) (all []written) {
	for _, part := range strings.Split("\n"+file, "\n=== ")[1:] {
		head, text, is := strings.Cut(part, "\n---\n")
		name, head, more := strings.Cut(head, "\n")
		if !is || !more {
			t.Fatalf("%.40q has no text", part)
		}
		c := written{name: name, model: "llama3.8b", text: text}
		for line := range strings.Lines(head) {
			word, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			n, _ := strconv.Atoi(value)
			switch word {
			case "chips":
				c.chips = n
			case "batch":
				c.batch = n
			case "sequence":
				c.sequence = n
			case "model":
				c.model = value
			case "plan":
				c.plan = value
			case "trains":
				c.trains = value
			case "doubt":
				c.doubt = value
			case "state":
				c.state = append(c.state, value)
			case "said":
				c.said = append(c.said, value)
			default:
				t.Fatalf("%s: %q", name, line)
			}
		}
		all = append(all, c)
	}
	return all
}

// Runs as people write them, of each launcher and tool: what is read of them is right, or a doubt is said.
func TestRunsAsWritten(t *testing.T) {
	for _, c := range writtenRuns(t, runsAsWritten) {
		f, err := ReadFlags(c.text, c.chips)
		if err != nil {
			if c.doubt == "" || !strings.Contains(err.Error(), c.doubt) {
				t.Errorf("%s: %v, want %q", c.name, err, c.doubt)
			}
			continue
		}
		j := newJob(t, c.model, "gpu.h100", SoftwareOf(f.Tool, "gpu.h100"), c.chips, 64, 4096).With(&f)
		said := fmt.Sprintf("%q %q %q", f.Aside, f.Without, f.LeftOpen(&j))
		none := said == "[] [] []"
		legal := NewEstimator(j).Legal(f.Plan)
		if c.doubt != "" {
			if said += fmt.Sprint(legal); !strings.Contains(said, c.doubt) {
				t.Errorf("%s: %s is said, want %q", c.name, said, c.doubt)
			}
			continue
		}
		want, err := ParsePlan(c.plan, j.Devices)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if legal != nil || f.Plan.String() != want.filled().String() || f.Batch != c.batch || f.Sequence != c.sequence {
			t.Errorf("%s, of %s: %s, %d sequences of %d, %v; want %s, %d of %d; %s is said", c.name, f.Tool, f.Plan,
				f.Batch, f.Sequence, legal, want.filled(), c.batch, c.sequence, said)
		}
		for _, word := range c.state {
			if state := f.State.Words(); !strings.Contains(" "+state+" ", " "+word+" ") {
				t.Errorf("%s: %s, want %s", c.name, state, word)
			}
		}
		if c.trains != "" && f.Model != c.trains {
			t.Errorf("%s trains %q, want %q", c.name, f.Model, c.trains)
		}
		for _, word := range c.said {
			if word != "any" && !strings.Contains(said, word) {
				t.Errorf("%s: %s is said, want %q", c.name, said, word)
			}
		}
		if c.said == nil && !none {
			t.Errorf("%s: %s is said", c.name, said)
		}
	}
}
