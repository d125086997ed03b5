package training

import (
	"slices"
	"strings"
	"testing"
)

// What a text says in two places, leaves out, or says of something else than training is never taken in silence.
func TestSettingsDoubts(t *testing.T) {
	const script = " --tensor-model-parallel-size 2 --micro-batch-size 1 --global-batch-size 64"
	has := func(all []string, wanted string) bool { return strings.Contains(strings.Join(all, "\n"), wanted) }
	for _, c := range []struct {
		name, text, plan string
		is               func(s *Settings) bool
	}{
		{"a cluster is asked for others than the launcher starts", "#SBATCH -N 2\n#SBATCH --gpus-per-node 4\n" +
			"srun torchrun --nnodes 1 --nproc_per_node 8 pretrain_gpt.py" + script, "dp=4 tp=2 zero=0",
			func(s *Settings) bool {
				return slices.Equal(s.Aside, []string{"nodes 1 (slurm.nodes 2?)", "pernode 8 (slurm.each 4?)"})
			}},
		{"precisions of branches that exclude each other",
			"if [ $PR = fp16 ]; then\n  A=\"--fp16\"\nelif [ $PR = bf16 ]; " +
				"then\n  A=\"--bf16\"\nfi\ntorchrun pretrain_gpt.py $A" + script, "dp=4 tp=2 zero=0",
			func(s *Settings) bool { return has(s.Aside, "(if $PR = fp16)") && has(s.Aside, "(if $PR = bf16)") }},
		{"a default, and an argument in its place",
			"TP=2\nwhile [ $# -gt 0 ]; do\n  case $1 in\n    --tp) TP=$2; shift 2;;\n" +
				"    *) shift;;\n  esac\ndone\n" +
				"torchrun pretrain_gpt.py --tensor-model-parallel-size $TP --micro-batch-size 1",
			"dp=4 tp=2 zero=0", func(s *Settings) bool { return len(s.Open)+len(s.Aside) == 0 }},
		{"branches on one line", "MODE=small; N=8\nif [ $MODE = big ]; then TP=8; else TP=2; fi\n" +
			"torchrun pretrain_gpt.py --tensor-model-parallel-size $TP --micro-batch-size 1", "dp=4 tp=2 zero=0",
			func(s *Settings) bool { return len(s.Open)+len(s.Aside) == 0 }},
		{"a command in a variable", "CMD=\"torchrun --nproc_per_node 8 pretrain_gpt.py" + script + "\"\n$CMD",
			"dp=4 tp=2 zero=0", func(s *Settings) bool { return s.Batch == 64 }},
		{"a command that converts beside the one that trains",
			"python tools/convert.py --tensor-model-parallel-size 8\n" +
				"python -m x.inference.decode --seq-length 16\ntorchrun pretrain_gpt.py" + script, "dp=4 tp=2 zero=0",
			func(s *Settings) bool { return s.Sequence == 0 }},
		{"a text on many lines", "ENV=\"{\n  \\\"a\\\": 1\n}\"\nray job submit --env=\"${ENV}\" -- python train.py" +
			script +
			" --x $(( 2 * 4 ))", "dp=4 tp=2 zero=0", func(s *Settings) bool { return s.Batch == 64 }},
		{"a program whose name says how it trains", "torchrun scripts/dpo_tune.py --per_device_train_batch_size 1",
			"dp=8 zero=0", func(s *Settings) bool { return has(s.Without, "trl dpo") }},
		{"a file that offloads nothing",
			"torchrun train.py --per_device_train_batch_size 1 --deepspeed stage3_no_offload.json",
			"dp=8 zero=3", func(s *Settings) bool { return !s.State.Host.State && !s.State.Host.Weights }},
		{"a critic that learns, too", "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=gae " +
			"data.train_batch_size=512 actor_rollout_ref.actor.ppo_mini_batch_size=128 " +
			"actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4", "dp=8 mbs=4 zero=3",
			func(s *Settings) bool { return has(s.Without, "adv_estimator gae") }},
		{"a critic that nothing turns off, and a batch of all devices", "python3 -m verl.trainer.main_ppo " +
			"data.train_batch_size=1024 data.max_response_length=512 actor_rollout_ref.actor.ppo_mini_batch_size=256 " +
			"actor_rollout_ref.actor.ppo_micro_batch_size=32 critic.ppo_micro_batch_size_per_gpu=16 " +
			"reward_model.micro_batch_size=16", "dp=8 mbs=4 zero=3",
			func(s *Settings) bool { return s.Batch == 256 && has(s.Without, "adv_estimator gae") }},
		{"settings that a variable holds",
			"backend=fsdp\nFSDP=\"engine=${backend} \\\n  engine.ulysses_sequence_parallel_size=2\"\n" +
				"MEGATRON=\"engine.tensor_model_parallel_size=4\"\nif [ \"$backend\" = \"fsdp\" ]; then\n" +
				"  C=\"$FSDP\"\nelse\n" +
				"  C=\"$MEGATRON\"\nfi\ntorchrun -m verl.trainer.sft_trainer " +
				"data.train_batch_size=96 data.max_length=2048 ${C}",
			"dp=4 cp=2 zero=3 context=ulysses", func(s *Settings) bool { return s.Batch == 96 && len(s.Without) == 0 }},
		{"a script's own variables in small letters",
			"sp_size=4\nmicro_batch_size=7\nbash x ${sp_size} ${micro_batch_size}\n" +
				"torchrun pretrain_gpt.py" + script, "dp=4 tp=2 zero=0",
			func(s *Settings) bool { return len(s.Without)+len(s.Aside) == 0 }},
		{"defaults of two branches", "if [ $NODES -le 4 ]; then\n  : \"${TP:=2}\"\nelse\n  : \"${TP:=8}\"\nfi\n" +
			"torchrun pretrain_gpt.py --tensor-model-parallel-size $TP --micro-batch-size 1", "dp=4 tp=2 zero=0",
			func(s *Settings) bool { return has(s.Aside, "(8, 2)") }},
		{"how layers were computed again in 2021",
			"torchrun pretrain_gpt.py --activations-checkpoint-method uniform" + script,
			"dp=4 tp=2 zero=0 recompute=block", func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"OpenRLHF's newer names", "deepspeed --module openrlhf.cli.train_dpo --train.batch_size 256 " +
			"--train.micro_batch_size 1 --ds.zero_stage 3 --model.gradient_checkpointing_enable",
			"dp=8 zero=3 recompute=block",
			func(s *Settings) bool { return has(s.Without, "trl dpo") }},
		{"a file that the script reads", "TP=2\nGBS=64\nX=7\nsource models/a.sh\n. `pwd`/CONFIG.sh\n" +
			"torchrun pretrain_gpt.py --micro-batch-size 1", "dp=4 tp=2 zero=0", func(s *Settings) bool {
			return s.Batch == 64 && slices.Equal(s.Aside, []string{"source a.sh", "source CONFIG.sh"})
		}},
		{"a shell's own file", "TP=2\nsource venv/bin/activate\ntorchrun pretrain_gpt.py --micro-batch-size 1",
			"dp=8 zero=0",
			func(s *Settings) bool { return len(s.Aside) == 0 }},
		{"what a command in backticks prints",
			"N=`python -c 'print(8)'`\ntorchrun --nproc_per_node $N pretrain_gpt.py" + script,
			"dp=4 tp=2 zero=0", func(s *Settings) bool { return len(s.Open) == 1 }},
		{"answers beside prompts",
			"swift rlhf --rlhf_type grpo --model x/y --max_length 2048 --max_completion_length 8192 " +
				"--per_device_train_batch_size 1 --tuner_type full", "dp=8 zero=0 recompute=block",
			func(s *Settings) bool { return s.Sequence == 10240 }},
		{"Megatron under verl",
			"python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.max_response_length=512 " +
				"actor_rollout_ref.actor.ppo_mini_batch_size=64 " +
				"actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4",
			"dp=2 tp=4 zero=1", func(s *Settings) bool { return s.State.Kind == "mixed" }},
		{"a program that judges answers",
			"python -m x --reward_func examples/math_reward_func.py --per_device_train_batch_size 1",
			"dp=8 zero=0", func(s *Settings) bool { return len(s.Without) == 0 }},
	} {
		s, err := ReadFlags(c.text, 8)
		if err != nil || s.Plan.String() != c.plan || !c.is(&s) {
			t.Errorf("%s: %s, batch %d, not known %q, without %q, open %v, %v", c.name, s.Plan, s.Batch, s.Aside,
				s.Without,
				s.Open, err)
		}
	}
}

// Programs that don't train are no runs, nor are texts that say no number of one.
func TestSettingsOfNoTraining(t *testing.T) {
	for _, text := range []string{
		"ARGS=\"--seq-length 1024 --micro-batch-size 1\"\ntorchrun ../generate_text_megatron.py $ARGS",
		"python impl/convert.py --tensor-model-parallel-size 4",
		"[project]\nname = \"x\"\ndescription = \"y\"\nreadme = \"z\"\nkeywords = \"k\"\n",
	} {
		if s, err := ReadFlags(text, 8); err == nil {
			t.Errorf("%q is read as %s of %s", text, s.Plan, s.Tool)
		}
	}
}

// Numbers that a text doesn't say are named: those of the job, and those that the tool has.
func TestAssumed(t *testing.T) {
	j := Job{Devices: 8, Batch: 16, Sequence: 4096}
	const script = "--tensor-model-parallel-size 2 --micro-batch-size 1"
	for _, c := range [][2]string{
		{script, "chips=8 batch=16 sequence=4096"},
		{"--nproc_per_node 8 --global-batch-size 8 " + script, "sequence=4096"},
		{script + " --seq-length $S", "chips=8 batch=16"},
		{"base_model: x\nsequence_len: 2048\nlora_target_linear: true\n", "accumulation=2 micro=1 chips=8"},
	} {
		text, want := c[0], c[1]
		s, err := ReadFlags(text, 8)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Assumed(&j), " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
