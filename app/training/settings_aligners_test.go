package training

import (
	"fmt"
	"strings"
	"testing"
)

// Runs of tools for reinforcement learning, of research code and of scripts in Python: the plan, sequences of a step
// and their tokens, bytes of a weight with its state, and what is named as not estimated.
func TestSettingsOfAlignersAndScripts(t *testing.T) {
	const ppo = "python3 -m verl.trainer.main_ppo data.train_batch_size=256 data.max_prompt_length=512 " +
		"data.max_response_length=1536 actor_rollout_ref.actor.ppo_mini_batch_size=64 " +
		"actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 " +
		"actor_rollout_ref.model.enable_gradient_checkpointing=True actor_rollout_ref.rollout.n=5 " +
		"actor_rollout_ref.rollout.tensor_model_parallel_size=2 actor_rollout_ref.ref.fsdp_config.param_offload=True " +
		"trainer.n_gpus_per_node=8 trainer.nnodes=2"
	const recipe = "def configure(num_nodes: int = 4, num_gpus_per_node: int = 8):\n    recipe = " +
		"llm.llama3_8b.pretrain_recipe(num_nodes=num_nodes, num_gpus_per_node=num_gpus_per_node)\n" +
		"    recipe.trainer.strategy.tensor_model_parallel_size = 2\n    recipe.data.global_batch_size = 4 * 32\n" +
		"    recipe.data.micro_batch_size = 1\n    recipe.data.seq_length = 8192\n"
	const wrapped = "batch_size = 2\ngrad_accum_steps = 8\nmax_length = 4096\n" +
		`mesh = init_device_mesh("cuda", (2, 8), mesh_dim_names=("replicate", "shard"))` + "\n" +
		"model = AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.float32)\n" +
		"model.gradient_checkpointing_enable()\nfor layer in model.model.layers:\n" +
		"    fully_shard(layer, mesh=mesh, mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))\n"
	const titan = "[training]\nlocal_batch_size = 4\nseq_len = 4096\n[parallelism]\ntensor_parallel_degree = 2\n" +
		"pipeline_parallel_degree = 2\npipeline_parallel_microbatch_size = 1\n[activation_checkpoint]\n" +
		"mode = \"full\"\n"
	const olmo = "SEQUENCE_LENGTH = 4096\nGLOBAL_BATCH_SIZE = 1024 * 4096\nconfig = TransformerTrainModuleConfig(\n" +
		"    rank_microbatch_size=2 * 4096,\n    max_sequence_length=SEQUENCE_LENGTH,\n    dp_config=" +
		"TransformerDataParallelConfig(\n        name=DataParallelType.hsdp, param_dtype=DType.bfloat16,\n" +
		"        num_replicas=8,\n    ),\n    ac_config=TransformerActivationCheckpointingConfig(\n" +
		"        mode=TransformerActivationCheckpointingMode.full),\n" +
		")\nloader = NumpyDataLoaderConfig(global_batch_size=GLOBAL_BATCH_SIZE)\n"
	for _, c := range []struct {
		tool, text, plan       string
		chips, batch, sequence int
		state                  float64 // bytes that a rank's shards of a weight take, if nothing were sharded
		stated                 string
	}{
		// 64 prompts with 5 answers each; weights, gradients and two moments in fp32
		{"verl", ppo, "dp=16 mbs=4 zero=3 recompute=block", 8, 320, 2048, 16, "rollout.tensor_model_parallel_size 2"},
		{"openrlhf", "deepspeed --module openrlhf.cli.train_sft --max_len 4096 --train_batch_size 256 " +
			"--micro_train_batch_size 2 --zero_stage 3 --bf16 --flash_attn --gradient_checkpointing --adam_offload",
			"dp=8 mbs=2 zero=3 recompute=block", 8, 256, 4096, 0, ""},
		{"levanter", "model:\n  type: llama\n  seq_len: 4096\n  gradient_checkpointing: true\ntrainer:\n  mp: " +
			"p=f32,c=bfloat16\n  train_batch_size: 1024\n  per_device_parallelism: 4\n  num_train_steps: 10000\n",
			"dp=64 mbs=4 zero=3 recompute=block", 64, 1024, 4096, 16, ""},
		{"levanter", "model:\n  seq_len: 4096\ntrainer:\n  train_batch_size: 128\n  per_device_parallelism: -1\n" +
			"  num_train_steps: 10\n  model_axis_size: 2\n", "dp=32 tp=2 mbs=4 zero=3 recompute=block", 64, 128, 4096,
			16, ""},
		{"llmfoundry", "max_seq_len: 2048\nglobal_train_batch_size: 1024\ndevice_train_microbatch_size: 8\n" +
			"precision: amp_bf16\nfsdp_config:\n  sharding_strategy: FULL_SHARD\n  mixed_precision: PURE\n" +
			"  activation_checkpointing: true\n", "dp=16 mbs=8 zero=3 recompute=block", 16, 1024, 2048, 16, ""},
		{"olmo", "global_train_batch_size: 1024\ndevice_train_microbatch_size: 2\nprecision: amp_bf16\nfsdp:\n  " +
			"wrapping_strategy: by_block_and_size\n  precision: mixed\nmodel:\n  max_sequence_length: 4096\n",
			"dp=64 mbs=2 zero=3", 64, 1024, 4096, 16, ""},
		{"olmo", olmo, "dp=64 mbs=2 zero=3 shard=8 recompute=block", 64, 1024, 4096, 16, ""},
		{"colossal", "plugin = HybridParallelPlugin(tp_size=4, pp_size=2, microbatch_size=1, zero_stage=1,\n" +
			"    enable_sequence_parallelism=True, precision=\"bf16\")\nmodel.gradient_checkpointing_enable()\n" +
			"batch_size = 16\nmax_length = 4096\n", "dp=4 tp=4 pp=2 mbs=1 zero=1 recompute=block", 32, 64, 4096, 0, ""},
		{"nemo", recipe, "dp=16 tp=2 mbs=1 zero=1", 8, 128, 8192, 0, ""},
		{"accelerate", wrapped, "dp=16 mbs=2 zero=3 shard=8 recompute=block", 16, 256, 4096, 16, ""},
		{"olmo", "global_train_batch_size: 2048\ndevice_train_microbatch_size: 2\nprecision: amp_bf16\nmodel:\n  " +
			"max_sequence_length: 2048\noptimizer:\n  name: adamw\nscheduler:\n  name: cosine\nfsdp:\n  precision: " +
			"mixed\nactivation_checkpointing: whole_layer\n", "dp=64 mbs=2 zero=3 recompute=block", 64, 2048, 2048,
			16, ""},
		{"nemo", "    num_nodes: int = 4,\n    num_gpus_per_node: int = 8,\n    trainer(\n" +
			"        tensor_parallelism=2,\n        context_parallelism=2,\n        num_nodes=num_nodes,\n    " +
			"),\n    data=run.Config(Data, seq_length=8192, global_batch_size=512, " +
			"micro_batch_size=1),\n", "dp=8 tp=2 cp=2 mbs=1 zero=1", 8, 512,
			8192, 0, ""},
		{"llmfoundry", "max_seq_len: 2048\nglobal_train_batch_size: 64\ndevice_train_microbatch_size: auto\n" +
			"fsdp_config:\n" +
			"  sharding_strategy: FULL_SHARD\n", "dp=8 zero=3", 8, 64, 2048, 16, "device_train_microbatch_size auto"},
		{"colossal", "plugin = LowLevelZeroPlugin(stage=2, precision=\"bf16\", cpu_offload=True, tp_size=1, " +
			"pp_size=1)\n" +
			"batch_size = 4\nmax_length = 4096\n", "dp=8 mbs=4 zero=2", 8, 32, 4096, 0, ""},
		{"megatron", "for TP in 2 4 8; do\n  python pretrain_gpt.py --tensor-model-parallel-size $TP " +
			"--micro-batch-size 1 --global-batch-size 64 --seq-length 4,096 " +
			"--sequence-parallel\ndone", "dp=1 tp=8 zero=0", 8, 64, 4096, 0,
			"$TP (2 4, 8)"},
		// its pipelines gather weights once a step, unless set otherwise
		{"torchtitan", titan, "dp=4 tp=2 pp=2 mbs=1 zero=2 recompute=block", 16, 16, 4096, 0, ""},
		{"torchtitan", strings.Replace(titan, "[act", "fsdp_reshard_after_forward = \"always\"\n[act", 1),
			"dp=4 tp=2 pp=2 mbs=1 zero=3 recompute=block", 16, 16, 4096, 0, ""},
		{"trainer", "#SBATCH --nodes=4\n#SBATCH --gres=gpu:h100:8\nexport TP_SIZE=1\nsrun torchrun --nnodes " +
			"$SLURM_NNODES --nproc_per_node 8 t.py --per_device_train_batch_size 2 --gradient_accumulation_steps 4 " +
			"--max_length 4096 --bf16",
			"dp=32 mbs=2 zero=0", 8, 256, 4096, 0, ""},
		{"trainer", "GRPOConfig(per_device_train_batch_size=4, gradient_accumulation_steps=8, max_prompt_length=512, " +
			"max_completion_length=1536, bf16=True)", "dp=8 mbs=4 zero=0", 8, 256, 2048, 0, "trl grpo"},
	} {
		f, j, p := said(t, c.text, "llama3.8b", "gpu.h100", c.chips)
		stated := fmt.Sprint(f.Without, f.Aside, f.Open)
		want, err := ParsePlan(c.plan, j.Devices)
		if err != nil {
			t.Fatal(err)
		}
		if f.Tool != c.tool || f.Plan.String() != want.String() || f.Batch != c.batch || f.Sequence != c.sequence {
			t.Errorf("%s\n%s: %s, %d sequences of %d; want %s: %s, %d of %d", c.text, f.Tool, f.Plan, f.Batch,
				f.Sequence, c.tool, want, c.batch, c.sequence)
		}
		if c.stated == "" && len(f.Without)+len(f.Aside)+len(f.Open) > 0 || !strings.Contains(stated, c.stated) {
			t.Errorf("%s\ntold %s, want %q", c.text, stated, c.stated)
		}
		if c.state > 0 {
			m := p.Estimate(f.Plan).Memory
			shard := float64(max(f.Plan.Shard, f.Plan.DP*pick(f.Plan.Shard > 0, 0, 1)))
			got := (m.Weights + m.Moments + m.Master) * shard * float64(f.Plan.TP) / 8030261248
			near(t, c.tool+": bytes of a weight and its moments", got, c.state-4, 0.01)
		}
	}
}

// Unsloth makes no logits: blocks of them stay on the chip (unsloth_zoo, loss_utils.py). TRL leaves tables in 16 bits
// where FSDP shards weights in 4 bits, and has norms and tables in 32 where it doesn't (is_sharded_qlora in
// trl/trainer/sft_trainer.py): of Llama 3.1 70B tables of 2 x 128,256 x 8,192 weights.
func TestWhatScriptsOfAdaptersImply(t *testing.T) {
	f, _, p := said(t, "model, tokenizer = FastLanguageModel.from_pretrained(\n    max_seq_length = 4096,\n"+
		"    load_in_4bit = True,\n)\nargs = SFTConfig(per_device_train_batch_size = 2)", "llama3.8b", "gpu.h100", 1)
	if m := p.Estimate(f.Plan).Memory; f.State.Loss != "cut" || m.Logits > 1e9 {
		t.Errorf("loss %q, logits %.3g", f.State.Loss, m.Logits)
	}
	const text = "BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_use_double_quant=True)\nLoraConfig(r=16, " +
		"target_modules=\"all-linear\")\nSFTConfig(per_device_train_batch_size=1, bf16=True, " +
		"gradient_checkpointing=True"
	_, _, whole := said(t, text+")", "llama3.70b", "gpu.h100", 8)
	f, _, p = said(t, text+", fsdp=\"full_shard\")", "llama3.70b", "gpu.h100", 8)
	if f.State.Prepared || f.State.Table != 0 {
		t.Errorf("%+v", f.State)
	}
	plan := f.Plan
	plan.Zero = 0
	near(t, "tables in 32 bits", whole.Estimate(plan).Memory.Weights-p.Estimate(f.Plan).Memory.Weights*8,
		2*2*128256*8192, 0.05)
}
