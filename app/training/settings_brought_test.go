package training

import (
	"slices"
	"strings"
	"testing"
)

// Scripts and files as people post them, of launchers and tools of six years.
func TestSettingsAsBrought(t *testing.T) {
	for _, c := range []struct {
		name, text string
		chips      int
		plan       string
		check      func(s *Settings) bool
	}{
		// 32 devices = 4 nodes of 8: TP 4 x PP 2 x CP 2 leave DP 2.
		{"NeMo 2 in Python", "trainer = nl.Trainer(devices=8, num_nodes=4, strategy=nl.MegatronStrategy(" +
			"tensor_model_parallel_size=4, pipeline_model_parallel_size=2, context_parallel_size=2))", 8,
			"dp=2 tp=4 pp=2 cp=2", func(s *Settings) bool { return s.Devices == 32 }},
		// Recipes of torchtune for several devices shard weights, too; states have the elements of the weights: 2 x 2
		// bytes.
		{"torchtune", "model:\n  _component_: torchtune.models.llama3_1.llama3_1_8b\ntokenizer:\n  " +
			"max_seq_len: 4096\n" +
			"batch_size: 2\ngradient_accumulation_steps: 8\noptimizer:\n  _component_: torch.optim.AdamW\n  fused: True\n" +
			"enable_activation_checkpointing: True\ndtype: bf16\n", 8, "dp=8 mbs=2 zero=3 recompute=block",
			func(s *Settings) bool { return s.Batch == 128 && s.Sequence == 4096 }},
		// 128 devices: FSDP over 4 and TP over 4 inside, so 8 replicas of shards of 4.
		{"MaxText, what the axes leave", "python3 MaxText/train.py MaxText/configs/base.yml ici_fsdp_parallelism=4 " +
			"ici_tensor_parallelism=4 per_device_batch_size=1 max_target_length=4096 remat_policy=full", 128,
			"dp=32 tp=4 mbs=4 zero=3 shard=4 recompute=block", func(s *Settings) bool { return s.Batch == 128 }},
		{"a pipeline of DeepSpeed", "torchrun --nnodes 1 --nproc-per-node 4 cli/train.py --max_seq_len 2048 " +
			"--pipe_parallel_size 4 --model_parallel_size 1", 8, "", func(s *Settings) bool {
			return s.Plan.PP == 4 && s.Plan.DP == 1 && s.Sequence == 2048 && s.Devices == 4
		}},
		{"flags of one letter", "torchrun --nproc_per_node 8 benchmark.py -b 64 -l 2048 --tp 4 --pp 2 -g", 8, "",
			func(s *Settings) bool {
				return s.Plan.TP == 4 && slices.Equal(s.Aside, []string{"-b", "-l", "-g"})
			}},
		{"a shell's own", "mkdir -p out\nset -x\nsrun -N 4 torchrun --nproc_per_node 8 train.py --tp 4 --pp 2", 8, "",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"variables that slow a run", "NCCL_P2P_DISABLE=1 NCCL_IB_DISABLE=0 torchrun --nproc_per_node 8 train.py " +
			"--per_device_train_batch_size 1 --gradient_accumulation_steps 8", 8, "", func(s *Settings) bool {
			return slices.Equal(s.Without, []string{"NCCL_P2P_DISABLE"})
		}},
		{"whom it trains", "base_model: Qwen/Qwen3-8B\nmicro_batch_size: 2\nsequence_len: 4096\nadapter: lora\n", 8, "",
			func(s *Settings) bool { return s.Model == "Qwen/Qwen3-8B" }},
	} {
		s, err := ReadFlags(c.text, c.chips)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.plan != "" {
			want, err := ParsePlan(c.plan, max(s.Devices, c.chips))
			if err != nil {
				t.Fatal(err)
			}
			if s.Plan.String() != want.String() {
				t.Errorf("%s: %s, want %s", c.name, s.Plan, want)
			}
		}
		if !c.check(&s) {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
	_, err := ReadFlags("distributed:\n  fsdp_type: full_shard\n  model_dtype: bf16\ndata:\n  batch_size: 4\n", 8)
	if err == nil || !strings.Contains(err.Error(), "Meta Lingua") {
		t.Errorf("another tool's: %v", err)
	}
}
