package library

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addHolding offers how many chips of each kind hold so many bytes: memory alone, shared evenly.
func addHolding(env *value.Env) {
	kin := withFields(value.RecordType{Name: "chips needed"}, nil)
	chips := env.RecordTypes[0]
	env.Funcs["chips_needed"] = &value.Func{
		Name: "chips_needed", Params: []value.Param{param("size", bytes)}, Variadic: true,
		Result: listType(kin), Source: "bytes over HBM, rounded up", Work: 1 << 10,
		Doc: "For each accelerator, how many of it have the memory for each of up to four sizes.",
		Call: func(a []value.Value) (value.Value, error) {
			var all []*value.Record
			for _, chip := range chips.Members {
				all = append(all, neededRecord(kin, chip, a))
			}
			return recordList(all), nil
		},
	}
	env.Funcs["chips_alone"] = &value.Func{
		Name: "chips_alone", Params: []value.Param{param("size", bytes)}, Result: text,
		Source: "bytes over HBM, rounded up", Work: 1 << 10,
		Doc: "The accelerators of which one has the memory for so many bytes; if there is none, how many it takes.",
		Call: func(a []value.Value) (value.Value, error) {
			return words(english(alone(chips.Members, a[0].Num.Value))), nil
		},
	}
}

// neededRecord is a line about one chip.
func neededRecord(kin *value.RecordType, chip *value.Record, sizes []value.Value) *value.Record {
	r := newRecord(kin, chip.Name)
	r.ID = chip.ID
	r.say("name", chip.Name)
	hbm, ok := memoryOf(chip)
	if !ok {
		return r.Record
	}
	r.num("hbm", hbm)
	for i, size := range sizes[:min(len(sizes), 4)] {
		r.num("need"+strconv.Itoa(i+1), neededChips(size.Num.Value, hbm))
	}
	return r.Record
}

// neededChips is how many chips of so much memory hold so many bytes.
func neededChips(size, hbm float64) float64 { return max(1, math.Ceil(size/hbm)) }

func memoryOf(chip *value.Record) (float64, bool) {
	k, err := chip.Of.(*hardware.Accelerator).Get("hbm")
	return k.Value.Value, err == nil && k.Value.Value > 0
}

// alone names the chips of which one is enough, or the fewest that are.
func alone(chips []*value.Record, size float64) any {
	var holds []string
	fewest, best := math.Inf(1), ""
	for _, chip := range chips {
		hbm, ok := memoryOf(chip)
		if !ok {
			continue
		}
		n := neededChips(size, hbm)
		if n == 1 {
			holds = append(holds, chip.Name)
		}
		if n < fewest {
			fewest, best = n, chip.Name
		}
	}
	switch {
	case len(holds) == len(chips):
		return phrase.New("library.every-chip")
	case len(holds) > 3:
		return phrase.New("library.chips-of-all", "n", len(holds), "all", len(chips))
	case len(holds) > 0:
		return phrase.Clauses(holds)
	case best == "":
		return phrase.New("library.no-known-memory")
	}
	n := quantity.Grouped(strconv.FormatFloat(fewest, 'f', -1, 64))
	return phrase.New("library.fewest-chips", "n", n, "chip", best)
}
