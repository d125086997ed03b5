// Package hardware is the catalog of accelerators: TPUs, GPUs and their like, every constant with its value, unit,
// source, date where it is known, and doubts.
//
// Peak rates are dense, never sparse, and count a multiply and an add as two operations. Bandwidths of links and
// networks are one way unless the field says both ways; capacities are GB or GiB exactly as their source has them.
// Where sources disagree, the constant carries the other readings in Others; From picks one by source, so that a
// problem can be worked with the numbers of the original book:
//
//	w, _ := chip.Get("hbm_bandwidth")   // 819 GB/s, Google
//	book, _ := w.From("book-tpus")      // 810 GB/s, the book's table
//
// The data is accelerators.tsv, a fact a line, and sources.tsv. To add or correct a fact, edit a line: an accelerator's
// lines stand together, first its name and the like, then its constants in the order of Fields; of several lines for
// one field the first is in use and the others are other readings.
package hardware

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Source is where a constant was read.
type Source struct {
	ID    string // "google-v5e"
	Title string // "Google Cloud: TPU v5e, table"
	URL   string // may be empty
	Date  string // of the source as read: "2025-12-06", "2026-05"; empty where unknown
}

// Constant is a number with its provenance.
type Constant struct {
	Value  quantity.Quantity
	Text   string // as the table has it: "819 GB/s"
	Source Source
	Date   string     // of this value; the source's date if it has none of its own, empty where unknown
	Doubt  string     // why it may be otherwise; empty where nobody says so
	Note   string     // what it means more exactly
	Others []Constant // other readings, each with its own source and doubt
}

// From is the reading that a source gives: the constant itself or one of its others. "book-tpus" is the table of the
// original book's chapter on TPUs.
func (c Constant) From(source string) (Constant, bool) {
	if c.Source.ID == source {
		return c, true
	}
	for _, other := range c.Others {
		if other.Source.ID == source {
			return other, true
		}
	}
	return Constant{}, false
}

// Accelerator is one chip or GPU: what stands beside its name, and its constants by field.
type Accelerator struct {
	ID           string // as sheets name it: "tpu.v5e"
	Name         string // "TPU v5e"
	Vendor       string // "Google"
	Group        string // heading in a menu: "Google TPU"
	Year         int    // of its announcement
	Note         string // what to know about all of its figures
	Interconnect string // of the scale-up network: "ICI", "NVLink", "PCIe"; empty for a device that stands alone
	TorusShape   string // of the largest slice: "2D 16x16"; empty if it has none
	TorusSource  Source
	rows         string        // of the table, with the constants
	facts        func() []Fact // rows, read at the first call
}

// Fact is a constant with the name of its field.
type Fact struct {
	Field string
	Constant
	err error
}

// Facts are all constants of a, in the order of Fields. Treat them as immutable.
func (a *Accelerator) Facts() []Fact { return a.facts() }

// Get is a constant by the name of its field (see Fields). The error says which accelerator lacks it.
func (a *Accelerator) Get(field string) (Constant, error) {
	for _, f := range a.facts() {
		if f.Field == field {
			return f.Constant, f.err
		}
	}
	return Constant{}, a.missing(field)
}

// Has tells whether the catalog knows a field of a.
func (a *Accelerator) Has(field string) bool {
	for _, f := range a.facts() {
		if f.Field == field {
			return true
		}
	}
	return false
}

// Says tells whether one of the sources has a constant of a, by the name of its field. It reads no number.
func (a *Accelerator) Says(field string, sources ...string) bool {
	for row := range strings.Lines(a.rows) {
		if c := cut(row); c[1] == field && slices.Contains(sources, c[3]) {
			return true
		}
	}
	return false
}

// As is a with nothing but what some sources say of it, the first of them that says something: with "book-tpus" the row
// of the original book's table. Fields that they leave out are left out.
func (a *Accelerator) As(sources ...string) *Accelerator {
	as := *a
	if !slices.Contains(sources, a.TorusSource.ID) {
		as.TorusShape, as.TorusSource = "", Source{}
	}
	as.facts = sync.OnceValue(func() []Fact {
		var said []Fact
		for _, f := range a.facts() {
			for _, source := range sources {
				if c, ok := f.From(source); ok {
					c.Others = nil
					said = append(said, Fact{Field: f.Field, Constant: c, err: f.err})
					break
				}
			}
		}
		return said
	})
	return &as
}

// With is a with some of its constants as somebody else has them, by the names of their fields.
func (a *Accelerator) With(own map[string]quantity.Quantity) *Accelerator {
	as := *a
	as.facts = sync.OnceValue(func() []Fact {
		all := slices.Clone(a.facts())
		for i := range all {
			if q, ok := own[all[i].Field]; ok {
				all[i].Constant = Constant{Value: q, Text: q.String(),
					Source: Source{Title: "a number of the reader’s own"}}
			}
		}
		return all
	})
	return &as
}

// Peak is the dense matrix rate for a dtype, multiply and add counted as two: Peak("bf16"). The error lists the dtypes
// that a has.
func (a *Accelerator) Peak(dtype string) (Constant, error) {
	for _, f := range a.facts() {
		if name, ok := strings.CutPrefix(f.Field, peakPrefix); ok && name == dtype {
			return f.Constant, f.err
		}
	}
	return Constant{}, phrase.Fault{
		What:   phrase.New("hardware.no-rate", "dtype", clip(dtype), "chip", a.Name),
		Remedy: phrase.New("hardware.has-dtypes", "dtypes", phrase.Commas(a.DTypes())),
	}
}

const peakPrefix = "flops."

// DTypes are the dtypes that a has a dense rate for, widest first.
func (a *Accelerator) DTypes() []string {
	var names []string
	for _, f := range a.facts() {
		if dtype, ok := strings.CutPrefix(f.Field, peakPrefix); ok {
			names = append(names, dtype)
		}
	}
	return names
}

// Torus is the shape of the largest slice, in chips along each axis; nil where it is unknown or there is no torus.
func (a *Accelerator) Torus() []int {
	_, shape, ok := strings.Cut(a.TorusShape, " ")
	if !ok {
		return nil
	}
	var sides []int
	for side := range strings.SplitSeq(shape, "x") {
		n, err := strconv.Atoi(side)
		if err != nil {
			return nil
		}
		sides = append(sides, n)
	}
	return sides
}

// Axes is the number of axes of the torus: 2 or 3, and 0 where there is none.
func (a *Accelerator) Axes() int {
	if len(a.TorusShape) < 2 || a.TorusShape[1] != 'D' {
		return 0
	}
	return int(a.TorusShape[0] - '0')
}

// Mesh is a node in which each pair of devices has links of its own. That of a node joined by a switch is zero.
type Mesh struct {
	Devices int     // of the node
	Local   float64 // of a device's egress, the share that stays in its node
}

// Share is the part of its egress that a device has to n-1 others of its node: the links to those.
func (m Mesh) Share(n float64) float64 {
	if m.Devices < 2 {
		return 1
	}
	return m.Local * min(1, max(0, n-1)/float64(m.Devices-1))
}

// Mesh is how the devices of a node are joined. Of Gaudi's ports, all of one network, some leave the node.
func (a *Accelerator) Mesh() Mesh {
	size, err := a.Get("node_size")
	if err != nil {
		return Mesh{}
	}
	m := Mesh{int(size.Value.Value), 1}
	out, _ := a.Get("network_bandwidth")
	all, _ := a.Get("scaleup_bandwidth")
	leaves := out.Value.Value / all.Value.Value
	switch {
	case a.Vendor == "Intel" && leaves > 0 && leaves < 1:
		m.Local = 1 - leaves
	case !strings.HasSuffix(a.Interconnect, "mesh"):
		return Mesh{}
	}
	return m
}

func (a *Accelerator) missing(field string) error {
	if f, ok := FieldNamed(field); ok {
		return phrase.Fault{
			What:   phrase.New("hardware.no-constant", "constant", f.Label, "chip", a.Name),
			Remedy: phrase.New("hardware.own-number"),
		}
	}
	return phrase.Fault{What: phrase.New("hardware.no-field", "field", field), Remedy: remedyFor(field, fieldNames())}
}

// What of a GPU's memory no program can have, though its driver counts it.
const (
	// Driver is what the driver keeps: nvidia-smi and rocm-smi report 0.3 to 0.8 GiB more than CUDA and HIP have to
	// give (79.65 and 79.2 GiB of an H100, 80 and 79.2 of an A100, 44.99 and 44.42 of an L40S, 179.06 and 178.35 of a
	// B200, 191.98 and 191.69 of an MI300X, in logs of vLLM and of PyTorch).
	Driver = 512 << 20

	// Context is what a process takes when it opens a GPU, before it asks for anything: what vLLM's logs call total
	// less what they find free (0.53 GiB of an H100, 0.49 of an L40S, 0.41 of an A100, 0.45 of an RTX 4090, 0.33 of an
	// MI300X).
	Context = 460 << 20
)

// shared are sources whose figures are what programs can have already.
const shared = " libtpu cuda-total "

// UsableMemory is the bytes of its memory that programs can have together. The error says that nobody knows.
func (a *Accelerator) UsableMemory() (float64, error) {
	c, err := a.Get("hbm")
	own := c.Source.ID == "" // a reader's number is taken as it is
	card := strings.HasPrefix(a.ID, "gpu.") || c.Source.ID == "cards"
	if err != nil || own || !card || strings.Contains(shared, " "+c.Source.ID+" ") {
		return c.Value.Value, err
	}
	return max(c.Value.Value-Driver, 0), nil
}
