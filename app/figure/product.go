package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/setup"
)

// ProductSplits are the menus that build a product: one to begin with, and one for each dimension of each array, of the
// mesh axes that split it. Choosing sets the input product; what to begin with sets mesh and sizes as well.
func ProductSplits(s *setup.Setup) *Drawing {
	d := &Drawing{Title: "The product, from menus", About: s.Einsum.String()}
	twin := Table{Caption: "Which mesh axes split each dimension", Heads: []string{"Dimension", "Split over"}}
	groups := make([]*markup.Node, 3)
	for i, a := range s.Arrays() {
		groups[i] = markup.El("div", markup.Class("split-array"), markup.El("span", markup.Class("split-name"), a.Name))
	}
	for i, p := range s.Splits() {
		m := menu{key: "split-" + strconv.Itoa(i), says: p.Says.String()}
		for _, c := range p.Choices {
			m.add("", c.Name, "product="+c.Product, c.Now)
			if c.Now {
				twin.add(p.Label+" of "+s.Arrays()[p.Array].Name, c.Name)
			}
		}
		groups[p.Array].Add(markup.El("span", markup.Class("split"), markup.El("i", p.Label), m.node()))
	}
	d.Twin = []Table{twin}
	box := markup.El("div", markup.Class("splits"), beginWith(s), markup.El("div", markup.Class("split-arrays"),
		markup.Attr("role", "group"), markup.Attr("aria-label", "Which mesh axes split each dimension"), groups))
	d.Root = markup.Raw(markup.HTML(box)) // as text, so that a menu that is drawn anew shows what holds
	return d
}

// beginWith is the menu of products to begin with.
func beginWith(s *setup.Setup) *markup.Node {
	m := menu{key: "example", says: "Begin with a product"}
	for _, x := range setup.Examples() {
		m.add(x.Group, x.Name, exampleSets(&x), x.Is(s))
	}
	if !m.chosen {
		m.options = append([]option{{name: "your own", now: true}}, m.options...)
	}
	return markup.El("p", markup.Class("split-begin"), "Begin with ", m.node())
}

// exampleSets is what an example sets, and what it leaves to the author.
func exampleSets(x *setup.Example) string {
	sets := []string{"mesh=" + x.Mesh, "product=" + x.Product}
	for _, d := range x.Sizes {
		sets = append(sets, setup.SizeName(d.Name)+"="+strconv.FormatFloat(d.Value, 'f', -1, 64))
	}
	return strings.Join(append(sets, "way", "over", "at"), "\n")
}

// menu is a menu of a drawing: what is chosen sets inputs.
type menu struct {
	key, says string
	options   []option
	chosen    bool
}

type option struct {
	group, name, sets string
	now               bool
}

func (m *menu) add(group, name, sets string, now bool) {
	m.options = append(m.options, option{group, name, sets, now})
	m.chosen = m.chosen || now
}

// node is the menu. Its data-set only names it: the value of the chosen option is what is set.
func (m *menu) node() *markup.Node {
	n := markup.El("select", markup.Class("field field-menu"), markup.Attr("data-set", m.key),
		markup.Attr("aria-label", m.says), markup.Attr("autocomplete", "off"))
	group, heading := n, ""
	for _, o := range m.options {
		if group == n || o.group != heading {
			if group = n; o.group != "" {
				group = markup.El("optgroup", markup.Attr("label", o.group))
				n.Add(group)
			}
			heading = o.group
		}
		group.Add(markup.El("option", markup.Attr("value", o.sets), markup.Flag("selected", o.now), o.name))
	}
	return n
}

// ProductCase says in words what a product is, which of the four cases, and what is not as it is written.
func ProductCase(s *setup.Setup) *Drawing {
	whole, axes := s.Einsum.Case()
	d := &Drawing{Title: "Which of the four cases it is", About: caseWords(whole) + "."}
	box := markup.El("div", markup.Class("product-case"))
	for _, note := range s.Notes {
		box.Add(markup.El("p", markup.Class("product-note"), note.String()))
	}
	box.Add(markup.El("p", markup.Class("product-subject"), subject(s)),
		markup.El("p", markup.El("strong", d.About)))
	list := markup.El("ul")
	twin := Table{Caption: "What each mesh axis does", Heads: []string{"Axis", "What it does"}}
	for i, c := range axes {
		name := s.Mesh.Axes[i].Name
		list.Add(markup.El("li", markup.El("b", name), " ", axisWords(c)+"."))
		twin.add(name, axisWords(c))
	}
	d.Twin, d.Now = []Table{twin}, caseWords(whole)
	if s.Fabric != nil {
		box.Add(list, markup.El("p", "The mesh on "+s.Chip.Name+": "+s.Laid().String()+"."))
	}
	d.Root = box
	return d
}

// subject says what is looked at.
func subject(s *setup.Setup) string {
	said := s.Einsum.String()
	for i, d := range s.Sizes {
		said += [...]string{" with ", ", "}[min(i, 1)] + d.Name + " = " + strconv.FormatFloat(d.Value, 'f', -1, 64)
	}
	said += ", in " + s.Einsum.Arithmetic()
	if m := s.Mesh.String(); m != "" {
		said += ", on the mesh " + m
	}
	if s.Chip != nil {
		said += " of " + s.Chip.Name
	}
	return said + "."
}

// caseWords are the cases for a reader.
func caseWords(c sharding.Case) string {
	return [...]string{
		"Unused: neither operand is split",
		"Case 1: nothing contracted is split, so chips multiply what they have",
		"Case 2: one operand is split where the other is not, in a dimension that both have",
		"Case 3: both operands are split alike where they are contracted, so chips have partial sums",
		"Case 4: one axis splits two dimensions that the result has to keep apart",
	}[min(c, sharding.Conflict)]
}

func axisWords(c sharding.Case) string {
	return [...]string{
		"splits neither operand: all chips along it do the same",
		"splits only what is kept, or both alike: nothing to send for the product",
		"splits one operand where the other is whole: gather that one, or slice the other, which is free, and add up after",
		"splits both where they are contracted: partial sums, to be added up",
		"splits two dimensions that the result would have to keep apart: gather one operand, or move its split",
	}[min(c, sharding.Conflict)]
}
