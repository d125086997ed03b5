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
	return w, nil
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
