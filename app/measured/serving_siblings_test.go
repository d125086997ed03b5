package measured

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Without the line of its own chip a model has an interval by its lines on chips of the same generation, too. It holds
// nine in ten rows, and not all of them.
func TestSiblingsHold(t *testing.T) {
	table := string(Shipped())
	without := func(chip, model string) serving.SpreadTable {
		var out strings.Builder
		for line := range strings.Lines(table) {
			if !strings.Contains(line, "\t"+chip+"\t"+model+"\t") {
				out.WriteString(line)
			}
		}
		return serving.SpreadTable(out.String())
	}
	type part struct {
		quantity string
		fitted   bool
	}
	in, all := map[part]float64{}, map[part]float64{}
	left, strange := map[[2]string]serving.SpreadTable{}, serving.SpreadTable(table)
	for _, u := range servingHeld().unseen {
		s := u.setting
		at := [2]string{s.chip.ID, s.shape.Model.ID}
		if left[at] == "" {
			left[at] = without(at[0], at[1])
		}
		for q, slower := range u.slower {
			regime := s.wait(s.regime(), q, u.a)
			near := left[at].Of(regime, q, s.family(), at[0], at[1])
			if regime != "together" || near == strange.Of(regime, q, s.family(), "", "") {
				continue // no chip like it has a line
			}
			k, off := part{q, u.Fitted()}, math.Exp(slower)
			all[k]++
			if x := near.Of(s.strain(q, u.a)); x.Low <= off && off <= x.High {
				in[k]++
			}
		}
	}
	for k, n := range all {
		if share := in[k] / n; n < 400 || share < 0.9 || share > 0.985 {
			t.Errorf("%v: %.3f of %v are inside", k, share, n)
		}
	}
	if len(all) != 6 {
		t.Errorf("%d parts", len(all))
	}
}

// Rows of which nobody knows whether tokens are guessed are of two kinds. With the same set-up, lengths and release a
// token takes no less time where more requests are under way; pairs of rows that differ from that by more than a
// quarter can't have been set alike. Among these rows at least twice as many pairs do as among others of published
// set-ups.
func TestUnsettledRowsAreOfTwoKinds(t *testing.T) {
	type group struct {
		setUp, release string
		in, out        float64
		unsettled      bool
	}
	rows := map[group][]Case{}
	for _, c := range served(t) {
		if s := c.setting; s.likes > 0 && c.measured("token") > 0 {
			of := group{c.Family(), s.release, s.load.In, s.load.Out, s.unsettled}
			rows[of] = append(rows[of], c)
		}
	}
	pairs, broken := map[bool]float64{}, map[bool]float64{}
	for of, all := range rows {
		for _, a := range all {
			for _, b := range all {
				if a.ID != b.ID && a.setting.concurrency <= b.setting.concurrency {
					if pairs[of.unsettled]++; a.measured("token") > 1.25*b.measured("token") {
						broken[of.unsettled]++
					}
				}
			}
		}
	}
	if with, without := broken[true]/pairs[true], broken[false]/pairs[false]; pairs[true] < 300 || !(with > 2*without) {
		t.Errorf("%.3f of %v pairs, beside %.3f of %v of those whose guesses are known", with, pairs[true], without,
			pairs[false])
	}
}

// What a published set-up is known by decides whose interval a row has: one that was published once is as if the row
// stated it, one of several isn't, nor one that was published with guesses and without; unless the row says whether it
// guesses.
func TestIntervalsByWhatIsKnownOfASetUp(t *testing.T) {
	side := map[string]any{"tp": 16.0, "moe_ep": 1.0}
	row := func(more Setup) *setting {
		s, err := readServing(loaded(Setup{"model": "deepseek-r1", "device": "H100", "engine": "sglang 0.5.8",
			"isl": 1024.0, "osl": 8192.0, "precision": "fp8", "mode": "disagg", "prefill": side, "decode": side,
			"concurrency": 4.0}, more))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	said := row(Setup{"mtp": 2.0})
	if s := row(nil); !s.unsettled || s.regime() != ofSeveral || s.load.Tokens != 0 || len(s.notes) < 2 ||
		said.unsettled || said.load.Verify != 3 {
		t.Errorf("%+v, %s; said: %+v", s.load, s.regime(), said.load)
	}
	one := &setting{apart: true, likes: 1, prefill: part{workers: 1}}
	several := &setting{apart: true, likes: 2, prefill: part{workers: 1}}
	either := &setting{apart: true, likes: 1, prefill: part{workers: 1}, decode: part{slots: 4}, unsettled: true}
	for _, c := range []struct {
		s           *setting
		token, wait string
	}{{one, "apart", "apart"}, {several, ofSeveral, unstatedWorkers}, {either, ofSeveral, "apart"}} {
		if token, wait := c.s.wait(c.s.regime(), "token", answer{}), c.s.wait(c.s.regime(), "first",
			answer{}); token != c.token || wait != c.wait {
			t.Errorf("%+v: %s and %s", c.s, token, wait)
		}
	}
}
