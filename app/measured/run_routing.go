package measured

import (
	"fmt"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// routing reads how tokens reach their experts, by the names that Megatron Core has for it and those that rows use.
func (s Setup) routing() (training.Routing, error) {
	var said training.State
	for _, x := range []struct {
		word  string
		names []string
	}{
		{"dispatcher", []string{"dispatcher", "moe_flex_dispatcher_backend", "moe_token_dispatcher_type"}},
		{"capacity", []string{"capacity_factor", "moe_expert_capacity_factor"}},
	} {
		value := strings.ToLower(s.Text(x.names...))
		if x.word == "capacity" && strings.HasPrefix(value, "-") { // as software says that there is no limit
			value = ""
		}
		if _, err := said.Set(x.word, value); err != nil {
			name, _, _ := s.lookup(x.names)
			return said.Routing, fmt.Errorf("%s is %q: %v", name, value, err)
		}
	}
	if s.mentions("routing", "untrained") && s.mentions("routing", "padded to the busiest") {
		// hidden states of a model that hasn't learned are so alike that nearly all tokens choose the same experts
		said.Set("capacity", "all")
	}
	r := said.Routing
	r.Overlapped = s.mentions("overlap", "expert-parallel communication") ||
		s.Switch(false, "overlap_moe_expert_parallel_comm")
	if s.Has("moe_pad_expert_input_to_capacity") && !s.Switch(true, "moe_pad_expert_input_to_capacity") {
		r.Buffers = training.ExactBuffers
	}
	if r.Capacity > 0 && s.Has("sparse_matmul") && !s.Switch(true, "sparse_matmul") { // MaxText's dense matmuls
		r.Buffers = training.MaskedBuffers
	}
	if r.Capacity == 0 && s.mentions("model", "tokendrop") { // NVIDIA's recipes: apply_moe_token_drop
		r.Capacity = 1
	}
	return r, nil
}

// steady tells whether what a row measured is what its software reaches on the model that is estimated: neither of a
// run that its source calls a check of function, whose times aren't results, nor of a release that its source calls
// slower for a fault that it names, nor of a run whose steps see images, too, by encoders that nothing here estimates.
// Others make no interval.
func (s Setup) steady() bool {
	recipe := s.Text("recipe")
	return !s.mentions("purpose", "functional") && !s.Has("known_issue") && !strings.Contains(recipe, "_functional_") &&
		!strings.Contains(recipe, "_vl_")
}
