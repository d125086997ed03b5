package library

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addShardings offers arrays on meshes, and the planner, as functions over texts.
func addShardings(env *value.Env) {
	shards := withFields(value.RecordType{Name: "sharded array"}, nil)
	layouts := []value.Param{param("array", text), param("sizes", text), param("mesh", text), openSizes()}
	for _, f := range []*value.Func{
		{Name: "shard", Result: kinType(shards),
			Doc: "An array split over a mesh, such as shard(\"bf16[I_X, J]\", \"I=8192, J\", \"X=4\", 4096): what each chip " +
				"holds, and how often. Names without a size take the numbers at the end, in their order.",
			Call: onArray(func(a *sharding.Array, m *sharding.Mesh) value.Value {
				return value.Value{Kind: value.Rec, Record: shardRecord(a, m, shards)}
			})},
		{Name: "local_shape", Result: text, Doc: "Shape of what one chip holds of an array, padding included.",
			Call: onArray(func(a *sharding.Array, m *sharding.Mesh) value.Value {
				return words(sharding.ShapeText(a.LocalShape(m)))
			})},
		{Name: "local_bytes", Result: bytes, Doc: "Bytes that one chip holds of an array, padding included.",
			Call: onArray(func(a *sharding.Array, m *sharding.Mesh) value.Value {
				return quantityValue(a.LocalBytes(m).Quantity())
			})},
		{Name: "replication", Result: plain, Doc: "On how many chips each element of an array lies: the product of the " +
			"mesh axes that it does not name.",
			Call: onArray(func(a *sharding.Array, m *sharding.Mesh) value.Value {
				return counted(float64(a.Replication(m)), "copy")
			})},
	} {
		f.Params, f.Variadic, f.Source = layouts, true, law.AustinSharding
		env.Funcs[f.Name] = f
	}
	addPlans(env)
}

// openSizes are the numbers at the end of a call, for names that the texts give no size.
func openSizes() value.Param {
	return value.Param{Name: "size", Type: plain, Optional: true, Default: value.Value{Kind: value.Number}}
}

func words(s string) value.Value { return value.Value{Kind: value.Text, Text: s} }

func quantityValue(q quantity.Quantity) value.Value { return value.Value{Kind: value.Number, Num: q} }

// layout reads sizes and mesh, and gives the numbers to the names without a size.
func layout(sizes, mesh string, open []value.Value) (sharding.Sizes, *sharding.Mesh, error) {
	n := &sharding.Numbers{}
	for _, v := range open {
		n.List = append(n.List, v.Num.Value)
	}
	if len(n.List) == 1 && n.List[0] == 0 {
		n.List = nil // left out
	}
	s, err := sharding.ParseSizes(sizes, n)
	if err != nil {
		return nil, nil, err
	}
	m, err := sharding.ParseMesh(mesh, n)
	if err == nil && n.Left() > 0 {
		err = &sharding.Error{
			Where:  "sizes",
			What:   phrase.New("library.more-numbers"),
			Remedy: phrase.New("library.leave-out-last", "n", n.Left()),
		}
	}
	return s, m, err
}

// onArray is a function of an array on a mesh.
func onArray(result func(*sharding.Array, *sharding.Mesh) value.Value) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		sizes, mesh, err := layout(a[1].Text, a[2].Text, a[3:])
		if err != nil {
			return value.Value{}, err
		}
		array, err := sharding.ParseArray(a[0].Text, sizes, mesh)
		if err != nil {
			return value.Value{}, err
		}
		return result(array, mesh), nil
	}
}

// shardRecord is what is known of an array on a mesh.
func shardRecord(a *sharding.Array, m *sharding.Mesh, kin *value.RecordType) *value.Record {
	shards := 1
	for _, d := range a.Dims {
		shards *= d.Shards(m)
	}
	r := newRecord(kin, a.DType+" "+a.String(m))
	r.say("local_shape", sharding.ShapeText(a.LocalShape(m)))
	r.say("notation", r.Name)
	r.num("local_bytes", float64(a.LocalBytes(m)))
	r.num("bytes", float64(a.Bytes()))
	r.num("total_bytes", float64(a.TotalBytes(m)))
	r.num("chips", float64(m.Chips()))
	r.num("shards", float64(shards))
	r.num("replication", float64(a.Replication(m)))
	r.num("waste", a.Waste(m))
	return r.Record
}
