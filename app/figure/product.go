package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/setup"
)

// ProductSplits are the menus that build a product: one to begin with, and one for each dimension of each array, of the
// mesh axes that split it. Choosing sets the input product; what to begin with sets mesh and sizes as well.
func ProductSplits(l phrase.Phrases, s *setup.Setup) *Drawing {
	d := &Drawing{Title: l.Say("figure.splits"), About: s.Einsum.String()}
	twin := Table{Caption: l.Say("figure.splits-which"), Heads: cells(l, "figure.splits-heads")}
	groups := make([]*markup.Node, 3)
	for i, a := range s.Arrays() {
		groups[i] = markup.El("div", markup.Class("split-array"), markup.El("span", markup.Class("split-name"), a.Name))
	}
	for i, p := range s.Splits() {
		m := menu{key: "split-" + strconv.Itoa(i), says: l.Text(p.Says)}
		for _, c := range p.Choices {
			m.add("", c.Name, "product="+c.Product, c.Now)
			if c.Now {
				twin.add(l.Say("figure.dimension-of", "dimension", p.Label, "array", s.Arrays()[p.Array].Name), c.Name)
			}
		}
		groups[p.Array].Add(markup.El("span", markup.Class("split"), markup.El("i", p.Label), m.node()))
	}
	d.Twin = []Table{twin}
	box := markup.El("div", markup.Class("splits"), beginWith(l, s), markup.El("div", markup.Class("split-arrays"),
		markup.Attr("role", "group"), markup.Attr("aria-label", l.Say("figure.splits-which")), groups))
	d.Root = markup.Raw(markup.HTML(box)) // as text, so that a menu that is drawn anew shows what holds
	return d
}

// beginWith is the menu of products to begin with.
func beginWith(l phrase.Phrases, s *setup.Setup) *markup.Node {
	m := menu{key: "example", says: l.Say("figure.begin-with-product")}
	for _, x := range setup.Examples() {
		m.add(l.Word(x.Group), l.Word(x.Name), exampleSets(&x), x.Is(s))
	}
	if !m.chosen {
		m.options = append([]option{{name: l.Say("figure.your-own"), now: true}}, m.options...)
	}
	return markup.El("p", markup.Class("split-begin"), l.Say("figure.begin-with"), " ", m.node())
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
func ProductCase(l phrase.Phrases, s *setup.Setup) *Drawing {
	whole, axes := s.Einsum.Case()
	now := l.Say(caseWords(whole))
	d := &Drawing{Title: l.Say("figure.case"), About: ended(l, now), Now: now}
	box := markup.El("div", markup.Class("product-case"))
	for _, note := range s.Notes {
		box.Add(markup.El("p", markup.Class("product-note"), l.Text(note)))
	}
	box.Add(markup.El("p", markup.Class("product-subject"), Notated(subject(l, s))),
		markup.El("p", markup.El("strong", d.About)))
	list := markup.El("ul")
	twin := Table{Caption: l.Say("figure.case-axes"), Heads: cells(l, "figure.case-heads")}
	for i, c := range axes {
		name, does := s.Mesh.Axes[i].Name, l.Say(axisWords(c))
		list.Add(markup.El("li", markup.El("b", name), " ", l.Say("figure.ended", "said", does)))
		twin.add(name, does)
	}
	d.Twin = []Table{twin}
	if s.Fabric != nil {
		box.Add(list, markup.El("p", l.Say("figure.case-laid", "chip", s.Chip.Name, "axes", s.Laid())))
	}
	d.Root = box
	return d
}

// subject says what is looked at.
func subject(l phrase.Phrases, s *setup.Setup) string {
	product := s.Einsum.String()
	var sizes []string
	for _, d := range s.Sizes {
		sizes = append(sizes, d.Name+" = "+strconv.FormatFloat(d.Value, 'f', -1, 64))
	}
	if len(sizes) > 0 {
		product = l.Say("figure.with-sizes", "product", product, "sizes", commas(l, sizes...))
	}
	key, mesh, chip := "figure.subject", s.Mesh.String(), ""
	if s.Chip != nil {
		chip = s.Chip.Name
	}
	switch {
	case mesh != "" && chip != "":
		key = "figure.subject-mesh-chip"
	case mesh != "":
		key = "figure.subject-mesh"
	case chip != "":
		key = "figure.subject-chip"
	}
	return l.Say(key, "product", product, "arithmetic", s.Einsum.Arithmetic(), "mesh", mesh, "chip", chip)
}

// caseWords is the key of what a case is called.
func caseWords(c sharding.Case) string {
	return [...]string{"figure.case-unused", "figure.case-one", "figure.case-two", "figure.case-three",
		"figure.case-four"}[min(c, sharding.Conflict)]
}

// axisWords is the key of what an axis does in a case.
func axisWords(c sharding.Case) string {
	return [...]string{"figure.axis-unused", "figure.axis-one", "figure.axis-two", "figure.axis-three",
		"figure.axis-four"}[min(c, sharding.Conflict)]
}
