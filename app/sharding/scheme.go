package sharding

import (
	_ "embed"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// schemeTable is the ways to split a layer over four chips, step by step: a line for each scheme (id, name, mesh), and
// below it a line for each step (what is done, the arrays there are). An array that has just arrived names its
// collective behind "<". The steps are those of the listings of chapter 5.
//
//go:embed schemes.tsv
var schemeTable string

// Scheme is a way to split a layer over four chips.
type Scheme struct {
	ID, Name string
	Mesh     *Mesh
	Steps    []SchemeStep
}

// SchemeStep is what the chips hold at a moment, and what has just been done.
type SchemeStep struct {
	Does   string
	Arrays []SchemeArray
}

// SchemeArray is an array, its text in the notation, and the message that has just brought it.
type SchemeArray struct {
	*Array
	Text, Message string
}

// schemeSizes are sizes that four chips divide; of an array only the shares matter here.
const schemeSizes = "B=16, D=16, F=16, T=16, H=16, E=4"

// ReadScheme finds a scheme by its id.
func ReadScheme(id string) (*Scheme, error) {
	var found *Scheme
	for line := range strings.SplitSeq(strings.TrimSpace(schemeTable), "\n") {
		cells := strings.Split(line, "\t")
		switch {
		case cells[0] == "scheme" && found != nil:
			return found, nil
		case cells[0] == "scheme" && cells[1] == id:
			mesh, err := ParseMesh(cells[3], nil)
			if err != nil {
				return nil, err
			}
			found = &Scheme{ID: id, Name: cells[2], Mesh: mesh}
		case cells[0] == "step" && found != nil:
			if err := found.add(cells[1], cells[2:]); err != nil {
				return nil, err
			}
		}
	}
	if found == nil {
		return nil, phrase.Fault{What: phrase.New("sharding.no-scheme", "name", id), Remedy: phrase.New("sharding.schemes")}
	}
	return found, nil
}

// add adds a step.
func (s *Scheme) add(does string, arrays []string) error {
	sizes, err := ParseSizes(schemeSizes, nil)
	if err != nil {
		return err
	}
	step := SchemeStep{Does: does}
	for _, cell := range arrays {
		text, message, _ := strings.Cut(cell, " < ")
		array, err := ParseArray(text, sizes, s.Mesh)
		if err != nil {
			return err
		}
		step.Arrays = append(step.Arrays, SchemeArray{array, text, message})
	}
	s.Steps = append(s.Steps, step)
	return nil
}
