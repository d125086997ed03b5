package measured

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
)

// People write numbers in many ways; what can't be read says what would do.
func TestNumbers(t *testing.T) {
	s := Setup{
		"gpus":  "64-512",
		"tp":    "4",
		"dp":    "GPUs/32",
		"gbs":   "GPUs*6",
		"vp":    "N/A",
		"batch": "16M",
		"loop":  "loop*2",
		"n":     3.0,
		"fsdp":  "False",
		"odd":   "many",
		"chips": nil,
		"grid":  "16x8",
		"nodes": "4 X 8",
	}
	for name, want := range map[string]float64{"gpus": 64, "tp": 4, "dp": 2, "gbs": 384, "vp": 7, "batch": 16e6, "n": 3,
		"chips": 7, "grid": 128, "nodes": 32} {
		if got, err := s.Number(7, name); err != nil || got != want {
			t.Errorf("%s is %v, %v; want %v", name, got, err, want)
		}
	}
	for name, want := range map[string]string{"loop": "names itself", "odd": "write a number"} {
		if _, err := s.Number(0, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
	if s.Switch(true, "fsdp") || !s.Switch(true, "absent") || !s.Switch(false, "n") {
		t.Error("switches are read wrongly")
	}
	if _, err := s.Whole(1, 1, 2, "n"); err == nil || err.Error() != "n is 3; write a whole number from 1 to 2" {
		t.Error(err)
	}
}

// Every line gets an answer, in order, also those that are no rows. What was measured changes nothing.
func TestEveryLineIsAnswered(t *testing.T) {
	in := `{"id":"a","kind":"poem","setup":{}}` + "\n\n" + `{"id":` + "\n" +
		`{"id":"b","kind":"poem","measured":{"x":1}}`
	var out strings.Builder
	if _, err := Predict(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"id":"a"`) ||
		!strings.Contains(lines[1], "line 3: it is no row") ||
		!strings.Contains(lines[2], `kind \"poem\"`) {
		t.Errorf("got\n%s", out.String())
	}
}

// Files come with carriage returns and byte order marks, and the model as a config, as an object or as a text.
func TestRowsAsPeopleHaveThem(t *testing.T) {
	config := `{"model_type":"llama","hidden_size":4096,"num_hidden_layers":33,"num_attention_heads":32,` +
		`"vocab_size":32000,"intermediate_size":11008}`
	in := "\xef\xbb\xbf" +
		`{"id":"a","kind":"training","setup":{"config":` + config + `,"device":"H100","gpus":8,"gbs":64}}` +
		"\r\n" + `{"id":"b","kind":"training","setup":{"config":` + strconv.Quote(config) +
		`,"device":"H100","gpus":"1x8","gbs":64}}` + "\r\n" +
		`{"id":"c","kind":"training","setup":{"model":"Llama 3.1 405B","device":"H100","gpus":512,"tp":8,"pp":16,` +
		`"gbs":256,"first_stage_layers":7,"last_stage_layers":7}}` + "\n" +
		`{"id":"d","kind":"training","setup":{"device":"H100","gpus":8}}`
	var out strings.Builder
	if _, err := Predict(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 5 || strings.Replace(lines[0], `"a"`, `"b"`, 1) != lines[1] ||
		!strings.Contains(lines[1], "step_time_s") || !strings.Contains(lines[2], "step_time_s") ||
		!strings.Contains(lines[3], "no model; name one") {
		t.Errorf("got\n%s", out.String())
	}
}

// What is wrong with a line is said in words of JSON, not of the program.
func TestReadRowSaysWhy(t *testing.T) {
	for line, want := range map[string]string{
		`{"id": 7}`:                      "id is of kind number, not a text",
		`{"id": "a", "setup": "none"}`:   "setup is of kind string, not an object",
		`{"setup": {"gbs": 1e400}}`:      `number 1e400 of setup(\.gbs)? is out of range`, // named from Go 1.27 on
		`[]`:                             "the line is not an object",
		`{"id": "a", "kind": "training"`: "it is not JSON after",
	} {
		if _, err := ReadRow([]byte(line)); err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// Batches are told in sequences or in tokens, which people round: replicas share them evenly. Sequences are told in
// thousands of 1,024; a device that nobody knows is described
// by its numbers; a plan for more devices than there are is no plan.
func TestSetupsAsPeopleWriteThem(t *testing.T) {
	setup := func(changes Setup) Setup {
		s := Setup{"model": "Llama 3.1 8B", "device": "H100", "gpus": 64.0, "seq_len": "8k", "gbs": "16M"}
		for name, value := range changes {
			s[name] = value
		}
		return s
	}
	r, err := NewRun(setup(nil))
	if err != nil || r.Job.Sequence != 8192 || r.Job.Batch != 1984 {
		t.Errorf("%d sequences of %d tokens, %v", r.Job.Batch, r.Job.Sequence, err)
	}
	own := Setup{"device": "X9", "peak_tflops": 500.0, "memory_GB": 64.0, "memory_bandwidth_GBps": "2000"}
	if r, err = NewRun(setup(own)); err != nil || r.Job.Device.Peak[0] != 5e14 || r.Job.Device.Stream != 2e12 {
		t.Errorf("%+v, %v", r.Job.Device, err)
	}
	for want, changes := range map[string]Setup{
		"needs memory_bandwidth_GBps":                       {"device": "X9", "peak_tflops": 500.0, "memory_GB": 64.0},
		"unknown device":                                    {"device": "X9"},
		"DP 16 x TP 8 x PP 1 x CP 1 = 128 is more than 64":  {"dp": 16.0, "tp": 8.0},
		"TP 7 x PP 1 x CP 1 = 7 doesn't divide 64 devices;": {"tp": 7.0},
	} {
		if _, err := NewRun(setup(changes)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", changes, err)
		}
	}
}

// Pages tell what is so: the tables that they read are what predictions come to. Run with -update after a change of
// constants, and read the difference.
func TestSummaryIsOfToday(t *testing.T) {
	families, figures := summarize(*runsHeld(), *servingHeld())
	var rows, numbers strings.Builder
	for _, f := range append(families, containerFamilies(t)...) {
		rows.WriteString(f.Line())
	}
	for _, f := range figures {
		numbers.WriteString(f.Line())
	}
	var software, missed strings.Builder
	runs, misses := PublishedRuns(runsHeld().Runs())
	for _, r := range runs {
		software.WriteString(r.Line())
	}
	for _, m := range misses {
		missed.WriteString(m.Line())
	}
	for path, got := range map[string]string{"summary/families.tsv": rows.String(),
		"summary/runs.tsv":   software.String(),
		"summary/misses.tsv": missed.String(), "summary/figures.tsv": numbers.String()} {
		golden.Check(t, path, got)
	}
}

// What a row says that no prediction depends on is named, also inside its parts; what it leaves open is not.
func TestUnreadIsNamed(t *testing.T) {
	part := map[string]any{"tp": 4.0, "workers": 2.0, "colour": "red"}
	s := Setup{"model": "llama-3.1-70b", "device": "H100", "isl": 1000.0, "osl": 100.0, "concurrency": 8.0,
		"mode": "disagg", "prefill": part, "decode": map[string]any{"tp": 8.0}, "moon": 3.0, "sun": nil, "nodes": 2.0,
		strings.Repeat("x", 99): true, "cpu_kv_offload": true}
	p := One(Row{Kind: "inference", Setup: s})
	if p.Skipped != "" || len(p.Notes) != 1 {
		t.Fatalf("skipped: %q, notes: %v", p.Skipped, p.Notes)
	}
	names, _, _ := strings.Cut(p.Notes[0], ": ")
	want := []string{"cpu_kv_offload", "moon", "prefill.colour", strings.Repeat("x", 31) + "…"}
	if got := strings.Split(names, ", "); !slices.Equal(got, want) {
		t.Errorf("named are %v, want %v", got, want)
	}
	if part["colour"] = nil; s[watch] != nil || part[watch] != nil {
		t.Error("the row itself was changed")
	}
}

// A device that nobody knows is described by its numbers; caches may be stored and split otherwise than weights.
func TestServingAsPeopleWriteIt(t *testing.T) {
	row := Setup{"model": "DeepSeek-R1", "device": "X9", "isl": 1000.0, "osl": 100.0, "concurrency": 8.0, "tp": 8.0,
		"peak_tflops": 900.0, "memory_GB": 192.0, "memory_bandwidth_GBps": 5000.0, "kv_cache": "fp8", "dcp": "on"}
	s, err := readServing(row)
	if err != nil || s.chip.Bandwidth != 5e12 || s.shape.Cache != 1 || s.plan.CP != 8 {
		t.Fatalf("%+v, %v", s, err)
	}
	for want, change := range map[string]Setup{
		"needs memory_bandwidth_GBps": {"memory_bandwidth_GBps": 0.0},
		"dcp is":                      {"dcp": -2.0},
	} {
		for name, value := range change {
			row[name] = value
		}
		if _, err := readServing(row); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", change, err)
		}
		row["memory_bandwidth_GBps"] = 5000.0
	}
}

// A load of nothing is named as such, and isn't taken for one that was left out.
func TestLoadOfNothing(t *testing.T) {
	row := Setup{"model": "llama-3.1-8b", "device": "H100", "tp": 1.0, "isl": 100.0, "osl": 100.0, "engine": "vllm"}
	for name, want := range map[string]string{"": "the load is not given", "concurrency": "the load is 0",
		"batch": "the load is 0", "request_per_s": "the load is 0"} {
		s := Setup{}
		for k, v := range row {
			s[k] = v
		}
		if name != "" {
			s[name] = 0.0
		}
		if _, err := readServing(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}
