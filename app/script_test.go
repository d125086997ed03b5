package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// A script is a file of testdata/script: a few words, then sections that begin with a line `-- name --`. A section
// whose name begins with $ is a command and what it must print: lines of stderr begin with "! ", an exit status other
// than 0 stands in a last line. All other sections are files in the working folder. `< name` reads a file as stdin.
func TestGoldenScripts(t *testing.T) {
	names, err := filepath.Glob("testdata/script/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) { runScript(t, name) })
	}
}

type section struct{ name, text string }

func runScript(t *testing.T, name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	head, sections := split(string(data))
	t.Chdir(t.TempDir())
	for _, s := range sections {
		if !strings.HasPrefix(s.name, "$ ") {
			writeFile(t, s.name, s.text)
		}
	}
	for i, s := range sections {
		line, isCommand := strings.CutPrefix(s.name, "$ ")
		if !isCommand {
			continue
		}
		got := transcript(t, line)
		if got != s.text && !golden.Update() {
			t.Errorf("%s\ngot:\n%swant:\n%s", s.name, got, s.text)
		}
		sections[i].text = got
	}
	if golden.Update() {
		writeFile(t, path, join(head, sections))
	}
}

// split cuts a script into the words at its head and its sections.
func split(text string) (head string, sections []section) {
	for _, line := range strings.SplitAfter(text, "\n") {
		name, found := strings.CutPrefix(line, "-- ")
		if name, ok := strings.CutSuffix(strings.TrimRight(name, "\n"), " --"); found && ok {
			sections = append(sections, section{name: name})
		} else if len(sections) == 0 {
			head += line
		} else {
			sections[len(sections)-1].text += line
		}
	}
	return head, sections
}

func join(head string, sections []section) string {
	for _, s := range sections {
		head += "-- " + s.name + " --\n" + s.text
	}
	return head
}

// transcript runs one command and writes down what it did.
func transcript(t *testing.T, line string) string {
	command, input, _ := strings.Cut(line, " < ")
	var stdin bytes.Buffer
	if input != "" {
		data, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		stdin.Write(data)
	}
	var stdout, stderr bytes.Buffer
	status := run(words(command), &stdin, &stdout, &stderr)
	text := stdout.String()
	for complaint := range strings.Lines(stderr.String()) {
		text += "! " + complaint
	}
	if status != 0 {
		text += fmt.Sprintf("exit %d\n", status)
	}
	return text
}

// words splits a command at spaces, except between single quotes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

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
		state, wrong := src.set(sh, nil, settings{{row.Def.Name, text}}, streams{})
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
