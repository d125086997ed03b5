package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// oddUnits has an input of each way in which a number may be written.
const oddUnits = `let share = 80% in 0.1%..100%
let rate = 940 MHz
let requests = 250 request/s
let slow = 0.5 request/hour
let batch = 4 Mtoken in 1 Mtoken..64 Mtoken log
let many = 70B
let price = $2.95/hour
let tokens = $3/Mtoken
let size = 16 GiB
let W = 45 GB/s
let t = 87.2 us
let e = 0.7 pJ/FLOP
let d = fp8
let dry = off
let shape = ring of ring, tree, "2D ring"
let who = "a reader"
let chip = gpu.h100
`

// Of every sheet of the content, what eval -json prints of an input, -set takes back as it is.
func TestJSONComesBack(t *testing.T) {
	env := widget.Env()
	found := []source{{file: "odd", Source: sources("stdin", []byte(oddUnits))[0].Source}}
	files, err := sheetFiles([]string{"../content"})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, sources(file, data)...)
	}
	inputs := 0
	for _, src := range found {
		sh, errs := src.compile(env)
		if sh != nil {
			inputs += comesBack(t, src, sh)
		} else if !src.wrong {
			t.Errorf("%s", errs[0])
		}
	}
	if inputs < 500 {
		t.Errorf("only %d inputs", inputs)
	}
}

// comesBack sets every input to what is printed of it, and of its menu, and wants the same.
func comesBack(t *testing.T, src source, sh *sheet.Sheet) (inputs int) {
	r := sh.Eval(nil)
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Def.Kind != "input" || row.Err != nil {
			continue
		}
		inputs++
		j := answer.RowOf(r, row)
		text := jsonText(t, j.Value) + strings.TrimRight(" "+j.Unit, " ")
		state, wrong := src.set(sh, settings{{row.Def.Name, text}}, streams{})
		if len(wrong) > 0 {
			t.Errorf("%s#%s: %v", src.file, src.id, wrong[0])
			continue
		}
		back, err := sh.Eval(state).Value(row.Def.Name)
		if err != nil || !back.Equal(row.Value) {
			t.Errorf("%s#%s: %s = %v, set to %q, is %v, %v", src.file, src.id, row.Def.Name, row.Value, text, back, err)
		}
	}
	return inputs
}

// jsonText is a value as JSON, a text without its quotes.
func jsonText(t *testing.T, v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	if json.Unmarshal(data, &text) == nil {
		return text
	}
	return string(data)
}
