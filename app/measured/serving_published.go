package measured

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

// layoutTable is the set-ups of DeepSeek-R1 with prefill and decode apart that InferenceX has published: its
// nvidia-master.yaml from November 2025 to August 2026, at every second change (SemiAnalysisAI/InferenceX @843c625 and
// its history), and the recipes that it names (NVIDIA/srt-slurm @c88ef73 and its history). A line has the engine, the
// chip, the bits of a weight, lengths, the requests under way; of the side that prefills and of the one that decodes
// workers, chips of a worker, chips that share experts, and whether each chip has sequences of its own; then the
// sequences that an attention group of a worker decodes at once (max_batch_size), the tokens of prompts in one step
// (max_num_tokens), and how many tokens are guessed a step; these three are empty where no recipe tells.
//
//go:embed layouts.tsv
var layoutTable string

// layout is one side of a published set-up.
type layout struct {
	workers, chips, experts int
	own                     bool // each chip has sequences of its own
}

// readLayout reads one.
func readLayout(text string) (l layout) {
	c := strings.Split(text, "/")
	l.workers, _ = strconv.Atoi(c[0])
	l.chips, _ = strconv.Atoi(c[1])
	l.experts, _ = strconv.Atoi(c[2])
	l.own = c[3] == "1"
	return l
}

// plan is that of a worker.
func (l layout) plan(shape *serving.Shape) serving.Plan {
	p := serving.Plan{TP: l.chips, DP: 1, EP: max(l.experts, 1)}
	if l.own {
		p.TP, p.DP = 1, l.chips
	}
	p, _ = mend(p, shape)
	return p
}

// setUp is a published set-up: its sides, and what else its recipe sets.
type setUp struct {
	prefill, decode        layout
	slots, tokens, guesses string
}

// published sets what a row of prefill and decode apart leaves out, where set-ups were published with its engine,
// chips, bits, lengths, requests, and chips of a worker: the workers, of several the one in the middle by chips that
// decode; and for those workers how many sequences decode at once, the tokens of a step, and guesses where all guess as
// many.
func (t *setting) published(s Setup) {
	found := t.setUps(s)
	if len(found) == 0 {
		return
	}
	if t.prefill.workers == 0 && t.decode.workers == 0 {
		found = t.takeMiddle(found)
	}
	guesses, err := strconv.ParseFloat(alikeIn(found, func(u setUp) string { return u.guesses }), 64)
	untold := t.load.Tokens == 0 && !s.Has(guessed[:]...)
	if t.unsettled = untold && err != nil && t.likes > 0; t.unsettled {
		t.notes = append(t.notes, "whether tokens are guessed is not stated, and set-ups like this one were published "+
			"both with guesses and without; none is taken: write mtp, 0 or how many")
	}
	if err == nil {
		if untold {
			t.guess(guesses)
		}
	} else if like := slices.DeleteFunc(slices.Clone(found), func(u setUp) bool {
		return u.guesses != strconv.FormatFloat(t.load.Passes, 'f', -1, 64)
	}); len(like) > 0 {
		found = like // of some that guess and some that don't, those that do as the row says, and without a word don't
	}
	if t.decode.slots == 0 {
		t.decode.slots, _ = strconv.ParseFloat(alikeIn(found, func(u setUp) string { return u.slots }), 64)
	}
	t.prefill.tokens, _ = strconv.ParseFloat(alikeIn(found, func(u setUp) string { return u.tokens }), 64)
}

// takeMiddle takes workers from the set-up in the middle, and gives all that have these.
func (t *setting) takeMiddle(found []setUp) []setUp {
	slices.SortStableFunc(found, func(a, b setUp) int {
		return cmp.Compare(a.decode.workers*a.decode.chips, b.decode.workers*b.decode.chips)
	})
	chips, unplanned := t.unplanned()
	was, stated := t.decode.plan, !unplanned || chips > 0
	t.noPlan = unplanned
	u, kinds := found[len(found)/2], map[[2]layout]bool{}
	for _, other := range found {
		kinds[[2]layout{other.prefill, other.decode}] = true
	}
	t.likes = len(kinds)
	t.prefill.plan, t.prefill.workers = u.prefill.plan(t.shape), float64(u.prefill.workers)
	t.decode.plan, t.decode.workers = u.decode.plan(t.shape), float64(u.decode.workers)
	like := "of this size and load"
	if !stated {
		like = fmt.Sprintf("of this load, since %s can't hold the weights", was)
	}
	of := "one set-up " + like + ", which is taken"
	if t.likes > 1 {
		of = fmt.Sprintf("%d set-ups %s, of which the middle one is taken", t.likes, like)
	}
	t.notes = append(t.notes, fmt.Sprintf("workers are not stated; InferenceX has published %s: %d that prefill "+
		"with %s, "+
		"%d that decode with %s", of, u.prefill.workers, t.prefill.plan, u.decode.workers, t.decode.plan))
	return slices.DeleteFunc(found, func(o setUp) bool { return o.prefill != u.prefill || o.decode != u.decode })
}

// alikeIn is what all set-ups have; "" if they differ.
func alikeIn(all []setUp, what func(setUp) string) string {
	for _, u := range all {
		if what(u) != what(all[0]) {
			return ""
		}
	}
	return what(all[0])
}

// setUps are the published ones that are like the row: those whose chips share experts as its do, if any are. Of a row
// without a plan they are those of as many chips in all, with as many requests if there are any such; and if that isn't
// stated either, all with as many requests.
func (t *setting) setUps(s Setup) (found []setUp) {
	if id := t.shape.Model.ID; id != "deepseek.r1" && id != "deepseek.v3" {
		return nil
	}
	want := []string{t.engine, t.chip.ID, t.bits(), t.lengths()}
	requests := strconv.FormatFloat(t.concurrency, 'f', -1, 64)
	all, unplanned := t.unplanned()
	same := false
	for line := range strings.Lines(layoutTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		listed := slices.Contains(strings.Split(c[4], ","), requests)
		u := setUp{readLayout(c[5]), readLayout(c[6]), c[7], c[8], c[9]}
		if !slices.Equal(c[:4], want) || !listed && all == 0 ||
			!unplanned && !(u.prefill.of(&t.prefill) && u.decode.of(&t.decode)) || all > 0 && all != u.chips() {
			continue
		}
		alike := t.shares(s, "prefill", u.prefill) && t.shares(s, "decode", u.decode)
		if unplanned { // what it has of experts is as little a plan
			alike = listed
		}
		if alike && !same {
			found, same = nil, true
		}
		if alike == same {
			found = append(found, u)
		}
	}
	return found
}

// chips are those of both sides.
func (u setUp) chips() int {
	return u.prefill.workers*u.prefill.chips + u.decode.workers*u.decode.chips
}

// unplanned tells whether what a row has as the plan of both sides is none: all chips of the system stand there, as
// many as it returns, or fewer than the weights fit on, as in tables that leave the plan out.
func (t *setting) unplanned() (chips int, is bool) {
	p, d := &t.prefill, &t.decode
	if p.workers > 0 || d.workers > 0 || p.plan != d.plan {
		return 0, false
	}
	if p.whole && d.whole {
		return d.plan.Chips(), true
	}
	r, err := serving.NewReplica(t.shape, t.chip, d.plan, serving.Fitted(t.engine), t.options)
	return 0, err == nil && r.Memory(1).Weights > t.chip.Memory
}

// of tells whether a side has as many chips a worker, and if it tells its workers, as many of them, and sequences of
// their own or not.
func (l layout) of(side *part) bool {
	return l.chips == side.plan.Chips() &&
		(side.workers == 0 || side.workers == float64(l.workers) && l.own == (side.plan.DP > 1))
}

// shares tells whether a side's chips share experts as a set-up has it, or the row doesn't tell.
func (t *setting) shares(s Setup, side string, l layout) bool {
	ep, err := s.object(side).Whole(0, 0, mostChips, "moe_ep", "ep")
	return err == nil && (ep == 0 || ep == max(l.experts, 1))
}
