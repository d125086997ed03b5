package training

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/cputime"
	"github.com/scalebook/scalebook/app/scrap"
)

// said is what settings come to on a job of a model: its plan, and the job.
func said(t *testing.T, text, model, device string, devices int) (Settings, Job, *Estimator) {
	t.Helper()
	f, err := ReadFlags(text, devices)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	id := device
	j := newJob(t, model, device, SoftwareOf(f.Tool, id), devices, 64, 4096).With(&f)
	p := NewEstimator(j)
	if err := p.Legal(f.Plan); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	return f, j, p
}

// Runs as people have them: in each tool's own format, with its defaults.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		tool, text, plan         string
		devices, batch, sequence int
		weights, optimizer       float64 // bytes of a weight, and of its master copy and moments
	}{
		{"axolotl", "base_model: x/y\nadapter: qlora\nload_in_4bit: true\nlora_r: 32\nlora_target_linear: true\n" +
			"sequence_len: 4096\nmicro_batch_size: 2\ngradient_accumulation_steps: 4\noptimizer: adamw_bnb_8bit\n" +
			"gradient_checkpointing: true\nbf16: auto\nflash_attention: true\n", "dp=8 mbs=2 zero=0 recompute=block", 8,
			64, 4096, 0.5 + 1./64 + 1./4096, 2},
		{"axolotl", "base_model: x/y\nsequence_len: 2048\nmicro_batch_size: 1\nbf16: true\noptimizer: " +
			"adamw_torch_fused\n" +
			"deepspeed: deepspeed_configs/zero2.json\ngradient_checkpointing: true\n", "dp=8 zero=2 recompute=block", 8,
			8, 2048, 2, 12},
		{"axolotl", "sequence_len: 8192\nmicro_batch_size: 1\ngradient_accumulation_steps: 2\nfsdp:\n  - full_shard\n" +
			"  - auto_wrap\nfsdp_config:\n  fsdp_offload_params: false\nbf16: auto\noptimizer: adamw_torch\n",
			"dp=8 zero=3", 8, 16, 8192, 4, 8},
		{"axolotl", "base_model: x/y\nsequence_len: 4096\nmicro_batch_size: 2\nbf16: auto\noptimizer: " +
			"adamw_torch_fused\n" +
			"fsdp_version: 2\nfsdp_config:\n  offload_params: false\n  reshard_after_forward: true\n" +
			"gradient_checkpointing: true\ngradient_checkpointing_kwargs:\n  use_reentrant: false\nspecial_tokens:\n" +
			"  pad_token: <|end|>\n", "dp=8 mbs=2 zero=3 recompute=block", 8, 16, 4096, 4, 8},
		{"deepspeed", `{"bf16": {"enabled": true}, "zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"},
			"overlap_comm": true}, "train_micro_batch_size_per_gpu": 1, "gradient_accumulation_steps": 16,
			"gradient_clipping": 1.0}`, "dp=8 zero=3", 8, 128, 4096, 2, 12},
		{"megatron", "#!/bin/bash\nGPUS_PER_NODE=${GPUS_PER_NODE:-8}\nNUM_NODES=${SLURM_NNODES:-\"1\"}\nTP=${TP:-2}\n" +
			"BATCH=$(($GPUS_PER_NODE * $NUM_NODES * 16))\nMODEL_ARGS=(\n    --num-layers 32\n    --hidden-size 4096\n" +
			"    --rotary-base 500000\n    --untie-embeddings-and-output-weights\n)\nTRAINING_ARGS=(\n" +
			"    --micro-batch-size 1\n    --global-batch-size $BATCH\n    --lr 3e-4\n    --lr-warmup-iters 100\n" +
			"    --weight-decay 0.1\n    --seed 1\n    --save-interval 500\n    --log-interval 1\n    --bf16\n)\n" +
			"OTHERS+=(\n    \"--seq-length 8192\"\n    \"--swiglu\"\n)\n" +
			"torchrun --nproc_per_node $GPUS_PER_NODE --nnodes $NUM_NODES pretrain_gpt.py ${MODEL_ARGS[@]} \\\n" +
			"  --tensor-model-parallel-size $TP --use-distributed-optimizer\n", "dp=4 tp=2 zero=1", 16, 128, 8192, 2,
			12},
		{"megatron", "------------------------ arguments ------------------------\n" +
			"  bf16 ............................................ True\n" +
			"  fp8 ............................................. None\n" +
			"  global_batch_size ............................... 128\n  micro_batch_size ................................ 1\n" +
			"  pipeline_model_parallel_size .................... 2\n  recompute_granularity ........................... full\n" +
			"  seq_length ...................................... 4096\n  tensor_model_parallel_size ...................... 2\n" +
			"0:  use_distributed_optimizer ....................... True\n" +
			"  world_size ...................................... 8\n" +
			"  lr .............................................. 0.0003\n" +
			"  num_layers_at_start_in_bf16 ..................... 1\n" +
			"-------------------- end of arguments ---------------------\n",
			"dp=2 tp=2 pp=2 zero=1 recompute=block", 8, 128, 4096, 2, 12},
		{"megatron", "OPTIONS=\" \\\n    --swiglu \\\n    --tensor-model-parallel-size 4 \\\n    " +
			"--micro-batch-size 2 \\\n" +
			"    --global-batch-size 64 \\\n    --lr 1e-4 --min-lr 1e-5 --train-iters 10 \\\n" +
			"    --seq-length 4096 --bf16 \\\n\"\n" +
			"torchrun --nproc_per_node 8 train.py ${OPTIONS}\n", "dp=2 tp=4 mbs=2 zero=0", 8, 64, 4096, 2, 12},
		{"deepspeed", `{"train_batch_size": 32, "gradient_accumulation_steps": 2, "fp16": {"enabled": true},
			"zero_optimization": {"stage": 1}, "optimizer": {"type": "Lion", "params": {"lr": 1e-4}}}`, "dp=8 mbs=2 zero=1",
			8, 32, 4096, 2, 8},
		{"accelerate", "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nfsdp_config:\n" +
			"  fsdp_sharding_strategy: FULL_SHARD\n  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n" +
			"  fsdp_activation_checkpointing: true\n  fsdp_offload_params: false\nmixed_precision: bf16\nnum_processes: 8\n",
			"dp=8 zero=3 recompute=block", 8, 0, 0, 4, 8},
		{"accelerate", "distributed_type: DEEPSPEED\ndeepspeed_config:\n  zero_stage: 2\n  " +
			"offload_optimizer_device: none\n" +
			"mixed_precision: bf16\nnum_processes: 4\n", "dp=4 zero=2", 8, 0, 0, 2, 12},
		{"trainer", "--per_device_train_batch_size 1 --gradient_accumulation_steps 8 --bf16 --gradient_checkpointing " +
			"--optim paged_adamw_8bit", "dp=1 zero=0 recompute=block", 1, 8, 0, 2, 2},
		{"trainer", "accelerate launch train.py --torch_dtype float32 --bf16 True --per_device_train_batch_size=2 " +
			"--optim adafactor --learning_rate 1e-5", "dp=2 mbs=2 zero=0", 2, 4, 0, 6, 0.002},
		{"trainer", "TrainingArguments(\n    output_dir=\"out\",\n    per_device_train_batch_size=4,\n" +
			"    gradient_accumulation_steps=2,\n    bf16=True,\n    optim=\"lion_8bit\",\n)\n",
			"dp=2 mbs=4 zero=0", 2, 16, 0, 2, 1},
		{"llamafactory", "### model\nmodel_name_or_path: x/y\n\n### method\nstage: sft\nfinetuning_type: " +
			"lora\nlora_rank: 8\n" +
			"lora_target: all\ncutoff_len: 2048\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 8\nbf16: true\n",
			"dp=1 zero=0 recompute=block", 1, 8, 2048, 2, 8},
		{"llamafactory", "stage: sft\nfinetuning_type: full\ncutoff_len: 2048\nper_device_train_batch_size: 1\n" +
			"gradient_accumulation_steps: 2\nbf16: true\npure_bf16: true\n", "dp=2 zero=0 recompute=block", 2, 4, 2048,
			2, 4},
		{"torchtitan", "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[optimizer]\nname = \"AdamW\"\nlr = " +
			"3e-4\n[training]\n" +
			"local_batch_size = 1\nseq_len = 8192\nsteps = 1000\ncompile = false\n[parallelism]\n" +
			"data_parallel_replicate_degree = 1\ndata_parallel_shard_degree = -1\ntensor_parallel_degree = 2\n" +
			"[activation_checkpoint]\nmode = \"selective\"\nselective_ac_option = \"op\"\n",
			"dp=4 tp=2 zero=3 recompute=some", 8, 4, 8192, 4, 8},
		{"nemo", "trainer:\n  num_nodes: 1\n  devices: 8\n  precision: bf16-mixed\nmodel:\n" +
			"  tensor_model_parallel_size: 4\n  micro_batch_size: 1\n  global_batch_size: 16\n  encoder_seq_length: 4096\n" +
			"  optim:\n    name: distributed_fused_adam\n    lr: 1e-4\n", "dp=2 tp=4 zero=1", 8, 16, 4096, 2, 12},
		{"megatron", "GPUS=8\nTP=4\ntorchrun --nproc_per_node $GPUS pretrain_gpt.py \\\n  " +
			"--tensor-model-parallel-size ${TP} \\\n" +
			"  --micro-batch-size 1 \\\n  --global-batch-size 64 --seq-length 8192 --optimizer sgd --bf16 \\\n" +
			"  --use-distributed-optimizer --lr 1e-4", "dp=2 tp=4 zero=1", 8, 64, 8192, 2, 4},
		{"megatron", "--tensor-model-parallel-size 1 --micro-batch-size 1 --global-batch-size 8 " +
			"--use-distributed-optimizer --use-precision-aware-optimizer --exp-avg-dtype bf16 --exp-avg-sq-dtype " +
			"bf16 --main-grads-dtype bf16 --main-params-dtype fp16", "dp=8 zero=1", 8, 8, 0, 2, 6},
		{"maxtext", "per_device_batch_size: 4\nmax_target_length: 8192\nici_fsdp_parallelism: " +
			"4\nici_tensor_parallelism: 2\n" +
			"remat_policy: full\nmu_dtype: bfloat16\nsteps: 10\n", "dp=4 tp=2 mbs=8 zero=3 recompute=block", 8, 32,
			8192, 4, 6},
		{"maxtext", "python3 MaxText/train.py MaxText/configs/base.yml run_name=x per_device_batch_size=2 " +
			"max_target_length=4096 ici_fsdp_parallelism=-1 remat_policy=full dataset_type=synthetic weight_dtype=bfloat16",
			"dp=8 mbs=2 zero=3 recompute=block", 8, 16, 4096, 2, 4},
		{"nanotron", "parallelism:\n  dp: 4\n  tp: 2\n  pp: 2\n  pp_engine: 1f1b\n  tp_mode: REDUCE_SCATTER\n" +
			"  recompute_layer: true\noptimizer:\n  zero_stage: 1\n  accumulate_grad_in_fp32: true\ntokens:\n" +
			"  batch_accumulation_per_replica: 4\n  micro_batch_size: 2\n  sequence_length: 2048\n  train_steps: 10\n",
			"dp=4 tp=2 pp=2 mbs=2 zero=1 recompute=block", 8, 32, 2048, 2, 12},
		{"torchtune", "model:\n  _component_: torchtune.models.llama3.llama3_8b\ntokenizer:\n  max_seq_len: " +
			"4096\noptimizer:\n" +
			"  _component_: bitsandbytes.optim.PagedAdamW8bit\n  lr: 2e-5\nbatch_size: 2\ngradient_accumulation_steps: 8\n" +
			"enable_activation_checkpointing: True\ndtype: bf16\ncompile: False\nepochs: 1\n",
			"dp=1 mbs=2 zero=0 recompute=block", 1, 16, 4096, 2, 2},
		{"torchtune", "model:\n  _component_: torchtune.models.llama3.qlora_llama3_8b\n  lora_attn_modules: " +
			"['q_proj', 'v_proj']\n" +
			"  apply_lora_to_mlp: True\n  lora_rank: 8\n  lora_alpha: 16\nbatch_size: 2\ngradient_accumulation_steps: 4\n" +
			"enable_activation_checkpointing: True\ndtype: bf16\n", "dp=1 mbs=2 zero=0 recompute=block", 1, 8, 0, 0.5 +
			1./64 +
			1./4096, 8},
		{"trainer", "model = FastLanguageModel.get_peft_model(\n    model,\n    r = 16,\n    target_modules = " +
			"[\"q_proj\", \"k_proj\"," +
			"\n        \"v_proj\"],\n    lora_alpha = 16,\n    use_gradient_checkpointing = True,\n)\nargs = SFTConfig(\n" +
			"    per_device_train_batch_size = 2,\n    gradient_accumulation_steps = 4,\n    max_seq_length = 2048,\n" +
			"    optim = \"adamw_8bit\",\n)\n", "dp=1 mbs=2 zero=0 recompute=block", 1, 8, 2048, 2, 2},
		{"swift", "swift sft --model org/x-7b --train_type lora --torch_dtype bfloat16 " +
			"--per_device_train_batch_size 1 --gradient_accumulation_steps 16 --lora_rank 8 --target_modules " +
			"all-linear --max_length 2048 --deepspeed zero2",
			"dp=2 zero=2 recompute=block", 2, 32, 2048, 2, 8},
		{"megatron", "ENV_VARS:\n  CUDA_DEVICE_MAX_CONNECTIONS: 1\nMODEL_ARGS:\n  --use-mcore-models: true\n" +
			"  --tensor-model-parallel-size: 2\n  --pipeline-model-parallel-size: 4\n  --micro-batch-size: 1\n" +
			"  --global-batch-size: 128\n  --seq-length: 4096\n  --use-distributed-optimizer: true\n" +
			"  --recompute-activations: true\n", "dp=1 tp=2 pp=4 zero=1 recompute=some", 8, 128, 4096, 2, 12},
		{"megatron", "--tp 4 --pp 2 --mbs 1 --gbs 64", "dp=1 tp=4 pp=2 zero=0", 8, 64, 0, 2, 12},
		{"maxtext", "per_device_batch_size=4 max_target_length=8192 remat_policy=full ici_fsdp_parallelism=16 " +
			"dcn_data_parallelism=2", "dp=32 mbs=4 zero=3 shard=16 recompute=block", 8, 128, 8192, 4, 8},
		// its axes are 32 chips
		{"megatron", "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 " +
			"--num-layers-per-virtual-pipeline-stage 4 --micro-batch-size 1 --global-batch-size 16 --seq-length 4096 " +
			"--recompute-activations",
			"dp=2 tp=2 pp=2 vp=4 zero=0 recompute=some", 8, 16, 4096, 2, 12},
		{"megatron", "--tensor-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 16 " +
			"--recompute-activations --recompute-granularity full --recompute-method uniform --recompute-num-layers 1",
			"dp=4 tp=2 zero=0 recompute=block", 8, 16, 0, 2, 12},
		{"megatron", "--tensor-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 16 " +
			"--checkpoint-activations",
			"dp=4 tp=2 zero=0 recompute=block", 8, 16, 0, 2, 12},
	} {
		f, j, p := said(t, c.text, "llama3.8b", "gpu.h100", c.devices)
		if f.Tool != c.tool || f.Plan.String() != c.plan || f.Batch != c.batch && c.batch > 0 ||
			f.Sequence != c.sequence &&
				c.sequence > 0 && c.tool != "deepspeed" {
			t.Errorf("%s:\n%s\nis of %s, %s, a batch of %d, sequences of %d",
				c.tool, c.text, f.Tool, f.Plan, f.Batch, f.Sequence)
		}
		near(t, c.tool+"’s bytes of a weight\n"+c.text, j.Recipe.Weight, c.weights, 1e-9)
		within := 1e-9
		if c.optimizer < 0.1 { // factored
			within = 1
		}
		near(t, c.tool+"’s bytes of master copy and moments\n"+c.text, j.Recipe.Master+j.Recipe.Moments, c.optimizer,
			within)
		if len(f.Without)+len(f.Aside) > 0 {
			t.Errorf("%s: without %v, not known %v, from\n%s", c.tool, f.Without, f.Aside, c.text)
		}
		estimate := p.Estimate(f.Plan)
		if x := estimate.Memory.Total() + estimate.Time.Step(); !(x > 0) || math.IsInf(x, 0) {
			t.Errorf("%s: %+v", c.text, estimate)
		}
	}
}

// A setting that changes memory or time is understood, or named; one that changes neither is known to be such.
func TestNothingIsDropped(t *testing.T) {
	for text, want := range map[string]string{
		"--tensor-model-parallel-size 2 --enable-cuda-graph":                                                "--enable-cuda-graph",
		"distributed_type: FSDP\nmixed_precision: 'no'\nnum_processes: 8":                                   "fp32",
		"trainer:\n  precision: 32\n  devices: 8\nmodel:\n  micro_batch_size: 1\n  encoder_seq_length: 128": "fp32",
		"--tensor-model-parallel-size 2 --optimizer shampoo": "--optimizer " +
			"shampoo",
		"--tensor-model-parallel-size 2 --attention-backend mystery": "attention " +
			"mystery",
		"micro_batch_size: 1\nsequence_len: 512\ntorch_compile: true":   "torch_compile",
		"micro_batch_size: 1\nsequence_len: 512\nlora_mlp_kernel: true": "lora_mlp_kernel",
		"--per_device_train_batch_size 1 --deepspeed own.json": "--deepspeed " +
			"own.json",
		"finetuning_type: full\ncutoff_len: 128\nuse_badam: true":              "use_badam",
		"finetuning_type: lora\ncutoff_len: 128\nstage: dpo":                   "stage dpo",
		"per_device_train_batch_size: 2\nbeta: 0.01\nmax_prompt_length: 512":   "beta",
		"--tensor-model-parallel-size 2 --max-tokens-per-gpu 9216":             "--max-tokens-per-gpu",
		"--per_device_train_batch_size 1 --rlhf_type grpo":                     "--rlhf_type",
		"[training]\nlocal_batch_size = 1\n[compile]\nenable = true":           "compile.enable",
		`{"zero_optimization": {"stage": 2, "reduce_bucket_size": 500000000}}`: "zero_optimization.reduce_bucket_size 500000000",
		"per_device_batch_size=1 max_target_length=128 ici_fsdp_parallelism=-1 " +
			"dtype_of_nothing=1": "dtype_of_nothing",
	} {
		f, err := ReadFlags(text, 8)
		all := append(slices.Clone(f.Without), f.Aside...)
		if err != nil || !slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("%q: %v, without %v, not known %v; want %q", text, err, f.Without, f.Aside, want)
		}
	}
	off, err := ReadFlags("stage: sft\nfinetuning_type: full\ncutoff_len: 128\n", 8)
	if err != nil || len(off.Without)+len(off.Aside) > 0 {
		t.Errorf("a usual stage: %v, without %v, not known %v", err, off.Without, off.Aside)
	}
	off, err = ReadFlags("micro_batch_size: 1\nsequence_len: 512\ntorch_compile: false\nlora_mlp_kernel:\nfp8: false",
		8)
	if err != nil || len(off.Without)+len(off.Aside) > 0 {
		t.Errorf("what is off: %v, without %v, not known %v", err, off.Without, off.Aside)
	}
}

// A megabyte of anything is read in time that grows with its length alone.
func TestSettingsOfLongTexts(t *testing.T) {
	const n = 1 << 18
	grows := "A=words\n"
	for range 16 {
		grows += "A=\"" + strings.Repeat("$A ", 20) + "\"\n"
	}
	for _, text := range []string{strings.Repeat("$A", 2*n), "--" + strings.Repeat("a.", 2*n) + "b 1", "--" +
		strings.Repeat("a", 4*n) + " 1", grows, strings.Repeat("$(", 2*n), strings.Repeat("$(A)", n),
		strings.Repeat("if [ 1 = 1 ]\n", n/8), "case 1 in\n" + strings.Repeat("1) ", n) + "\n"} {
		read := func() { _, _ = ReadFlags(text+"\n--tensor-model-parallel-size 2\n", 8) }
		if took, ok := cputime.Within(5*time.Second, read); !ok {
			t.Errorf("%.20q, %d bytes, takes %v", text, len(text), took)
		}
	}
}

// Any text gives settings that can be estimated, or says why not.
func FuzzSettings(plain *testing.F) {
	f := scrap.Of(plain)
	for _, text := range []string{"adapter: qlora\nlora_r: 32\nmicro_batch_size: 2\nsequence_len: 512",
		`{"zero_optimization": {"stage": 3}, "train_micro_batch_size_per_gpu": 1}`, "fsdp:\n- full_shard\nbf16: true",
		"--tensor-model-parallel-size 2 --micro-batch-size 1 \\\n--global-batch-size 8",
		"[training]\nlocal_batch_size = 1",
		"X=2\n--micro-batch-size $X", "a: {b: [1, {c: d}]}\n- e: |\n   f\n",
		"A=1\ncase $A in\n1|2) TP=2 ;;\n*) TP=4 ;;\nesac\nif [ $A -gt 1 ]; then\nTP=8\nelse\nTP=1\nfi\n[ -n \"$TP\" ] && X=$(TP)",
		"#SBATCH --ntasks=8\n: ${A:=1}\nkind: x\nspec:\n  replicas: 2\n  args: [\"--fsdp\", \"full_shard\"]\n",
		"if [ -f x ]; then TP=2; elif (( A > 1 )) && [ $B = 1 -o $C ]; then TP=4; else TP=8; fi; " +
			"case $1 in a) X=1;; esac",
		"C=\"e=1 \\\n  e.tp=2\"\nsource a.sh\nE=\"{\n\"\n: \"${TP:=2}\"\n" +
			"torchrun x.py ${C} $(( 4 * 8 ))\npython y/convert.py",
	} {
		f.Add(text)
	}
	j := newJob(f, "llama3.8b", "gpu.h100", "megatron", 8, 64, 4096)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadFlags(text, 8)
		if err != nil {
			return
		}
		j := j.With(&s)
		if j.Check() != nil {
			return
		}
		p := NewEstimator(j)
		if p.Legal(s.Plan) != nil {
			return
		}
		estimate := p.Estimate(s.Plan)
		if x := estimate.Memory.Total() + estimate.Time.Step(); math.IsNaN(x) || estimate.Memory.Total() < 0 {
			t.Errorf("%q: %+v", text, estimate)
		}
	})
}

// The page about the book names each tool whose settings are read.
func TestPageOfFilesNamesTools(t *testing.T) {
	text, err := os.ReadFile("../../content/your-file.md")
	if err != nil {
		t.Fatal(err)
	}
	page, tools := strings.Join(strings.Fields(string(text)), " "), 0
	for _, line := range settingLines() {
		if line[1] != "name" {
			continue
		}
		if tools++; !strings.Contains(page, line[2]) {
			t.Errorf("content/your-file.md doesn't name %s", line[2])
		}
	}
	if tools < 5 {
		t.Errorf("%d tools", tools)
	}
}

// An adapter that is described learns alone, where no setting of its own turns it on; one that is turned off doesn't. A
// file that is cut off is no shorter one.
func TestAdaptersAndCutFiles(t *testing.T) {
	for text, learns := range map[string]string{
		"peft_config = LoraConfig(r=16, lora_alpha=32, target_modules=[\"q_proj\", \"v_proj\"])\n--bf16": "lora",
		"LoraConfig(\n    r=8,\n    lora_dropout=0.05,\n)\noptim=\"adamw_torch\"":                        "lora",
		"--lora_rank 8 --per_device_train_batch_size 1":                                                  "lora",
		// QwenLM/Qwen, finetune/finetune_qlora_single_gpu.sh; artidoro/qlora, scripts/finetune.sh
		"--bf16 True --per_device_train_batch_size 2 --use_lora --q_lora":                      "lora",
		"--use_lora 1 --lora_r 8 --per_device_train_batch_size 1":                              "lora",
		"--use_lora 0 --lora_r 8 --per_device_train_batch_size 1":                              "",
		"--use_lora False --per_device_train_batch_size 1":                                     "",
		"--bits 4 --lora_r 64 --per_device_train_batch_size 1":                                 "lora",
		"--use_peft False --lora_r 8 --per_device_train_batch_size 1":                          "",
		"--train_type full --per_device_train_batch_size 1":                                    "",
		"sequence_len: 512\nmicro_batch_size: 1\nlora_r: 8\nadapter:\nflash_attention: true\n": "",
	} {
		if f, err := ReadFlags(text, 1); err != nil || f.State.Learn != learns {
			t.Errorf("%q: %q learns, %v; want %q", text, f.State.Learn, err, learns)
		}
	}
	whole := `{"zero_optimization": {"stage": 3, "overlap_comm": true}, "train_micro_batch_size_per_gpu": 1}`
	for n := range len(whole) {
		if _, err := ReadFlags(whole[:n], 8); err == nil {
			t.Errorf("%q is read", whole[:n])
		}
	}
	if _, err := ReadFlags("\xef\xbb\xbf"+whole+"\r\n", 8); err != nil {
		t.Error(err)
	}
}

// No plan is predicted to use more than the peak, however wide its interval is.
func TestNoStepIsShorterThanThePeakAllows(t *testing.T) {
	for _, c := range [][2]string{{"gemma3.27b", "tpu.v5p"}, {"llama3.8b", "tpu.v5e"}, {"llama3.70b", "gpu.h100"},
		{"deepseek.v3", "gpu.h800"}, {"llama3.8b", "gpu.mi300x"}} {
		for _, s := range []int{2048, 8192, 65536} {
			j := newJob(t, c[0], c[1], UsualStack(c[1]), 256, 1024, s)
			p := NewEstimator(j)
			for _, again := range []Recompute{0, RecomputeBlock} {
				plan := Plan{DP: 256, TP: 1, PP: 1, CP: 1, EP: 1, ETP: 1, Virtual: 1, Micro: 1, Zero: 3,
					Recompute: again}.filled()
				estimate := p.Estimate(plan)
				for _, stated := range []bool{true, false} {
					if x := p.RunInterval(&estimate, stated); p.Use(&estimate)*x.Mid > x.Low*(1+1e-9) &&
						p.Use(&estimate) <= 1 {
						t.Errorf("%v at %d: a share of %v at best", c, s, p.Use(&estimate)*x.Mid/x.Low)
					}
				}
			}
		}
	}
}

// Tools whose names are like those of others, and are not read, are named.
func TestOtherTools(t *testing.T) {
	for text, want := range map[string]string{
		// Lightning-AI/litgpt, config_hub/finetune/llama-3-8b/qlora.yaml
		"precision: bf16-true\nquantize: bnb.nf4\ndevices: 1\nlora_r: 32\nlora_query: true\ntrain:\n  " +
			"global_batch_size: 8\n  micro_batch_size: 2\n  max_seq_length: 512\n": "LitGPT",
		// karpathy/nanoGPT, config/train_gpt2.py
		"batch_size = 12\nblock_size = 1024\ngradient_accumulation_steps = 5 * 8\nmax_iters = 600000\n": "nanoGPT",
		// InternLM/InternEvo, configs/7B_sft.py
		"SEQ_LEN = 2048\ndata = dict(\n    seq_len=SEQ_LEN,\n    micro_num=4,\n    micro_bsz=2,\n)\nuse_fp32_norm = " +
			"False\n": "InternEvo",
		// hiyouga/LLaMA-Factory, examples/v1/train_full/train_full_fsdp2.yaml, which elsewhere would be LoRA
		"model: Qwen/Qwen3-0.6B\nmodel_class: llm\nkernel_config:\n  name: auto\ndist_config:\n  name: fsdp2\n" +
			"micro_batch_size: 1\ncutoff_len: 2048\nmax_steps: 10\n": "LLaMA-Factory v1",
		// NVIDIA-NeMo/Automodel, examples/llm_finetune/llama3_2/llama3_2_1b_squad.yaml
		"step_scheduler:\n  global_batch_size: 64\n  local_batch_size: 8\ndistributed:\n  strategy: fsdp2\n  tp_size: " +
			"1\n": "NeMo Automodel",
		// NVIDIA-NeMo/RL, examples/configs/sft.yaml
		"policy:\n  train_global_batch_size: 32\n  train_micro_batch_size: 1\n  precision: bfloat16\n": "NeMo RL",
		// PrimeIntellect-ai/prime-rl, examples/vlm_sft_moe/sft.toml
		"seq_len = 4096\n[model]\nep = 8\n[deployment]\nnum_train_gpus = 8\n": "prime-rl",
		// the same without a deployment, which TorchTitan's names would hide
		"[model]\nname = \"a/b-8B\"\nseq_len = 8192\n[model.ac]\nfreq = 1\n":     "prime-rl",
		"gang:\n  tensor_parallel_size: 2\ntrainer:\n  data_parallelism: fsdp\n": "fairseq2",
		// mistralai/mistral-finetune, example/7B.yaml
		"data:\n  instruct_data: x\nmodel_id_or_path: y\nlora:\n  rank: 64\nseq_len: 32768\nbatch_size: " +
			"1\n": "mistral-finetune",
		// aws-neuron/neuronx-distributed-training, examples/conf/megatron_llama_70b_config.yaml
		"distributed_strategy:\n  tensor_model_parallel_size: 8\n  pipeline_model_parallel_size: 16\n  zero1: true\ndata:\n" +
			"  micro_batch_size: 1\n  global_batch_size: 512\n": "NeuronX Distributed Training",
		// NovaSky-AI/SkyRL, examples/gsm8k/run_gsm8k.sh
		"trainer.strategy=fsdp2 trainer.placement.policy_num_gpus_per_node=4 trainer.train_batch_size=8": "SkyRL",
		// erfanzar/EasyDeL, its trainers' documentation
		"args = SFTConfig(total_batch_size=32, gradient_accumulation_steps=4, sharding_axis_dims=(1, -1, 1))": "EasyDeL",
		// aws/sagemaker-hyperpod-recipes, its YAML of Llama
		"use_smp_model: True\nmodel:\n  train_batch_size: 1\n  shard_degree: 8\n": "SageMaker HyperPod",
		// huggingface/optimum-neuron, its training tutorial
		"torchrun train.py --per_device_train_batch_size 1 --tensor_parallel_size 8 --zero_1": "Optimum Neuron",
		// InternLM/xtuner, its configs
		"batch_size = 1\naccumulative_counts = 16\nmax_length = 2048\n":                  "XTuner",
		"fairseq-train x --fp16 --batch-size 2 --update-freq 16 --tokens-per-sample 512": "fairseq",
		"litgpt finetune_lora x --train.micro_batch_size 4 --train.epochs 3 --lora_r 16": "LitGPT",
	} {
		if _, err := ReadFlags(text, 8); err == nil || !strings.Contains(err.Error(), "settings of "+want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	// Names that tools which are read have too are not taken for those.
	for _, text := range []string{"distributed_strategy: fsdp\nmicro_batch_size: 1\n",
		"train.micro_batch_size=1\nbf16: true\n", "deployment: here\nmicro_batch_size: 1\n"} {
		if _, err := ReadFlags(text, 8); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Commands as people write them: with variables of their own before the program, and for launchers.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		text, tool, plan string
		devices          int
	}{
		// modelscope/ms-swift, examples/megatron/mcore_bridge/full/dense.sh
		{"PYTORCH_CUDA_ALLOC_CONF='expandable_segments:True' \\\nNPROC_PER_NODE=2 \\\nCUDA_VISIBLE_DEVICES=0,1 \\\n" +
			"megatron sft \\\n    --model Qwen/Qwen3-VL-8B-Instruct \\\n    --tensor_model_parallel_size 2 \\\n" +
			"    --micro_batch_size 1 \\\n    --global_batch_size 4 \\\n    --recompute_granularity full \\\n",
			"swiftmegatron", "dp=1 tp=2 zero=1 recompute=block", 2},
		{"CUDA_VISIBLE_DEVICES=0 swift sft --train_type full --per_device_train_batch_size 2 --max_length 2048",
			"swift", "dp=1 mbs=2 zero=0 recompute=block", 1},
		// what its documentation gives where nothing is said; a merge behind the training has its own devices
		{"NPROC_PER_NODE=4 megatron pt --model org/x --tensor_model_parallel_size 2 --train_iters 100\n" +
			"CUDA_VISIBLE_DEVICES=0 NPROC_PER_NODE=1 megatron export --tensor_model_parallel_size 1 --merge_lora true",
			"swiftmegatron", "dp=2 tp=2 zero=1 recompute=some", 4},
		{"--model org/x --attn_impl flash_attn --tuner_type full --split_dataset_ratio 0.01 " +
			"--per_device_train_batch_size 1 --gradient_checkpointing false --max_length " +
			"4096", "swift", "dp=8 zero=0", 0},
		{"#SBATCH --nodes=2\n#SBATCH --gres=gpu:h100:4  # of both\nsrun python pretrain_gpt.py " +
			"--tensor-model-parallel-size 2",
			"megatron", "dp=4 tp=2 zero=0", 8},
		{"#SBATCH -N2\n#SBATCH --gpus-per-node=4\nsrun bash -c 'python pretrain_gpt.py --tensor-model-parallel-size 2'",
			"megatron", "dp=4 tp=2 zero=0", 8},
		{"services:\n  train:\n    command: >\n      torchrun --nproc_per_node 4 pretrain_gpt.py\n" +
			"      --tensor-model-parallel-size 2\n", "megatron", "dp=2 tp=2 zero=0", 4},
		{"deepspeed --num_nodes 2 --num_gpus 4 pretrain_gpt.py --tensor-model-parallel-size 2", "megatron",
			"dp=4 tp=2 zero=0", 8},
		{"CUDA_VISIBLE_DEVICES=0,1,2,3 llamafactory-cli train --stage sft --finetuning_type full --bf16",
			"llamafactory", "dp=4 mbs=8 zero=0 recompute=block", 4},
		{"export TP=2; PP=2\nDP=$((8 / (TP * PP)))\ntorchrun pretrain_gpt.py --tensor-model-parallel-size $TP " +
			"--pipeline-model-parallel-size $PP --micro-batch-size $DP", "megatron", "dp=2 tp=2 pp=2 mbs=2 zero=0", 0},
		{"set -euo pipefail\nN=8\ntorchrun pretrain_gpt.py --micro-batch-size $(expr 16 / $N) " +
			"--tensor-model-parallel-size 1",
			"megatron", "dp=8 mbs=2 zero=0", 0},
		{"args = TrainingArguments(\n    output_dir=\"o\", per_device_train_batch_size=4, bf16=True,\n)", "trainer",
			"dp=8 mbs=4 zero=0", 0},
		{"base: &base\n  per_device_train_batch_size: 2\nrun:\n  <<: *base\n  bf16: true\n", "trainer",
			"dp=8 mbs=2 zero=0", 0},
		// a file that the text makes itself
		{"cat > ds.json <<EOF\n{\"zero_optimization\": {\"stage\": 2}, \"bf16\": {\"enabled\": true}}\nEOF\n" +
			"deepspeed --num_gpus 8 train.py --deepspeed ds.json --per_device_train_batch_size 1", "trainer",
			"dp=8 zero=2", 8},
		// QwenLM/Qwen, finetune/finetune_ds.sh
		{"GPUS_PER_NODE=$(python -c 'import torch; print(torch.cuda.device_count())')\nNNODES=1\n" +
			"DISTRIBUTED_ARGS=\"\n    --nnodes $NNODES\n\"\ntorchrun $DISTRIBUTED_ARGS finetune.py \\\n" +
			"    --bf16 True \\\n    --per_device_train_batch_size 1\n", "trainer", "dp=8 zero=0", 0},
		{"SEQ_LEN = 4096\nTrainingArguments(\n    per_device_train_batch_size=2,\n    max_seq_length=SEQ_LEN,\n)",
			"trainer", "dp=8 mbs=2 zero=0", 0},
		{"NNODES=2\nNPROC_PER_NODE=4\ntorchrun pretrain_gpt.py --tensor-model-parallel-size 2 --micro-batch-size 1",
			"megatron", "dp=4 tp=2 zero=0", 8},
		{"NNODES=$SLURM_NNODES\ntorchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2", "megatron",
			"dp=4 tp=2 zero=0", 8},
		// microsoft/Megatron-DeepSpeed, examples_deepspeed/MoE/ds_pretrain_gpt_6.7B_dense.sh
		{"MP_SIZE=8\nNUM_GPUS=64\nBATCH=4\nmkdir -p \"out/\"\nmegatron_options=\" \\\n  --tensor-model-parallel-size " +
			"${MP_SIZE} \\\n  --micro-batch-size ${BATCH} \\\n  --global-batch-size $((NUM_GPUS * BATCH / MP_SIZE)) \\\n" +
			"  --deepspeed-activation-checkpointing \\\n  --moe-expert-parallel-size 1 --bf16\"\n", "megatron",
			"dp=1 tp=8 mbs=4 zero=0", 0},
		// EleutherAI/gpt-neox, configs/1-3B.yml
		{`{"pipe_parallel_size": 1, "model_parallel_size": 1, "num_layers": 24, "hidden_size": 2048, "seq_length": 2048,
			"norm": "layernorm", "pos_emb": "rotary", "no_weight_tying": true, "gpt_j_residual": false,
			"output_layer_parallelism": "column", "optimizer": {"type": "Adam", "params": {"lr": 0.0002}},
			"zero_optimization": {"stage": 1, "overlap_comm": True, "reduce_scatter": True},
			"train_micro_batch_size_per_gpu": 4, "checkpoint_activations": true, "partition_activations": true,
			"fp16": {"enabled": true}}`, "neox", "dp=8 mbs=4 zero=1 recompute=block", 0},
		// AMD-AGI/Primus, examples/maxtext/configs/MI300X/gemma4_26B-nanoo_fp8-pretrain.yaml: an axis takes the rest
		{"ici_expert_parallelism: -1\nici_fsdp_parallelism: 1\nper_device_batch_size: 1\nmax_target_length: 4096\n" +
			"remat_policy: full\nquantization: nanoo_fp8\n", "maxtext", "dp=8 ep=8 zero=0 recompute=block", 0},
		{"ici_tensor_parallelism=-1 ici_fsdp_parallelism=2 per_device_batch_size=1 max_target_length=4096", "maxtext",
			"dp=2 tp=4 mbs=4 zero=3 recompute=block", 0},
	} {
		f, err := ReadFlags(c.text, 8)
		if err != nil || f.Tool != c.tool || f.Plan.String() != c.plan || f.Devices != c.devices {
			t.Errorf("%q:\nof %s, %s on %d devices, %v; want %s, %s on %d", c.text, f.Tool, f.Plan, f.Devices, err,
				c.tool, c.plan, c.devices)
		}
		if len(f.Aside)+len(f.Without) > 0 {
			t.Errorf("%q: not known %q, without %q", c.text, f.Aside, f.Without)
		}
	}
}

// Megatron-LM's method block computes so many layers of each chunk of a stage again; of layers that a chunk has fewer,
// all.
func TestRecomputedLayers(t *testing.T) {
	const text = "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 4 --recompute-granularity full "
	for more, want := range map[string]int{
		"--recompute-method block --recompute-num-layers 3":                                               12,
		"--recompute-method block --recompute-num-layers 3 --num-virtual-stages-per-pipeline-rank 2":      24,
		"--recompute-method block --recompute-num-layers 3 --num-layers-per-virtual-pipeline-stage 4":     24,
		"--recompute-method uniform --recompute-num-layers 1":                                             0,
		"--recompute-method uniform":                                                                      0,
		"--recompute-method uniform --recompute-num-layers 1 --num-virtual-stages-per-pipeline-rank 2":    0,
		"--recompute-method uniform --recompute-num-layers 1 --num-layers-per-virtual-pipeline-stage 4":   0,
		"--recompute-method block --recompute-num-layers 99999 --num-layers-per-virtual-pipeline-stage 4": 2 * 4 * 65536,
	} {
		f, err := ReadFlags(text+more, 8)
		if err == nil {
			f.chunks(32)
		}
		if err != nil || f.Plan.Recompute != RecomputeBlock || f.Plan.Recomputed != min(want, 2*4*65536) ||
			len(f.Without)+len(f.Aside) > 0 {
			t.Errorf("%q: %d layers of %s, without %q, %v; want %d", more, f.Plan.Recomputed, f.Plan, f.Without, err,
				want)
		}
		if again, err := ParsePlan(f.Plan.String(), 8); err != nil || again.filled() != f.Plan.filled() {
			t.Errorf("%s, read again as %s, %v", f.Plan, again, err)
		}
	}
	f, err := ReadFlags(text+"--recompute-method uniform --recompute-num-layers 4", 8)
	if err != nil || strings.Join(f.Without, ",") != "recompute-num-layers 4" {
		t.Errorf("without %q, %v", f.Without, err)
	}
	f, err = ReadFlags(text+"--recompute-method block --recompute-num-layers 0", 8)
	if err != nil || f.Plan.Recompute != KeepAll {
		t.Errorf("%s, %v", f.Plan, err)
	}
}

// What a script sets to several values, in branches that aren't read, is told where a setting takes it.
func TestBranches(t *testing.T) {
	const text = "LR=1\nif [ $S = a ]; then\n  TP=2\n  LR=2\nelse\n  TP=4\nfi\n" +
		"torchrun p.py --tensor-model-parallel-size $TP --lr $LR --micro-batch-size 1"
	f, err := ReadFlags(text, 8)
	if err != nil || f.Plan.TP != 4 || strings.Join(f.Aside, ",") != "tensor-model-parallel-size $TP (2, 4)" &&
		strings.Join(f.Aside, ",") != "--tensor-model-parallel-size $TP (2, 4)" {
		t.Errorf("%s, not known %q, %v", f.Plan, f.Aside, err)
	}
	if f, err = ReadFlags(strings.ReplaceAll(text, "TP=4", "TP=2"), 8); err != nil || len(f.Aside) > 0 {
		t.Errorf("%s, not known %q, %v", f.Plan, f.Aside, err)
	}
}

// ms-swift accumulates until a step has 16 sequences, where nothing says how often.
func TestSwiftBatch(t *testing.T) {
	for micro, want := range map[string]int{"1": 16, "3": 24, "4": 32, "2": 16} {
		f, err := ReadFlags("swift sft --model org/x --per_device_train_batch_size "+micro, 8)
		if err != nil || f.Batch != want || f.State.Learn != "lora" || f.State.Rank != 8 {
			t.Errorf("%s: %d sequences, %+v, %v; want %d", micro, f.Batch, f.State, err, want)
		}
	}
}

// GPT-NeoX keeps scores unless its layers are said to be of flash attention, shards by ZeRO as DeepSpeed does, and runs
// on Megatron-DeepSpeed’s constants.
func TestNeoX(t *testing.T) {
	const text = "pos_emb: rotary\nno_weight_tying: true\ngpt_j_residual: false\npipe-parallel-size: 0\n" +
		"model-parallel-size: 2\ntrain_micro_batch_size_per_gpu: 2\ngradient_accumulation_steps: 4\nprecision: bfloat16\n" +
		"zero_optimization:\n  stage: 1\n"
	for more, unfused := range map[string]bool{"": true, "attention-config: [[[\"flash\"], 32]]\n": false,
		"\"attention_config\": [[[\"global\"], \"all\"]],\n": true,
		"attention_config: [[[\"local\", \"global\"], 32]]":  true} {
		f, err := ReadFlags(text+more, 8)
		if err != nil || f.State.Unfused != unfused || f.Plan.String() != "dp=4 tp=2 mbs=2 zero=1" || f.Batch != 32 ||
			f.State.Kind != "mixed" || f.Sequence != 2048 || SoftwareOf(f.Tool, "gpu.h100") != "deepspeed" {
			t.Errorf("%q: %+v %s, %v", more, f.State, f.Plan, err)
		}
		if len(f.Without)+len(f.Aside) > 0 {
			t.Errorf("%q: without %q, not known %q", more, f.Without, f.Aside)
		}
	}
	f, err := ReadFlags(text+"attention_config: [[[\"mamba\"], 32]]\n", 8)
	if err != nil || strings.Join(f.Without, ",") != "attention mamba" {
		t.Errorf("without %q, %v", f.Without, err)
	}
}
