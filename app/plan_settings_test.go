package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Settings say which model a run trains and on how many devices; flags that say otherwise come first, and what neither
// says is asked for by the names of its flags.
func TestSettingsSayModelAndDevices(t *testing.T) {
	const launched = "torchrun --nnodes 2 --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 4 " +
		"--micro-batch-size 1 --global-batch-size 64 --seq-length 4096 "
	const shapes = "--num-layers 24 --hidden-size 2048 --ffn-hidden-size 8192 --num-attention-heads 16 " +
		"--vocab-size 50000 --swiglu --max-position-embeddings 4096 "
	for _, c := range []struct {
		name, text, flags, says, complains string
	}{
		{"named", "base_model: Qwen/Qwen3-32B\nmicro_batch_size: 1\nsequence_len: 4096\n", "-chips 8 -chip h100",
			"Qwen 3 32B on 8 x H100", ""},
		{"launched", launched + shapes, "-chip h200", "run.sh on 16 x H200", ""},
		{"a flag comes first", launched + shapes, "-chip h100 -model llama3.8b", "Llama 3.1 8B on 16 x H100", ""},
		{"nothing of the model", launched, "-chip h100", "", "run.sh does not say all that is needed; " +
			"write such as -model llama3.70b beside -settings"},
		{"a model but for its vocabulary, which the tokenizer decides", launched + strings.Replace(shapes,
			"--vocab-size 50000 ", "", 1), "-chip h100", "", "run.sh describes its model but for one thing, 1:1: " +
			"there is no padded_vocab_size, the rows of the embedding; write \"padded_vocab_size\": a whole number"},
		{"a model that the catalog lacks", "base_model: org/Own-9B\nmicro_batch_size: 1\n", "-chip h100 -chips 8", "",
			`run.sh trains "org/Own-9B", which the catalog does not have; write -model llama3.70b beside -settings, ` +
				"where -model may be its config.json"},
		{"a tool that is not read, first of all", "gang:\n  tensor_parallel_size: 2\n", "-chip h100 -chips 8", "",
			"run.sh: these are settings of fairseq2, which are not read"},
		{"nothing of the devices", "base_model: Qwen/Qwen3-32B\nmicro_batch_size: 1\n", "-chip h100", "",
			"write such as -chips 64 beside"},
		{"no chip", launched + shapes, "", "", "write such as -chip h100 beside"},
		{"the chip that Slurm is asked for", "#SBATCH --nodes=2\n#SBATCH --gres=gpu:h100:4\nsrun train.py " +
			"--model_name_or_path Qwen/Qwen3-8B --per_device_train_batch_size 1\n", "", "Qwen 3 8B on 8 x H100", ""},
		{"that of SkyPilot, beside a flag", "resources:\n  accelerators: A100-80GB:8\nrun: |\n  train.py " +
			"--model_name_or_path Qwen/Qwen3-8B --per_device_train_batch_size 1\n", "-chip h200", "on 8 x H200", ""},
		{"no settings", "a letter to a friend", "-chip h100", "", "none of these"},
		{"for programs", launched + shapes + "--swift-as-wind", "-chip h100 -json", `"chips":16`,
			"not known: --swift-as-wind"},
	} {
		file := filepath.Join(t.TempDir(), "run.sh")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, complaints bytes.Buffer
		args := append([]string{"-settings", file}, strings.Fields(c.flags)...)
		planTraining(args, streams{in: strings.NewReader(""), out: &out, err: &complaints})
		printed := strings.ReplaceAll(out.String(), file, "run.sh")
		if !strings.Contains(printed, c.says) || (c.says == "") != (printed == "") {
			t.Errorf("%s: prints %q, want %q", c.name, printed, c.says)
		}
		said := strings.ReplaceAll(complaints.String(), file, "run.sh")
		if !strings.Contains(said, c.complains) || (c.complains == "") != (said == "") {
			t.Errorf("%s: complains %q, want %q", c.name, said, c.complains)
		}
	}
}

// The planner's page takes from settings what the command does, the model, the chip and how many, and says so; what a
// reader chooses comes first, and then it says what the settings ask for. Costs are of the chips of the run.
func TestPageTakesChipOfSettings(t *testing.T) {
	const run = "#SBATCH --nodes=2\n#SBATCH --gres=gpu:h200:8\nsrun train.py --model_name_or_path Qwen/Qwen3-8B " +
		"--per_device_train_batch_size 1 --gradient_accumulation_steps 4 --max_seq_length 4096\n"
	file := filepath.Join(t.TempDir(), "run.sh")
	for _, c := range []struct {
		text, sets string
		says       []string
	}{
		{run, "", []string{"Qwen 3 8B on 16 x H200 SXM", "The settings ask for H200 SXM", "· 16 chips ·"}},
		{run, "chip=gpu.a100", []string{"Qwen 3 8B on 16 x A100", "The settings ask for H200 SXM"}},
		{run, "N=64", []string{"on 16 x H200 SXM", "· 16 chips ·"}},
		{"instance_type: ml.p4d.24xlarge\ninstance_count: 4\nper_device_train_batch_size: 2\n", "", []string{
			"on 32 x A100 SXM 40 GB", "The settings ask for A100 SXM 40 GB"}},
		{"xpk workload create --tpu-type=v5p-1024 --num-slices=2 --command \"python3 -m MaxText.train " +
			"MaxText/configs/base.yml model_name=llama3.1-70b per_device_batch_size=2 ici_fsdp_parallelism=-1 " +
			"max_target_length=8192\"\n", "",
			[]string{"Llama 3.1 70B on 1024 x TPU v5p", "The settings ask for TPU v5p"}},
		{"per_device_train_batch_size: 1\nbf16: true\n", "", []string{"Llama 3.1 70B on 512 x H100 SXM"}},
		{"# of a laptop with a GeForce RTX 4090 Laptop GPU\nper_device_train_batch_size: 1\nnum_processes: 1\n", "",
			[]string{"on 1 x H100 SXM"}},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"-limit", "1m", "-set", "flags=@" + file, "../content/training-planner.md#training"}
		if c.sets != "" {
			args = append([]string{"-set", c.sets}, args...)
		}
		var out, complaints bytes.Buffer
		eval(args, streams{in: strings.NewReader(""), out: &out, err: &complaints})
		for _, want := range c.says {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q with %q lacks %q: %s", c.text, c.sets, want, complaints.String())
			}
		}
	}
}
