package layer

import (
	"strconv"

	"github.com/scalebook/scalebook/app/widget/instrument"
)

func view(s *instrument.State) []instrument.Part {
	return []instrument.Part{
		{Key: "layer", Build: func() *instrument.Node {
			return instrument.El("div", instrument.Class("part"), s.Stage(draw(s).drawn.Root))
		}},
		{Key: "totals", Build: func() *instrument.Node {
			p := draw(s)
			rest := "that layer, " + strconv.Itoa(p.n) + " times"
			if p.n < p.of.Layers {
				rest += ", the " + strconv.Itoa(p.of.Layers-p.n) + " others"
			}
			return instrument.El("div", instrument.Class("part"), s.Row("params", "all boxes"), s.Row("flops", "all boxes, a sequence of "+count(p.T).String()+" tokens"),
				s.Row("model_params", rest+", and the vocabulary"), s.Row("model_flops", rest+", and the logits"))
		}},
		{Key: "table", Build: func() *instrument.Node {
			return s.Words("table", "All boxes, as a table", true, func() *instrument.Node { return s.Twin("boxes", draw(s).drawn.Twin[0]) })
		}},
	}
}
