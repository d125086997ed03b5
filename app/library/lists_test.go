package library

import (
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// TestDivisors compares the list with trial of every number, and refuses what has no divisors.
func TestDivisors(t *testing.T) {
	for n := 1; n <= 400; n++ {
		v, err := divisors([]value.Value{quantityValue(quantity.Quantity{Value: float64(n)})})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for d := 1; d <= n; d++ {
			if n%d != 0 {
				continue
			}
			if i >= len(v.List) || v.List[i].Num.Value != float64(d) {
				t.Fatalf("divisors(%d): entry %d is not %d: %v", n, i, d, v)
			}
			i++
		}
		if i != len(v.List) {
			t.Errorf("divisors(%d) has %d entries too many", n, len(v.List)-i)
		}
	}
	for _, x := range []float64{0, -4, 2.5, 1e15} {
		if _, err := divisors([]value.Value{quantityValue(quantity.Quantity{Value: x})}); err == nil {
			t.Errorf("divisors(%v) has a value", x)
		}
	}
}

// TestCatalogLists holds the lists to all members of their record type.
func TestCatalogLists(t *testing.T) {
	env := New()
	for i, name := range []string{"accelerators", "original_accelerators", "models"} {
		v := env.Values[name]
		if v.Kind != value.List || len(v.List) != len(env.RecordTypes[i].Members) ||
			v.List[0].Record.Type != env.RecordTypes[i] {
			t.Errorf("%s is %v", name, v)
		}
	}
}

// TestComparedUnits: the numbers of a comparison have the units that the table of fields gives their columns.
func TestComparedUnits(t *testing.T) {
	kin, known := comparedKin(), map[string]int{}
	for _, a := range catalogs()[0].All {
		r := comparedChip(&value.Record{ID: a.ID, Name: a.Name, Of: a}, "bf16", kin)
		for _, f := range kin.Fields {
			if v, ok := r.Fields[f.Name]; ok {
				known[f.Name]++
				if got := v.Type(); got != f.Type {
					t.Errorf("%s of %s is %v, want %v", f.Name, a.ID, got, f.Type)
				}
			}
		}
	}
	for _, f := range kin.Fields {
		if known[f.Name] == 0 {
			t.Errorf("no chip has a value in the column %s", f.Name)
		}
	}
}
