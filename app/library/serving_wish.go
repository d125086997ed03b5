package library

import (
	"math"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// wish reads what is to be served.
func (n *servings) wish(a []value.Value) (serving.Wish, error) {
	m, _ := a[0].Record.Of.(*model.Model)
	chip, _ := a[1].Record.Of.(*hardware.Accelerator)
	w := serving.Wish{Load: serving.Load{In: a[3].Num.Value, Out: a[4].Num.Value, Hit: a[5].Num.Value,
		Spread: serving.UsualSpread}}
	err := checkWish(a, w.Load)
	switch {
	case m == nil:
		return w, phrase.Fault{What: phrase.New("library.no-model-of-catalog", "value", a[0]),
			Remedy: phrase.New("library.give-model")}
	case chip == nil:
		return w, phrase.Fault{What: phrase.New("library.no-chip-of-catalog", "value", a[1]),
			Remedy: phrase.New("library.give-one-chip", "chip", "gpu.h100")}
	case err != nil:
		return w, err
	}
	if w.Chip, err = serving.NewChip(chip); err != nil {
		return w, err
	}
	engine, weights := a[9].Text, a[6].Bits/8
	w.Chips = int(a[2].Num.Value)
	p := serving.Stored(m.ID, weights, a[8].Bits/8)
	if experts := a[7].Bits / 8; experts != weights {
		p.Experts = experts
	}
	w.Shape = serving.NewShape(m, p)
	w.Constants, w.Engine = serving.Fitted(engine), serving.Engine{Name: engine, OfFree: engine == "trtllm"}
	if set, is := behind(a[len(a)-1]).(*flagsSet); is {
		w.Layout = set.layout
		w.Engine.Share, w.Engine.Length = set.engine.Share, set.engine.Length
		w.Engine.Sequences, w.Engine.Chunk = set.engine.Sequences, set.engine.Chunk
	}
	return w, nil
}

// flagsSet is what is behind flags that somebody sets.
type flagsSet struct {
	engine serving.Engine
	layout serving.Plan
}

// flagsSet reads them.
func (n *servings) flagsSet(a []value.Value) (value.Value, error) {
	x := &flagsSet{engine: serving.Engine{Share: a[0].Num.Value, Length: a[1].Num.Value, Sequences: a[2].Num.Value,
		Chunk: a[3].Num.Value}}
	e := &x.engine
	if !(e.Share >= 0 && e.Share <= 1 && e.Length >= 0 && e.Sequences >= 0 && e.Chunk >= 0) {
		return value.Value{}, phrase.Fault{What: phrase.New("startlog.below-zero"), Remedy: phrase.New("startlog.give-flags")}
	}
	var err error
	if x.layout, err = serving.ReadPlan(a[4].Text); err != nil {
		return value.Value{}, err
	}
	r := n.fill("flags", phrase.New("library.flags-set"), nil)
	r.Of, r.From = x, *x
	r.say("layout", a[4].Text)
	return r.value(), nil
}

// checkWish refuses numbers that make no sense.
func checkWish(a []value.Value, l serving.Load) error {
	for _, x := range []struct {
		at           int
		least, most  float64
		what, remedy string
	}{
		{2, 1, 4096, "library.serve-on", "library.give-chips-to-serve"},
		{3, 1, 1e8, "library.prompt-of", "library.give-tokens"},
		{4, 1, 1e8, "library.answer-of", "library.give-tokens"},
		{5, 0, 1, "library.hit-rate-of", "library.give-share"},
	} {
		if v := a[x.at].Num.Value; !(v >= x.least && v <= x.most) || x.at == 2 && v != math.Trunc(v) {
			return phrase.Fault{What: phrase.New(x.what, "n", a[x.at].Num), Remedy: phrase.New(x.remedy)}
		}
	}
	return noEngine(a[9].Text)
}

// behind is what is behind a record; nil of what is none.
func behind(v value.Value) any {
	if v.Record == nil {
		return nil
	}
	return v.Record.Of
}
