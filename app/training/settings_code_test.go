package training

import (
	"fmt"
	"strings"
	"testing"
)

// Settings as code and clusters have them: notebooks, functions around values, lists of devices, axes of meshes,
// environments behind the commands that read them, several requests of a scheduler on a line.
func TestSettingsOfCodeAndClusters(t *testing.T) {
	const cells = `{"cells": [{"cell_type": "markdown", "source": ["per_device_train_batch_size = 64 was too much"]}, ` +
		`{"cell_type": "code", "source": ["model = FastModel.from_pretrained('x', load_in_4bit=True)\n", ` +
		`"args = SFTConfig(\n", "  per_device_train_batch_size = 2,\n", "  optim = \"adamw_8bit\",\n", ")"]}, ` +
		`{"cell_type": "code", "source": "!torchrun t.py --gradient_accumulation_steps 4"}], "nbformat": 4}`
	const slime = "PERF=(--tensor-model-parallel-size 2 --optimizer-cpu-offload)\npython3 train.py " +
		"--actor-num-nodes 2 --actor-num-gpus-per-node 8 ${PERF[@]} --num-rollout 100 --global-batch-size 64 " +
		"--rollout-max-response-len 4096"
	const mesh = "B = 2\nmesh = init_device_mesh(\"cuda\", (B, 8), mesh_dim_names=(\"replicate\", \"shard\"))\n" +
		"fully_shard(model, mesh=mesh)\nbatch_size = 2\ngrad_accum_steps = 8\n"
	const job = "spec:\n  template:\n    containers:\n      - command: [\"bash\", \"-c\"]\n        args:\n        " +
		"  - |\n" +
		"            torchrun t.py --per_device_train_batch_size 2 --gradient_accumulation_steps $STEPS\n        env:\n" +
		"          - name: STEPS\n            value: \"4\"\n"
	const lightning = "trainer:\n  devices: [0, 1, 2, 3]\n  num_nodes: 2\n  strategy:\n    class_path: FSDPStrategy\n" +
		"    init_args:\n      sharding_strategy: HYBRID_SHARD\ndata:\n  batch_size: 2\n"
	const olmo = "train = TransformerTrainModuleConfig(\n  rank_microbatch_size=8192,\n  max_sequence_length=8192,\n" +
		"  dp_config=TransformerDataParallelConfig(name=DataParallelType.fsdp),\n" +
		"  tp_config=TransformerTensorParallelConfig(\n    degree=2,\n  ),\n" +
		"  cp_config=TransformerContextParallelConfig.llama3(degree=4),\n)\n"
	const moe = "class Block(Module):\n  def __init__(self):\n    self.moe = MoE(hidden_size=4096, expert=FFN(), " +
		"num_experts=8, ep_size=4, k=2)\nconfig = {\"train_batch_size\": 64, \"zero_optimization\": {\"stage\": 1}}\n"
	const titan = "[training]\nlocal_batch_size = 8\n[parallelism]\npipeline_parallel_degree = 4\n"
	for _, c := range []struct {
		name, text string
		plan       string
		batch      int
		state      string // what is said of it
	}{
		{"a notebook", cells, "dp=8 mbs=2 zero=0 recompute=block", 64,
			"state=loaded optimizer=adamw8bitbnb learn=lora rank=8 targets=q+v bits=4 loss=cut " +
				"offload=activations"},
		{"slime, which always shards the optimizer", slime, "dp=8 tp=2 zero=1", 64,
			"norms=whole dispatcher=alltoall offload=optimizer"},
		{"a mesh is all devices", mesh, "dp=16 mbs=2 zero=3 shard=8", 256, "state=fsdp"},
		{"an environment behind the command", job, "dp=8 mbs=2 zero=0", 64, "state=loaded"},
		{"shards within a launcher’s node", lightning, "dp=8 mbs=2 zero=3 shard=4", 16, "state=fp32 compute=fp32"},
		{"degrees of OLMo-core", olmo, "dp=1 tp=2 cp=4 zero=3", 0, "state=fsdp weights=32bit"},
		{"experts of DeepSpeed in code", moe, "dp=8 ep=4 zero=1", 64, "state=mixed"},
		{"microbatches of TorchTitan", titan, "dp=2 pp=4 zero=2 recompute=some", 16, ""},
		{"what offloads in TorchTitan", titan + "[training]\nenable_cpu_offload = true\n",
			"dp=2 pp=4 zero=2 recompute=some", 16, "offload=optimizer+weights"},
		{"functions around values", "t = L.Trainer(devices=8, num_nodes=int(os.environ.get(\"NNODES\", 2)), " +
			"strategy=\"ddp\", precision=\"bf16-true\", accumulate_grad_batches=int(\"4\"))",
			"dp=16 zero=0", 64, "state=pure"},
		{"functions in a list", `run(["torchrun", "pretrain_gpt.py", "--tensor-model-parallel-size", str(4), ` +
			`"--micro-batch-size", str(int(2))])`, "dp=2 tp=4 mbs=2 zero=0", 0, "norms=whole"},
		{"texts that Python fills in", "tp = 2\ncmd = f\"torchrun pretrain_gpt.py --tensor-model-parallel-size {tp} " +
			"--micro-batch-size 2\"\nmore = [\"--global-batch-size\", f\"{16*2}\"]", "dp=4 tp=2 mbs=2 zero=0", 32,
			"norms=whole"},
		{"requests on a line", "#SBATCH -N 2 --gres=gpu:8 --array=0-2 # three runs\nsrun t.py " +
			"--per_device_train_batch_size 2 --gradient_accumulation_steps 1", "dp=16 mbs=2 zero=0", 32,
			"state=loaded"},
		{"requests of srun", "srun -N 2 --gres=gpu:8 -u python3 t.py --per_device_train_batch_size 2 " +
			"--gradient_accumulation_steps 1", "dp=16 mbs=2 zero=0", 32, "state=loaded"},
		{"ranks of MPI", "mpirun -np 16 --map-by ppr:8:node t.py --per_device_train_batch_size 2 " +
			"--gradient_accumulation_steps 1", "dp=16 mbs=2 zero=0", 32, "state=loaded"},
		{"slime’s steps of what it generates", "train.py --tensor-model-parallel-size 2 --rollout-batch-size 128 " +
			"--n-samples-per-prompt 8 --num-steps-per-rollout 4 --rm-type math --num-experts 8", "dp=4 tp=2 zero=1",
			256, "norms=whole dispatcher=alltoall"},
		{"adapters of verl on Megatron-LM", "verl.trainer.main_ppo data.train_batch_size=16 " +
			"actor_rollout_ref.model.lora.rank=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 " +
			"actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2", "dp=4 tp=2 mbs=2 zero=1", 16,
			"state=mixed weights=32bit grads=32bit learn=lora rank=64 targets=all"},
		{"a base in 4 bits by its name", "model_name_or_path: x/Llama-3-8B-GPTQ\nstage: sft\nfinetuning_type: lora\n" +
			"per_device_train_batch_size: 1\ncutoff_len: 512\nbf16: true\n", "dp=8 zero=0 recompute=block", 8,
			"state=amp learn=lora rank=8 targets=all bits=4"},
		{"tokens of TorchTitan’s microbatches", "TrainingConfig(\n  num_tokens_per_microbatch_per_dp_rank=2 * 4096,\n" +
			"  max_context_length=4096,\n  num_tokens_per_train_step=-1,\n)\nParallelismConfig(\n" +
			"  tensor_parallel_degree=2,\n  pipeline_parallel_degree=2,\n  num_pp_microbatches=4,\n)",
			"dp=2 tp=2 pp=2 mbs=2 zero=2 recompute=some", 16, ""},
		{"what OpenRLHF generates", "python3 -m openrlhf.cli.train_ppo_ray --ref.num_gpus_per_node 4 " +
			"--actor.num_gpus_per_node 8 --vllm.tensor_parallel_size 2 --train.batch_size 128 --train.micro_batch_size 2 " +
			"--rollout.batch_size 1024 --rollout.micro_batch_size 16 --data.max_len 2048 --ds.zero_stage 3",
			"dp=8 mbs=2 zero=3", 128, "state=mixed"},
		{"Colossal-AI’s plugins", "colossalai run --nproc_per_node 8 train_sft.py --plugin zero2_cpu --batch_size 4 " +
			"--max_len 4096 --accumulation_steps 2 --grad_checkpoint", "dp=8 mbs=4 zero=2 recompute=block", 64,
			"state=mixed offload=optimizer"},
		{"powers, types, and what is left to a program", "def build(sequence_length: int,\n  num_nodes: int,\n):\n" +
			"GLOBAL_BATCH_SIZE = 2**21\nc = TransformerTrainModuleConfig(\n  rank_microbatch_size=8192,\n" +
			"  max_sequence_length=8192,\n  ep_config=TransformerExpertParallelConfig(degree=-1),\n)\n" +
			"l = NumpyDataLoaderConfig(global_batch_size=GLOBAL_BATCH_SIZE)\n", "dp=8 zero=3", 256,
			"state=fsdp weights=32bit"},
		{"what an engine has beside", "t.py --tensor-model-parallel-size 2 --expert-model-parallel-size 4 " +
			"--global-batch-size 64 --num-experts 8\nsglang:\n  groups:\n    ep_size: 8\n    tensor_model_parallel_size: 8\n" +
			"    batch_size: 9\n", "dp=4 tp=2 ep=4 zero=0", 64, "norms=whole dispatcher=allgather"},
		{"a file that echo writes", "echo '{\"zero_optimization\": {\"stage\": 3}}' > ds.json\n" +
			"t.py --deepspeed ds.json --per_device_train_batch_size 2 --gradient_accumulation_steps 1",
			"dp=8 mbs=2 zero=3", 16, "state=mixed"},
	} {
		f, err := ReadFlags(c.text, 8)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, state := f.Plan.String(), f.State.Words()
		if got != c.plan || f.Batch != c.batch || state != c.state || len(f.Aside) > 0 {
			t.Errorf("%s: %s of %s, %d, %s; not known %q, without %q, open %v\nwant %s, %d, %s", c.name, got, f.Tool,
				f.Batch, state, f.Aside, f.Without, f.Open, c.plan, c.batch, c.state)
		}
	}
}

// A setting that the text says twice, each time otherwise, counts as the last one says, and both are told.
func TestSettingsSaidTwice(t *testing.T) {
	for _, c := range [][2]string{
		{`{"train_micro_batch_size_per_gpu": 2, "train_micro_batch_size_per_gpu": 8, "zero_optimization": {"stage": 2}}`,
			"[train_micro_batch_size_per_gpu (2, 8)]"},
		{"--per_device_train_batch_size 2 --bf16 --per_device_train_batch_size 8",
			"[--per_device_train_batch_size (2, 8)]"},
		{"--per_device_train_batch_size 8 --bf16 --per_device_train_batch_size 8 --learning_rate 1 --learning_rate 2",
			"[]"},
		{"micro_batch_size: 2\nsequence_len: 4096\nsequence_len: 4096\nmicro_batch_size: 8\nadapter: lora\n" +
			"flash_attention: true", "[micro_batch_size (2, 8)]"},
	} {
		f, err := ReadFlags(c[0], 8)
		if got := fmt.Sprint(f.Aside); err != nil || got != c[1] || f.Plan.Micro != 8 {
			t.Errorf("%q: %s, %s, %v, want %s", c[0], f.Plan, got, err, c[1])
		}
	}
}

// A text reads the same as mail, word processors, other systems and pages in Markdown pass it on; a value that is no
// number is refused, whatever it is.
func TestSettingsAsTheyArePassedOn(t *testing.T) {
	const yaml = "# a run\ntrainer:\n  devices: 8\n  num_nodes: 2\n  strategy: fsdp\ndata:\n  batch_size: 2\n"
	const json = "{\n  // of last week\n  \"train_batch_size\": 64,\n  \"zero_optimization\": {\"stage\": 2}\n}\n"
	const flags = "torchrun --nproc_per_node 8 t.py \\\n  --per_device_train_batch_size 2 --optim \"lion_8bit\"\n"
	for _, text := range []string{yaml, json, flags} {
		want, err := ReadFlags(text, 8)
		if err != nil {
			t.Fatal(err)
		}
		for how, other := range map[string]string{
			"spaces that don’t part":   strings.ReplaceAll(text, " ", "\u00a0"),
			"lines of Windows":         strings.ReplaceAll(text, "\n", "\r\n"),
			"a byte order mark":        "\ufeff" + text,
			"curly quotation marks":    strings.ReplaceAll(text, `"`, "”"),
			"dashes":                   strings.ReplaceAll(text, "--", "—"),
			"a quoted letter":          strings.TrimSuffix("> "+strings.ReplaceAll(text, "\n", "\n> "), "> "),
			"Markdown":                 "```sh\n" + text + "```\n",
			"tabs":                     strings.ReplaceAll(text, "  ", "\t"),
			"colours of a terminal":    "\x1b[32m" + text + "\x1b[0m",
			"lines of an old computer": strings.ReplaceAll(text, "\n", "\r"),
		} {
			f, err := ReadFlags(other, 8)
			if err != nil || f.Plan != want.Plan || f.Batch != want.Batch || f.State != want.State ||
				len(f.Aside) != len(want.Aside) {
				t.Errorf("%s: %s of %d, %s, not known %q, %v; want %s of %d, %s\n%s", how, f.Plan, f.Batch,
					f.State.Words(), f.Aside, err, want.Plan, want.Batch, want.State.Words(), other)
			}
		}
	}
	for _, value := range []string{"[]", "{}", "-3", "many", "1.5", "1e9", "8k", "0x10", strings.Repeat("9", 1000)} {
		for _, text := range []string{"tp: " + value + "\ndp: 2\nmicro_batch_size: 1\nsequence_length: 64",
			`{"train_batch_size": ` + value + `, "zero_optimization": {"stage": 2}}`,
			"NNODES=" + value + "\nt.py --per_device_train_batch_size 2",
			"t.py --per_device_train_batch_size=" + value} {
			if f, err := ReadFlags(text, 8); err == nil {
				t.Errorf("%s: %s of %d", text, f.Plan, f.Batch)
			}
		}
	}
}

// Variables of a script that hold themselves, or each other, end.
func TestVariablesThatHoldThemselves(t *testing.T) {
	const run = "t.py $A --per_device_train_batch_size 2"
	for _, text := range []string{`A="$A a=1 b=2"`, `A="a=1 $A b=2"`, "A=\"b=1 $B c=2\"\nB=\"d=1 $A e=2\"", "A=--x=$A",
		"A=(a=1 ${A[@]} b=2)"} {
		f, err := ReadFlags(text+"\n"+run, 8)
		if err != nil || f.Plan.Micro != 2 {
			t.Errorf("%s: %s, %v", text, f.Plan, err)
		}
	}
}

// A setting that only another tool has a section for is told, not left out as that tool’s would be.
func TestSectionsOfOtherTools(t *testing.T) {
	f, err := ReadFlags("verl.trainer.main_ppo actor_rollout_ref.model.whole_new.part=3 data.train_batch_size=16 "+
		"actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2", 8)
	if err != nil || fmt.Sprint(f.Aside) != "[actor_rollout_ref.model.whole_new.part]" {
		t.Errorf("not known %q, %v", f.Aside, err)
	}
}

// A script of Python names its model where it loads it. Tokenizers, teachers and adapters are no model that
// learns, nor what stands behind it.
func TestModelThatAScriptLoads(t *testing.T) {
	const args = "args = TrainingArguments(per_device_train_batch_size=2, bf16=True)\n"
	const own, auto = "org/own-8b", "AutoModelForCausalLM.from_pretrained("
	for _, c := range []struct{ text, model string }{
		{"tok = AutoTokenizer.from_pretrained('org/w-1b')\nmodel = " + auto + "'org/own-8b', dtype=torch.bfloat16)\n",
			own},
		{"prefixed_model = " + auto + "'org/own-8b')\nself.ref_model = " + auto + "'o/x-1b')\n", own},
		{"self.ref_model = " + auto + "'org/b-70b')\nmodel = " + auto + "'org/own-8b')\n", own},
		{"teacher = " + auto + "'org/b-70b')\nmodel = " + auto + "'org/own-8b')\nold = " + auto + "'o/x-1b')\n", own},
		{"BASE = 'org/own-8b'\nmodel = " + auto + "\n    BASE,\n    torch_dtype='auto',\n)\n", own},
		{"model = PeftModel.from_pretrained(model, 'org/adapter-8b')\n", ""},
	} {
		s, err := ReadFlags(c.text+args, 8)
		if err != nil || s.Model != c.model || len(s.Aside) > 0 {
			t.Errorf("%q: model %q, aside %q, %v", c.text, s.Model, s.Aside, err)
		}
	}
	const levanter = "initialize_from_hf: org/own-8b\ntrainer:\n  train_batch_size: 128\n  per_device_parallelism: 4\n"
	if s, err := ReadFlags(levanter, 8); err != nil || s.Model != own {
		t.Errorf("%q, %v", s.Model, err)
	}
}
