package measured

import (
	"encoding/json"
	"testing"
)

// Set-ups in the words of people are those in the words of rows.
func TestSpellings(t *testing.T) {
	for _, c := range []struct{ kind, theirs, ours string }{
		{"training", `"model": "llama-3-8b", "gpu": "H100", "num_gpus": 16, "tensor_parallel_size": 2, "sequence_length": 4096,
			"global_batch_size": 64, "micro_batch_size": 1`,
			`"model": "llama-3-8b", "device": "H100", "n_devices": 16, "tp": 2, "seq_len": 4096, "gbs": 64, "mbs": 1`},
		{"training", `"model": "llama-3-70b", "device": "8xH100", "tp": 8, "gbs": 64, "mbs": 1`,
			`"model": "llama-3-70b", "device": "H100", "n_devices": 8, "tp": 8, "gbs": 64, "mbs": 1`},
		{"training", `"model": "llama-3-70b", "device": "H100 SXM × 16", "tp": 8, "gbs": 64, "mbs": 1`,
			`"model": "llama-3-70b", "device": "H100 SXM", "n_devices": 16, "tp": 8, "gbs": 64, "mbs": 1`},
		{"training", `"model": "llama-3-8b", "device": "A100", "tp": 2, "dp": 4, "pp": 2, "gbs": 64, "mbs": 1`,
			`"model": "llama-3-8b", "device": "A100", "n_devices": 16, "tp": 2, "dp": 4, "pp": 2, "gbs": 64, "mbs": 1`},
		{"training", `"model": "llama-3-8b", "device": "H200", "n_devices": 8, "gbs": 64, "mbs": 1, "zero_stage": 3,
			"gradient_checkpointing": true`,
			`"model": "llama-3-8b", "device": "H200", "n_devices": 8, "gbs": 64, "mbs": 1, "zero": 3, "recompute": true`},
		{"memory", `"model": "llama-3-8b", "device": "H100", "world_size": 8, "activation_checkpointing": "selective",
			"per_device_train_batch_size": 2, "gradient_accumulation_steps": 4, "seq_length": 2048`,
			`"model": "llama-3-8b", "device": "H100", "n_devices": 8, "recompute": "selective", "mbs": 2, "grad_accum": 4,
			"seq_len": 2048`},
		{"finetuning", `"model": "llama-3-70b", "device": "8 x H100", "method": "qlora", "seq_len": 4096, "mbs": 1, "lora_r": 16`,
			`"model": "llama-3-70b", "device": "H100", "n_devices": 8, "method": "qlora", "seq_len": 4096, "mbs": 1, "lora_rank": 16`},
		{"finetuning", `"model": "phi-2", "device": "T4", "method": "lora", "seq_length": 512, "micro_batch_size": 4`,
			`"model": "phi-2", "device": "Tesla T4", "n_devices": 1, "method": "lora", "seq_len": 512, "mbs": 4`},
		{"nccl_tests", `"device": "H100", "num_gpus": 8, "collective": "all_reduce", "bytes": 65536`,
			`"device": "H100", "n_devices": 8, "op": "all-reduce", "payload_bytes": 65536`},
		{"inference", `"model": "llama-3-70b", "gpu": "H100", "num_gpus": 4, "tensor_parallel_size": 4, "input_len": 1024,
			"output_len": 256, "concurrency": 32`,
			`"model": "llama-3-70b", "device": "H100", "n_devices": 4, "tp": 4, "isl": 1024, "osl": 256, "concurrency": 32`},
	} {
		var texts [2]string
		for i, setup := range []string{c.theirs, c.ours} {
			row, err := ReadRow([]byte(`{"id": "x", "kind": "` + c.kind + `", "setup": {` + setup + `}}`))
			if err != nil {
				t.Fatal(err)
			}
			p := One(row)
			if p.Skipped != "" {
				t.Errorf("%s: %s", setup, p.Skipped)
			}
			text, _ := json.Marshal(p)
			texts[i] = string(text)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s\nis %s\nnot %s", c.theirs, texts[0], texts[1])
		}
	}
}

// What a row says under its own name is not overruled, and cards without links of their own stand in one machine.
func TestSpellingsKeepWhatIsSaid(t *testing.T) {
	row, err := ReadRow([]byte(`{"kind": "training", "setup": {"device": "8xH100", "n_devices": 16, "tp": 2, "tensor_parallel": 4,
		"gbs": 32, "global_batch_size": 64}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"n_devices": 16, "tp": 2, "gbs": 32} {
		if got := row.Setup[name]; got != want {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	for device, most := range map[string]float64{"RTX 4090": 32, "RTX 5090": 64, "L40S": 32} {
		row := Row{Kind: "nccl_tests", Asked: Names{"busbw_GBps"}, Setup: Setup{"device": device, "n_devices": 2.0,
			"op": "all-reduce"}}
		if x := One(row).Metrics["busbw_GBps"]; !(x.Mid > 1 && x.Mid <= most) {
			t.Errorf("two %s have a bus bandwidth of %v GB/s, above their links", device, x.Mid)
		}
	}
	row = Row{Kind: "training", Setup: Setup{"model": "llama3.8b", "device": "H100", "n_devices": 8.0, "tp": 0.0}}
	if p := One(row); p.Skipped == "" {
		t.Error("tp 0 is taken for 1")
	}
}
