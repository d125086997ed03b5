package shardinglab

import (
	_ "embed"
	"strings"

	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

//go:embed presets.tsv
var presetsTSV string

// preset is a product to begin with.
type preset struct {
	id, group, name, product, mesh string
	sizes                          sharding.Sizes
}

func presets() []preset {
	var all []preset
	for line := range strings.Lines(presetsTSV) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 6 || f[0][0] == '#' {
			continue
		}
		sizes, _ := sharding.ParseSizes(strings.ReplaceAll(f[5], " ", ", "), nil)
		all = append(all, preset{f[0], f[1], f[2], f[3], f[4], sizes})
	}
	return all
}

// own is the choice of the menu of presets that is none of them.
const own = "own"

// presetMenu begins with one of the presets; it shows which one holds.
func presetMenu(s *instrument.State) *instrument.Node {
	now := own
	options := []instrument.Option{{ID: own, Name: "your own"}}
	for _, p := range presets() {
		options = append(options, instrument.Option{ID: p.id, Name: p.name, Group: p.group})
		if p.holds(s) {
			now = p.id
		}
	}
	return s.Chooser("preset", "Begin with", "Begin with a product", "preset", now, options)
}

func (p preset) holds(s *instrument.State) bool {
	if s.Text("product") != p.product || s.Text("mesh") != p.mesh {
		return false
	}
	for _, d := range p.sizes {
		if size(s, d.Name) != d.Value {
			return false
		}
	}
	return true
}

// changes set all of a preset. The product goes first without axes, so that no size and no mesh in between is refused.
func (p preset) changes() []instrument.Change {
	all := []instrument.Change{{Name: "product", Text: bare(p.product)}, {Name: "mesh", Text: p.mesh}}
	for _, d := range p.sizes {
		all = append(all, instrument.Change{Name: sizeName(d.Name), Text: count(d.Value)})
	}
	return append(all, instrument.Change{Name: "product", Text: p.product}, instrument.Change{Name: "way"}, instrument.Change{Name: "over"}, instrument.Change{Name: "at"})
}
