package training

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Settings in which something stood that was lost, or taken for something else.
func TestNothingOfSettingsIsLost(t *testing.T) {
	without := func(names ...string) func(s *Settings) bool {
		return func(s *Settings) bool {
			for _, n := range names {
				if !slices.Contains(s.Without, n) {
					return false
				}
			}
			return true
		}
	}
	for _, c := range []struct {
		name, text string
		chips      int
		plan       string
		check      func(s *Settings) bool
	}{
		{"what DeepSpeed’s file leaves to the program", `{"train_batch_size": "auto", "gradient_accumulation_steps": "auto",
			"train_micro_batch_size_per_gpu": "auto", "zero_optimization": {"stage": 1}}`, 8, "dp=8 zero=1",
			func(s *Settings) bool { return len(s.Open) == 3 }},
		{"which the program’s flags say", `deepspeed train.py --deepspeed ds.json --per_device_train_batch_size 2 ` +
			"--gradient_accumulation_steps 4\n" + `{"train_micro_batch_size_per_gpu": "auto",
			"gradient_accumulation_steps": "auto", "zero_optimization": {"stage": 2}}`, 8, "dp=8 mbs=2 zero=2",
			func(s *Settings) bool { return len(s.Open) == 0 && s.Batch == 2*4*8 }},
		{"a launcher’s file before the program", "accelerate launch --config_file a/deepspeed_zero3.yaml " +
			"trl/scripts/dpo.py --per_device_train_batch_size 2 --gradient_accumulation_steps " +
			"8", 8, "dp=8 mbs=2 zero=3",
			func(s *Settings) bool { return s.State.stageOf == "a/deepspeed_zero3.yaml" && without("trl dpo")(s) }},
		{"preferences in Python", "args = DPOConfig(per_device_train_batch_size=1, gradient_accumulation_steps=4)", 8,
			"dp=8 zero=0", without("trl dpo")},
		{"TorchTitan’s file, not here", `CONFIG_FILE="./llama3_8b.toml" ./run_train.sh --training.local_batch_size=4 ` +
			"--parallelism.tensor_parallel_degree=2", 8, "", func(s *Settings) bool {
			return s.Model == "llama3_8b" && without("config_file ./llama3_8b.toml")(s)
		}},
		{"a recipe of Megatron Bridge", "from megatron.bridge.recipes.qwen import qwen3_30b_a3b_pretrain_config\n" +
			"cfg = qwen3_30b_a3b_pretrain_config()\ncfg.model.tensor_model_parallel_size = 2\n" +
			"cfg.train.global_batch_size = 64", 8, "", func(s *Settings) bool {
			return s.Model == "qwen3_30b_a3b_pretrain_config()" && s.Batch == 64
		}},
		{"precision that a function makes", "recipe.trainer.strategy.tensor_model_parallel_size = 4\n" +
			"recipe.trainer.plugins = bf16_with_fp8_mixed()\nrecipe.trainer.strategy.ddp.grad_reduce_in_fp32 = False\n" +
			"recipe = llm.llama3_8b.pretrain_recipe(num_nodes=2, num_gpus_per_node=8)", 8, "dp=4 tp=4 zero=1",
			func(s *Settings) bool { return s.State.Compute == "fp8" && s.State.Grad == 2 && s.Devices == 16 }},
		{"a recipe of fp8 by its name", "cfg.model.tensor_model_parallel_size = 2\n" +
			`cfg.mixed_precision = "bf16_with_fp8_current_scaling_mixed"`, 8, "",
			func(s *Settings) bool { return s.State.Compute == "fp8" && len(s.Without) == 0 }},
		{"the precision that a device has", "args = TrainingArguments(per_device_train_batch_size=2, " +
			"bf16=is_bf16_supported(),\n    fp16=not is_bf16_supported(), gradient_accumulation_steps=4)", 1,
			"dp=1 mbs=2 zero=0",
			func(s *Settings) bool { return s.Batch == 8 }},
		// Megatron-LM refuses narrow moments without the distributed optimizer (megatron/training/arguments.py)
		{"a command that a variable holds", "gpus=8\ncmd=\"torchrun --nproc-per-node ${gpus} pretrain_gpt.py " +
			"--tensor-model-parallel-size 4 --micro-batch-size 2 --global-batch-size 32 --sequence-parallel\"\n" +
			"eval $cmd\n", 1, "dp=2 tp=4 mbs=2 zero=0",
			func(s *Settings) bool { return s.Devices == 8 && s.Batch == 32 }},
		{"copies of what each machine shards", "accelerate launch --use_fsdp --fsdp_sharding_strategy HYBRID_SHARD " +
			"--num_machines 4 --num_processes 32 train.py --per_device_train_batch_size 2", 8,
			"dp=32 mbs=2 zero=3 shard=8", nil},
		{"a flag and its file that say two numbers",
			"deepspeed --num_gpus 8 train.py --gradient_accumulation_steps 8 " +
				"--per_device_train_batch_size 2\n{\"gradient_accumulation_steps\": 4, " +
				"\"zero_optimization\": {\"stage\": 2}}",
			8, "dp=8 mbs=2 zero=2", func(s *Settings) bool {
				return slices.Contains(s.Aside, "gradient_accumulation_steps (8, 4)")
			}},
		{"moments that are sharded", "--tensor-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 8 " +
			"--bf16 --sequence-parallel --use-precision-aware-optimizer", 8, "dp=4 tp=2 zero=1", nil},
		{"a mesh of accelerate",
			"pc = ParallelismConfig(dp_shard_size=2, dp_replicate_size=2, cp_size=1, tp_size=2)\n" +
				"Accelerator(parallelism_config=pc, fsdp_plugin=FullyShardedDataParallelPlugin(fsdp_version=2))", 8,
			"dp=4 tp=2 zero=3 shard=2", func(s *Settings) bool { return len(s.Aside)+len(s.Without) == 0 }},
		{"a batch shorter than its sequence", "global_batch_size=1024\nmax_sequence_length=4096\n" +
			"rank_microbatch_size=8192\ndp_config=TransformerDataParallelConfig(name=DataParallelType.fsdp)", 8, "",
			func(s *Settings) bool { return slices.Contains(s.Aside, "batch 1024 (sequence 4096?)") }},
		{"all forward, all backward", "parallelism:\n  dp: 2\n  pp: 4\n  tp: 1\n  pp_engine: afab\ntokens:\n" +
			"  micro_batch_size: 1\n  batch_accumulation_per_replica: 8\n", 8, "dp=2 pp=4 zero=0 schedule=gpipe", nil},
		// 4 devices, two of which share a sequence: 1 x 4 x 2 sequences.
		{"sequences over devices, ms-swift", "NPROC_PER_NODE=4 swift sft --model Qwen/Qwen2.5-7B --train_type lora " +
			"--per_device_train_batch_size 1 --gradient_accumulation_steps 4 --sequence_parallel_size 2", 4, "",
			func(s *Settings) bool {
				return s.Plan.CP == 2 && s.Plan.DP == 2 && s.Batch == 8 && s.Plan.Context == UlyssesContext
			}},
		{"sequences over devices, DeepSpeed", `{"sequence_parallel_size": 4, "train_micro_batch_size_per_gpu": 1,
			"zero_optimization": {"stage": 3}}`, 8, "dp=2 cp=4 zero=3 context=ulysses", nil},
		{"sequences over devices, Megatron-DeepSpeed", "--ds-sequence-parallel-size 4 --micro-batch-size 1 --zero-stage 3 " +
			"--tensor-model-parallel-size 2 --global-batch-size 8 --cpu-optimizer", 32, "", func(s *Settings) bool {
			return s.Plan.CP == 4 && s.Plan.DP == 4 && s.State.Host.State && s.Plan.Zero == 3
		}},
		{"a strategy of Lightning in Python", `strategy = FSDPStrategy(auto_wrap_policy={Block}, ` +
			`activation_checkpointing_policy={Block}, sharding_strategy="SHARD_GRAD_OP", cpu_offload=True)` + "\n" +
			`trainer = L.Trainer(devices=4, num_nodes=2, strategy=strategy, precision="bf16-mixed")`, 8,
			"dp=8 zero=2 recompute=block", func(s *Settings) bool {
				return s.State.Host.Weights && len(s.Without) == 0
			}},
		{"an optimizer in Python", "model = Net()\noptimizer = bnb.optim.AdamW8bit(model.parameters(), lr=1e-4)\n" +
			"args = TrainingArguments(per_device_train_batch_size=1)", 8, "",
			func(s *Settings) bool { return s.State.Optimizer == "bnb.optim.adamw8bit" }},
		{"two ways to recompute", `args = TrainingArguments(per_device_train_batch_size=1, gradient_checkpointing=True,
    fsdp="full_shard", fsdp_config={"activation_checkpointing": False})`, 8, "dp=8 zero=3 recompute=block", nil},
		{"arguments behind a list", `config = LoraConfig(r=16, modules_to_save=["lm_head"], use_dora=True,` + "\n" +
			`  target_modules=["q_proj"], layers_to_transform=list(range(16)))`, 8, "",
			without("use_dora", "layers_to_transform list")},
		{"a list in quotes is one value", `--per_device_train_batch_size 1 --bf16 --optim apollo_adamw ` +
			`--optim_args "rank=1,proj=random" --gradient_accumulation_steps 2`, 8, "",
			func(s *Settings) bool {
				return s.State.Learn == "" && len(s.Aside) == 0 && without("optim apollo_adamw")(s) ||
					without("--optim apollo_adamw")(s) && s.State.Learn == ""
			}},
		{"Unsloth", `get_peft_model(model, r = 32, use_gradient_checkpointing = "unsloth")` + "\nload_in_8bit = True", 1, "",
			func(s *Settings) bool { return s.State.Table == 2 && s.State.Host.Kept }},
		{"FSDP in Python", "model = FSDP(model, sharding_strategy=ShardingStrategy.HYBRID_SHARD,\n" +
			"  cpu_offload=CPUOffload(offload_params=False), mixed_precision=MixedPrecision(param_dtype=torch.bfloat16))", 32,
			"dp=32 zero=3", func(s *Settings) bool { return s.State.Hybrid && !s.State.Host.State && len(s.Without) == 0 }},
		{"shards of a kind that isn’t known", `--per_device_train_batch_size 1 --bf16 --fsdp "half_shard"`, 8, "",
			without("fsdp half_shard")},
		{"nanotron without copies in full width", "parallelism:\n  dp: 2\n  pp: 1\n  tp: 4\n  tp_mode: " +
			"ALL_REDUCE\ntokens:\n" +
			"  micro_batch_size: 1\n  batch_accumulation_per_replica: 8\noptimizer:\n  accumulate_grad_in_fp32: false\n", 8,
			"", func(s *Settings) bool {
				return s.State.Kind == "pure" && s.State.NormsWhole
			}},
		{"Megatron-LM with norms of all tokens on each rank", "--tensor-model-parallel-size 4 --micro-batch-size 1", 8, "",
			func(s *Settings) bool { return s.State.NormsWhole }},
		{"and shared among them", "--tensor-model-parallel-size 4 --micro-batch-size 1 --sequence-parallel", 8, "",
			func(s *Settings) bool { return !s.State.NormsWhole }},
		{"what a script adds on a condition", "ARGS=\"--tensor-model-parallel-size 2 --sequence-parallel\"\n" +
			"if [ \"$FP8\" = 1 ]; then\n  ARGS=\"$ARGS --fp8-format hybrid\"\nfi\npython pretrain_gpt.py $ARGS --bf16", 8, "",
			func(s *Settings) bool {
				return slices.Equal(s.Aside, []string{"--fp8-format hybrid (if \"$FP8\" = 1)"})
			}},
		{"whole numbers", "ici_fsdp_parallelism=8 quantization=int8 remat_policy=save_qkv_proj per_device_batch_size=1", 8,
			"", func(s *Settings) bool {
				return s.State.Compute == "fp8" && s.State.Whole && without("remat_policy save_qkv_proj")(s)
			}},
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
		if c.check != nil && !c.check(&s) {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
	for _, text := range []string{"vllm serve meta-llama/Llama-3.1-8B --tensor-parallel-size 4 --max-model-len 32768",
		"python -m sglang.launch_server --model-path x --tp 8"} {
		if s, err := ReadFlags(text, 8); err == nil {
			t.Errorf("%s: read as %s of %s", text, s.Plan, s.Tool)
		} else if strings.Contains(err.Error(), "none of these") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FSDP with SHARD_GRAD_OP keeps all weights in 16 bits from the forward pass to the backward, and a shard in 32 bits,
// which may wait in the host’s memory: of a model of 8,030,261,248 parameters on 8 devices 8 x 2 bytes and 8 x 4 / 8.
func TestWholeWeightsBesideShards(t *testing.T) {
	const weights = 8030261248
	for _, c := range []struct {
		offload string
		want    float64
	}{{"", 2*weights + 4*weights/8}, {" offload", 2 * weights}} {
		s, _, p := said(t, `--per_device_train_batch_size 1 --bf16 --torch_dtype float32 --max_length 2048 `+
			`--fsdp "shard_grad_op auto_wrap`+c.offload+`"`, "llama3.8b", "gpu.h100", 8)
		e := p.Estimate(s.Plan)
		if math.Abs(e.Memory.Weights-c.want) > 1e6 || e.Memory.Gathered > 0 {
			t.Errorf("%q: weights %.4g and %.4g gathered, want %.4g", c.offload, e.Memory.Weights, e.Memory.Gathered, c.want)
		}
	}
}

// Outside of matmuls a layer keeps the inputs of two norms and what they give to attention and the MLP: four times two
// bytes for each element of the width (Korthikanti et al. 2022 have two more, for masks of dropout, which Llama has
// not). Only sequence parallelism divides them among 8 ranks of tensor parallelism: without it Llama 3.1 8B keeps 8 x
// (1 - 1/8) x 4,096 x 8,192 tokens x 32 layers more.
func TestNormsOfAllTokensAreKept(t *testing.T) {
	const text = "--tensor-model-parallel-size 8 --micro-batch-size 1 --global-batch-size 8 --seq-length 8192 --bf16"
	f, _, whole := said(t, text, "llama3.8b", "gpu.h100", 8)
	_, _, split := said(t, text+" --sequence-parallel", "llama3.8b", "gpu.h100", 8)
	got := whole.Estimate(f.Plan).Memory.Activations - split.Estimate(f.Plan).Memory.Activations
	near(t, "norms of all tokens", got, 8*(1-1./8)*4096*8192*32, 1e-9)
}
