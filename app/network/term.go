package network

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Term is the time that one resource needs in a stage.
type Term struct {
	Resource  Resource
	Bytes     q.Bytes     // over one link (or one egress), one way
	Bandwidth q.Bandwidth // of that link, one way
	Time      q.Seconds   // Bytes/Bandwidth
	Formula   string      // of Time, in sheet notation: "(N - 1)/N * V/W"
	Values    []law.Value // what its names stand for
	Shortcut  q.Seconds   // as the textbook simplifies it

	// idle are those of Bytes that the mirror image of the stage spares its busiest link: it loads each the other way.
	idle q.Bytes
}

// term is the time of bytes over a link.
func term(resource Resource, bytes q.Bytes, link q.Bandwidth, formula string, shortcut q.Seconds) Term {
	return Term{
		Resource: resource, Bytes: bytes, Bandwidth: link, Time: bytes.Over(link), Formula: formula, Shortcut: shortcut,
	}
}

// array is the V of a term.
func (c Collective) array() law.Value {
	is := c.part
	if is == "" {
		is = "network.the-array"
	}
	return law.Value{Name: "V", Num: c.Bytes.Quantity(), Is: phrase.New(is)}
}

// count is a value that is a plain number; is is the key of what it is.
func count(name string, n float64, is string) law.Value {
	return law.Value{Name: name, Num: q.Quantity{Value: n}, Is: phrase.New(is)}
}

// rate is a value that is a bandwidth; is is the key of what it is.
func rate(name string, w q.Bandwidth, is string) law.Value {
	return law.Value{Name: name, Num: w.Quantity(), Is: phrase.New(is)}
}

// raggedly is a formula, and its values, if of an all-to-all only the chunks of Active choices carry anything.
func (c Collective) raggedly(formula string, values []law.Value) (string, []law.Value) {
	if c.Op != AllToAll || c.Active == 0 {
		return formula, values
	}
	chosen := count("k", c.Active, "network.chosen-experts")
	return "(" + raggedShare + ") * " + formula, append(values, chosen)
}

// ragged are the exact share of an all-to-all's chunks that carry anything over n devices, and the shortcut's.
func (c Collective) ragged(n int) (exact, shortcut float64) {
	if c.Active == 0 {
		return 1, 1
	}
	return RaggedShare(c.Active, float64(n)), RaggedShareShortcut(c.Active, float64(n))
}
