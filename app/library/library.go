// Package library offers the domain to sheets: the accelerators, the dtypes and the laws of the estimation packages.
// It is the only package that knows both sides, so that app/sheet knows no chip and app/roofline no sheet.
package library

import (
	"slices"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/roofline"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// New is an environment with the functions, records and units that the book offers to its sheets; figure.Offer adds the
// figures. Sheets compiled in it may be used from several
// goroutines; building it takes a fraction of a millisecond, so nobody needs to keep one in a global.
func New() *value.Env {
	env := Begun()
	env.Whole()
	return env
}

// Begun is an environment that has the dtypes and the accelerators, and the rest once a sheet names something of it. A
// page whose first sheet names nothing more comes to life about 8 ms sooner.
func Begun() *value.Env {
	env := &value.Env{Values: map[string]value.Value{}, Funcs: map[string]*value.Func{}}
	addDTypes(env)
	addAccelerators(env, value.RecordType{Name: "accelerator"}, catalogs()[0])
	addAccelerators(env, value.RecordType{Name: "accelerator of the original"}, catalogs()[1])
	env.RecordTypes[1].Like = env.RecordTypes[0]
	env.Rest = func() { addRest(env) }
	return env
}

// addRest offers all but the dtypes and the accelerators.
func addRest(env *value.Env) {
	addNetworks(env)
	addFits(env)
	addModels(env, model.Catalog())
	addShardings(env)
	addEinsums(env)
	addLists(env)
	addLaws(env, Laws())
	addCatalogs(env)
	addSlices(env)
	addComparison(env)
	addProducts(env)
	addMachines(env)
	addLayers(env)
	addModelTables(env)
	addHolding(env)
	addPlays(env)
	addStarted(env)
	addSchemes(env)
	addOriginalProblems(env)
	addPlanners(env)
}

// Laws are the laws of all packages.
func Laws() []law.Law {
	return slices.Concat(roofline.Laws(), network.Laws(), model.Laws(), training.Laws(), serving.Laws())
}

// dtypeValue is a dtype as a sheet knows it.
func dtypeValue(name string, bits float64) value.Value {
	return value.Value{Kind: value.DType, Text: name, Bits: bits}
}

// addDTypes offers the number formats, widest first. tf32 takes 4 bytes in memory; only its arithmetic is narrower. The
// scales of nvfp4 (8 bits for 16 numbers) and mxfp4 (8 bits for 32) count with their numbers.
func addDTypes(env *value.Env) {
	for _, d := range []value.Value{
		dtypeValue("fp32", 32), dtypeValue("tf32", 32), dtypeValue("bf16", 16), dtypeValue("fp16", 16),
		dtypeValue("fp8", 8), dtypeValue("int8", 8), dtypeValue("fp6", 6), dtypeValue("nvfp4", 4.5),
		dtypeValue("mxfp4", 4.25), dtypeValue("fp4", 4), dtypeValue("int4", 4),
	} {
		env.Values[d.Text] = d
		env.DTypes = append(env.DTypes, d)
	}
}
