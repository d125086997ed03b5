package training

import (
	"slices"
	"strconv"
	"strings"
)

// A search may be shared: others, who have begun the same one, try some of its divisions. What passes between them is
// text, so that they may be other processes or a browser's workers:
//
//	piece   the score of the worst plan kept, and the divisions to try by their place: "3.2 17 18 19 20"
//	found   "d 17 900 350", a division with the plans priced and refused in it; "r 350 1.5e9 activations", a reason with
//	        its plans and what the nearest lacks, and below it "n" and that plan; "b" and a plan among the best

// pieceOf is how many divisions a piece has: some hundredths of a second in a browser.
const pieceOf = 2

// LendChunk is a piece for somebody else, empty if there is none left to give.
func (h *SearchState) LendChunk() (piece string) {
	h.abandon()
	for n := 0; n < pieceOf && h.remaining() > 0; n++ {
		piece += " " + strconv.Itoa(h.pop())
		h.lent++
	}
	if piece == "" {
		return ""
	}
	return number(h.worst()) + piece
}

// abandon leaves the division that is half tried untried.
func (h *SearchState) abandon() {
	if h.now == nil {
		return
	}
	h.back = append(h.back, slices.Index(h.divisions, h.now))
	h.forget(h.now)
	h.now, h.micro = nil, 0
}

// forget takes what was found in a division out of what is found.
func (h *SearchState) forget(d *division) {
	d.priced, d.refused, d.reasons = 0, 0, nil
	for _, all := range []*[]*kept{&h.best, &h.lacking} {
		*all = slices.DeleteFunc(*all, func(k *kept) bool { return k.at == d.at })
	}
}

// Back takes a piece back that nobody tries any more.
func (h *SearchState) Back(piece string) {
	for _, i := range slices.Backward(h.piece(piece)) {
		h.back = append(h.back, i)
		h.lent--
	}
}

// piece are the divisions of a piece. What isn't one is left out.
func (h *SearchState) piece(text string) (places []int) {
	_, text, _ = strings.Cut(text, " ")
	for _, field := range strings.Fields(text) {
		if i, err := strconv.Atoi(field); err == nil && i >= 0 && i < len(h.divisions) {
			places = append(places, i)
		}
	}
	return places
}

// Do tries the divisions of a piece, and says what it found as Take reads it.
func (h *SearchState) Do(piece string) (found string) {
	worst, _, _ := strings.Cut(piece, " ")
	if limit, err := strconv.ParseFloat(worst, 64); err == nil {
		h.limit = min(h.limit, limit)
	}
	var b strings.Builder
	for _, i := range h.piece(piece) {
		d := h.divisions[i]
		h.forget(d)
		h.now = d
		h.branches(&h.Space, d.trunk, h.try)
		h.now = nil
		h.writeDivision(&b, i)
	}
	return b.String()
}

func (h *SearchState) writeDivision(b *strings.Builder, i int) {
	d := h.divisions[i]
	line(b, "d", strconv.Itoa(i), strconv.Itoa(d.priced), strconv.Itoa(d.refused))
	for _, r := range d.reasons {
		line(b, "r", strconv.Itoa(r.Plans), number(r.Excess), r.Binding)
		line(b, "n", r.Nearest.Plan.String())
	}
	for _, all := range [][]*kept{h.best, h.lacking} {
		for _, k := range all {
			if k.at == d.at {
				line(b, "b", k.Plan.String())
			}
		}
	}
}

func line(b *strings.Builder, words ...string) {
	b.WriteString(strings.Join(words, " "))
	b.WriteByte('\n')
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Take adds what somebody found in a piece, and tells whether it could be read. What can't be leaves the piece lent.
func (h *SearchState) Take(piece, found string) (ok bool) {
	places := h.piece(piece)
	all, ok := h.reports(found)
	if !ok || len(all) != len(places) {
		return false
	}
	for k := range all {
		if all[k].place != places[k] {
			return false
		}
	}
	for k := range all {
		h.report(&all[k])
	}
	return true
}

// report is what was found in a division.
type report struct {
	place int
	division
	best []Price
}

// report adds what was found in a division to what is found.
func (h *SearchState) report(r *report) {
	d := h.divisions[r.place]
	h.forget(d)
	d.priced, d.refused, d.reasons = r.priced, r.refused, r.reasons
	for i := range r.best {
		h.keep(&r.best[i], d.at)
	}
	h.lent--
	h.tried++
}

// reports reads what Do writes.
func (h *SearchState) reports(found string) (all []report, ok bool) {
	for text := range strings.Lines(found) {
		words := strings.SplitN(strings.TrimSpace(text), " ", 4)
		if words[0] == "d" {
			all = append(all, report{})
		}
		if len(all) == 0 || !h.read(&all[len(all)-1], words) {
			return nil, false
		}
	}
	return all, true
}

// read reads a line of a report.
func (h *SearchState) read(r *report, words []string) (ok bool) {
	switch kind := words[0]; {
	case kind == "d" && len(words) == 4:
		var errs [3]error
		r.place, errs[0] = strconv.Atoi(words[1])
		r.priced, errs[1] = strconv.Atoi(words[2])
		r.refused, errs[2] = strconv.Atoi(words[3])
		return errs == [3]error{}
	case kind == "r" && len(words) == 4:
		plans, err := strconv.Atoi(words[1])
		excess, err2 := strconv.ParseFloat(words[2], 64)
		r.reasons = append(r.reasons, Reason{Plans: plans, Excess: excess, Binding: words[3]})
		return err == nil && err2 == nil
	case kind == "n" && len(r.reasons) > 0:
		plan, ok := h.plan(words[1:])
		var d draft
		h.estimateMemory(&d, plan.filled(), newLayout)
		r.reasons[len(r.reasons)-1].Nearest = d.Price
		return ok
	case kind == "b":
		plan, ok := h.plan(words[1:])
		r.best = append(r.best, h.Price(plan))
		return ok
	}
	return false
}

// plan is the plan that words say, and whether it is one.
func (h *SearchState) plan(words []string) (plan Plan, ok bool) {
	plan, err := ParsePlan(strings.Join(words, " "), int(h.devices))
	if err != nil || h.Legal(plan) != nil {
		return Plan{DP: int(h.devices)}, false
	}
	return plan, true
}
