package measured

import (
	"fmt"
	"strings"
	"testing"
)

// Each limit holds at both its ends and not beyond, and a text is refused with its name.
func TestLimitsOfValues(t *testing.T) {
	if len(limits()) < 22 {
		t.Fatalf("the table has %d lines", len(limits()))
	}
	for _, l := range limits() {
		for _, x := range []float64{l.least, l.most} {
			if err := (Setup{l.name: x}).impossible(); err != nil {
				t.Errorf("%v is in its range: %v", x, err)
			}
		}
		for _, x := range []any{l.least - 1, l.most * 2, "lots", true, []any{1.0}, map[string]any{"a": 1.0}, "1e400"} {
			if err := (Setup{l.name: x}).impossible(); err == nil || !strings.Contains(err.Error(), l.name) {
				t.Errorf("%s is %v: %v", l.name, x, err)
			}
		}
		if err := (Setup{l.name: l.least + 0.5}).impossible(); (err != nil) != l.whole {
			t.Errorf("%s, half of one: %v", l.name, err)
		}
		for _, x := range []any{nil, "", "n/a"} {
			if err := (Setup{l.name: x}).impossible(); err != nil {
				t.Errorf("%s is %v, which says nothing: %v", l.name, x, err)
			}
		}
	}
}

// A row with a value that can't be is skipped or says so, whatever its kind.
func TestImpossibleRows(t *testing.T) {
	local := `"local_decode","setup":{"model":"llama-3.1-8b","device":"RTX 4090","quant_type":"Q4_K_M",%s}`
	trained := `"training","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":8,"gbs":64,"seq_len":4096,%s}`
	served := `"inference","setup":{"model":"llama-3.1-8b","device":"H100","n_devices":1,"isl":1024,"osl":128,%s}`
	for _, c := range []struct{ form, says, want string }{
		{local, `"n_ubatch":"many"`, "n_ubatch"},
		{local, `"gen_tokens":-1`, "gen_tokens"},
		{local, `"prompt_tokens":{"a":1}`, "prompt_tokens"},
		{local, `"file_size_GiB":4000`, "file_size_GiB is 4000"},
		{local, `"file_size_GiB":4.6`, ""},
		{local, `"batch":"1..32"`, ""},
		{trained, `"gpus_per_node":"TBD"`, "gpus_per_node"},
		{trained, `"layers":0`, "layers"},
		{trained, `"params":1e12`, "params is 1e+12"},
		{trained, `"params":8.03e9`, ""},
		{served, `"concurrency":0.5`, "concurrency"},
		{served, `"concurrency":8`, ""},
		{`"quantised_size","setup":{"model":"llama-3.1-8b","quant_type":"Q4_K_M",%s}`, `"params_B":0.5`, "params_B"},
	} {
		row, err := ReadRow(fmt.Appendf(nil, `{"id":"x","kind":`+c.form+`}`, c.says))
		if err != nil {
			t.Fatal(err)
		}
		p := One(row)
		said := p.Skipped + strings.Join(p.Notes, "; ")
		if !strings.Contains(said, c.want) || c.want == "" && p.Skipped != "" {
			t.Errorf("%s: %q, want %q", c.says, said, c.want)
		}
	}
}
