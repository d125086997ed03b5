//go:build !lean

package training

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed support.tsv
var supportTable string // stack, part of a plan, the words that it can be, source

// support is what a software stack can run: a bit for each schedule, way of context parallelism, stage of ZeRO and
// module that may be recomputed. A stack that the table doesn't know can run all.
type support struct {
	schedules, contexts, zeros uint16
	recompute                  Recompute
	offload                    bool // inputs of layers may wait in the host's memory
}

func supportOf(stack *Stack) support {
	const all = 1<<16 - 1
	s := support{all, all, all, RecomputeBlock - 1, true}
	for _, scope := range stack.scopes() {
		for line := range strings.Lines(supportTable) {
			cells := strings.Split(line, "\t")
			if len(cells) < 3 || cells[0] != scope {
				continue
			}
			s.clear(cells[1]) // a version's own line replaces that of the stack that it is like
			for _, word := range strings.Fields(cells[2]) {
				s.add(cells[1], word)
			}
		}
	}
	return s
}

// clear takes all words of a part away.
func (s *support) clear(part string) {
	switch part {
	case "schedule":
		s.schedules = 0
	case "context":
		s.contexts = 0
	case "zero":
		s.zeros = 0
	case "recompute":
		s.recompute, s.offload = 0, false
	}
}

// add adds a word of the table.
func (s *support) add(part, word string) {
	switch part {
	case "schedule":
		n, _ := ParseSchedule(word)
		s.schedules |= 1 << n
	case "context":
		n, _ := ParseContext(word)
		s.contexts |= 1 << n
	case "zero":
		n, _ := strconv.Atoi(word)
		s.zeros |= 1 << n
	case "recompute":
		switch r, _ := ParseRecompute(word); {
		case r < RecomputeBlock:
			s.recompute |= r
		case r == RecomputeOffload:
			s.offload = true
		}
	}
}

// Lacks is the part of a plan that the software can't run, as people write it; empty if it can run all. Megatron-LM
// computes activation functions again only of experts, or with the MLP.
func (p *Pricer) Lacks(plan *Plan) string {
	s := &p.can
	switch r := plan.Recompute; {
	case plan.PP > 1 && s.schedules>>plan.Schedule&1 == 0:
		return "schedule=" + plan.Schedule.String()
	case plan.CP > 1 && s.contexts>>plan.Context&1 == 0:
		return "context=" + plan.Context.String()
	case s.zeros>>plan.Zero&1 == 0:
		return "zero=" + strconv.Itoa(plan.Zero)
	case r == RecomputeOffload && !s.offload, r < RecomputeBlock && r&^s.recompute != 0, p.aloneAct(r):
		return "recompute=" + r.String()
	}
	return ""
}

// aloneAct tells whether activation functions of dense MLPs are to be computed again alone, for which Megatron-LM has
// no module.
func (p *Pricer) aloneAct(r Recompute) bool {
	return p.job.Stack.Family == "megatron" && r < RecomputeBlock && !r.has(RecomputeSome) && r.has(RecomputeActivations) &&
		!r.has(RecomputeMLP) &&
		p.shape.experts == 0
}

// Zeros tells whether the software has a stage of ZeRO.
func (s *Stack) Zeros(stage int) bool { return supportOf(s).zeros>>stage&1 == 1 }

// Recomputes tells whether the software can compute so many modules again.
func (s *Stack) Recomputes(r Recompute) bool { return r&^supportOf(s).recompute == 0 }

// Schedules tells whether the software can run a schedule.
func (s *Stack) Schedules(by Schedule) bool { return supportOf(s).schedules>>by&1 == 1 }
