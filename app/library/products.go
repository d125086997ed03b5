package library

import (
	"strings"

	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sheet"
)

// addProducts offers a product of two split arrays, to be drawn, and the ways to compute it, as a list.
func addProducts(env *sheet.Env) {
	n := &networks{}
	kin := networkKin("sharded product", nil)
	ways := env.Funcs["plan"].Result
	texts := []sheet.Param{param("einsum", text), param("sizes", text), param("mesh", text)}
	env.Funcs["sharded_product"] = &sheet.Func{
		Name: "sharded_product", Params: append(texts[:3:3],
			openSizes()), Variadic: true, Result: sheet.Type{Kind: sheet.Rec, Kin: kin},
		Source: env.Funcs["plan"].Source, Doc: "A product of two split arrays on a mesh, such as sharded_product(\"A[I_X, " +
			"J] . B[J, K] -> C[I_X, K]\", \"I, J=8192, K=8192\", \"X=4\", 1024): what is drawn of it.",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			e, err := einsum(a[:3], a[3:])
			if err != nil {
				return sheet.Value{}, err
			}
			return productRecord(kin, e), nil
		},
	}
	env.Funcs["sharding_ways"] = &sheet.Func{
		Name: "sharding_ways", Params: append(texts[:3:3], param("chip", sheet.Type{Kind: sheet.Rec}),
			openSizes()), Variadic: true, Result: sheet.ListOf(ways),
		Source: env.Funcs["plan"].Source, Work: planWork, Doc: "The best ways to compute a product of two split arrays on " +
			"chips, the best first.",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			p, err := n.plan(a[:4], a[4:], kept)
			if err != nil {
				return sheet.Value{}, err
			}
			var all []*sheet.Record
			for _, s := range p.Strategies {
				r := strategyRecord(p, s, ways.Kin)
				r.ID, r.Of = wayID(r.Name), s
				all = append(all, r)
			}
			return recordList(all), nil
		},
	}
}

// wayID is a way's title without what an address would have to write in another way: "AllGather_X.B-Einsum".
func wayID(title string) string {
	return strings.Trim(strings.NewReplacer(" ", "", "(", ".", ")", "", ",", "-").Replace(title), "-")
}

func productRecord(kin *sheet.Kin, e *sharding.Einsum) sheet.Value {
	r := fill(kin, e.String())
	r.Of = e
	c, _ := e.Case()
	r.num("case", float64(c))
	work := 2.0
	for _, ix := range e.Indices {
		work *= ix.Size
	}
	r.num("flops", work)
	return r.value()
}
