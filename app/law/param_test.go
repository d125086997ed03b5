package law

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
)

func TestParams(t *testing.T) {
	bandwidth := quantity.Bandwidth(1).Quantity().Dim
	for text, want := range map[string]Param{
		"N":                        {Name: "N"},
		"N >= 1":                   {Name: "N", Least: 1},
		"W byte/s > 0":             {Name: "W", Dim: bandwidth, Above: true},
		"hop s":                    {Name: "hop", Dim: quantity.Seconds(1).Quantity().Dim},
		"d dtype = bf16":           {Name: "d", Kind: DType, Default: "bf16"},
		"gated switch = on":        {Name: "gated", Kind: Switch, Default: "on"},
		"mask text = causal":       {Name: "mask", Kind: Text, Default: "causal"},
		"model model":              {Name: "model", Kind: Record, RecordType: "model"},
		"plans list training plan": {Name: "plans", Kind: Record, RecordType: "list training plan"},
		"":                         {},
		"N = 1":                    {Default: "1"},
		"N >= one":                 {},
		"d dtype > 1":              {Kind: DType, Least: 1, Above: true},
	} {
		got := Law{Takes: "first, " + text}.Params()
		if len(got) != 2 || got[0].Name != "first" || got[1] != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// TestUnits: the units of laws are those of the language, and any other word is a count.
func TestUnits(t *testing.T) {
	for unit := range strings.FieldsSeq("FLOP byte s FLOP/s byte/s FLOP/byte 1/s USD USD/s J J/s token hop") {
		text := "1 " + unit
		if unit == "1/s" {
			text = unit
		}
		q, err := quantity.Parse(text)
		if dim, label := Unit(unit); err != nil || q.Dim != dim || q.Label != label {
			t.Errorf("%s: %v %v, the language reads %v, %v", unit, dim, label, q, err)
		}
	}
}
