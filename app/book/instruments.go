package book

import (
	"strings"

	"github.com/scalebook/scalebook/app/widget/instrument"
	"github.com/yuin/goldmark/ast"
)

// instrument reads the head of a fence that places an instrument: its name, and the id of the place, which is the name if
// the author gives none. The name is empty if the fence is another.
func (d *draft) instrument(f *ast.FencedCodeBlock) (name, id string) {
	if f.Info == nil {
		return "", ""
	}
	words := strings.Fields(string(f.Info.Segment.Value(d.src)))
	if len(words) == 0 || words[0] != "instrument" {
		return "", ""
	}
	words = append(words, "", "")
	name, id = words[1], words[2]
	if name == "" {
		return "?", "?"
	}
	if id == "" {
		id = name
	}
	return name, id
}

// placeInstrument is the survey's work on such a fence.
func (d *draft) placeInstrument(f *ast.FencedCodeBlock, name, id string) {
	d.placed[f] = nil
	var names []string
	for _, in := range d.b.cfg.Instruments {
		if in.ID == name {
			d.placeAs(f, in, id)
			return
		}
		names = append(names, in.ID)
	}
	d.problem(f, "no instrument `"+name+"`", suggest(name, names, "there are "+strings.Join(names, ", ")))
}

func (d *draft) placeAs(f *ast.FencedCodeBlock, in *instrument.Instrument, id string) {
	if !validID(id) {
		return // reported when the ids were claimed
	}
	other := d.b.placedBy[id]
	if s := d.b.sheets[id]; s != nil {
		other = d.b.owner[s]
	}
	if other != nil {
		d.problem(f, "a second calculator `"+id+"`; the first is in "+other.name, "give this one an id of its own: ```instrument "+in.ID+" some-name")
		return
	}
	p, faults := instrument.Place(in, id, d.fenceText(f))
	line, _ := d.place(f.Info.Segment.Start)
	for _, fault := range faults {
		d.problemLine(line+fault.Line, 1, fault.What, fault.Remedy)
	}
	d.placed[f], d.b.placed[id], d.b.placedBy[id] = p, p, d
	d.page.Placed = append(d.page.Placed, p)
	d.targets[id] = &target{label: p.Title}
}

// liveResult is a result of an instrument within a sentence.
func (d *draft) liveResult(n *liveNode, p *instrument.Placed, name string) {
	x, ok := p.Value(name)
	switch {
	case !ok:
		names := p.Results()
		d.problem(n, "the instrument `"+p.ID+"` has no result `"+name+"`", suggest(name, names, "its results are "+strings.Join(names, ", ")))
	case x.Data == "":
		d.problem(n, "`"+p.ID+"."+name+"` has no value", "show only what has one at the defaults")
	default:
		n.html = p.Number(x)
	}
}
