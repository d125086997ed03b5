package library

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/layer"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// layers offers the layers of a model, kind by kind and box by box.
type layers struct{ kinds, layers, boxes *value.RecordType }

// addLayers offers them.
func addLayers(env *value.Env) {
	n := &layers{newKin(env, "layer kind", nil), newKin(env, "layer", nil), newKin(env, "layer box", nil)}
	register(env, law.CountedBoxes, []offered{
		{Name: "layer_kinds", Takes: "model model", Gives: "list layer kind", Work: 1 << 10, Call: n.layerKinds,
			Doc: "The different layers of a model, the most frequent first: with experts or a dense MLP, with a window or " +
				"without."},
		{Name: "model_layer", Takes: "kind layer kind, T, pass text, mask text", Gives: "layer", Work: 1 << 12,
			Call: n.modelLayer,
			Doc: "A layer of a model, box by box, that looks at T tokens. pass: \"train\" or \"forward\"; mask: which scores " +
				"are counted, " +
				"\"windowed\" (those it looks at), \"causal\" (the causal half, windows ignored) or \"full\"."},
		{Name: "layer_boxes", Takes: "layer layer", Gives: "list layer box", Work: 1 << 12, Call: n.layerBoxes,
			Doc: "The boxes of a layer from its input to its output: what each stores and takes."},
		{Name: "main_box", Takes: "layer layer", Gives: "layer box", Work: 1 << 12, Call: n.mainBox,
			Doc: "The first box of a layer that has a matrix."},
	})
}

// mainBox is the first box of a layer that has a matrix.
func (n *layers) mainBox(a []value.Value) (value.Value, error) {
	y := a[0].Record.Of.(*layer.Counted)
	_, flops := y.Sums(y.Pass)
	return boxRecord(n.boxes, y.Box(""), y.Pass, flops), nil
}

// kindOfLayer is what is behind a record of a kind: the model, and the layer.
type kindOfLayer struct {
	model *model.Model
	layer.Kind
}

func (n *layers) layerKinds(a []value.Value) (value.Value, error) {
	m, _ := a[0].Record.Of.(*model.Model)
	if m == nil {
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-model", "value", a[0]),
			Remedy: phrase.New("library.give-model")}
	}
	var all []*value.Record
	for _, k := range layer.Kinds(m) {
		r := newRecord(n.kinds, k.Name.String())
		r.ID, r.Of = k.ID, kindOfLayer{m, k}
		r.num("layers", float64(k.Count))
		r.num("window", float64(k.Window))
		r.flag("experts", k.Experts)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

func (n *layers) modelLayer(a []value.Value) (value.Value, error) {
	k := a[0].Record.Of.(kindOfLayer)
	T := a[1].Num.Value
	if !(T >= 1) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.sequence-of", "tokens", a[1].Num),
			Remedy: phrase.New("library.give-at-least-one")}
	}
	pass, ok := map[string]model.Pass{"train": model.Train, "forward": model.Forward}[a[2].Text]
	if !ok {
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-pass", "pass", strconv.Quote(a[2].Text)),
			Remedy: phrase.New("library.write-train-or-forward")}
	}
	mask, ok := map[string]model.Mask{"windowed": model.Windowed, "causal": model.Causal, "full": model.Full}[a[3].Text]
	if !ok {
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-mask", "mask", strconv.Quote(a[3].Text)),
			Remedy: phrase.New("library.write-mask")}
	}
	y := &layer.Counted{Layer: layer.New(k.model, k.Kind.Layer, T, mask), Pass: pass}
	params, flops := y.Sums(pass)
	r := newRecord(n.layers, phrase.New("library.layer-of", "model", k.model.Name))
	r.Of = y
	r.num("params", params)
	r.num("flops", flops)
	return r.value(), nil
}

func (n *layers) layerBoxes(a []value.Value) (value.Value, error) {
	y := a[0].Record.Of.(*layer.Counted)
	_, flops := y.Sums(y.Pass)
	var all []*value.Record
	for _, b := range y.Boxes() {
		all = append(all, boxRecord(n.boxes, b, y.Pass, flops).Record)
	}
	return recordList(all), nil
}

// boxRecord is a box of a layer that takes so many operations.
func boxRecord(kin *value.RecordType, b *layer.Box, pass model.Pass, flops float64) value.Value {
	r := newRecord(kin, strings.ReplaceAll(b.Title(), "_", " "))
	r.ID, r.Of = b.ID, b
	if b.Rows != nil {
		r.say("weights", b.Shape(false))
	}
	r.say("gives", b.Gives(false))
	r.num("params", b.Params())
	if x := b.FLOPs(pass); x > 0 {
		r.num("flops", x)
		r.num("share", x/flops)
	}
	return r.value()
}
