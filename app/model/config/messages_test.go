package config

import (
	"strings"
	"testing"
	"unicode"
)

// llama is a file with one more field, or with another value for one of its own.
func llama(field string) string {
	return `{"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
 "num_attention_heads": 32, "vocab_size": 32000, "intermediate_size": 11008` + field + "}"
}

// Each of these ends in a message with a place and a remedy.
func TestMessages(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `1:1: the text is empty; give the config.json of a model, like {"model_type": "llama", ...}`},
		{" \n\n ", `3:2: the text is empty; give the config.json of a model, like {"model_type": "llama", ...}`},
		{"<!doctype html>", "1:1: this is a web page; give the config.json itself: the raw file, which begins with {"},
		{`{"traceEvents": []}`, "1:1: this is a trace, which the chapter “Reading profiles” reads; " +
			`give the config.json of a model, like {"model_type": "llama", ...}`},
		{"[{}]", "1:1: this is a list; a config.json is one object, which begins with {"},
		{"12", "1:1: this is no JSON object; a config.json is one object, which begins with {"},
		{"\xff\xfe{\x00}\x00", "1:1: the text is in UTF-16 or UTF-32; save it as UTF-8"},
		{"{\x00}\x00", "1:1: the text is in UTF-16 or UTF-32; save it as UTF-8"},
		{"{\"a\":\n\"é\xff\"}", "2:3: a byte that is no UTF-8; save the text as UTF-8"},
		{`{"a": 1,,}`, `1:9: unexpected ","; write a name in double quotes here, "hidden_size"`},
		{`{"a": 1 "b": 2}`, `1:9: unexpected """; write , or } here`},
		{`{"a": 1`, "1:8: the text ends within what begins at 1:1; it is cut off: give the whole file"},
		{`{"a": [1, 2`, "1:12: the text ends within what begins at 1:7; it is cut off: give the whole file"},
		{`{"a":`, "1:6: the text ends where a value should stand; it is cut off: give the whole file"},
		{`{`, "1:2: the text ends where a name should stand; it is cut off: give the whole file"},
		{`{"a`, `1:2: a text without its closing quote; write " at its end`},
		{`{"a\`, "1:4: the text ends within an escape; it is cut off: give the whole file"},
		{`{"a": "\q"}`, `1:8: unknown escape "\q"; the escapes are \" \\ \/ \b \f \n \r \t \u`},
		{`{"a": "\u12g4"}`, `1:8: an escape \u without four hexadecimal digits; write it like \u00e9`},
		{"{\"a\": \"x\ny\"}",
			`1:9: a line break or control character within a text; close the text with ", or write \n`},
		{`{"a" 1}`, `1:6: no colon after the name "a"; write "name": value`},
		{`{"a": 01}`, "1:7: a number that begins with 0; leave the zeros out"},
		{`{"a": -}`, "1:7: a number that is not complete; write it like 4096, 1e-05 or -1.5"},
		{`{"a": 1.}`, "1:7: a number that is not complete; write it like 4096, 1e-05 or -1.5"},
		{`{"a": 1e+}`, "1:7: a number that is not complete; write it like 4096, 1e-05 or -1.5"},
		{`{} {}`, "1:4: a second object begins here; give one model at a time"},
		{`{}`, `1:1: there is no num_hidden_layers, the layers; write "num_hidden_layers": a whole number from 1 to 10000`},
		{`{"model_type": "llama"}`, `1:1: there is no num_hidden_layers, the layers; write "num_hidden_layers": 32`},
		{llama(`, "num_key_value_heads": 0`), `2:101: num_key_value_heads is 0; write a divisor of 32`},
		{"general.architecture: llama\nllama.block_count: 1\nllama.embedding_length: " +
			"64\nllama.attention.head_count: 4\n" +
			"llama.feed_forward_length: 64\ntokenizer.ggml.tokens: [\"<pad>\", \"<eos>\", ...]\n",
			`2:1: there is no llama.vocab_size, the rows of the embedding; write "vocab_size": a whole number from 1 to 268435456; ` +
				`the KV cache does not depend on it: 256 bytes for each token in bf16`},
		{"model:\n  num_layers: 4\n  hidden_size: 64\n  num_attention_heads: 4\n  make_vocab_size_divisible_by: 128\n" +
			"  encoder_seq_length: 128\n",
			`1:1: there is no model.padded_vocab_size, the rows of the embedding; write "padded_vocab_size": a whole number from 1 to ` +
				`268435456; the KV cache does not depend on it: 1024 bytes for each token in bf16`},
		{"{\"model\": {\"type\": \"llama\", \"vocab_size\": 64, \"decoder\": {\n\"head_size\": 8, " +
			"\"hidden_size\": 64, \"num_attention_heads\": 8, \"num_hidden_layers\": 2, \"num_key_value_heads\": 4}}}",
			"1:58: there is no intermediate_size, the width of the MLP; write \"intermediate_size\": and a whole " +
				"number; the KV cache does not depend on it: 256 bytes for each token in bf16"},
		{`{"medusa_num_heads": 5, "base_model_name_or_path": "org/base"}`, "1:1: this is a configuration " +
			`of Medusa’s heads, which does not say how large a model is; the config.json of the base model, ` +
			`"org/base", is needed: give that`},
		{llama(`, "draft_vocab_size": 32000`), "2:98: draft_vocab_size says what is not counted here: it guesses " +
			"tokens for another model, which it needs; give a Transformer of attention and MLPs alone"},
		{`{"hidden_size": "4096"}`, `1:17: hidden_size is the text "4096"; write a whole number from 1 to 1000000`},
		{`{"num_experts": 4, "mlp_only_layers": [7]}`,
			`1:1: there is no num_hidden_layers, the layers; write "num_hidden_layers": a whole number from 1 to 10000`},
		{llama(`, "num_experts": 4, "num_experts_per_tok": 1, "mlp_only_layers": [32]`),
			`2:142: a layer’s index is 32; write a whole number from 0 to 31`},
		{llama(`, "layer_types": [` + strings.Repeat("0,", 31) + `0]`),
			`2:94: a layer’s kind is 0; write a text, like "full_attention"`},
		{llama(`, "hybrid_layer_pattern": [` + strings.Repeat("0,", 31) + `2], "sliding_window": 4`),
			`2:165: a layer’s entry is 2; write a whole number from 0 to 1`},
		{llama(`, "hidden_size": -1`), `2:93: hidden_size is -1; write a whole number from 1 to 1000000`},
		{llama(`, "hidden_size": 4096.5`), `2:93: hidden_size is 4096.5; write a whole number from 1 to 1000000`},
		{llama(`, "hidden_size": 1e400`), `2:93: hidden_size is 1e400; write a whole number from 1 to 1000000`},
		{llama(`, "hidden_size": 99999999999999999999`),
			`2:93: hidden_size is 99999999999999999999; write a whole number from 1 to 1000000`},
		{llama(`, "hidden_size": "4096"`), `2:93: hidden_size is the text "4096"; write a whole number from 1 to 1000000`},
		{llama(`, "hidden_size": [4096]`), `2:93: hidden_size is a list; write a whole number from 1 to 1000000`},
		{llama(`, "hidden_size": true`), `2:93: hidden_size is true; write a whole number from 1 to 1000000`},
		{llama(`, "hidden_size": NaN`), `2:93: hidden_size is NaN; write a whole number from 1 to 1000000`},
		{llama(`, "hidden_size": -Infinity`), `2:93: hidden_size is -Infinity; write a whole number from 1 to 1000000`},
		{llama(`, "hidden_size": null`), `1:1: there is no hidden_size, the width of the model; write "hidden_size": 4096`},
		{llama(`, "tie_word_embeddings": 1`), `2:101: tie_word_embeddings is 1; write true or false`},
		{llama(`, "num_attention_heads": 33`),
			`2:101: 33 query heads do not share a width of 4096 evenly; add head_dim, or correct one of the two`},
		{llama(`, "num_key_value_heads": 5`),
			`2:101: 32 query heads do not share 5 heads of keys and values evenly; write a divisor of 32`},
		{llama(`, "num_key_value_heads": 64`),
			`2:101: 32 query heads do not share 64 heads of keys and values evenly; write a divisor of 32`},
		{llama(`, "layer_types": ["full_attention"]`),
			`2:93: layer_types has 1 entries for 32 layers; write one for each layer`},
		{llama(`, "layer_types": "full_attention"`),
			`2:93: layer_types is the text "full_attention"; write a list, [...], or null`},
		{llama(`, "num_experts": 8`), `1:1: there is no num_experts_per_tok, the experts that a token uses; write "num_experts_per_tok": a whole number from 1 to 1000000`},
		{llama(`, "num_experts": 8, "top_k_experts": 9`), `2:113: 9 of 8 experts; write a whole number from 1 to 8`},
		{llama(`, "kv_lora_rank": 512`), `1:1: there is no qk_nope_head_dim, the size of a head’s key without position; write "qk_nope_head_dim": a whole number from 1 to 100000`},
		{llama(`, "mamba_d_state": 16`), `2:95: mamba_d_state says what is not counted here: layers of other kinds (Mamba, convolutions) are not counted; give a Transformer of attention and MLPs alone`},
		{`{"model_type": "mamba"}`, `1:16: a model of type "mamba" has no attention; give a Transformer that is a decoder alone`},
		{`{"model_type": "t5", "d_model": 512}`,
			`1:16: a model of type "t5" has an encoder and a decoder; give a Transformer that is a decoder alone`},
		{`{"is_encoder_decoder": true}`, `1:24: the model has an encoder and a decoder; give a Transformer that is a decoder alone`},
		{`{"text_config": {"hidden_size": 64}}`,
			`1:17: there is no text_config.num_hidden_layers, the layers; write "num_hidden_layers": a whole number from 1 to 10000`},
	} {
		im, err := Read([]byte(c.text))
		if err == nil {
			t.Errorf("%q gives %+v", c.text, im.Model)
		} else if err.Error() != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, err, c.want)
		}
	}
}

// Nothing from the file comes through that a page, a terminal or a line of text could take for something else.
func TestNamesAreCleaned(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	im, err := Read(
		[]byte(
			llama(
				`, "_name_or_path": "<script>\u0007\u001b[31m\u202e` + long + `", "` + long +
					`": 1, "a\nb<b>": 2, "layer_types": [` +
					strings.Repeat(
						`"<i>\u0000`+long[:100]+`",`,
						31,
					) + `"full_attention"], "x": NaN`,
			),
		),
	)
	if err != nil {
		t.Fatal(err)
	}
	if want := "<script>\ufffd\ufffd[31m\ufffd"; !strings.HasPrefix(im.Model.Name, want) {
		t.Errorf("the name is %q", im.Model.Name)
	}
	checkNotes(t, im)
	if len(im.Unknown) != 3 || !strings.Contains(im.Unknown[2].Text.String(), "NaN, is no number") {
		t.Errorf("unknown: %q", texts(im.Unknown))
	}
}

// checkNotes holds names and notes to what their docs promise.
func checkNotes(t *testing.T, im Import) {
	t.Helper()
	shown := func(s string, most int) {
		if n := len([]rune(s)); n > most {
			t.Errorf("%d characters: %q", n, s)
		}
		for _, c := range s {
			if !unicode.IsPrint(c) && c != '\ufffd' {
				t.Errorf("%q does not print", s)
			}
		}
	}
	shown(im.Model.Name, maxShown+1)
	shown(im.Architecture, maxShown+1)
	for _, list := range [][]Note{im.Understood, im.Ignored, im.Unknown, im.Missing, im.Doubts} {
		if len(list) > maxNotes {
			t.Errorf("%d notes", len(list))
		}
		for _, n := range list {
			shown(n.Field, maxShown+1)
			shown(n.Text.String(), 1000)
		}
	}
}

func TestTwiceTheSameName(t *testing.T) {
	im := mustRead(t, []byte(llama(`, "vocab_size": 64000`)))
	if im.Model.Vocab != 64000 {
		t.Errorf("vocab_size is %d; Python takes the later one", im.Model.Vocab)
	}
	want := "vocab_size: stands twice, at 2:29 and again at 2:78: the later one counts, as in Python"
	if got := texts(im.Doubts); len(got) != 1 || got[0] != want {
		t.Errorf("got %q", got)
	}
	im = mustRead(t, []byte(llama(`, "num_experts": 8, "num_experts_per_tok": 2, "experts_per_token": 3`)))
	want = "experts_per_token: says 3, but num_experts_per_tok says 2, which counts"
	if got := texts(im.Doubts); got[len(got)-1] != want || im.Model.MoE.PerToken != 2 {
		t.Errorf("got %q, %d experts a token", got, im.Model.MoE.PerToken)
	}
}

// Numbers may be written as Python writes floats.
func TestWholeNumbers(t *testing.T) {
	for _, text := range []string{"4096", "4096.0", "4.096e3", "409600E-2"} {
		if im := mustRead(t, []byte(llama(`, "hidden_size": `+text))); im.Model.Width != 4096 {
			t.Errorf("%s is read as %d", text, im.Model.Width)
		}
	}
}
