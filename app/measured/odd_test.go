package measured

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/measured/summary"
)

// Words that nobody knows are named, with what is taken instead; those that are known are not.
func TestOddWordsAreNamed(t *testing.T) {
	const served = `"inference","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":1,"tp":1,"isl":1024,` +
		`"osl":128,"concurrency":8,%s}`
	const trained = `"training","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":8,"gbs":8,"seq_len":4096,` +
		`"precision":"bf16",%s}`
	const tuned = `"finetuning","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":1,"method":"lora",` +
		`"seq_len":1024,"mbs":1,%s}`
	for _, c := range []struct{ form, says, note string }{
		{served, `"engine":"vlmm"`, `"vlmm" is no engine`},
		{served, `"engine":"vllm 0.10.2"`, ""},
		{served, `"engine":"TensorRT-LLM"`, ""},
		{served, `"engine":"vllm","kv_cache_dtype":"foo"`, `"foo" is no format of a cache that is known: 16 bits`},
		{served, `"engine":"vllm","precision":"fp8","kv_cache_dtype":"fp6"`, `"fp6" is no format`},
		{served, `"engine":"vllm","kv_cache_dtype":"auto"`, ""},
		{served, `"engine":"vllm","kv_cache_dtype":"fp8_e4m3"`, ""},
		{served, `"engine":"vllm","mode":"agglomerated"`, `mode is "agglomerated"`},
		{served, `"engine":"vllm","mode":"agg"`, ""},
		{served, `"engine":"vllm","moon":3`, "moon: nothing here depends on that"},
		{trained, `"mbs":1,"grad_acc":3`, "replicas with 3 micro-batches of 1 sequences are 12, not the " +
			"batch of 8: 8 are priced"},
		{trained, `"mbs":1,"grad_acc":1`, ""},
		{trained, `"framework":"bar"`, "not read: software bar, constants of megatron are taken"},
		{trained, `"framework":"NeMo 2.0"`, ""},
		{trained, `"software":"megatron-2021"`, ""},
		{trained, `"software":"DeepSpeed 0.6"`, ""},
		{trained, `"moon":3`, "not read: moon"},
		{tuned, `"moon":3`, "moon: nothing here depends on that"},
		{`"nccl_tests","setup":{"device":"H100","n_devices":8,"op":"all-reduce","payload_bytes":65536,%s}`, `"moon":3`,
			"moon: nothing here depends on that"},
	} {
		row, err := ReadRow(fmt.Appendf(nil, `{"id":"x","kind":`+c.form+`}`, c.says))
		if err != nil {
			t.Fatal(err)
		}
		p := One(row)
		said := strings.Join(p.Notes, "; ")
		if p.Skipped != "" || (c.note == "") != (said == "") || !strings.Contains(said, c.note) {
			t.Errorf("%s: skipped %q, notes %q, want %q", c.says, p.Skipped, said, c.note)
		}
	}
}

// Devices are counted by their plain name, too, and none is refused by it.
func TestDevicesByTheirPlainName(t *testing.T) {
	for count, want := range map[string]string{"-1": "n_devices is -1", "0": "n_devices is 0", "64": ""} {
		row, err := ReadRow([]byte(`{"id":"x","kind":"training","setup":{"model":"llama-3.1-8b","device":"H100",` +
			`"gbs":64,"seq_len":4096,"devices":` + count + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		if p := One(row); !strings.HasPrefix(p.Skipped, want) || (want == "") != (p.Skipped == "") {
			t.Errorf("%s: %q, want %q", count, p.Skipped, want)
		}
	}
}

// The command prints every table: each family with the sign of its error, where predictions miss once, and each of the
// other tools.
func TestErrorsPrintEveryTable(t *testing.T) {
	var tables, breaks, training, serving strings.Builder
	families := summary.Families("")
	if err := writeFamilies(&tables, families); err != nil {
		t.Fatal(err)
	}
	writeBreaks(&breaks, families)
	if err := writeRivals(&training); err != nil {
		t.Fatal(err)
	}
	if err := writeServingRivals(&serving); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(tables.String(), "\n")
	if !strings.Contains(lines[0], "bias") || len(lines) != len(families)+2 {
		t.Fatalf("%d lines of %d families, below %q", len(lines), len(families), lines[0])
	}
	for i, f := range families {
		for _, want := range []string{f.Name, f.Quantity, f.Part, fmt.Sprintf(" %+.1f %% ", 100*f.Bias)} {
			if !strings.Contains(lines[i+1], want) {
				t.Errorf("%q lacks %q", lines[i+1], want)
			}
		}
	}
	for line := range strings.Lines(breaks.String()) {
		if n := strings.Count(breaks.String(), line); n != 1 {
			t.Errorf("%d times %q", n, line)
		}
	}
	for _, r := range summary.Rivals() {
		if !strings.Contains(training.String(), r.Name) {
			t.Errorf("%s is not printed", r.Name)
		}
	}
	for _, r := range summary.ServingRivals() {
		if !strings.Contains(serving.String(), r.Name+"; "+r.Where) {
			t.Errorf("%s is not printed", r.Name)
		}
	}
}
