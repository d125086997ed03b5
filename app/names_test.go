package main

import (
	"bytes"
	"strings"
	"testing"
)

// Devices as drivers and shops write them, and models as their publishers do.
func TestNamesAsPeopleWriteThem(t *testing.T) {
	for name, id := range map[string]string{"NVIDIA H100 80GB HBM3": "gpu.h100", "A100-40GB": "gpu.a100_40",
		"A100-SXM4-80GB": "gpu.a100", "RTX 4090": "gpu.rtx4090", "NVIDIA GeForce RTX 3090": "gpu.rtx3090",
		"m4max":  "soc.m4_max",
		"MI300X": "gpu.mi300x", "AMD Instinct MI355X": "gpu.mi355x", "TPU v5p": "tpu.v5p", "h100": "gpu.h100",
		"B200":     "gpu.b200",
		"H200 SXM": "gpu.h200", "RTX 4070": "card.rtx4070", "GeForce RTX 5060 Ti": "card.rtx5060ti", "L40": "card.l40",
		"NVIDIA A10G": "card.a10g", "h20-3e": "card.h203e"} {
		if a, err := findChip(name); err != nil || a.ID != id {
			t.Errorf("%q: %v; want %s", name, err, id)
		}
	}
	for _, name := range []string{"8xH100", "8 x H100", "Voodoo2", "", "h2000", "gpu.h1000", "RTX 40900"} {
		if a, err := findChip(name); err == nil {
			t.Errorf("%q is %s", name, a.ID)
		}
	}
	for name, id := range map[string]string{"meta-llama/Llama-3.1-70B-Instruct": "llama3.70b",
		"deepseek-ai/DeepSeek-V3": "deepseek.v3",
		"gpt-oss-120b":            "gpt_oss.120b", "Qwen/Qwen3-30B-A3B": "qwen3.30b_a3b",
		"mistralai/Mixtral-8x7B-v0.1": "mixtral.8x7b",
		"Qwen/Qwen3-235B-A22B-FP8":    "qwen3.235b_a22b"} {
		if im, err := findModel(name, streams{in: strings.NewReader("")}); err != nil || im.Model.ID != id {
			t.Errorf("%q is %q: %v; want %s", name, im.Model.ID, err, id)
		}
	}
	for _, name := range []string{"nosuchmodel", "org/some-13b", "missing.json", "llama3.8b/config.json",
		"org/Llama-3.1-8B-to-70B"} {
		if im, err := findModel(name, streams{in: strings.NewReader("")}); err == nil {
			t.Errorf("%q is %s", name, im.Model.ID)
		}
	}
}

// What an engine's flags take is taken: its formats, lengths with their letter, its words for a layout, which says how
// many chips it takes. What a model is only published in holds where nothing is said.
func TestServePlanTakesEnginesWords(t *testing.T) {
	said := func(args ...string) (string, int) {
		var out, errs bytes.Buffer
		status := servePlan(append([]string{"-top", "2"}, args...), streams{out: &out, err: &errs})
		return out.String() + errs.String(), status
	}
	for _, same := range [][2]string{
		{"-model llama3.8b -plan tp=2 -weights int4 -cache fp8", "-model llama3.8b -plan --tensor-parallel-size=2 " +
			"-weights awq_marlin -kv-cache-dtype fp8_e5m2"},
		{"-model llama3.8b -plan tp=1 -max-model-len 32768",
			"-model llama3.8b -plan tp1 -max-model-len 32K -kv-cache-dtype auto"},
		{"-model llama3.8b -plan tp=1 -max-model-len 32000",
			"-model llama3.8b -plan tp=1 -max-model-len 32k -weights bfloat16"},
		{"-model deepseek.v3 -chip h200 -chips 16 -weights fp8 -plan dp=16,ep=16",
			"-model deepseek.v3 -chip h200 -weights fp8 -plan dp=16,ep"},
	} {
		a, ok1 := said(strings.Fields(same[0])...)
		b, ok2 := said(strings.Fields(same[1])...)
		if ok1 != ok || ok2 != ok || a != b {
			t.Errorf("%s (%d):\n%.900s\n%s (%d):\n%.900s", same[0], ok1, a, same[1], ok2, b)
		}
	}
	for _, model := range []string{"gpt_oss.120b", "deepseek.r1"} {
		text, status := said("-model", model, "-chip", "h200", "-plan", "tp=8")
		if status != ok || !strings.Contains(text, "published") {
			t.Errorf("%s: %d, %.600s", model, status, text)
		}
		text, _ = said("-model", model, "-chip", "h200", "-plan", "tp=8", "-weights", "bf16")
		if strings.Contains(text, "note: weights") {
			t.Errorf("%s: %.600s", model, text)
		}
	}
	text, _ := said("-model", "llama3.70b", "-plan", "tp=4", "-max-model-len", "1000000")
	if !strings.Contains(text, "refuses to start") {
		t.Errorf("a million tokens fit: %.900s", text)
	}
	text, _ = said("-model", "llama3.70b", "-plan", "tp=4", "-max-model-len", "131072")
	if strings.Contains(text, "refuses") {
		t.Errorf("131,072 tokens don't: %.900s", text)
	}
	for _, bad := range []string{
		"-weights int3", "-max-model-len 32q", "-max-model-len -1", "-max-model-len 1e999", "-plan xp=2",
	} {
		if text, status := said(append([]string{"-model", "llama3.8b"}, strings.Fields(bad)...)...); status == ok {
			t.Errorf("%s: %.300s", bad, text)
		}
	}
}
