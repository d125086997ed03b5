package measured

import (
	"fmt"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// nemo tells whether a row is of NeMo or Megatron-Bridge, whose recipes in 8 bits keep weights of layers in these alone
// (fp8_params, fp8_param_gather), as NVIDIA's scripts for MLPerf do.
func (s Setup) nemo() bool {
	return s.mentions("software", "nemo") || s.mentions("software", "megatron-bridge") || s.benchmark() ||
		s.mentions("source", "nvidia/nemo") || s.mentions("source", "mlcommons/training_results") ||
		s.mentions("source", "dgxc-benchmarking")
}

// stateWidths reads in which format gradients, master weights and moments are, by Megatron Core's names for them.
func (s Setup) stateWidths(r *training.Recipe) error {
	if s.Switch(s.nemo(), "fp8_param_gather", "fp8_params", "fp8_param") {
		r.Narrow()
	}
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

// stateSaid is the state of an optimizer or a software that keeps it in its own formats: of Adam in 8 bits, and of
// MS-AMP, whose third level is the one that shards it, as Megatron-LM does unless a row says that nothing is sharded.
func (s Setup) stateSaid() (said training.State) {
	adam := strings.NewReplacer("-", "", " ", "").Replace(strings.ToLower(s.Text("optimizer")))
	if strings.Contains(adam, "8bitadam") || strings.Contains(adam, "adam8bit") {
		said.Optimizer = "adamw8bitbnb"
	} else if o, is := training.OptimizerNamed(s.Text("optimizer")); is && o.ID != "adamw" && o.ID != "adamwtorch" {
		said.Optimizer = o.ID
	}
	// KempnerForge's build_parallel_model casts all to bf16, and its head has output_layouts=Replicate; FSDP2 adds up in
	// fp32.
	if s.mentions("software", "kempnerforge") {
		said.Kind, said.Loss, said.WholeLogits = "pure", "bf16", true
		if s.Switch(false, "no_sync") && s.above("fsdp") {
			said.Grad = 4
		}
	}
	if s.mentions("precision", "ms-amp") || s.mentions("software", "ms-amp") {
		said.Kind = "ms-amp-o3"
		if zero, err := s.zero(); err == nil && zero == 0 && s.Has("zero") {
			said.Kind = "ms-amp-o2"
		}
	}
	return said
}
