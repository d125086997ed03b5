package value

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
)

// Constant is a number of an entry of a catalog that a reader may change.
type Constant struct {
	Name, Label string // "flops.bf16", "dense bf16 rate"
	Reading            // the one in use
	Others      []Reading
	Least, Most quantity.Quantity // what it may be; both are zero if it may be any positive number
}

// Reading is what a source says of a constant.
type Reading struct {
	Text   string // "819 GB/s"
	Value  quantity.Quantity
	Source string
	Note   string // what it means more exactly
	Doubt  string // why it may be otherwise; empty where nobody says so
}

// Key is what addresses and states call a constant of r: tpu_v5e__flops_bf16.
func (r *Record) Key(constant string) string {
	return underscored(r.ID) + keyed + underscored(constant)
}

const keyed = "__" // between the entry and its constant

func underscored(s string) string { return strings.ReplaceAll(s, ".", "_") }

// Constant finds a constant by its key among the entries of env's catalogs; nil if there is none.
func (env *Env) Constant(key string) (*Record, *Constant) {
	entry, _, ok := strings.Cut(key, keyed)
	if !ok {
		return nil, nil
	}
	env.Whole()
	for _, kin := range env.Kins {
		if kin.Constants == nil {
			continue
		}
		for _, r := range kin.Members {
			if underscored(r.ID) != entry {
				continue
			}
			all := kin.Constants(r)
			if i := slices.IndexFunc(all, func(c Constant) bool { return r.Key(c.Name) == key }); i >= 0 {
				return r, &all[i]
			}
		}
	}
	return nil, nil
}
