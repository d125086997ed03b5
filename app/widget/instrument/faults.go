package instrument

import (
	"fmt"
	"strings"
)

// Faults are what is wrong with an instrument, for its tests: it sets every control to many things, good and bad, and looks at
// what is shown. tries bounds how many states it looks at; 0 is 400.
func Faults(in *Instrument, tries int) []string {
	f := &faults{in: in, left: tries, seen: map[string]bool{}}
	if tries == 0 {
		f.left = 400
	}
	p, _ := Place(in, "", "")
	f.declared(p.View())
	f.look("as it is", p.View(), true)
	still := p.View()
	still.Still()
	f.look("printed", still, false)
	for _, c := range p.View().controls {
		for _, text := range trials(c) {
			v := p.View()
			_ = v.Set(c.Name, text)
			f.look(c.Name+" = "+text, v, false)
			for _, d := range p.View().controls { // and in pairs, as far as it goes
				for _, other := range trials(d) {
					if d.Name != c.Name && f.left > 0 {
						w := p.View()
						_, _ = w.Set(c.Name, text), w.Set(d.Name, other)
						f.look(c.Name+" = "+text+", "+d.Name+" = "+other, w, false)
					}
				}
			}
		}
	}
	return f.list
}

type faults struct {
	in   *Instrument
	left int
	list []string
	seen map[string]bool
}

func (f *faults) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !f.seen[text] && len(f.list) < 20 {
		f.seen[text] = true
		f.list = append(f.list, text)
	}
}

// taken are names that embedding pages can't use for a control.
const taken = " title name theme state id class style slot part is lang dir hidden role tabindex nonce inert xmlns "

// declared looks at what the instrument says of itself.
func (f *faults) declared(v *View) {
	names := map[string]bool{}
	for _, c := range v.controls {
		if names[c.Name] || strings.Contains(taken, " "+c.Name+" ") || c.Name != strings.ToLower(c.Name) {
			f.add("the control %q: its name is taken or not in lower case", c.Name)
		}
		names[c.Name] = true
		if c.Label == "" {
			f.add("the control %q has no label", c.Name)
		}
		if c.own() {
			if _, err := c.check(c.Default); err != nil {
				f.add("the default of %q: %v", c.Name, err)
			}
		} else if c.Kind == Menu && c.option(c.Default) == nil {
			f.add("the default of %q is not among its options", c.Name)
		} else if err := v.View.Set(c.Name, c.Default); err != nil && c.Kind != Step {
			f.add("the default of %q: %v", c.Name, err)
		}
	}
}

// look builds everything and looks for what no page may show.
func (f *faults) look(where string, v *View, whole bool) {
	if f.left--; f.left < 0 && !whole {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			f.add("%s: panic: %v", where, p)
		}
	}()
	ids := map[string]bool{}
	for _, n := range v.Fill(v.Frame()) {
		n.Walk(func(n *Node) { f.node(where, n, ids) })
	}
	for _, x := range v.Values() {
		f.text(where, x.Text+" "+x.Data)
	}
	f.text(where, v.Summary())
	for _, form := range []string{"text", "markdown", "csv"} {
		f.text(where, v.Export(form))
	}
}

func (f *faults) node(where string, n *Node, ids map[string]bool) {
	if id, ok := n.Attr("id"); ok {
		if ids[id] {
			f.add("%s: the id %q twice", where, id)
		}
		ids[id] = true
	}
	if _, ok := n.Attr("style"); ok || strings.Contains(n.Raw, " style=") {
		f.add("%s: a style attribute, which the page's policy refuses", where)
	}
	if strings.HasPrefix(n.Raw, "<svg") && (!strings.Contains(n.Raw, "<title") || !strings.Contains(n.Raw, "viewBox")) {
		f.add("%s: a drawing without a title or a viewBox", where)
	}
	if n.Tag == "table" && (len(n.Kids) == 0 || n.Kids[0].Tag != "caption") {
		f.add("%s: a table without a caption", where)
	}
	f.text(where, n.Text+" "+n.Raw)
	for _, a := range n.Attrs {
		f.text(where, a.Value)
	}
}

func (f *faults) text(where, s string) {
	for _, bad := range []string{"NaN", "+Inf", "-Inf", "∞", "%!", "no finite value"} {
		if strings.Contains(s, bad) {
			f.add("%s: shows %q in %q", where, bad, short(s, bad))
		}
	}
}

func short(s, around string) string {
	i := strings.Index(s, around)
	return s[max(0, i-40):min(len(s), i+40)]
}

// trials are texts to try for a control.
func trials(c Control) []string {
	switch c.Kind {
	case Menu:
		return append(optionIDs(c), "nonsense")
	case Many:
		ids := optionIDs(c)
		for _, id := range optionIDs(c) {
			ids = append(ids, c.Default+","+id)
		}
		return append(ids, "", "nonsense")
	case Switch:
		return []string{"on", "off", "maybe"}
	case Step:
		return []string{"0", "1", "2", "7", "1000000", "-1", "1.5"}
	case Text, Document:
		return []string{"", "x", "-x", strings.Repeat("long ", 100), "<b>\"&", "\x00", "{\"a\": [1, 2]}"}
	}
	all := []string{"0", "1", "-1", "1e-300", "1e300", "12 parrots", "", "2^60", c.Min, c.Max, "3", "1000"}
	return all
}

func optionIDs(c Control) []string {
	var ids []string
	for _, o := range c.Options {
		ids = append(ids, o.ID)
	}
	return ids
}
