package modelcard

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// chips are how many of each accelerator hold a model.
func chips(s *instrument.State, all []*subject) *instrument.Node {
	var nodes []*instrument.Node
	for _, x := range all {
		nodes = append(nodes, instrument.El("p", instrument.Class("answer"), onOne(s, x)))
	}
	return section(s, "What fits on which chip", nodes, chipTable(s, all),
		instrument.Note("Memory alone: bytes over HBM, rounded up, all of the HBM taken and shared evenly. Activations, buffers and what the system keeps come on top; meshes usually come in powers of two. Every parameter is counted in the one format, though norms and embeddings are often kept wider."))
}

// need is what a model takes: its weights, and with the caches of all sequences.
func need(s *instrument.State, x *subject) (weights, both float64) {
	weights = float64(weightBytes(x, element(weightTypes(), s.Text("weights"))))
	return weights, weights + s.Number("batch")*float64(x.KVBytes(s.Number("context"), quantity.Bytes(element(cacheTypes(), s.Text("cache")))))
}

// count is how many chips of so much memory hold so many bytes.
func count(bytes, hbm float64) float64 { return max(1, math.Ceil(bytes/hbm)) }

func hbmOf(a *hardware.Accelerator) (quantity.Quantity, bool) {
	k, err := a.Get("hbm")
	return k.Value, err == nil && k.Value.Value > 0
}

// onOne says which chips hold a model with its caches on one, or how many it takes.
func onOne(s *instrument.State, x *subject) string {
	_, both := need(s, x)
	var holds []string
	fewest, best := math.Inf(1), ""
	for _, a := range hardware.Catalog().All {
		hbm, ok := hbmOf(a)
		if !ok {
			continue
		}
		n := count(both, hbm.Value)
		if n == 1 {
			holds = append(holds, a.Name)
		}
		if n < fewest {
			fewest, best = n, a.Name
		}
	}
	takes := x.Name + " takes " + quantity.Bytes(both).Quantity().String() + " with the caches of " + s.Quantity("batch").String() + " at " + s.Quantity("context").String() + ". "
	switch {
	case len(holds) == len(hardware.Catalog().All):
		return takes + "Every chip of the catalog holds that by itself."
	case len(holds) > 6:
		return takes + strconv.Itoa(len(holds)) + " of the " + strconv.Itoa(len(hardware.Catalog().All)) + " chips in the catalog hold that on a single one: those with a 1 under “with the caches”."
	case len(holds) > 0:
		return takes + "One chip is enough if it is one of these: " + strings.Join(holds, "; ") + "."
	}
	return takes + "No chip of the catalog holds that alone; the fewest are " + digits(fewest) + " of " + best + "."
}

func chipTable(s *instrument.State, all []*subject) *instrument.Node {
	t := instrument.Table{Key: "chips", Caption: "How many chips hold it", Sort: "sort", Heads: []instrument.Head{{Text: "Chip"}, {Key: "hbm", Text: "HBM"}}}
	for i, h := range heads("", all, "weights alone", "with the caches")[1:] {
		t.Heads = append(t.Heads, instrument.Head{Key: "need" + string(rune('1'+i)), Text: h.Text})
	}
	for _, a := range hardware.Catalog().All {
		hbm, ok := hbmOf(a)
		row := []instrument.Cell{instrument.Say(a.Name), instrument.Q(hbm)}
		if !ok {
			row[1] = instrument.Unknown("not known", "the catalog has no number for it")
		}
		for _, x := range all {
			weights, both := need(s, x)
			for _, bytes := range []float64{weights, both} {
				cell := instrument.Unknown("not known", "its HBM is not known")
				if ok {
					n := count(bytes, hbm.Value)
					cell = instrument.Cell{Text: digits(n), Num: n}
					if n == 1 {
						cell.Node = instrument.El("b", "1")
					}
				}
				row = append(row, cell)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return s.Table(t)
}
