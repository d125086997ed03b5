package training

import (
	"fmt"
	"strings"
	"testing"
)

// Runs of PyTorch Lightning, and files that settings name and that aren't there: the plan, sequences of a step, and
// what is told besides.
func TestSettingsOfLightningAndNamedFiles(t *testing.T) {
	const trainer = "seed_everything: 42\ntrainer:\n  accelerator: gpu\n  devices: 8\n  num_nodes: 4\n" +
		"  precision: bf16-mixed\n  accumulate_grad_batches: 4\n  max_steps: 1000\ndata:\n  batch_size: 2\n"
	strategy := func(name string) string { return strings.Replace(trainer, "  max", "  strategy: "+name+"\n  max", 1) }
	of := func(class, fields string) string {
		return strategy("\n    class_path: lightning.pytorch.strategies." + class + "\n    init_args:\n      " + fields)
	}
	const torchrun = "torchrun --nproc_per_node=8 train.py --per_device_train_batch_size 4 --bf16 True "
	for _, c := range []struct {
		text, plan string
		batch      int
		stated     string
	}{
		{trainer, "dp=32 mbs=2 zero=0", 256, ""}, // 2 of a device, 32 devices, 4 steps
		{strategy("ddp_find_unused_parameters_true"), "dp=32 mbs=2 zero=0", 256, ""},
		{strategy("fsdp"), "dp=32 mbs=2 zero=3", 256, ""},
		{strategy("deepspeed"), "dp=32 mbs=2 zero=2", 256, ""},
		{strategy("deepspeed_stage_3"), "dp=32 mbs=2 zero=3", 256, ""},
		{strategy("deepspeed_stage_3_offload"), "dp=32 mbs=2 zero=3", 256, ""},
		{strategy("horovod"), "dp=32 mbs=2 zero=0", 256, "trainer.strategy horovod"},
		{of("FSDPStrategy", "sharding_strategy: SHARD_GRAD_OP"), "dp=32 mbs=2 zero=2", 256, ""},
		{of("DeepSpeedStrategy", "stage: 1"), "dp=32 mbs=2 zero=1", 256, ""},
		{of("ModelParallelStrategy", "tensor_parallel_size: 2\n      data_parallel_size: 16"),
			"dp=16 tp=2 mbs=2 zero=3", 128, ""},
		{"trainer = L.Trainer(accelerator=\"gpu\", devices=8, num_nodes=2, strategy=\"fsdp\",\n" +
			"    precision=\"bf16-true\", accumulate_grad_batches=8)\n", "dp=16 zero=3", 128, ""},
		{torchrun + "--fsdp \"full_shard auto_wrap\" --fsdp_config '{\"activation_checkpointing\": true, " +
			"\"transformer_layer_cls_to_wrap\": [\"LlamaDecoderLayer\"]}'",
			"dp=8 mbs=4 zero=3 recompute=block", 32, ""},
		{torchrun + "--fsdp full_shard --fsdp_config fsdp.json", "dp=8 mbs=4 zero=3", 32, ""},
		{torchrun + "--deepspeed conf/ds_zero2_offload.json", "dp=8 mbs=4 zero=2", 32,
			"conf/ds_zero2_offload.json says"},
		{torchrun + "--deepspeed conf/a.json", "dp=8 mbs=4 zero=0", 32, "--deepspeed conf/a.json"},
		{"accelerate launch --config_file conf/Z.yaml --num_processes 8 train.py --per_device_train_batch_size " +
			"4 --bf16",
			"dp=8 mbs=4 zero=0", 32, "--config_file conf/Z.yaml"},
		{"accelerate launch --config_file conf/Z.yaml train.py --per_device_train_batch_size 4 --bf16\n" +
			"distributed_type: FSDP\nfsdp_config:\n  fsdp_sharding_strategy: FULL_SHARD\nnum_processes: 8\n",
			"dp=8 mbs=4 zero=3", 32, ""},
	} {
		f, _, _ := said(t, c.text, "llama3.8b", "gpu.h100", 32)
		stated := fmt.Sprint(f.Without, f.Aside, f.State.Notes())
		offloads := strings.Contains(c.text, "offload")
		if f.Plan.Offload != offloads || f.State.Host.State != offloads {
			t.Errorf("%s\noffloads: %v, %+v", c.text, f.Plan.Offload, f.State.Host)
		}
		if f.Plan.String() != c.plan || f.Batch != c.batch || c.stated != "" && !strings.Contains(stated, c.stated) ||
			c.stated == "" && len(f.Without)+len(f.Aside)+len(f.Open) > 0 {
			t.Errorf("%s\n%s, %d sequences, told %s; want %s, %d, %s", c.text, f.Plan, f.Batch, stated, c.plan, c.batch,
				c.stated)
		}
	}
}

// MaxText's axis of the sequence has heads in its place in attention, as in Ulysses; that of tensors and the sequence
// is tensor parallelism, and the transposed one of FSDP shards weights, too (its page on sharding). 64 devices.
func TestAxesOfMaxText(t *testing.T) {
	const run = "python3 -m MaxText.train base.yml per_device_batch_size=1 max_target_length=8192 remat_policy=full "
	for axes, want := range map[string]string{
		"fsdp=32 sequence=2":                 "dp=32 cp=2 mbs=2 zero=3 context=ulysses",
		"fsdp=32 tensor_sequence=2":          "dp=32 tp=2 mbs=2 zero=3",
		"fsdp=-1 sequence=1 context=2":       "dp=32 cp=2 mbs=2 zero=3 context=gather",
		"fsdp=8 fsdp_transpose=4 tensor=2":   "dp=32 tp=2 mbs=2 zero=3",
		"fsdp=16 tensor=2 tensor_sequence=2": "dp=16 tp=4 mbs=4 zero=3",
	} {
		words := strings.Fields(axes)
		for i, word := range words {
			words[i] = "ici_" + strings.Replace(word, "=", "_parallelism=", 1)
		}
		want += " recompute=block"
		f, _, _ := said(t, run+strings.Join(words, " "), "llama3.8b", "tpu.v5p", 64)
		if f.Plan.String() != want || f.Batch != 64 || len(f.Without)+len(f.Aside) > 0 {
			t.Errorf("%s: %s, %d sequences, without %v, unknown %v; want %s", axes, f.Plan, f.Batch, f.Without,
				f.Aside, want)
		}
	}
	f, _, _ := said(t, run+"ici_context_parallelism=2 ici_sequence_parallelism=2 ici_fsdp_parallelism=16 "+
		"xla_tpu_enable_latency_hiding_scheduler=false", "llama3.8b", "tpu.v5p", 64)
	if got := fmt.Sprint(f.Without); got != "[xla_tpu_enable_latency_hiding_scheduler false sequence_parallelism 2]" {
		t.Errorf("two ways to cut the sequence at once: %s", got)
	}
}
