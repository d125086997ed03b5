package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// eachOf are the things of which a time may be the time of each.
var eachOf = []string{"token", "request"}

// A time that many chips take together is no time a chip: "22.4 s/chip" says that two of them take twice as long.
func TestTimesAreOfNoChip(t *testing.T) {
	env, seen := widget.Env(), 0
	eachPage(t, func(file, text string) {
		for _, src := range sources(file, []byte(text)) {
			s, _ := src.compile(env)
			if s == nil {
				continue
			}
			for _, row := range s.Eval(nil).Rows {
				num := row.Value.Num
				if row.Err != nil || row.Value.Kind != value.Number || num.Dim != (quantity.Dim{quantity.Second: 1}) {
					continue
				}
				seen++
				_, under, of := strings.Cut(num.String(), "/")
				if of && !slices.Contains(eachOf, under) {
					t.Errorf("%s#%s: %s, %q, is %s; divide by a plain number",
						file, src.id, row.Def.Name, row.Def.Label, num)
				}
			}
		}
	})
	if seen < 500 {
		t.Errorf("only %d times", seen)
	}
}
