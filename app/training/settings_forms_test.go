package training

import (
	"slices"
	"strings"
	"testing"
)

// Forms in which people have settings: manifests of clusters, scripts whose conditions can be judged, code whose values
// name others.
func TestFormsOfSettings(t *testing.T) {
	const manifest = "kind: PyTorchJob\nspec:\n  pytorchReplicaSpecs:\n    Master:\n      replicas: 1\n      " +
		"template:\n" +
		"        spec:\n          containers:\n            - name: pytorch\n              command:\n" +
		"                - torchrun\n                - sft.py\n                - --per_device_train_batch_size=2\n" +
		"                - --gradient_accumulation_steps=4\n                - --fsdp=full_shard auto_wrap\n" +
		"              resources:\n                limits:\n                  nvidia.com/gpu: 8\n" +
		"    Worker:\n      replicas: 3\n"
	for _, c := range []struct {
		name, text string
		chips      int
		plan       string
		check      func(s *Settings) bool
	}{
		// 1 + 3 nodes of 8: 2 x 4 x 32 sequences
		{"a manifest", manifest, 8, "dp=32 mbs=2 zero=3", func(s *Settings) bool {
			return s.Batch == 2*4*32 && s.Devices == 32 && len(s.Aside) == 0
		}},
		{"arguments in brackets", `args: ["train.py", "--tensor-model-parallel-size", "2", "--micro-batch-size=4"]`, 8,
			"dp=4 tp=2 mbs=4 zero=0", nil},
		{"a condition that doesn’t hold", "FP8=${FP8:-false}\nTP=2\nif [ \"$FP8\" = \"true\" ]; then\n  TP=4\n" +
			"  X=\"--fp8-format hybrid\"\nfi\npretrain_gpt.py --tensor-model-parallel-size $TP $X --micro-batch-size 1",
			8, "dp=4 tp=2 zero=0", func(s *Settings) bool { return s.State.Compute == "" && len(s.Aside) == 0 }},
		{"flags that nothing sets", "pretrain_gpt.py --tensor-model-parallel-size 2 $MORE --micro-batch-size 1", 8,
			"dp=4 tp=2 zero=0", func(s *Settings) bool { return slices.Equal(s.Aside, []string{"$MORE"}) }},
		{"one that holds", "N=4\nif [[ $N -gt 2 ]]; then\n  TP=4\nelif [ $N = 1 ]; then\n  TP=1\nelse\n  TP=8\nfi\n" +
			"pretrain_gpt.py --tensor-model-parallel-size $TP --micro-batch-size 1", 8, "dp=2 tp=4 zero=0",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"the last of three", "N=7\nif [ $N -lt 2 ]; then\n  TP=4\nelif [ $N -eq 1 ]; then\n  TP=1\nelse\n  " +
			"TP=8\nfi\n" +
			"pretrain_gpt.py --tensor-model-parallel-size $TP --micro-batch-size 1", 8, "dp=1 tp=8 zero=0", nil},
		{"comments between signs, of which one holds a setting", "// two\n{\n " +
			"\"train_micro_batch_size_per_gpu\": 4, /* one\n" +
			" \"gradient_accumulation_steps\": 9, */ \"zero_optimization\": { /* a */ \"stage\": 2 },\n /* b */ " +
			"\"note\": \"/* none\",\n \"train_batch_size\": 64}", 8, "dp=8 mbs=4 zero=2",
			func(s *Settings) bool { return s.Batch == 64 && len(s.Without) == 0 }},
		{"files that a shell names", "cp /data/* /tmp\npretrain_gpt.py --micro-batch-size 1 " +
			"--tensor-model-parallel-size 2 --data-path /* --use-distributed-optimizer", 8, "dp=4 tp=2 zero=1", nil},
		{"a page’s escapes", `{&quot;zero_optimization&quot;: {&quot;stage&quot;: 3}, ` +
			`&quot;train_micro_batch_size_per_gpu&quot;: 2}`, 8, "dp=8 mbs=2 zero=3", nil},
		{"PyTorch’s FSDP2 in Megatron-LM", "pretrain_gpt.py --use-torch-fsdp2 --tensor-model-parallel-size 2 " +
			"--micro-batch-size 1", 8, "dp=4 tp=2 zero=3", func(s *Settings) bool { return len(s.Without) == 0 }},
		{"its weights kept whole between", "pretrain_gpt.py --use-torch-fsdp2 " +
			"--torch-fsdp2-no-reshard-after-forward --micro-batch-size 1", 8, "dp=8 zero=2",
			func(s *Settings) bool { return len(s.Without) == 0 }},
		{"the same as its arguments are printed", "  use_torch_fsdp2 ......... True\n" +
			"  micro_batch_size ........ 1\n  tensor_model_parallel_size .... 2", 8, "dp=4 tp=2 zero=3", nil},
		{"not in use, as its arguments are printed", "  use_torch_fsdp2 ......... False\n" +
			"  micro_batch_size ....... 1\n  tensor_model_parallel_size .... 2", 8, "dp=4 tp=2 zero=0", nil},
		{"a script of Windows", "@echo off\nset BS=4\nset \"ACC=2\"\ndeepspeed --num_gpus=4 t.py " +
			"--deepspeed zero3.json ^\n  --per_device_train_batch_size %BS% ^\n  --gradient_accumulation_steps %ACC% " +
			"--bf16", 4, "dp=4 mbs=4 zero=3",
			func(s *Settings) bool { return s.Batch == 4*4*2 && len(s.Aside) == 0 }},
		{"notes inside a command", "pretrain_gpt.py \\\n  --tensor-model-parallel-size 2 `# of a node` \\\n" +
			"  `# --tensor-model-parallel-size 8` \\\n  --micro-batch-size 2", 8, "dp=4 tp=2 mbs=2 zero=0",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"two axes that are to take the rest", "model_name: llama2-7b\nici_fsdp_parallelism: -1\n" +
			"ici_tensor_parallelism: -1\nper_device_batch_size: 1", 16, "dp=16 zero=3 recompute=block",
			func(s *Settings) bool { return len(s.Open) == 1 && s.Open[0].Written == "ici_tensor_parallelism" }},
		{"weights alone in the host’s memory", "base_model: a\nmicro_batch_size: 1\n" +
			"deepspeed: deepspeed_configs/zero3_bf16_cpuoffload_params.json", 8, "dp=8 zero=3",
			func(s *Settings) bool { return s.State.Host == (Host{Weights: true}) }},
		{"LLaMA-Factory’s, which has both there", "finetuning_type: full\ncutoff_len: 512\nstage: sft\n" +
			"per_device_train_batch_size: 1\ndeepspeed: examples/deepspeed/ds_z3_offload_config.json", 8,
			"dp=8 zero=3 recompute=block",
			func(s *Settings) bool { return s.State.Host == (Host{State: true, Weights: true}) }},
		{"a name in place of a number", "cfg.model.seq_length = 4096\ncfg.dataset.sequence_length = " +
			"cfg.model.seq_length\n" +
			"cfg.model.tensor_model_parallel_size = 2", 8, "dp=4 tp=2 zero=1",
			func(s *Settings) bool { return s.Sequence == 4096 && len(s.Open) == 0 }},
		{"one that the text doesn’t have", "args = TrainingArguments(\n  per_device_train_batch_size=args.batch,\n  " +
			"gradient_accumulation_steps=4,\n)", 8, "dp=8 mbs=8 zero=0",
			func(s *Settings) bool { return len(s.Open) == 1 && s.Open[0].Value == "args.batch" }},
		{"workers of Ray", "args = TrainingArguments(per_device_train_batch_size=2, dataloader_num_workers=4)\n" +
			"t = TorchTrainer(f, scaling_config=ScalingConfig(num_workers=16, use_gpu=True))", 8, "dp=16 mbs=2 zero=0",
			nil},
		{"workers of a loader", "args = TrainingArguments(per_device_train_batch_size=2)\n" +
			"loader = DataLoader(d, num_workers=16)", 8, "dp=8 mbs=2 zero=0", nil},
		{"devices that DeepSpeed takes", "deepspeed --include localhost:0,1,2,3 t.py --deepspeed zero2.json " +
			"--per_device_train_batch_size 2", 8, "dp=4 mbs=2 zero=2", nil},
		{"and of two nodes", "deepspeed --include=\"a:0,1@b:2,3\" t.py --deepspeed zero2.json " +
			"--per_device_train_batch_size 2", 8, "dp=4 mbs=2 zero=2", nil},
		{"Megatron-LM by accelerate", "distributed_type: MEGATRON_LM\nmegatron_lm_config:\n  " +
			"megatron_lm_tp_degree: 4\n" +
			"  megatron_lm_pp_degree: 2\n  megatron_lm_use_distributed_optimizer: true\n" +
			"  megatron_lm_recompute_activations: true\nnum_processes: 16\n", 8, "dp=2 tp=4 pp=2 zero=1 recompute=some",
			func(s *Settings) bool { return s.State.Kind == "mixed" && s.State.Grad == 4 && len(s.Without) == 0 }},
		{"a mesh of Levanter", "trainer:\n  train_batch_size: 512\n  per_device_parallelism: 4\n  mesh:\n    axes:\n" +
			"      replica: 2\n      data: -1\n      model: 4\n", 64, "dp=16 tp=4 mbs=4 zero=3 shard=8 recompute=block",
			nil},
		{"adapters of LLM Foundry", "max_seq_len: 4096\nmodel:\n  peft_config:\n    r: 16\n    target_modules:\n" +
			"    - q_proj\n    - v_proj\nglobal_train_batch_size: 64\ndevice_train_microbatch_size: 8\n", 8,
			"dp=8 mbs=8 zero=0",
			func(s *Settings) bool {
				return s.State.Learn == "lora" && s.State.Rank == 16 && s.State.Targets == TargetQ|TargetV
			}},
		{"an optimizer in a class of its own",
			"Trainer.Config(\n  optimizer=OptimizersContainer.Config(name=\"AdamW\", " +
				"lr=1e-4),\n  training=TrainingConfig(\n    local_batch_size=2,\n  ),\n  parallelism=ParallelismConfig(\n" +
				"    tensor_parallel_degree=2,\n  ),\n)", 8, "dp=4 tp=2 mbs=2 zero=3 recompute=some",
			func(s *Settings) bool { return len(s.Without) == 0 }},
		{"what a command prints", "torchrun --master_addr $(scontrol show hostnames | head -n1) " +
			"--nproc_per_node=8 t.py --per_device_train_batch_size 2", 4, "dp=8 mbs=2 zero=0",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"cases of a shell", "SIZE=70B\ncase $SIZE in\n  8B)\n    TP=1; PP=1 ;;\n  70B|72B)\n    TP=4; PP=2 ;;\n  *) " +
			"TP=8; PP=8 ;;\n" +
			"esac\npretrain_gpt.py --tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP --micro-batch-size 1", 8,
			"dp=1 tp=4 pp=2 zero=0", func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"a switch", "FP8=false\nif $FP8; then\n  X=\"--fp8-format hybrid\"\nfi\n" +
			"pretrain_gpt.py --tensor-model-parallel-size 2 $X --micro-batch-size 1", 8, "dp=4 tp=2 zero=0",
			func(s *Settings) bool { return s.State.Compute == "" && len(s.Aside) == 0 }},
		{"one of two conditions", "N=4\nif [ $N = 2 ] || [ $N = 4 ]; then\n" +
			"  ARGS+=(--tensor-model-parallel-size 2)\nfi\n" +
			"pretrain_gpt.py ${ARGS[@]} --micro-batch-size 1", 8, "dp=4 tp=2 zero=0", nil},
		{"patterns of a shell", "M=org/a-70B-x\ncase $M in\n  *8B*) TP=1 ;;\n  *70B*) TP=4 ;;\n  *) TP=8 ;;\nesac\n" +
			"pretrain_gpt.py --tensor-model-parallel-size $TP --micro-batch-size 1", 8, "dp=2 tp=4 zero=0",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"one that isn’t compared", "N=2\ncase $N in\n  [1-4]) ARGS+=(--tensor-model-parallel-size 2) ;;\n" +
			"  *) ;;\nesac\n" +
			"pretrain_gpt.py ${ARGS[@]} --micro-batch-size 1", 8, "dp=4 tp=2 zero=0", func(s *Settings) bool {
			return slices.Contains(s.Aside, "--tensor-model-parallel-size 2 (case 2 in [1-4])")
		}},
		{"conditions on a line", "TP=2\nAC=none\nARGS=(--tensor-model-parallel-size $TP)\n[ $TP -gt 1 ] && " +
			"ARGS+=(--sequence-parallel)\nif [ $AC = full ]; then ARGS+=(--recompute-granularity full); fi\n" +
			`pretrain_gpt.py "${ARGS[@]}" --micro-batch-size 1`, 8, "dp=4 tp=2 zero=0",
			func(s *Settings) bool { return !s.State.NormsWhole && len(s.Aside) == 0 }},
		{"a condition on a line that isn’t judged", "[ $1 = a ] && ARGS+=(--tensor-model-parallel-size 2)\n" +
			"pretrain_gpt.py ${ARGS[@]} --micro-batch-size 1", 8, "dp=4 tp=2 zero=0", func(s *Settings) bool {
			return slices.Contains(s.Aside, "--tensor-model-parallel-size 2 (if $1 = a)")
		}},
		{"two conditions on a line", "A=1\nB=0\n[ $A = 1 ] && [ $B = 1 ] && X=(--tensor-model-parallel-size 2)\n" +
			"[ $A = 1 ] && [[ $B = 0 ]] && Y=(--pipeline-model-parallel-size 2)\n" +
			"pretrain_gpt.py ${X[@]} ${Y[@]} --micro-batch-size 1", 8, "dp=4 pp=2 zero=0",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"what stands behind else", "if [ $1 = a ]; then\n  X=--sequence-parallel\nelse\n" +
			"  ARGS+=(--tensor-model-parallel-size 2)\nfi\npretrain_gpt.py ${ARGS[@]} --micro-batch-size 1", 8,
			"dp=4 tp=2 zero=0", func(s *Settings) bool {
				return slices.Contains(s.Aside, "--tensor-model-parallel-size 2 (if ! $1 = a)")
			}},
		{"FSDP and DeepSpeed at once",
			"t.py --fsdp full_shard --deepspeed zero2.json --per_device_train_batch_size 2", 8,
			"dp=8 mbs=2 zero=3", func(s *Settings) bool {
				return slices.Equal(s.Without, []string{"--deepspeed zero2.json"})
			}},
		{"and the other way", "t.py --deepspeed zero2.json --fsdp full_shard --per_device_train_batch_size 2", 8,
			"dp=8 mbs=2 zero=2", func(s *Settings) bool {
				return slices.Equal(s.Without, []string{"fsdp full_shard"})
			}},
		{"4 and 8 bits at once", "load_in_4bit: true\nload_in_8bit: true\nadapter: qlora\nmicro_batch_size: 1\n" +
			"sequence_len: 2048\n", 8, "dp=8 zero=0", func(s *Settings) bool {
			return s.State.Bits == 4 && slices.Contains(s.Without, "load_in_8bit")
		}},
		{"lines of PowerShell", "python t.py `\r\n  --use_peft `\r\n  --lora_r 16 `\r\n  " +
			"--per_device_train_batch_size 2\r\n", 1,
			"dp=1 mbs=2 zero=0", func(s *Settings) bool { return s.State.Rank == 16 && len(s.Without) == 0 }},
		{"variables of make", "TP ?= 4\nPP := 1\ntrain:\n\ttorchrun pretrain_gpt.py --tensor-model-parallel-size " +
			"$(TP) \\\n" +
			"\t\t--pipeline-model-parallel-size $(PP) --micro-batch-size 1", 8, "dp=2 tp=4 zero=0",
			func(s *Settings) bool { return len(s.Open) == 0 }},
		{"a form that isn’t filled in", "model:\n  tensor_model_parallel_size: {{ tp }}\n  micro_batch_size: 2\n", 8,
			"dp=8 mbs=2 zero=1", func(s *Settings) bool { return len(s.Open) == 1 && s.Open[0].Value == "{{ tp }}" }},
		{"argparse", `p.add_argument("--per_device_train_batch_size", type=int, default=4)` + "\n" +
			"args = TrainingArguments(per_device_train_batch_size=args.per_device_train_batch_size)", 8,
			"dp=8 mbs=8 zero=0", func(s *Settings) bool { return len(s.Open) == 1 }},
		{"devices in an environment of JSON",
			`{"env": {"CUDA_VISIBLE_DEVICES": "0,1", "A_PATH": "x"}, "args": ["t.py", ` +
				`"--per_device_train_batch_size", "4"]}`, 8, "dp=2 mbs=4 zero=0",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"devices of a " +
			"container", `docker run --rm --gpus '"device=0,1,2,3"' x bash -c "t.py --per_device_train_batch_size 2"`,
			8, "dp=4 mbs=2 zero=0", nil},
		{"as many as there are", "torchrun --nproc_per_node=gpu t.py --per_device_train_batch_size 2", 8,
			"dp=8 mbs=2 zero=0", func(s *Settings) bool { return len(s.Open) == 0 }},
		// SkyPilot gives 2 x 8, whatever the launcher's variables are.
		{"a task of SkyPilot", "resources:\n  accelerators: H100:8\nnum_nodes: 2\nsetup: |\n  pip install x " +
			"--no-deps\nrun: |\n" +
			"  torchrun --nnodes=$SKYPILOT_NUM_NODES --nproc_per_node=$SKYPILOT_NUM_GPUS_PER_NODE t.py " +
			"--per_device_train_batch_size 2", 8, "dp=16 mbs=2 zero=0",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"a shell's command in a manifest", "command:\n- bash\n- -c\n- python3 -m MaxText.train base.yml " +
			"per_device_batch_size=2 max_target_length=4096 ici_fsdp_parallelism=8 remat_policy=full\n", 8,
			"dp=8 mbs=2 zero=3 recompute=block", func(s *Settings) bool { return s.Sequence == 4096 }},
		{"a shell's command in a block", "run: |\n  python3 -m MaxText.train base.yml per_device_batch_size=2 " +
			"ici_fsdp_parallelism=8 remat_policy=full\n", 8, "dp=8 mbs=2 zero=3 recompute=block", nil},
		{"degrees that a shell divides", "DEGREES=${DEGREES:-2,4,1}\nGBS=64\nIFS=',' read -r TP PP CP <<< " +
			"\"$DEGREES\"\n" +
			"OVERRIDES=\" \\\n  train.global_batch_size=$GBS \\\n  train.micro_batch_size=1 \\\n  " +
			"model.tensor_model_parallel_size=$TP \\\n  model.pipeline_model_parallel_size=$PP \\\n  logger.a_name=" +
			strings.Repeat("x", 600) + "\"\nCMD=\"python scripts/run_recipe.py --recipe llama3_8b_pretrain_config " +
			"--step_func gpt_step $OVERRIDES\"\nsrun bash -lc \"$CMD\"\n", 16, "dp=2 tp=2 pp=4 zero=1",
			func(s *Settings) bool {
				return s.Batch == 64 && s.Tool == "nemo" && s.Model == "llama3_8b_pretrain_config"
			}},
		{"a list of degrees in turn", "LIST=(\"1,8,4\" \"4,1,4\")\nfor C in \"${LIST[@]}\"; do\n  IFS=',' read " +
			"-r TP PP EP " +
			"<<< \"$C\"\n  CMD=\"python run_recipe.py --recipe gpt_oss_20b_sft_config\"\n  OVERRIDES=\"\\\n    " +
			"model.tensor_model_parallel_size=$TP \\\n    model.pipeline_model_parallel_size=$PP \\\n    " +
			"model.mtp_num_layers=0 train.global_batch_size=8 train.micro_batch_size=1\"\n  CMD=\"$CMD $(echo " +
			"\"$OVERRIDES\" | tr '\\n' ' ' | sed 's/  \\+/ /g')\"\n  srun $CMD\ndone\n", 16, "dp=4 tp=4 zero=1",
			func(s *Settings) bool { return s.Batch == 8 && len(s.Open)+len(s.Aside) > 0 }},
		{"what a launcher is given as a whole", "ARGS=\"per_device_batch_size=4 max_target_length=4096 " +
			"ici_fsdp_parallelism=8 " +
			"remat_policy=full\"\nCMD=\"export JAX_PLATFORMS='tpu' && python3 -m " +
			"maxtext.trainers.pre_train.train base.yml " +
			"${ARGS} 2>&1 | tee /tmp/log\"\nxpk workload create \\\n  --workload=x \\\n  --command=\"$CMD\"\n", 8,
			"dp=8 mbs=4 zero=3 recompute=block", func(s *Settings) bool { return s.Sequence == 4096 }},
		{"a recipe of adapters", "python run_recipe.py --recipe llama3_8b_peft_config train.global_batch_size=8 " +
			"train.micro_batch_size=1", 8, "dp=8 zero=1", func(s *Settings) bool { return s.State.Learn == "lora" }},
		{"a command behind those that prepare it", "GBS=64\nMORE=\"\\\n    train.global_batch_size=$GBS \\\n    " +
			"train.micro_batch_size=2 \\\n    dataset.pad=$([ \"$CP\" -gt 1 ] && echo 2)\n\"\nCMD=\"cd " +
			"/opt/Megatron-Bridge && uv run python run_recipe.py --step_func x $MORE\"\n" +
			"srun bash -c \"$CMD\"\n", 8, "dp=8 mbs=2 zero=1", func(s *Settings) bool { return s.Batch == 64 }},
		{"one of several cards, as SkyPilot takes them", "resources:\n  accelerators: {A100-80GB:4, H100:4}\nrun: |\n" +
			"  torchrun --nproc_per_node=$SKYPILOT_NUM_GPUS_PER_NODE t.py --per_device_train_batch_size 2", 8,
			"dp=4 mbs=2 zero=0", func(s *Settings) bool { return s.Devices == 4 && len(s.Open) == 0 }},
		{"cards that stand below", "resources:\n  accelerators:\n    H200: 8\n    H100: 4\nnum_nodes: 2\nrun: |\n" +
			"  torchrun --nproc_per_node=$SKYPILOT_NUM_GPUS_PER_NODE --nnodes=$SKYPILOT_NUM_NODES t.py " +
			"--per_device_train_batch_size 2", 8, "dp=16 mbs=2 zero=0",
			func(s *Settings) bool { return s.Devices == 16 && len(s.Open) == 0 }},
		{"arguments that Megatron-LM prints",
			"  data_parallel_size .............. 4\n  tensor_model_parallel_size ...... 2\n" +
				"  micro_batch_size ................ 1\n  use_distributed_optimizer ....... True\n", 8, "dp=4 tp=2 zero=1",
			nil},
		{"Unsloth computes layers again", "m = FastModel.from_pretrained(full_finetuning=True)\n" +
			"SFTConfig(per_device_train_batch_size=2, optim=\"adamw_8bit\")", 1, "dp=1 mbs=2 zero=0 recompute=block",
			nil},
		{"OpenRLHF’s adapters", "openrlhf.cli.train_sft --micro_train_batch_size 2 --train_batch_size 128 " +
			"--zero_stage 3 --lora_rank 64", 8, "dp=8 mbs=2 zero=3",
			func(s *Settings) bool { all, _ := targetNamed("all"); return s.State.Targets == all }},
		{"what a variable is otherwise", ": \"${TP:=4}\"\nOPTS=\"\"\nopts=\"\"\nif [[ -n \"${TP:-}\" ]]; then\n" +
			"  OPTS+=\" --tensor-model-parallel-size $TP\"\nfi\nif [ -z \"$TP\" ]; then\n  OPTS=\"--fp8-format hybrid\"\nfi\n" +
			"pretrain_gpt.py $OPTS --micro-batch-size 1", 8, "dp=2 tp=4 zero=0",
			func(s *Settings) bool { return len(s.Aside)+len(s.Open) == 0 && s.State.Compute == "" }},
		{"tasks of Slurm", "#SBATCH --ntasks=32\n#SBATCH --gpus-per-task=1\nsrun t.py --per_device_train_batch_size 2",
			8, "dp=32 mbs=2 zero=0", nil},
		{"more tasks than fit a rack", "#SBATCH --ntasks=8192\n#SBATCH --gpus-per-task=1\n" +
			"srun t.py --per_device_train_batch_size 2", 8, "dp=8192 mbs=2 zero=0", nil},
		{"nodes of TORQUE", "#PBS -l nodes=4:ppn=8:gpus=8\nmpiexec t.py --per_device_train_batch_size 2", 8,
			"dp=32 mbs=2 zero=0", nil},
		{"tasks of a node", "#SBATCH -N 2\n#SBATCH --ntasks-per-node=4\n#SBATCH --gpus-per-task=1\n" +
			"srun t.py --per_device_train_batch_size 2", 1, "dp=8 mbs=2 zero=0", nil},
		{"one task a node", "#SBATCH -N 2\n#SBATCH --gpus-per-task=8\nsrun t.py --per_device_train_batch_size 2", 1,
			"dp=16 mbs=2 zero=0", nil},
		{"all devices of Slurm", "#SBATCH --gpus=h100:16\nsrun t.py --per_device_train_batch_size 2", 1,
			"dp=16 mbs=2 zero=0", nil},
		{"another scheduler", "#PBS -l select=4:ncpus=64:ngpus=8:mem=500gb\nmpiexec t.py " +
			"--per_device_train_batch_size 2", 1,
			"dp=32 mbs=2 zero=0", nil},
		{"short names of NeMo’s scripts", "setup_experiment.py -ng 64 -gn 8 -tp 4 -pp 4 -cp 2 -vp 5 -mb 1 -gb 128", 8,
			"dp=2 tp=4 pp=4 cp=2 vp=5 zero=1", func(s *Settings) bool { return s.Batch == 128 && len(s.Aside) == 0 }},
		{"at a prompt, with a file of TRL’s", "$ trl dpo --accelerate_config zero2 --per_device_train_batch_size 2", 8,
			"dp=8 mbs=2 zero=2", func(s *Settings) bool { return slices.Contains(s.Without, "trl dpo") }},
		{"shards by a file of TRL’s", "trl sft --accelerate_config fsdp2 --per_device_train_batch_size 2", 8,
			"dp=8 mbs=2 zero=3", nil},
		{"accelerate’s switches", "accelerate launch --use_deepspeed --zero_stage 3 t.py " +
			"--per_device_train_batch_size 2", 8,
			"dp=8 mbs=2 zero=3", func(s *Settings) bool { return s.State.Kind == "mixed" && len(s.Aside) == 0 }},
		{"and FSDP’s", "accelerate launch --use_fsdp --mixed_precision bf16 t.py --per_device_train_batch_size 2", 8,
			"dp=8 mbs=2 zero=3", func(s *Settings) bool { return s.State.Kind == "fsdp" && len(s.Aside) == 0 }},
		{"a command that is given as a value", `xpk workload create --tpu-type=v6e-64 --command "python3 -m ` +
			`MaxText.train base.yml per_device_batch_size=2 ici_fsdp_parallelism=64 dcn_data_parallelism=4"`, 256,
			"dp=256 mbs=2 zero=3 shard=64 recompute=block", func(s *Settings) bool { return s.Batch == 512 }},
		{"a loop of accelerate’s", "a = Accelerator(mixed_precision=\"bf16\", gradient_accumulation_steps=16)\n" +
			"m.gradient_checkpointing_enable()\nl = DataLoader(d, batch_size=1)", 2, "dp=2 zero=0 recompute=block",
			func(s *Settings) bool { return s.Batch == 2*16 }},
		{"arguments of nanotron in Python", "ParallelismArgs(dp=2, pp=2, tp=2, pp_engine=\"1f1b\", " +
			"tp_mode=\"REDUCE_SCATTER\")\n" +
			"TokensArgs(sequence_length=4096, micro_batch_size=2, batch_accumulation_per_replica=16)\n" +
			"optimizer = OptimizerArgs(\n  zero_stage=1,\n  accumulate_grad_in_fp32=True,\n)", 8,
			"dp=2 tp=2 pp=2 mbs=2 zero=1", func(s *Settings) bool {
				return s.Batch == 2*2*16 && s.Tool == "nanotron" &&
					len(s.Without) == 0
			}},
		{"what Weights & Biases keeps", "wandb_version: 1\nper_device_train_batch_size:\n  desc: null\n  value: 4\n" +
			"gradient_accumulation_steps:\n  desc: null\n  value: 2\n", 8, "dp=8 mbs=4 zero=0",
			func(s *Settings) bool { return s.Batch == 4*2*8 }},
		{"what must be set", "torchrun --nproc_per_node ${N:?set N} t.py --per_device_train_batch_size 2", 8,
			"dp=8 mbs=2 zero=0", func(s *Settings) bool { return len(s.Open) == 1 }},
		{"a file that stands in the text", "t.py --deepspeed zero2.json --per_device_train_batch_size 2\n" +
			`{"zero_optimization": {"stage": 2}}`, 8, "dp=8 mbs=2 zero=2",
			func(s *Settings) bool { return s.State.stageOf == "" }},
		{"a difference", "n = 1024\nGRPOConfig(\n  per_device_train_batch_size = 2,\n  max_prompt_length = 256,\n  " +
			"max_completion_length = n - 256,\n)", 8, "dp=8 mbs=2 zero=0",
			func(s *Settings) bool { return s.Sequence == 1024 }},
		{"a sentence", "Note: it crashes with batch size 4\n--per_device_train_batch_size 2", 8, "dp=8 mbs=2 zero=0",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
	} {
		f, err := ReadFlags(c.text, c.chips)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := f.Plan.String(); got != c.plan || c.check != nil && !c.check(&f) {
			t.Errorf("%s: %s of %s, want %s; batch %d of %d, devices %d, %s; not known %q, without %q, open %v", c.name,
				got, f.Tool, c.plan, f.Batch, f.Sequence, f.Devices, f.State.Words(), f.Aside, f.Without, f.Open)
		}
	}
}

// A number that a scheduler is asked for is refused by its own name.
func TestNumbersOfSchedulers(t *testing.T) {
	const want = `gpus_per_node is "many"`
	_, err := ReadFlags("#SBATCH --gpus-per-node=many\nsrun t.py --per_device_train_batch_size 2", 8)
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// DeepSpeed refuses a batch that isn't what its parts come to: 4 x 8 on 16 ranks are 512 sequences.
func TestBatchThatIsNotItsParts(t *testing.T) {
	const text = `{"train_batch_size": 256, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 8,
		"zero_optimization": {"stage": 2}}`
	if _, err := ReadFlags(text, 16); err == nil ||
		!strings.Contains(err.Error(), "4 a device x 8 accumulations x DP 16") {
		t.Errorf("on 16 devices: %v", err)
	}
	if f, err := ReadFlags(text, 8); err != nil || f.Batch != 256 {
		t.Errorf("on 8 devices: %v, %v", f.Batch, err)
	}
}

// Two formats at once are refused, as tools do.
func TestTwoFormatsAtOnce(t *testing.T) {
	for _, text := range []string{"--bf16 True --fp16 True --per_device_train_batch_size 2",
		`{"bf16": {"enabled": true}, "fp16": {"enabled": true}, "zero_optimization": {"stage": 1}}`} {
		if _, err := ReadFlags(text, 8); err == nil || !strings.Contains(err.Error(), "bf16 and fp16") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"--bf16 True --fp16 False --per_device_train_batch_size 2",
		`{"bf16": {"enabled": true}, "fp16": {"enabled": "auto"}, "zero_optimization": {"stage": 1}}`} {
		if _, err := ReadFlags(text, 8); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Where fewer settings are known than not, that is said: they may be of a program that isn't read.
func TestForeignSettings(t *testing.T) {
	const text = "micro_batch_size: 1\nwhole_new_a: 1\nwhole_new_b: 2\n"
	for _, c := range []struct {
		text    string
		foreign bool
	}{{text, true}, {text + "seq_length: 4096\ntensor_model_parallel_size: 2\n", false}} {
		f, err := ReadFlags(c.text, 8)
		if err != nil || f.Foreign != c.foreign || !slices.ContainsFunc(f.Aside, func(name string) bool {
			return strings.HasPrefix(name, "whole_new_a")
		}) {
			t.Errorf("%q is foreign: %v, not known %q, %v", c.text, f.Foreign, f.Aside, err)
		}
	}
}
