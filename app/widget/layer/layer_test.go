package layer_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/widget/instrument"
	"github.com/scalebook/scalebook/app/widget/layer"
)

func TestNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(layer.New(), 400) {
		t.Error(f)
	}
}

// What is shown of a model and its kinds of layer adds up to the model's own totals.
func TestShownTotals(t *testing.T) {
	p, _ := instrument.Place(layer.New(), "", "")
	for _, k := range model.Catalog().All {
		v := p.View()
		if err := v.Set("model", k.ID); err != nil {
			t.Fatal(err)
		}
		number := func(name string) float64 {
			for _, x := range v.Values() {
				if x.Name == name {
					n, _ := strconv.ParseFloat(x.Data, 64)
					return n
				}
			}
			return math.NaN()
		}
		if got := number("model_params"); got != k.Total() {
			t.Errorf("%s: %v parameters, want %v", k.ID, got, k.Total())
		}
		text := ""
		for _, kind := range []string{"all", "dense", "experts", "window_dense", "window_experts"} {
			if v.Set("kind", kind) == nil {
				text += v.Export("markdown")
			}
		}
		if strings.Contains(text, "| router |") != (k.MoE.Experts > 0) || strings.Contains(text, "DKV") != (k.MLA.KVRank > 0) {
			t.Errorf("%s: %s", k.ID, text)
		}
	}
}
