package shardinglab

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

const (
	firstProduct = "A[I_X, J] . B[J_X, K] -> C[I_X, K]"
	firstMesh    = "X=4"
	firstSize    = "8192"
	mostSize     = "16777216"
)

func controls() []instrument.Control {
	return []instrument.Control{
		{Name: "mesh", Label: "Mesh: axes and sizes", Kind: instrument.Text, Default: firstMesh, Placed: true, Check: checkMesh, Then: follow},
		{Name: "chip", Label: "Chip", Kind: instrument.Menu, Default: "tpu.v5p", Options: chips(), Placed: true},
		{Name: "wires", Label: "Wires", Kind: instrument.Menu, Default: "rings", Placed: true, Options: wirings(), Fit: fitWires},
		{Name: "dtype", Label: "Number format", Kind: instrument.Menu, Default: "bf16", Options: dtypes(""), Placed: true, Fit: func(s *instrument.State, c *instrument.Control) {
			c.Options = dtypes(s.Text("chip"))
		}},
		{Name: "product", Label: "Product", Kind: instrument.Text, Default: firstProduct, Placed: true, Check: checkProduct},
		{Name: "law", Label: "Rank by", Kind: instrument.Menu, Default: "exact", Placed: true, Options: []instrument.Option{
			{ID: "exact", Name: "exact times"}, {ID: "shortcut", Name: "the shortcuts, V/W"}}},
		{Name: "way", Label: "The way that is opened", Kind: instrument.Text, Placed: true},
		{Name: "over", Label: "Plotted over", Kind: instrument.Menu, Default: "I", Options: []instrument.Option{{ID: "I", Name: "I"}}, Placed: true, Fit: fitOver},
		{Name: "at", Label: "Look at chip number", Default: "0", Min: "0", Max: "15", Whole: true, Placed: true, Fit: fitAt},
	}
}

// chips are those whose network is known.
func chips() []instrument.Option {
	var all []instrument.Option
	m, _ := sharding.ParseMesh("X=2", nil)
	for _, a := range hardware.Catalog().All {
		if len(formats(a)) == 0 {
			continue
		}
		if _, err := sharding.On(m, a); err != nil {
			if m, _ := sharding.ParseMesh("X=2 on rings", nil); m == nil {
				continue
			} else if _, err := sharding.On(m, a); err != nil {
				continue
			}
		}
		all = append(all, instrument.Option{ID: a.ID, Name: a.Name, Group: a.Group})
	}
	return all
}

func wirings() []instrument.Option {
	return []instrument.Option{{ID: "rings", Name: "every axis a ring"}, {ID: "lines", Name: "every axis a line"}, {ID: "pod", Name: "a slice, wired as its pod is"}}
}

func fitWires(s *instrument.State, c *instrument.Control) {
	a, err := hardware.Catalog().Get(s.Text("chip"))
	c.Hidden = err != nil || !a.Has("ici_link_bandwidth")
}

// formats are the dtypes of arrays in which a chip computes.
func formats(a *hardware.Accelerator) []string {
	var all []string
	for _, f := range a.DTypes() {
		if _, ok := sharding.ElementBytes(f); ok {
			all = append(all, f)
		}
	}
	return all
}

// dtypes are the formats of a chip, for a menu; of any if it isn't known.
func dtypes(chip string) []instrument.Option {
	list := []string{"bf16", "fp8", "int8"}
	if a, err := hardware.Catalog().Get(chip); err == nil {
		list = formats(a)
	}
	var all []instrument.Option
	for _, f := range list {
		all = append(all, instrument.Option{ID: f, Name: f})
	}
	return all
}

// fitOver offers the dimensions of the product.
func fitOver(s *instrument.State, c *instrument.Control) {
	c.Options = nil
	for _, name := range dimensions(s.Text("product")) {
		c.Options = append(c.Options, instrument.Option{ID: name, Name: name})
	}
	if len(c.Options) > 0 && !s.Preset("over") {
		c.Default = c.Options[0].ID
	}
}

func fitAt(s *instrument.State, c *instrument.Control) {
	m, err := sharding.ParseMesh(s.Text("mesh"), nil)
	if err != nil {
		return
	}
	c.Max = strconv.Itoa(m.Chips() - 1)
	c.Hidden = m.Chips() == 1
	if c.Hidden {
		c.Max = "1"
	}
}

// The size of a dimension is a control of its own, size_i. Names of controls are in lower case, so that a small letter of a
// dimension stands behind an underscore: size_d_f_f is that of Dff.

const sizePrefix = "size_"

func sizeName(dim string) string {
	var b strings.Builder
	b.WriteString(sizePrefix)
	for _, c := range dim {
		switch {
		case c >= 'A' && c <= 'Z':
			b.WriteRune(c - 'A' + 'a')
		case c >= '0' && c <= '9':
			b.WriteRune(c)
		default:
			b.WriteString("_" + string(c))
		}
	}
	return b.String()
}

// sizeOf is the dimension whose size a control is.
func sizeOf(name string) (dim string, ok bool) {
	rest, ok := strings.CutPrefix(name, sizePrefix)
	small := false
	var b strings.Builder
	for _, c := range rest {
		switch {
		case c == '_' && !small:
			small = true
			continue
		case small || c >= '0' && c <= '9':
			b.WriteRune(c)
		case c >= 'a' && c <= 'z':
			b.WriteRune(c - 'a' + 'A')
		default:
			return "", false
		}
		small = false
	}
	dim = b.String()
	_, err := sharding.ParseSizes(dim+"=1", nil)
	return dim, ok && !small && err == nil && sizeName(dim) == name
}

// cell is the size of a dimension.
func cell(name string) (instrument.Control, bool) {
	dim, ok := sizeOf(name)
	if !ok {
		return instrument.Control{}, false
	}
	return instrument.Control{Label: "Size of " + dim, Default: firstSize, Min: "1", Max: mostSize, Log: true, Whole: true,
		Check: func(s *instrument.State, text string) error { return checkSize(s, dim, text) }}, true
}
