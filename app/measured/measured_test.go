package measured

import (
	"strconv"
	"strings"
	"testing"
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
	in := `{"id":"a","kind":"poem","setup":{}}` + "\n\n" + `{"id":` + "\n" + `{"id":"b","kind":"poem","measured":{"x":1}}`
	var out strings.Builder
	if _, err := Predict(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"id":"a"`) || !strings.Contains(lines[1], "line 3: it is no row") ||
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
		`[]`:                             "the line is not an object",
		`{"id": "a", "kind": "training"`: "it is not JSON after",
	} {
		if _, err := ReadRow([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// Batches are told in sequences or in tokens, which people round: replicas share them evenly. Sequences are told in
// thousands of 1,024; a device that nobody knows is described
// by its numbers; a plan for more devices than there are is no plan.
func TestSetupsAsPeopleTellThem(t *testing.T) {
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
