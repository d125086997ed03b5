package measured

import (
	"fmt"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// stateWidths reads in which format gradients, master weights and moments are, by Megatron Core's names for them.
func (s Setup) stateWidths(r *training.Recipe) error {
	for _, x := range []struct {
		name, word string
		set        func(bytes float64)
	}{
		{"main_grads_dtype", "grads", func(bytes float64) { r.Grad = bytes }},
		{"main_params_dtype", "master", func(bytes float64) { r.Master = bytes }},
		{"exp_avg_dtype", "moments", func(bytes float64) { r.Moments += bytes - 4 }},
		{"exp_avg_sq_dtype", "moments", func(bytes float64) { r.Moments += bytes - 4 }},
	} {
		if !s.Has(x.name) {
			continue
		}
		var said training.State
		if _, err := said.Set(x.word, strings.ToLower(s.Text(x.name))); err != nil {
			return fmt.Errorf("%s is %q; write fp32, bf16 or fp8", x.name, s.Text(x.name))
		}
		bytes := said.Grad + said.Master + said.Moment // one of them
		if bytes <= 0 {
			return fmt.Errorf("%s is %q; write fp32, bf16 or fp8", x.name, s.Text(x.name))
		}
		x.set(bytes)
	}
	return nil
}
