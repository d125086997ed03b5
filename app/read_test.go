package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The flags of any program are not those of an engine, though they have some of the names.
func TestReadOtherPrograms(t *testing.T) {
	for text, engine := range map[string]bool{"python train.py --model gpt2 --tp 2": false,
		"vllm serve gpt2 --tp 2":      true,
		"docker run --gpus all nginx": false, `args: ["--model", "Qwen/Qwen3-32B"]`: true} {
		if _, err, status := command(text, "read", "-"); (status == ok) != engine {
			t.Errorf("%s: %d, %s", text, status, err)
		}
	}
}

// What another verb reads is named with it, whatever language it is written in.
func TestReadNamesTheVerb(t *testing.T) {
	for text, verb := range map[string]string{
		"torchrun pretrain_gpt.py --tensor-model-parallel-size 4 --micro-batch-size 1\n": "scalebook plan " +
			"-chip h100 -settings",
		"import torch\nargs = dict(tensor_model_parallel_size=4, pipeline_model_parallel_size=2)\n": "scalebook plan " +
			"-chip h100 -settings",
		`{"num_hidden_layers": 2, "hidden_size": 64}`: "scalebook model",
		"base_emb_dim: 2048\nbase_num_query_heads: 16\nbase_num_kv_heads: 16\nbase_mlp_dim: 16384\n" +
			"base_num_decoder_layers: 18\nhead_dim: 128\nvocab_size: 256128\n": "scalebook model",
		"import torch\nprint(1)\n": "program in Python",
	} {
		if _, err, status := command(text, "read", "-"); status != failed || !strings.Contains(err, verb) {
			t.Errorf("%s: %d, %s; want %s", text, status, err, verb)
		}
	}
}

// What JAX writes on a GPU begins with the events of the host, of which nothing names the file.
func TestReadSpacesOfGPUs(t *testing.T) {
	field := func(n byte, parts ...string) string {
		inside := strings.Join(parts, "")
		return string([]byte{n<<3 | 2, byte(len(inside))}) + inside
	}
	event := field(4, "\x08\x01\x10\x00\x18\x80\x20") // of name 1, from 0 ps, 4096 ps long
	plane := func(name, line, kernel string) string {
		return field(1, field(2, name), field(3, "\x08\x01", field(2, line), event),
			field(4, "\x08\x01", field(2, "\x08\x01", field(2, kernel))))
	}
	text := plane("/host:CPU", "python", "step") + plane("/device:GPU:0", "Stream #13(Compute)", "nvjet_tst_64x8")
	if out, err, status := command(text, "read", "-"); status != ok || !strings.Contains(out, "nvjet_tst_64x8") {
		t.Errorf("%d, %s%s", status, out, err)
	}
	if _, err, status := command("\x00\xff"+strings.ToUpper(text), "read", "-"); status != failed ||
		!strings.Contains(err, "binary file") {
		t.Errorf("%d, %s", status, err)
	}
}

// A packed file is read as what it holds; of one that is cut off anywhere that is said, with a remedy.
func TestReadPackedFiles(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(program)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.gz")
	for n := 2; n <= packed.Len(); n++ {
		if err := os.WriteFile(file, packed.Bytes()[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		_, err, status := command("", "read", file)
		whole := n == packed.Len()
		if whole != (status == ok) || whole == strings.Contains(err, "packed by gzip, but not whole; copy it again") {
			t.Errorf("%d of %d bytes: %d, %s", n, packed.Len(), status, err)
		}
	}
}

// A reader who brings a file to the page of another is told what it is, in a sentence, and nothing of it is read there.
func TestReadersNameOtherFiles(t *testing.T) {
	for kind, text := range map[string]string{
		"hlo":   program,
		"trace": `{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":100,"dur":50,"args":{"device":0}}` + "\n",
		"nccl": "Collective:             Allreduce\nMemory type:            cuda\n" +
			"       Count        Size                Time, us\n" +
			"   134217728   536870912     2100.00     2090.00     2120.00\n",
		"metrics": "# TYPE sglang:max_total_num_tokens gauge\nsglang:max_total_num_tokens{tp_rank=\"0\"} 570979.0\n",
	} {
		own := readerOfKind(kind)
		if d, err := readerOf([]byte(text)); err != nil || d.reader != *own {
			t.Errorf("%s: %+v, %v", kind, d, err)
			continue
		}
		for _, r := range readers() {
			_, err := r.read([]byte(text))
			said := err != nil && regexp.MustCompile("(this is|these are) ").MatchString(err.Error())
			if said == (r == *own) {
				t.Errorf("%s on %s: %v", kind, r.page, err)
			}
		}
	}
}
