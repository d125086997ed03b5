package widget

import (
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
)

// card is the model card of the book, with some inputs set.
func card(t testing.TB, settings ...string) *View {
	t.Helper()
	page, err := os.ReadFile("../../content/model-card.md")
	if err != nil {
		t.Fatal(err)
	}
	_, src, _ := strings.Cut(string(page), "```sheet modelcard hero\n")
	src, _, _ = strings.Cut(src, "\n```")
	s, errs := sheet.Compile(src, Env())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "modelcard"
	v := NewLive(s)
	for i := 0; i < len(settings); i += 2 {
		if err := v.Set(settings[i], settings[i+1]); err != nil {
			t.Fatalf("%s: %v", settings[i], err)
		}
	}
	return v
}

// printed is a row as the page prints it.
func printed(v *View, name string) string { return v.row(name).Text() }

func whole(v *View) string { return HTML(v.Fill(v.Frame())...) }

const llama = `{"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,` +
	`"num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256}`

// A file that is read is shown at once, with an account of its fields; taken away, what was there before comes back.
func TestDocumentIsShown(t *testing.T) {
	v := card(t, "config", llama)
	if printed(v, "params") != "8.03 B" || !strings.HasPrefix(printed(v, "read"), "Read as Llama, llama: ") {
		t.Errorf("%s parameters; %s", printed(v, "params"), printed(v, "read"))
	}
	if page := whole(v); !strings.Contains(page, "hidden_size") || strings.Contains(page, "NaN") {
		t.Error("what was understood isn't said")
	}
	if err := v.Set("other", "deepseek.v3"); err != nil || printed(v, "params") != "8.03 B" {
		t.Error(err, "a model of the catalog can't stand beside it")
	}
	if page := whole(v); !strings.Contains(page, "671 B") || !strings.Contains(page, "37B") {
		t.Error("the model beside it is not counted")
	}
	v.Undo("config")
	if printed(v, "name") != "Llama 3.1 70B" || v.Changed("model") {
		t.Errorf("then it shows %q", printed(v, "name"))
	}
}

// What came of a text stands below its field, where the reader has just pasted, and follows the other inputs.
func TestDocumentSaysWhatCameOfIt(t *testing.T) {
	v := New(compilePad(t, "let log = document(\".txt\", 1 KiB) \"A log\"\nlet n = 2\n"+
		"hidden log_read = if(log = \"\", \"nothing\", if(n > 2, \"more than it says\", \"as it says\"))\n"))
	note := func() string { return HTML(v.Part("input:log")) }
	if strings.Contains(note(), "nothing") {
		t.Error("something came of no text")
	}
	_ = v.Set("log", "a line")
	before := v.Fingerprint("input:log")
	if !strings.Contains(note(), "As it says.") {
		t.Error(note())
	}
	_ = v.Set("n", "3")
	if !strings.Contains(note(), "More than it says.") || v.Fingerprint("input:log") == before {
		t.Error(note())
	}
}

// A model of one's own may be the other one; one that was chosen gives way to the file, unless that is shown anyway.
func TestDocumentAsOther(t *testing.T) {
	v := card(t, "model", "mixtral.8x7b", "other", "own")
	if !strings.Contains(whole(v), "No config.json has been read yet") {
		t.Error("nothing says that there is no file")
	}
	if err := v.Set("config", llama); err != nil || printed(v, "name") != "Mixtral 8x7B" {
		t.Error("the file doesn't stand where it was asked for:", err, printed(v, "name"))
	}
	if page := whole(v); !strings.Contains(page, "8.03 B") {
		t.Error("the file isn't counted")
	}
	v = card(t, "model", "mixtral.8x7b", "config", llama)
	if printed(v, "params") != "8.03 B" || v.Changed("model") {
		t.Error("the file isn't shown at once:", printed(v, "name"))
	}
}

// A file that can't be read says where and why beside the closed fold, stays in the field, and leaves the last good
// model.
func TestBadDocument(t *testing.T) {
	v := card(t, "config", llama)
	for _, c := range []struct{ text, want string }{
		{"{\n  \"model_type\": \"llama\",\n  \"hidden_size\": -1\n}", "Line 3, column 18, at"},
		{"not json at all", "Line 1, column 1"},
		{strings.Repeat(" ", 4<<20) + "{}", "too long; give at most 4096 KiB"},
		{"\xff\xfe{", "no text"},
	} {
		err := v.Set("config", c.text)
		page := HTML(v.Part("input:config"))
		if err == nil || !strings.Contains(strings.ToLower(page), strings.ToLower(c.want)) ||
			!strings.Contains(page, `aria-invalid="true"`) {
			t.Errorf("%.30q: %v; the page lacks %q", c.text, err, c.want)
		}
		if printed(v, "params") != "8.03 B" || v.Text(v.fitted("config")) != c.text {
			t.Error("the last good model is gone, or what was typed")
		}
	}
	if err := v.Set("config", llama); err != nil || strings.Contains(HTML(v.Part("input:config")), "aria-invalid") {
		t.Error("a good file does not take the message away:", err)
	}
}

// The address says that a file was read, but carries nothing of it; whoever opens it is asked to paste one.
func TestDocumentAddress(t *testing.T) {
	v := card(t, "config", llama, "context", "100")
	query := address.Encode(v.Params())
	if query != "modelcard.context=100&modelcard.model=own" {
		t.Error(query)
	}
	ps, _, _ := address.Decode(query)
	w := card(t)
	if problems := w.Apply(ps); len(problems) > 0 || !strings.Contains(whole(w), "No config.json has been read yet") {
		t.Errorf("%q; who opens the link of a file is not told to paste it", problems)
	}
	if err := w.Set("config", llama); err != nil || printed(w, "params") != "8.03 B" {
		t.Error("the pasted file isn't shown:", err, printed(w, "params"))
	}
	if w.Undo("config"); printed(w, "name") != "Llama 3.1 70B" {
		t.Error("taken away, it leaves", printed(w, "name"))
	}
	query = "modelcard.batch=2&modelcard.cache=fp8&modelcard.context=4*8k&modelcard.mask=full&" +
		"modelcard.model=gpt_oss.120b&modelcard.other=qwen3.32b&modelcard.pass=forward&modelcard.sort=-hbm&modelcard.weights=mxfp4"
	ps, _, _ = address.Decode(query) // as links had it when the card was no sheet
	w = card(t)
	if problems := w.Apply(ps); len(problems) > 0 {
		t.Errorf("%q", problems)
	}
	if got := strings.ReplaceAll(address.Encode(w.Params()), "sort.chips_of_two=hbm", "sort=-hbm"); got != query {
		t.Errorf("%s, want %s", got, query)
	}
}

// Nothing in a file becomes markup, wherever the card shows it.
func TestHostileDocument(t *testing.T) {
	evil := `<script>x()</script><img src=x onerror=y()>"'&--></svg>`
	quoted := strings.ReplaceAll(evil, `"`, `\"`)
	named := func(fields string) string { return llama[:len(llama)-1] + fields + "}" }
	for _, text := range []string{
		named(`,"_name_or_path":"` + quoted + `","architectures":["` + quoted + `"],"` + quoted + `":"` + quoted + `"`),
		named(`,"_name_or_path":"</title><img src=x>","torch_dtype":"` + quoted + `"`),
		`{"model_type":"` + quoted + `"}`,
		`{"model_type":"llama","hidden_size":"` + quoted + `"}`,
		"{\"model_type\": " + evil,
	} {
		for _, other := range []string{"none", "own", "mixtral.8x7b"} {
			v := card(t, "other", other)
			_ = v.Set("config", text)
			for _, key := range []string{"document:config", "rest:", "all:0", "plot:0", "constants:model"} {
				v.Toggle(key, true)
			}
			v.ToggleAll(true)
			for n := range parse(t, whole(v)).Descendants() {
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

// The longest file that is taken is read once, not with every change of something else.
func TestLargeDocumentIsReadOnce(t *testing.T) {
	var b strings.Builder
	b.WriteString(llama[:len(llama)-1] + `, "id2label": {"0": "a class"`)
	for b.Len() < config.MaxBytes-100 {
		b.WriteString(",\n    \"" + strings.Repeat("9", b.Len()%7+1) + `": "class number with a name"`)
	}
	b.WriteString("}}")
	v := card(t)
	turn := 0
	first := testing.AllocsPerRun(1, func() {
		turn++
		_ = v.Set("config", b.String()+strings.Repeat(" ", turn))
	})
	turn = 0
	later := testing.AllocsPerRun(3, func() {
		turn++
		if err := v.Set("batch", strings.Repeat("3", turn)); err != nil {
			t.Error(err)
		}
	})
	if printed(v, "params") != "8.03 B" || later > first/10 {
		t.Errorf("a change of the batch allocates %v times, reading %v", later, first)
	}
}

// What is read aloud of a refused text names a page of the book, without the address of its link.
func TestSummaryReadsLinks(t *testing.T) {
	v := New(written(t, "s", "let own = document(\".hlo\", 1 MiB, hlo_check) \"HLO\"\nhlo = own\n"))
	if err := v.Set("own", `{"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 1}]}`); err == nil {
		t.Fatal("a trace is taken for HLO")
	}
	if got := v.Summary(); !strings.Contains(got, "“Reading profiles”") || strings.ContainsAny(got, "[]`") {
		t.Error(got)
	}
}
