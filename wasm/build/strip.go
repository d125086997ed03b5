package build

import (
	"bytes"
	"slices"
	"strings"
)

// span is where something lies in memory: from and up to.
type span struct{ from, to int }

// stripPclntab is the memory of a program without what only traces of the stack need. What only functions of a later
// module need lies behind what the others need, in as many places as it also returns for the module, that of their
// entries first. All functions are in the first module where in is nil. Where functions are entered at new places, the
// table speaks of those; it isn't ok if it can't.
func stripPclntab(memory []byte, in []int, entered []places, r release) (
	stripped []byte, apart [modules][]span, ok bool,
) {
	s, ok := newStripper(memory, r)
	if !ok || entered != nil && len(entered) != s.count {
		return memory, apart, entered == nil
	}
	absent := placeholderFunc(s.newSteps.add(noFrame))
	order := s.order(in)
	var steps, data [modules + 1]int
	for k, functions := range order {
		for _, i := range functions {
			var p places
			if entered != nil {
				p = entered[i]
			}
			s.strip(s.entry(i), p)
		}
		steps[k+1], data[k+1] = len(s.newSteps.bytes), len(s.newData.bytes)
	}
	entries, ok := s.arrange(order, absent)
	if !ok || !s.write() {
		return memory, apart, entered == nil
	}
	for k := inChapters; k < modules; k++ {
		if len(order[k]) > 0 {
			apart[k] = []span{
				entries[k],
				{s.pcs + steps[k], s.pcs + steps[k+1]},
				{s.space.from + data[k], s.space.from + data[k+1]},
			}
		}
	}
	return s.m, apart, true
}

// stripper writes the parts of a pclntab anew.
type stripper struct {
	pclntab
	newNames, newSteps, newData pool
	old                         map[int]string // the data of functions, by the places in entries that lead to them
	space                       span           // where they lie
}

// newStripper strips a copy; not ok if there is no table as the linker writes it.
func newStripper(memory []byte, r release) (*stripper, bool) {
	if t, ok := findPclntab(memory); !ok || !t.regular() {
		return nil, false
	}
	s := &stripper{newNames: pool{align: 1}, newSteps: pool{align: 1}, newData: pool{align: 4}}
	s.pclntab, _ = findPclntab(bytes.Clone(memory))
	s.old, s.space = s.functionData(r)
	s.newNames.add("\x00") // offset 0 means that there is none
	s.newSteps.add("\x00")
	return s, true
}

// strip lets an entry lead to what stays of its function's name, tables and data.
func (s *stripper) strip(at int, p places) {
	s.put(at+atName, s.newNames.add(keptName(s.name(at))+"\x00"))
	for _, field := range []int{atFile, atLine, atUnit, atStart} {
		s.put(at+field, 0)
	}
	s.stripTables(at)
	if p != nil {
		s.put(at+atDeferReturn, p.renumbered(s.word(at+atDeferReturn)))
	}
	for i, place := range s.tables(at) {
		if s.word(place) != 0 {
			steps := s.steps(s.word(place))
			if p != nil {
				steps = p.table(steps, i == 0)
			} else {
				steps = writeSteps(stepValues(steps))
			}
			s.put(place, s.newSteps.add(string(steps)))
		}
	}
	for _, p := range s.dataPlaces(at) {
		if content, ok := s.old[p]; ok {
			s.put(p, s.newData.add(content))
		}
	}
}

// write puts what stays into its places; not ok if it doesn't fit.
func (s *stripper) write() bool {
	clear(s.m[s.units:s.pcs]) // cutab and filetab
	return s.newNames.into(s.m[s.names:s.units]) && s.newSteps.into(s.m[s.pcs:s.entries]) &&
		s.newData.into(s.m[s.space.from:s.space.to])
}

// order is the functions by number, for each module. The runtime's own look each other up, so that their entries stay.
func (t *pclntab) order(in []int) (out [modules][]int) {
	for i := range t.count {
		k := inFirst
		if i < len(in) && !strings.HasPrefix(t.name(t.entry(i)), "runtime.") {
			k = in[i]
		}
		out[k] = append(out[k], i)
	}
	return out
}

// stripTables lets an entry lead to nothing of what is idle.
func (t *pclntab) stripTables(at int) {
	tables := t.word(at + atTables)
	for _, i := range idleTables {
		if i < tables {
			t.put(at+funcSize+4*i, 0)
		}
	}
	for i, place := range t.dataPlaces(at) {
		if idle(i) {
			t.put(place, noData)
		}
	}
}

// idle says whether only traces read data of a kind.
func idle(kind int) bool { return slices.Contains(idleData[:], kind) }

// keptName is what stays of a function's name. The runtime knows its own goroutines by "runtime.", two functions of
// reflect by their whole names, and takes apart the name of a method with a pointer to say that the pointer was nil.
func keptName(name string) string {
	switch name {
	case "reflect.makeFuncStub", "reflect.methodValueCall":
		return name
	}
	short := ""
	if strings.HasPrefix(name, "runtime.") {
		short = "runtime."
	}
	if strings.Contains(name, ".(*") {
		short = strings.TrimSuffix(short, ".") + ".(*type).method"
	}
	return short
}

// pool keeps each content once, where an address of its alignment is.
type pool struct {
	align int
	bytes []byte
	at    map[string]uint32
}

// add is the offset of a content.
func (p *pool) add(content string) uint32 {
	at, ok := p.at[content]
	if !ok {
		for len(p.bytes)%p.align > 0 {
			p.bytes = append(p.bytes, 0)
		}
		if p.at == nil {
			p.at = map[string]uint32{}
		}
		at = uint32(len(p.bytes))
		p.bytes = append(p.bytes, content...)
		p.at[content] = at
	}
	return at
}

// into writes the pool over what was there, if it fits.
func (p *pool) into(b []byte) bool {
	if len(p.bytes) > len(b) {
		return false
	}
	clear(b[copy(b, p.bytes):])
	return true
}
