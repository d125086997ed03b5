package shardinglab

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// setup is what the reader may set: the product as a text and as menus, sizes, mesh and chips.
func (x *subject) setup(s *instrument.State) *instrument.Node {
	sizes := div("sizes")
	for _, d := range x.sizes {
		sizes.Kids = append(sizes.Kids, s.Control(sizeName(d.Name)))
	}
	return div("part lab-setup",
		div("lab-row", presetMenu(s)),
		div("lab-product", s.Control("product"), caret(s, "product"), div("placed", x.builder(s))),
		div("lab-grid", instrument.El("div", s.Control("mesh"), caret(s, "mesh")), s.Control("wires"), s.Control("chip"), s.Control("dtype")),
		sizes)
}

// caret points at the place of a text that was refused.
func caret(s *instrument.State, name string) *instrument.Node {
	text := s.Typed(name)
	if s.Refused(name) == "" {
		return nil
	}
	err := checkMesh(s, text)
	if name == "product" {
		err = checkProduct(s, text)
	}
	fault, ok := err.(*sharding.Error)
	r := []rune(strings.ReplaceAll(text, "\t", " "))
	if !ok || fault.Col < 1 || fault.Col > len(r)+1 {
		return nil
	}
	from := max(0, fault.Col-1-caretRoom)
	to := min(len(r), from+2*caretRoom)
	line := string(r[from:to])
	return instrument.El("pre", instrument.Class("caret"), instrument.At("aria-hidden", "true"),
		line+"\n"+strings.Repeat(" ", fault.Col-1-from)+strings.Repeat("^", max(1, min(fault.Len, to-fault.Col+1))))
}

// caretRoom is how many characters are shown before a fault, and half of how many at all.
const caretRoom = 34

// builder is a menu of mesh axes for each dimension of each array. Choosing rewrites the text.
func (x *subject) builder(s *instrument.State) *instrument.Node {
	if x.einsum == nil {
		return nil
	}
	box := instrument.El("div", instrument.Class("builder"), instrument.At("role", "group"), instrument.At("aria-label", "Which mesh axes split each dimension"))
	for i, a := range []*sharding.Array{&x.einsum.A, &x.einsum.B, &x.einsum.C} {
		group := div("builder-array", instrument.El("span", instrument.Class("builder-name"), a.Name))
		for k, d := range a.Dims {
			says := d.Name + " of " + a.Name + ": split over"
			group.Kids = append(group.Kids, x.splitMenu(s, i, k, d.Name, says, d.Axes))
		}
		if i == 2 || len(a.Unreduced) > 0 {
			group.Kids = append(group.Kids, x.splitMenu(s, i, -1, "U", "U of "+a.Name+": left unreduced over", a.Unreduced))
		}
		box.Kids = append(box.Kids, group)
	}
	return box
}

// splitMenu is the menu of one dimension. What can't be is not offered.
func (x *subject) splitMenu(s *instrument.State, array, dim int, label, says string, now []int) *instrument.Node {
	options := []instrument.Option{{ID: "-", Name: "–"}}
	for _, axes := range orders(len(x.mesh.Axes), now) {
		if dim < 0 && !slices.IsSorted(axes) {
			continue
		}
		names := x.axisNames(axes)
		if _, err := sharding.ParseEinsum(edited(x.text, x.einsum, array, dim, names), x.sizes, x.mesh); err == nil {
			options = append(options, instrument.Option{ID: strings.Join(names, ","), Name: strings.TrimPrefix(subscript(names), "_")})
		}
	}
	id := strings.Join(x.axisNames(now), ",")
	if id == "" {
		id = "-"
	}
	key := strconv.Itoa(array) + "-" + strconv.Itoa(dim+1)
	return s.Chooser(key, label, says, "split "+strconv.Itoa(array)+" "+strconv.Itoa(dim), id, options)
}

func (x *subject) axisNames(axes []int) []string {
	var names []string
	for _, a := range axes {
		names = append(names, x.mesh.Axes[a].Name)
	}
	return names
}

// orders are the ways to choose some of n axes in an order: all for up to three axes, of more those of up to two, and the one
// that holds now.
func orders(n int, now []int) [][]int {
	most := n
	if n > 3 {
		most = 2
	}
	var all [][]int
	for size := 1; size <= most; size++ {
		var grow func(list []int)
		grow = func(list []int) {
			if len(list) == size {
				all = append(all, slices.Clone(list))
				return
			}
			for x := range n {
				if !slices.Contains(list, x) {
					grow(append(list, x))
				}
			}
		}
		grow(nil)
	}
	if len(now) > most {
		all = append(all, now)
	}
	return all
}

// act does what menus and buttons ask for: "preset fsdp", "split 0 1 X,Y", "stop".
func (l *lab) act(s *instrument.State, what string) []instrument.Change {
	f := strings.Fields(what)
	switch {
	case what == "stop":
		if c := l.subject(s).curve; c != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.stopped = true
		}
	case len(f) == 2 && f[0] == "preset":
		for _, p := range presets() {
			if p.id == f[1] {
				return p.changes()
			}
		}
	case len(f) == 4 && f[0] == "split":
		x := read(s)
		array, err1 := strconv.Atoi(f[1])
		dim, err2 := strconv.Atoi(f[2])
		if err1 != nil || err2 != nil || array < 0 || array > 2 || x.einsum == nil {
			return nil
		}
		var axes []string
		if f[3] != "-" {
			axes = strings.Split(f[3], ",")
		}
		return []instrument.Change{{Name: "product", Text: edited(x.text, x.einsum, array, dim, axes)}}
	}
	return nil
}
