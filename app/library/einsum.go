package library

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addEinsums offers what a product of two arrays takes, whatever their dimensions.
func addEinsums(env *value.Env) {
	add := func(f value.Func, take func(*sharding.Einsum) quantity.Quantity) {
		f.Params, f.Variadic = []value.Param{param("einsum", text), param("sizes", text), openSizes()}, true
		f.Source, f.Work, f.Call = law.Counted, einsumWork, onEinsum(take)
		env.Funcs[f.Name] = &f
	}
	add(value.Func{Name: "einsum_flops", Result: flops,
		Doc: "Operations of a product such as \"A[B, D] . W[D, F] -> C[B, F]\": two for each combination of all indices, " +
			"one where nothing is summed over. Names without a size take the numbers at the end, in their order."},
		func(e *sharding.Einsum) quantity.Quantity { return e.FLOPs().Quantity() })
	add(value.Func{Name: "einsum_bytes", Result: bytes,
		Doc: "Bytes of its three arrays, each once. An array is bf16 unless its format stands before it: " +
			"\"int8[B, D] . W[D, F] -> C[B, F]\"."},
		func(e *sharding.Einsum) quantity.Quantity {
			return (e.A.Bytes() + e.B.Bytes() + e.C.Bytes()).Quantity()
		})
}

// einsumWork is what reading a product counts as.
const einsumWork = 500

// onEinsum is a function of a product on one chip.
func onEinsum(take func(*sharding.Einsum) quantity.Quantity) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		sizes, mesh, err := layout(a[1].Text, "", a[2:])
		if err != nil {
			return value.Value{}, err
		}
		e, err := sharding.ParseEinsum(a[0].Text, sizes, mesh)
		if err != nil {
			return value.Value{}, err
		}
		return quantityValue(take(e)), nil
	}
}
