package training

import (
	"fmt"
	"strings"
	"testing"
)

// targetsText names the matrices that have adapters.
func targetsText(set Target) string {
	if all, _ := targetNamed("all"); set == all {
		return "all"
	}
	var names []string
	for i, n := range targetNames {
		if set&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, "+")
}

// What a tool takes where nothing says it, by its own sources: TorchTitan’s config/job_config.py; MaxText’s
// configs/base.yml; transformers’ TrainingArguments and PEFT’s LoraConfig, which has queries and values for Llama;
// accelerate’s utils/dataclasses.py; axolotl’s utils/schemas; LLaMA-Factory’s hparams; torchtune’s lora_llama3;
// GPT-NeoX’s configs/neox_arguments.md. Tables outside layers stay as they are loaded: transformers’ prepare_model_for_
// kbit_training makes them fp32, axolotl and LLaMA-Factory leave them in bf16.
func TestUsualSettings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"--parallelism.tensor_parallel_degree=2 --metrics.log_freq=1",
			"torchtitan dp=4 tp=2 mbs=8 zero=3 recompute=some, 32 x 2048, fsdp"},
		{"ici_tensor_parallelism=2 base_output_directory=x",
			"maxtext dp=4 tp=2 mbs=24 zero=3 recompute=block, 96 x 2048, xla"},
		{"--tensor-model-parallel-size 2 --seq-length 512", "megatron dp=4 tp=2 zero=0, 0 x 512, megatron"},
		{"trainer.strategy.tensor_model_parallel_size=2 trainer.devices=8 data.seq_length=512",
			"nemo dp=4 tp=2 zero=1, 0 x 512, megatron"},
		{"--learning_rate 1e-5 --bf16 --optim adamw_torch",
			"trainer dp=8 mbs=8 zero=0, 64 x 0, kind loaded, transformers"},
		{"--use_peft --bf16 --optim adamw_torch",
			"trainer dp=8 mbs=8 zero=0, 64 x 0, kind loaded, lora of 8 q+v, table 4, transformers"},
		{"distributed_type: MULTI_GPU\nmixed_precision: bf16\nnum_machines: 1\nload_in_4bit: true\n",
			"accelerate dp=8 zero=0, 0 x 0, kind loaded, lora, 4 bits, table 4, transformers"},
		{`{"zero_optimization": {"stage": 2}, "bf16": {"enabled": true}, "train_micro_batch_size_per_gpu": 2}`,
			"deepspeed dp=8 mbs=2 zero=2, 16 x 0, kind mixed, transformers"},
		{"base_model: x\nadapter: qlora\nlora_target_linear: true\nval_set_size: 0\nflash_attention: " +
			"true\nbf16: auto\n",
			"axolotl dp=8 zero=0, 8 x 512, kind loaded, lora of 8 all, 4 bits, double, table 2, transformers"},
		{"finetuning_type: full\nenable_liger_kernel: false\nbf16: true\n",
			"llamafactory dp=8 mbs=8 zero=0 recompute=block, 64 x 2048, kind amp, transformers"},
		{"template: llama3\ncutoff_len: 512\nbf16: true\n",
			"llamafactory dp=8 mbs=8 zero=0 recompute=block, 64 x 512, kind amp, lora of 8 all, table 2, transformers"},
		{"template: llama3\nquantization_bit: 4\nbf16: true\n",
			"llamafactory dp=8 mbs=8 zero=0 recompute=block, 64 x 2048, kind amp, lora of 8 all, 4 bits, double, " +
				"table 2, transformers"},
		{"model:\n  _component_: torchtune.models.llama3.qlora_llama3_8b\n  lora_attn_modules: " +
			"['q_proj']\nbatch_size: 2\n" +
			"tokenizer:\n  max_seq_len: 512\n",
			"torchtune dp=8 mbs=2 zero=3, 0 x 512, kind loaded, lora of 8 q, 4 bits, double, fsdp"},
		{"parallelism:\n  tp: 2\n  dp: 4\n  pp: 1\ntokens:\n  micro_batch_size: 2\n  sequence_length: 512\n",
			"nanotron dp=4 tp=2 mbs=2 zero=0, 0 x 512, nanotron"},
		{"pos_emb: rotary\nno_weight_tying: true\ngpt_j_residual: false\nmodel_parallel_size: 2\n" +
			"train_micro_batch_size_per_gpu: 2\n",
			"neox dp=4 tp=2 mbs=2 zero=0, 8 x 2048, kind mixed, unfused, deepspeed"},
	} {
		f, err := ReadFlags(c.text, 8)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		s := f.State
		got := fmt.Sprintf("%s %s, %d x %d", f.Tool, f.Plan, f.Batch, f.Sequence)
		for _, x := range []struct {
			said bool
			text string
		}{
			{s.Kind != "", "kind " + s.Kind},
			{s.Learn != "" && s.Targets == 0, s.Learn},
			{s.Learn != "" && s.Targets != 0, fmt.Sprintf("%s of %v %s", s.Learn, s.Rank, targetsText(s.Targets))},
			{s.Bits != 0, fmt.Sprintf("%d bits", s.Bits)},
			{s.Double && s.Bits != 0, "double"},
			{s.Table != 0 && s.Learn != "", fmt.Sprintf("table %v", s.Table)},
			{s.Unfused, "unfused"},
			{true, SoftwareOf(f.Tool, "gpu.h100")},
		} {
			if x.said {
				got += ", " + x.text
			}
		}
		if got != c.want {
			t.Errorf("%q:\n  is   %s\n  want %s", c.text, got, c.want)
		}
	}
}
