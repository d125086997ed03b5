package training

import (
	"strconv"
	"strings"
)

// Words is what is said of the state, in the words that Set reads, and for the rest in those of settings.
func (s *State) Words() string {
	var all []string
	say := func(wanted bool, name, value string) {
		if wanted && value != "" {
			all = append(all, name+"="+value)
		}
	}
	say(true, "state", s.Kind)
	for _, x := range []Named{{"weights", &s.Weight}, {"grads", &s.Grad}, {"accum", &s.Accum}, {"master", &s.Master},
		{"moments", &s.Moment}} {
		if n := *x.Value; n != 0 {
			say(true, x.Name, pick(n < 0, "none", strconv.FormatFloat(8*n, 'g', -1, 64)+"bit"))
		}
	}
	say(true, "compute", s.Compute)
	o, _ := OptimizerNamed(s.Optimizer)
	say(s.Optimizer != "", "optimizer", o.ID)
	lora := s.Learn == "lora"
	say(true, "learn", s.Learn)
	say(lora && s.Rank > 0, "rank", strconv.FormatFloat(s.Rank, 'g', -1, 64))
	say(lora, "targets", s.Targets.words())
	say(true, "saved", s.Saved.words())
	say(s.Bits > 0, "bits", strconv.Itoa(s.Bits))
	say(s.Layers > 0, "layers", strconv.Itoa(s.Layers))
	say(s.Unfused, "attention", "unfused")
	say(s.Attention == FP8, "attention", "fp8")
	say(s.NormsWhole, "norms", "whole")
	s.Routing.words(say)
	say(true, "loss", s.Loss)
	say(s.WholeLogits, "logits", "whole")
	say(s.Further > 0, "mtp", strconv.Itoa(int(s.Further)))
	say(s.InBackward, "update", "backward")
	var host []string
	for _, x := range []struct {
		there bool
		what  string
	}{{s.Host.State, "optimizer"}, {s.Host.Weights, "weights"}, {s.Host.Kept, "activations"}} {
		if x.there {
			host = append(host, x.what)
		}
	}
	say(true, "offload", strings.Join(host, "+"))
	return strings.Join(all, " ")
}

// words are the matrices of a set.
func (t Target) words() string {
	if all, _ := targetNamed("all"); t != 0 && t == all {
		return "all"
	}
	var names []string
	for i, n := range targetNames {
		if t&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, "+")
}
