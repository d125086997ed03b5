package library_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// reader reads the text of a config.json, as a sheet does.
func reader() func(text string) (value.Value, error) {
	f := library.New().Funcs["model_config"]
	return func(text string) (value.Value, error) { return f.Call([]value.Value{{Kind: value.Text, Text: text}}) }
}

const llamaSizes = `"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,` +
	`"num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256`

// Every sample of app/model/config has in a sheet the counts that it has there, and its sizes without a hole.
func TestConfigsAsSheetsSeeThem(t *testing.T) {
	read, counts := reader(), library.New().Funcs["model_sizes"]
	none := library.New().Values["no_model"]
	files, _ := filepath.Glob("../model/config/testdata/configs/*.json")
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
		v, err := read(string(text))
		if err != nil {
			t.Fatal(file, err)
		}
		own := v.Record.Fields["model"]
		if got := own.Record.Fields["params"].Num.Value; got != im.Model.Total() {
			t.Errorf("%s: %v parameters, want %v", file, got, im.Model.Total())
		}
		if said := v.Record.Fields["summary"].Text; !strings.HasPrefix(said, "Read as "+im.Family) {
			t.Errorf("%s: %s", file, said)
		}
		notes := len(im.Understood) + len(im.Ignored) + len(im.Missing) + len(im.Unknown) + len(im.Doubts)
		if got := len(v.Record.Fields["fields"].List); got != notes {
			t.Errorf("%s: %d fields are accounted for, want %d", file, got, notes)
		}
		sizes, err := counts.Call([]value.Value{own, none})
		if err != nil || len(sizes.List) < 5 {
			t.Errorf("%s: %v, %d sizes", file, err, len(sizes.List))
		}
		alike := strings.Contains(file, "mimo-v2.5-pro") // its layers with windows have as many heads as the others
		if heads := sizes.List[2].Record.Fields["model"].Text; strings.Contains(file, "mimo-v2") && !alike &&
			heads != "64, 4, 192 (values of 128) in the last layer; 64, 8, 192 (values of 128) in layer 2 and its like" {
			t.Errorf("%s: the heads of windowed layers aren't told apart: %s", file, heads)
		}
	}
}

// A file that can't be read says where and why.
func TestBadConfigs(t *testing.T) {
	read := reader()
	for _, c := range []struct{ text, want string }{
		{"{\n  \"model_type\": \"llama\",\n  \"hidden_size\": -1\n}",
			`line 3, column 18, at “"hidden_size": -1”: hidden_size is -1; write a whole number`},
		{"{\n\n", "line 3, column 1"},
		{"not json at all", "line 1, column 1, at “not json at all”"},
		{"{}", "line 1, column 1"},
		{`{"model_type":"t5"}`, "t5"},
		{strings.Repeat("[", 100000), "line 1"},
		{`{` + strings.Replace(llamaSizes, "4096", "0", 1) + `}`, "hidden_size is 0"},
		{`{` + strings.Replace(llamaSizes, "4096", "1e308", 1) + `}`, "hidden_size is 1e308"},
		{`{` + strings.Replace(llamaSizes, "4096", `"<img src=x>"`, 1) + `}`, `hidden_size is the text "<img src=x>"`},
	} {
		if _, err := read(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v; want %q in it", c.text, err, c.want)
		}
	}
	for _, text := range []string{"", " \n"} {
		v, err := read(text)
		if err != nil || !strings.HasPrefix(v.Record.Fields["summary"].Text, "No config.json has been read yet") {
			t.Errorf("%q: %v, %v", text, v, err)
		}
	}
}

// A model whose catalog has a published count shows it beside ours; one from a file has none.
func TestModelCounts(t *testing.T) {
	env := library.New()
	rows := func(a, b value.Value) []value.Value {
		v, err := env.Funcs["model_counts"].Call([]value.Value{a, b})
		if err != nil || len(v.List) != 3 {
			t.Fatal(v, err)
		}
		return v.List
	}
	own, err := reader()("{" + llamaSizes + "}")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range model.Catalog().All {
		family, member, _ := strings.Cut(k.ID, ".")
		list := rows(env.Values[family].Record.Fields[member], own.Record.Fields["model"])
		all := list[0].Record.Fields
		digits := strings.ReplaceAll(all["counted"].Text, ",", "")
		published := strings.Fields(k.PublishedTotal)[0]
		if got := strings.ReplaceAll(all["published"].Text, ",", ""); got != published || len(digits) < 6 {
			t.Errorf("%s: %s counted, %s published, want %s", k.ID, digits, got, published)
		}
		if _, has := all["other_published"]; has || all["other_counted"].Text != "8,030,261,248" {
			t.Errorf("%s beside a file: %v", k.ID, all)
		}
	}
}

// A model takes as many chips as cover its bytes, and no more.
func TestChipsNeeded(t *testing.T) {
	env := library.New()
	bytes := value.Value{Kind: value.Number}
	bytes.Num.Value = 812e9
	v, err := env.Funcs["chips_needed"].Call([]value.Value{bytes})
	if err != nil || len(v.List) != len(env.RecordTypes[0].Members) {
		t.Fatal(len(v.List), err)
	}
	for _, line := range v.List {
		hbm, ok := line.Record.Fields["hbm"]
		if !ok {
			continue
		}
		n := line.Record.Fields["need1"].Num.Value
		if n*hbm.Num.Value < 812e9 || (n > 1 && (n-1)*hbm.Num.Value >= 812e9) {
			t.Errorf("%s: %v chips of %v", line.Record.Name, n, hbm.Num)
		}
	}
}
