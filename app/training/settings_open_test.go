package training

import (
	"slices"
	"testing"
)

// Values of YAML that name others, in NeMo's words: the batch is 1 x floor((8 x 4) / (4 x 2)) = 4 by what they say.
func TestSettingsThatNameOthers(t *testing.T) {
	const each = "${multiply:${.tensor_model_parallel_size},${model.pipeline_model_parallel_size}}"
	const text = `
trainer:
  devices: ${oc.decode:${oc.env:DGXNGPU,8}}
  num_nodes: ${oc.env:DGXNNODES,4}
model:
  tensor_model_parallel_size: ${oc.env:TP,4}
  pipeline_model_parallel_size: ${oc.decode:${oc.env:PP,2}}
  global_batch_size: ${floor_div:${multiply:${trainer.devices},${trainer.num_nodes}},` + each + `}
  micro_batch_size: ${..mbs}
  encoder_seq_length: ${multiply:2,${.half}}
  half: 4096
mbs: 2
`
	s, err := ReadFlags(text, 1)
	if p := s.Plan; err != nil || p.TP != 4 || p.PP != 2 || p.DP != 4 || p.Micro != 2 || s.Devices != 32 ||
		s.Batch != 4 ||
		s.Sequence != 8192 || len(s.Open) > 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// What names a variable that nothing sets is told with what is taken in its place, wherever the reference leads.
func TestSettingsThatAreLeftOpen(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, 4096)
	for _, c := range []struct {
		text string
		want []string
	}{
		{"torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size $TP " +
			"--pipeline-model-parallel-size 2 --micro-batch-size ${MBS} --global-batch-size ${GBS} --seq-length 2048",
			[]string{"--tensor-model-parallel-size $TP (tp=1)", "--micro-batch-size ${MBS} (micro=1)",
				"--global-batch-size ${GBS} (batch=64)"}},
		{"TP=$1\nPP=2\npretrain_gpt.py --tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP --lr $LR",
			[]string{"--tensor-model-parallel-size $1 (tp=1)"}},
		{"model:\n  tensor_model_parallel_size: ${oc.env:TP}\n  pipeline_model_parallel_size: ${.pp}\n",
			[]string{"model.tensor_model_parallel_size ${oc.env:TP} (tp=1)",
				"model.pipeline_model_parallel_size ${.pp} (pp=1)"}},
		{"TP=4\npretrain_gpt.py --tensor-model-parallel-size $TP --pipeline-model-parallel-size ${PP:-2}", nil},
	} {
		s, err := ReadFlags(c.text, 8)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		with := j.With(&s)
		if got := s.LeftOpen(&with); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q, want\n%q", c.text, got, c.want)
		}
	}
}
