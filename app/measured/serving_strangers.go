package measured

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/measured/rows"
	"github.com/scalebook/scalebook/app/serving"
)

// strangers are the errors of runs by others (rows.Others): models, chips and releases of which no other row tells,
// from sources of their own. They are gathered without a look at what is predicted, and no constant is fitted to them.
// Their configuration is their source, which the names of rows begin with.
var strangers = sync.OnceValue(func() []miss {
	cases, _ := Cases(ReadSamples(rows.Others))
	var all []miss
	for i := range cases {
		c := &cases[i]
		t := c.setting
		a, err := t.answer(serving.Fitted(c.Engine()))
		if err != nil {
			continue
		}
		source, _, _ := strings.Cut(c.ID, "-")
		errs := c.errors(a)
		for _, q := range slices.Sorted(maps.Keys(errs)) {
			if x := errs[q]; !math.IsNaN(x) && !math.IsInf(x, 0) {
				k := errorKey{t.wait(t.regime(), q, a), q, t.family(), t.chip.ID, t.shape.Model.ID, t.release}
				all = append(all, miss{errorKey: k, config: source, off: -x, strain: t.strain(q, a)})
			}
		}
	}
	return all
})

// widen moves the ends of the intervals of an engine and of a regime, which are read for models on chips that no row
// has: rows of the same few laboratories are alike, and say little of others. Nine in ten of the strangers are inside
// then, each source counting once.
func widen(lines map[errorKey]line, strangers []miss) {
	type kind struct{ regime, quantity string }
	sources, at := map[string]float64{}, map[kind][]heavy{}
	for _, m := range strangers {
		sources[m.quantity+m.config]++
	}
	for i := range strangers {
		m := &strangers[i]
		l, known := lines[errorKey{regime: m.regime, quantity: m.quantity, engine: m.engine}]
		if !known {
			l, known = lines[errorKey{regime: m.regime, quantity: m.quantity}]
		}
		if known {
			k, off := kind{m.regime, m.quantity}, m.off/m.wider(l.grows)[m.side()]
			at[k] = append(at[k], heavy{l.position(off), 1 / sources[m.quantity+m.config]})
		}
	}
	for k, positions := range at {
		slices.SortFunc(positions, func(a, b heavy) int { return cmp.Compare(a.off, b.off) })
		ends := middle(positions, promised)
		for _, key := range slices.Collect(maps.Keys(lines)) {
			if l := lines[key]; key.model == "" && key.regime == k.regime && key.quantity == k.quantity {
				w := l.moved(width{min(ends.low, -1), max(ends.high, 1)})
				lines[key] = line{width{min(w.low, 0), max(w.high, 0)}, l.grows}
			}
		}
	}
}
