package sheet

import "github.com/scalebook/scalebook/app/phrase"

// sorter puts the slots in an order in which each stands after what it reads.
type sorter struct {
	c     *compiler
	state []byte // of each slot: not seen, on the path, done
	path  []int
}

const (
	notSeen = iota
	onPath
	done
)

// sort orders the program. Lines that need each other are reported, and left out of the checks that follow.
func (c *compiler) sort() {
	s := &sorter{c: c, state: make([]byte, len(c.prog.slots))}
	for i := range c.prog.slots {
		s.visit(i)
	}
}

// visit puts slot i in its place, after what it reads. The depth is bounded by the number of statements.
func (s *sorter) visit(i int) {
	switch s.state[i] {
	case done:
		return
	case onPath:
		s.cycle(i)
		return
	}
	s.state[i] = onPath
	s.path = append(s.path, i)
	for _, j := range s.c.prog.slots[i].uses {
		s.visit(j)
	}
	s.path = s.path[:len(s.path)-1]
	s.state[i] = done
	s.c.prog.order = append(s.c.prog.order, i)
}

// cycle reports the lines on the path from slot i back to itself, from the first of them in the text on.
func (s *sorter) cycle(i int) {
	from := len(s.path) - 1
	for s.path[from] != i {
		from--
	}
	members := s.path[from:]
	first := 0
	for k, j := range members {
		s.c.defs[j].Unspecified = true
		if j < members[first] {
			first = k
		}
	}
	var names []string
	for k := range members {
		d := s.c.defs[members[(first+k)%len(members)]]
		if len(names) == 0 || names[len(names)-1] != d.Name { // a solve and its side are one line
			names = append(names, d.Name)
		}
	}
	if len(names) > 1 && names[0] == names[len(names)-1] {
		names = names[:len(names)-1]
	}
	s.c.errs.Add(s.c.defs[members[first]].Pos, cycle(names), phrase.New("sheet.define-without-others"))
}

// cycle is "`a` needs itself: a needs b, b needs c, c needs a".
func cycle(names []string) *phrase.Phrase {
	const most = 8
	if len(names) == 1 {
		return phrase.New("sheet.needs-itself", "name", names[0])
	}
	var parts []any
	for i, name := range names {
		if i == most {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, phrase.New("sheet.needs", "name", name, "needed", names[(i+1)%len(names)]))
	}
	return phrase.New("sheet.needs-itself-by", "name", names[0], "steps", phrase.Commas(parts))
}
