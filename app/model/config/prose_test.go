package config

import (
	"strings"
	"testing"
)

// An object between sentences, or given to a name, is read; of two objects the second is named.
func TestObjectsInProse(t *testing.T) {
	const object = `{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_attention_heads": 32,
  "num_hidden_layers": 32, "vocab_size": 32000}`
	for _, text := range []string{"config = " + object, "My model:\n\n" + object + "\n\nHow large is it?",
		"cfg = " + strings.ReplaceAll(object, `"`, "'")} {
		im, err := Read([]byte(text))
		if err != nil || im.Model.Total() != 6738415616 {
			t.Errorf("%s: %v, %v parameters", text, err, im.Model.Total())
		}
	}
	if _, err := Read([]byte(object + "\n" + object)); err == nil ||
		!strings.HasPrefix(err.Error(), "3:1: a second object") {
		t.Errorf("two objects: %v", err)
	}
	for _, text := range []string{"vllm serve org/model --max-model-len 8192",
		"trainable params: 3,407,872 || all params: 9"} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), "config.json is needed") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A file reads the same with the spaces and quotation marks of mail and word processors.
func TestTypedByOthers(t *testing.T) {
	const file = `{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
		"intermediate_size": 128, "vocab_size": 100}`
	model := mustRead(t, []byte(file)).Model
	want := model.Total()
	for _, text := range []string{strings.ReplaceAll(file, " ", "\u00a0"), strings.ReplaceAll(file, `"`, "”"),
		strings.ReplaceAll(file, `"`, "&quot;"), strings.ReplaceAll(file, "64", "\x1b[0;39m64\x1b[0m")} {
		if im, err := Read([]byte(text)); err != nil || im.Model.Total() != want {
			t.Errorf("%q: %v, want %v; %v", text, im.Model.Total(), want, err)
		}
	}
}

// A log’s times and ranks before the arguments that it prints change nothing; a list remains one.
func TestArgumentsBehindStamps(t *testing.T) {
	const args = "hidden_size .... 64\n0:  num_layers .... 2\n0:  num_attention_heads .... 4\n" +
		"0:  padded_vocab_size .... 100\n0:  ffn_hidden_size .... 128"
	model := mustRead(t, []byte(args)).Model
	want := model.Total()
	for _, stamp := range []string{"[2025-11-03 10:12:44,112] 0: using world size: 64\n0: ",
		"[rank0]: --- arguments ---\n"} {
		if im, err := Read([]byte(stamp + args)); err != nil || im.Model.Total() != want {
			t.Errorf("%s: %v, want %v; %v", stamp, im.Model.Total(), want, err)
		}
	}
	for _, list := range []string{`[1, 2]`, `[[1], [2]]`, `[{"hidden_size": [64]}]`} {
		if _, err := Read([]byte(list)); err == nil || !strings.Contains(err.Error(), "this is a list") {
			t.Errorf("%s: %v", list, err)
		}
	}
}
