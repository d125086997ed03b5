package modelcard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
	"github.com/scalebook/scalebook/app/widget/modelcard"
	parser "golang.org/x/net/html"
)

// A file that is read is shown at once, with an account of its fields; taken away, what was there before comes back.
func TestFile(t *testing.T) {
	text, err := os.ReadFile("testdata/llama3-70b.json")
	if err != nil {
		t.Fatal(err)
	}
	v := shown(t, "config", string(text))
	known, err := model.Catalog().Get("llama3.70b")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := result(v, "params"), known.Total(); got != want {
		t.Errorf("the file has %v parameters, the catalog %v", got, want)
	}
	for _, want := range []string{"Read as Llama, LlamaForCausalLM", "fields understood", "no doubts", "a config.json does not say"} {
		if !strings.Contains(html(v), want) {
			t.Errorf("the card lacks %q", want)
		}
	}
	v.Toggle("fold-understood", true)
	if !strings.Contains(html(v), "<code>hidden_size</code>") {
		t.Error("what was understood isn't said")
	}
	if err := v.Set("other", "deepseek.v3"); err != nil || result(v, "other_params") < 6e11 || result(v, "params") != known.Total() {
		t.Error(err, "a model of the catalog can't stand beside it")
	}
	v.Undo("config")
	if got := v.Values()[0].Text; got != "Llama 3.1 70B" || v.Changed("model") {
		t.Errorf("then it shows %q", got)
	}
}

// Every sample of app/model/config is shown as it is counted there.
func TestSamples(t *testing.T) {
	files, _ := filepath.Glob("../../model/config/testdata/configs/*.json")
	if len(files) < 40 {
		t.Fatalf("there are %d samples", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		im, err := config.Read(text)
		if err != nil {
			t.Fatal(file, err)
		}
		v := shown(t, "config", string(text))
		if got := result(v, "params"); got != im.Model.Total() {
			t.Errorf("%s: %v parameters, want %v", file, got, im.Model.Total())
		}
		page := html(v)
		if strings.Contains(page, "NaN") || strings.Contains(page, "+Inf") {
			t.Errorf("%s: a number that is none", file)
		}
		if strings.Contains(file, "mimo") && !strings.Contains(page, "64, 4, 192 (values of 128) in the last layer; 64, 8, 192") {
			t.Errorf("%s: the heads of windowed layers aren't told apart", file)
		}
	}
}

// A model of one's own may be the other one.
func TestFileAsOther(t *testing.T) {
	v := shown(t, "model", "mixtral.8x7b", "other", "own")
	if !strings.Contains(html(v), "No config.json has been read yet") {
		t.Error("nothing says that there is no file")
	}
	if err := v.Set("config", "{"+sizes+"}"); err != nil {
		t.Fatal(err)
	}
	if got := v.Values()[0].Text; got != "Mixtral 8x7B" || result(v, "other_params") < 7e9 {
		t.Error("the file doesn't stand where it was asked for:", got)
	}
}

// A file that can't be read says where and why, stays in the field, and leaves the last good model.
func TestBadFile(t *testing.T) {
	good := "{" + sizes + "}"
	v := shown(t, "config", good)
	was := v.Values()
	for _, c := range []struct{ text, want string }{
		{"{\n  \"model_type\": \"llama\",\n  \"hidden_size\": -1\n}", "Line 3, column 18, at “&#34;hidden_size&#34;: -1”: hidden_size is -1; write a whole number"},
		{"{\n\n", "Line 3, column 1"},
		{"not json at all", "Line 1, column 1, at “not json at all”"},
		{"{}", "Line 1, column 1"},
		{`{"model_type":"mamba"}`, "mamba"},
		{strings.Repeat("[", 100000), "Line 1"},
		{strings.Repeat(" ", 1<<20) + "{}", "too long; give at most 1024 KiB"},
		{"\xff\xfe{", "no text"},
	} {
		err := v.Set("config", c.text)
		v.Toggle("fold-config", false)
		if page := html(v); err == nil || !strings.Contains(page, `<p class="note error">`) {
			t.Errorf("the fold is closed, and nothing says why %.30q is refused", c.text)
		}
		v.Toggle("fold-config", true)
		page := strings.ReplaceAll(html(v), `"hidden_size"`, "&#34;hidden_size&#34;")
		if short := c.text[:min(len(c.text), 30)]; err == nil || !strings.Contains(page, c.want) || !strings.Contains(page, `aria-invalid="true"`) {
			t.Errorf("%q: %v; the page lacks %q", short, err, c.want)
		}
		for i, x := range v.Values() {
			if x != was[i] {
				t.Errorf("the last good model is gone: %v, was %v", x, was[i])
			}
		}
		for _, k := range v.Controls() {
			if k.ID == v.ID("config") && k.Value != c.text {
				t.Error("what was typed is lost")
			}
		}
	}
	if err := v.Set("config", good); err != nil || strings.Contains(html(v), `aria-invalid="true"`) {
		t.Error("a good file does not take the message away:", err)
	}
}

// Nothing in a file becomes markup, wherever the card shows it.
func TestHostileFile(t *testing.T) {
	evil := `<script>x()</script><img src=x onerror=y()>"'&--></svg>`
	quoted := strings.ReplaceAll(evil, `"`, `\"`)
	for _, text := range []string{
		`{` + sizes + `,"_name_or_path":"` + quoted + `","architectures":["` + quoted + `"],"` + quoted + `":"` + quoted + `","hidden_act":"` + quoted + `"}`,
		`{` + sizes + `,"_name_or_path":"</title><img src=x>","torch_dtype":"` + quoted + `"}`,
		`{"model_type":"` + quoted + `"}`,
		`{"model_type":"llama","hidden_size":"` + quoted + `"}`,
		"{\"model_type\": " + evil,
	} {
		for _, other := range []string{"none", "own", "mixtral.8x7b"} {
			v := shown(t, "other", other)
			_ = v.Set("config", text)
			for _, key := range []string{"config", "missing", "unknown", "understood", "ignored", "flops-twin", "kv-twin"} {
				v.Toggle("fold-"+key, true)
			}
			page, err := parser.Parse(strings.NewReader(html(v)))
			if err != nil {
				t.Fatal(err)
			}
			for n := range page.Descendants() {
				if n.Data == "script" || n.Data == "img" {
					t.Errorf("%q: a <%s> in the page", text[:60], n.Data)
				}
				for _, a := range n.Attr {
					if strings.HasPrefix(a.Key, "on") {
						t.Errorf("%q: the attribute %s in the page", text[:60], a.Key)
					}
				}
			}
		}
	}
}

// Faults looks at states with a file too: of a model with everything, of an absurd one, and of a tiny one.
func TestNoFaultsWithFiles(t *testing.T) {
	for _, text := range []string{
		"{" + sizes + "}",
		`{"model_type":"gpt_oss","hidden_size":2880,"num_hidden_layers":36,"num_attention_heads":64,"num_key_value_heads":8,"head_dim":64,"intermediate_size":2880,"vocab_size":201088,"num_local_experts":128,"num_experts_per_tok":4,"sliding_window":128,"layer_types":["sliding_attention","full_attention"]}`,
		`{"model_type":"llama","hidden_size":2,"num_hidden_layers":1,"num_attention_heads":1,"intermediate_size":1,"vocab_size":1}`,
		`{"model_type":"llama","hidden_size":1000000,"num_hidden_layers":2000,"num_attention_heads":1000,"intermediate_size":100,"vocab_size":1000000}`,
	} {
		in := modelcard.New()
		controls := in.Controls
		in.Controls = func() []instrument.Control {
			cs := controls()
			for i := range cs {
				switch cs[i].Name {
				case "config":
					cs[i].Default = text
				case "model":
					cs[i].Default = "own"
				}
			}
			return cs
		}
		for _, f := range instrument.Faults(in, 60) {
			t.Errorf("%.60s: %s", text, f)
		}
	}
}

// The longest file that is taken is read once, not with every change of something else.
func TestLargeFileIsReadOnce(t *testing.T) {
	v := shown(t, "config", large())
	first := testing.AllocsPerRun(1, func() { _ = v.Set("config", large()) })
	later := testing.AllocsPerRun(3, func() { _ = v.Set("batch", "3"); v.Values() })
	if later > first/10 {
		t.Errorf("a change of the batch allocates %v times, reading %v", later, first)
	}
	for _, f := range v.Frame() {
		if print := v.Fingerprint(f.Part); len(print) > 1000 {
			t.Errorf("the fingerprint of %s is %d bytes long", f.Part, len(print))
		}
	}
	if query := widget.Encode(v.Params()); len(query) > 100 {
		t.Error("the file is in the address")
	}
}
