package library

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addModelTables offers the sizes and the counts of two models, beside each other.
func addModelTables(env *value.Env) {
	one := kinType(kinNamed(env, "model"))
	for _, t := range []struct {
		of   value.RecordType
		f    value.Func
		rows func(kin *value.RecordType, a, b *value.Record) []*value.Record
	}{
		{value.RecordType{Name: "model size"}, value.Func{Name: "model_sizes",
			Doc: "The sizes of one model, and of another one if there is one."}, sizeRows},
		{value.RecordType{Name: "model count"}, value.Func{Name: "model_counts",
			Doc: "Three ways to count a model’s parameters, exactly, and what its publisher prints."}, countRows},
	} {
		kin, f := withFields(t.of, nil), t.f
		f.Params = []value.Param{param("model", one), param("other", one)}
		f.Result, f.Source, f.Work = listType(kin), "counted", 1<<12
		f.Call = func(a []value.Value) (value.Value, error) {
			return recordList(t.rows(kin, a[0].Record, a[1].Record)), nil
		}
		env.Funcs[f.Name] = &f
	}
}

// shapeOf is the model behind a record; nil if there is none.
func shapeOf(r *value.Record) *model.Model {
	m, _ := r.Of.(*model.Model)
	return m
}

// sizeRows is a line for each size that one of the two has.
func sizeRows(kin *value.RecordType, a, b *value.Record) []*value.Record {
	of := func(r *value.Record) []model.Size {
		if m := shapeOf(r); m != nil {
			return m.Sizes()
		}
		return nil
	}
	x, y := of(a), of(b)
	names := x
	if x == nil {
		names = y
	}
	var all []*value.Record
	for i, s := range names {
		r, any := newRecord(kin, s.Name.String()), false
		r.say("size", s.Name.String())
		for column, sizes := range map[string][]model.Size{"model": x, "other": y} {
			if sizes != nil && sizes[i].Text != nil {
				r.say(column, sizes[i].Text.String())
				any = true
			}
		}
		if any {
			all = append(all, r.Record)
		}
	}
	return all
}

// countRows is a line for each of the three counts.
func countRows(kin *value.RecordType, a, b *value.Record) []*value.Record {
	var all []*value.Record
	for i, key := range []string{"library.params-stored", "library.params-active", "library.params-without-input"} {
		r := newRecord(kin, phrase.New(key))
		r.say("count", r.Name)
		r.count("", a, i)
		r.count("other_", b, i)
		all = append(all, r.Record)
	}
	return all
}

// count fills in the columns of a model: its count in full, and what its publisher prints.
func (r filling) count(prefix string, of *value.Record, i int) {
	m := shapeOf(of)
	if m == nil {
		return
	}
	n := [...]float64{m.Total(), m.ActiveTotal(), m.ActiveWithoutLookup()}[i]
	r.say(prefix+"counted", quantity.Grouped(strconv.FormatFloat(n, 'f', -1, 64)))
	if k, err := model.Catalog().Get(of.ID); err == nil {
		if text := publishedAs(k, i); text != "" {
			r.say(prefix+"published", text)
		}
	}
}

// publishedAs is what the publisher prints for one of the three counts; empty if that isn't one of them.
func publishedAs(k *model.Known, i int) string {
	text := k.PublishedTotal
	if i > 0 {
		text = ""
		if without := strings.HasSuffix(k.PublishedActive, " without"); without == (i == 2) {
			text = k.PublishedActive
		}
	}
	return published(text)
}
