package hlo

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// maxOperands is how many operands are linked. Tuples of parameters have some thousand.
const maxOperands = 1 << 14

// operation reads one: `ROOT %name = bf16[8]{0} add(%a, %b), metadata={…}`.
func operation(text string) (Op, *phrase.Phrase) {
	r := shapeReader{scan: scan{src: text}}
	o := Op{}
	if strings.HasPrefix(text, "ROOT ") {
		o.Root = true
		r.pos = len("ROOT ")
		r.space()
	}
	r.take('%')
	o.Name = r.word()
	if r.space(); o.Name == "" || !r.take('=') {
		return o, phrase.New("hlo.no-operation", "text", phrase.Printable(text, 40))
	}
	var fault *phrase.Phrase
	if o.Shape, fault = r.shape(0); fault != nil {
		return o, fault
	}
	r.space()
	if o.Code = r.word(); o.Code == "" || r.next() != '(' {
		return o, phrase.New("hlo.no-code", "name", phrase.Printable(o.Name, 40))
	}
	var ok bool
	if o.inside, ok = r.group(); !ok {
		return o, phrase.New("hlo.unclosed", "name", phrase.Printable(o.Name, 40))
	}
	if o.rest = strings.TrimLeft(text[r.pos:], ", "); open(o.rest) {
		return o, phrase.New("hlo.unclosed", "name", phrase.Printable(o.Name, 40))
	}
	return o, o.operands()
}

// operands reads what stands in the parentheses: names, with or without their shapes.
func (o *Op) operands() *phrase.Phrase {
	if o.Code == "constant" || o.Code == "parameter" || o.Code == "iota" {
		return nil
	}
	var fault *phrase.Phrase
	list(o.inside, func(part string) bool {
		if len(o.Operands) == maxOperands {
			fault = phrase.New("hlo.operands", "name", phrase.Printable(o.Name, 40), "most", maxOperands)
			return false
		}
		var operand Operand
		operand, fault = readOperand(part)
		o.Operands = append(o.Operands, operand)
		return fault == nil
	})
	return fault
}

func readOperand(text string) (Operand, *phrase.Phrase) {
	r := shapeReader{scan: scan{src: text}}
	r.space()
	bare := scan{src: text, pos: r.pos}
	bare.take('%')
	if name := bare.word(); name != "" && bare.pos == len(text) {
		return Operand{Name: name}, nil
	}
	shape, fault := r.shape(0)
	if fault != nil {
		return Operand{}, fault
	}
	r.space()
	r.take('%')
	return Operand{Name: r.word(), Shape: &shape}, nil
}

// Attr is an attribute as it is written: "{1}" of contracting_dims={1}; empty if there is none.
func (o *Op) Attr(name string) string {
	found := ""
	list(o.rest, func(part string) bool {
		if value, ok := strings.CutPrefix(part, name+"="); ok {
			found = value
		}
		return found == ""
	})
	return found
}

// dims are the numbers of an attribute in braces.
func (o *Op) dims(name string) []float64 {
	ns, _ := numbers(strings.Trim(o.Attr(name), "{}"))
	return ns
}

// whole is an attribute that is one number, and 1 where it is missing or beyond any machine.
func (o *Op) whole(name string) int {
	if ns := o.dims(name); len(ns) == 1 && ns[0] >= 1 && ns[0] <= maxGroup {
		return int(ns[0])
	}
	return 1
}

// calls are the names of the computations that an attribute names.
func (o *Op) calls(attr string) []string {
	var names []string
	list(strings.Trim(o.Attr(attr), "{}"), func(part string) bool {
		names = append(names, strings.TrimPrefix(part, "%"))
		return len(names) < maxOperands
	})
	return names
}

// operand is the shape of an operand; an empty tuple if it isn't known.
func (o *Op) operand(i int) *Shape {
	if i < len(o.Operands) && o.Operands[i].Shape != nil {
		return o.Operands[i].Shape
	}
	return &Shape{}
}
