package config

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// description is a text as people paste it, with what is right of it by its publisher, or by a count of our own that
// is not this code's: From says which.
type description struct {
	Name, Text, From   string
	Params, Active, KV float64  // KV is bytes for each token in bf16; what is 0 is not asked
	Says               []string // how its doubts begin; those and no others
	Refused            string   // what the error says, if there must be one
}

// What people paste is counted rightly, or it is said what is in doubt.
func TestDescriptions(t *testing.T) {
	text, err := os.ReadFile("testdata/descriptions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var d description
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		im, err := Read([]byte(d.Text))
		if err != nil || d.Refused != "" {
			if err == nil || d.Refused == "" || !strings.Contains(err.Error(), d.Refused) {
				t.Errorf("%s: error %v, want %q", d.Name, err, d.Refused)
			}
			continue
		}
		m := &im.Model
		for _, x := range []struct {
			what      string
			got, want float64
		}{
			{"parameters", m.Total(), d.Params},
			{"active parameters", m.ActiveTotal(), d.Active},
			{"bytes of keys and values a token", float64(m.KVBytesPerToken(2)), d.KV},
		} {
			if x.want != 0 && x.got != x.want {
				t.Errorf("%s: %.0f %s, want %.0f (%s)", d.Name, x.got, x.what, x.want, d.From)
			}
		}
		if len(im.Doubts) != len(d.Says) {
			t.Errorf("%s: doubts %v, want %q", d.Name, doubtsOf(&im), d.Says)
			continue
		}
		for i, says := range d.Says {
			if got := doubtsOf(&im)[i]; !strings.HasPrefix(got, says) {
				t.Errorf("%s: doubt %q, want %q", d.Name, got, says)
			}
		}
	}
}

// doubtsOf are the doubts of a model, each behind its field.
func doubtsOf(im *Import) []string {
	var all []string
	for _, n := range im.Doubts {
		all = append(all, strings.TrimPrefix(n.Field+": "+n.Text.String(), ": "))
	}
	return all
}

// What stands beside the object that describes a model is left out, and that is said; where it stands stays right.
func TestOtherObjects(t *testing.T) {
	const config = "{\n\"hidden_size\": 64, \"num_hidden_layers\": 2, \"num_attention_heads\": 4, " +
		"\"vocab_size\": 9,\n" +
		"\"intermediate_size\": 96\n}\n"
	im := mustRead(t, []byte(config))
	for _, other := range []string{"{\"top_p\": 0.9}\n", "generation_config.json:\n{\n\"top_p\": 0.9\n}\n"} {
		for _, text := range []string{other + config, config + other} {
			both := mustRead(t, []byte(text))
			notes := both.Ignored
			if both.Model.Total() != im.Model.Total() || len(notes) == 0 ||
				notes[0].Text.String() != "other objects of the text describe no model" {
				t.Errorf("%q: %.0f parameters, %v ignored", text, both.Model.Total(), notes)
			}
		}
	}
	for _, n := range im.Ignored {
		if n.Field == "" {
			t.Errorf("nothing stands beside it: %v", n.Text)
		}
	}
	_, err := Read([]byte("{\"top_p\": 0.9}\n" + strings.Replace(config, "64", "-64", 1)))
	if err == nil || !strings.HasPrefix(err.Error(), "3:16: ") {
		t.Errorf("error %v, want its place", err)
	}
}

// Heads that no argument of Megatron-LM names are assumed, and it says so.
func TestMambaHeadsAssumed(t *testing.T) {
	im := mustRead(t, []byte("--hybrid-override-pattern M* --num-layers 2 --hidden-size 64 --num-attention-heads 4 "+
		"--mamba-head-dim 16 --padded-vocab-size 1000\n"))
	for _, n := range im.Missing {
		if n.Field == "mamba_num_heads" &&
			n.Text.String() == "assumed heads of linear layers: 8, as Megatron-LM has it" {
			return
		}
	}
	t.Errorf("nothing says that heads are assumed: %v", im.Missing)
}
