//go:build !js

// Package npm tests the npm package as programs use it.
package npm

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/edition"
)

const source = "../../web/npm/"

// script asks the package what the test asks natively, and prints the replies, a line each.
const script = `
import { evaluate, model, plan, ScalebookError } from "./index.js";
const [asked] = process.argv.slice(2);
const own = Object.keys(globalThis).filter((k) => k.startsWith("scalebook"));
for (const { question, request } of JSON.parse(asked)) {
  let reply;
  try {
    switch (question) {
      case "evaluate": reply = await evaluate(request.sheet, request.inputs); break;
      case "model": reply = await model(request.model, request.options); break;
      case "plan": reply = await plan(request); break;
    }
  } catch (err) {
    reply = { error: err.message, known: err instanceof ScalebookError };
  }
  console.log(JSON.stringify(reply));
}
if (own.length || globalThis.scalebookCore) throw new Error("the page has a new global: scalebookCore");
`

type question struct {
	Question string         `json:"question"`
	Request  map[string]any `json:"request"`
}

// What the package answers in Node is what the core answers natively, bit by bit.
func TestPackageInNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to run the package with")
	}
	dir := built(t)
	config, err := os.ReadFile("../../app/model/config/testdata/configs/llama3-70b.json")
	if err != nil {
		t.Fatal(err)
	}
	var parsed map[string]any
	if err := json.Unmarshal(config, &parsed); err != nil {
		t.Fatal(err)
	}
	sheet := "let B = 240 token\nlet chip = tpu.v5e\nt = 2 FLOP * B * 4096 * 16384 / chip.flops(bf16)\n" +
		"solve x: B where t = 1 ms \"Batch\"\n"
	asked := []question{
		{"evaluate", map[string]any{"sheet": sheet}},
		{"evaluate", map[string]any{"sheet": sheet, "inputs": map[string]any{"B": "1k", "chip": "gpu.h100"}}},
		{"evaluate", map[string]any{"sheet": "t = 1 s + 1 byte"}},
		{"evaluate", map[string]any{"sheet": "let B = 1", "inputs": map[string]any{"C": 1}}},
		{"model", map[string]any{"model": "deepseek.v3"}},
		{"model", map[string]any{"model": parsed}},
		{"model", map[string]any{"model": "llama9"}},
		{"plan", map[string]any{"model": "llama3.8b", "chip": "h100", "chips": 64, "top": 2}},
		{"plan", map[string]any{"model": "llama3.8b", "chip": "h100", "chips": 64, "plan": "dp=64,zero=3"}},
		{"plan", map[string]any{"model": "llama3.70b", "chip": "h100", "chips": 8}},
		{"plan", map[string]any{"model": "llama3.70b", "chip": "h100", "chips": 8, "wrong": 1}},
	}
	text, _ := json.Marshal(asked)
	if err := os.WriteFile(filepath.Join(dir, "test.mjs"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(node, "test.mjs", string(text))
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	replies := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(replies) != len(asked) {
		t.Fatalf("%d replies to %d questions: %s", len(replies), len(asked), out)
	}
	for i, q := range asked {
		if c, isObject := q.Request["model"].(map[string]any); isObject {
			whole, _ := json.Marshal(c)
			q.Request["model"] = string(whole)
		}
		request, _ := json.Marshal(q.Request)
		var want, got map[string]any
		if err := json.Unmarshal(answer.Ask(q.Question, request), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(replies[i]), &got); err != nil {
			t.Fatalf("%s: %v", replies[i], err)
		}
		if want["error"] != nil {
			want["known"] = true
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s:\nin Node  %.600s\nnatively %.600v", q.Question, request, replies[i], want)
		}
		if wrong := want["error"] != nil; wrong != (i == 2 || i == 3 || i == 6 || i > 8) {
			t.Errorf("%s %s: %v", q.Question, request, want["error"])
		}
	}
}

// built is the package in a folder of its own, as `make npm` makes it.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob(source + "*")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", filepath.Join(dir, "core.wasm"), ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// The types name each field of each answer and each option, and no other.
func TestTypes(t *testing.T) {
	text, err := os.ReadFile(source + "index.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{"Row": answer.Row{}, "Rows": answer.Rows{}, "Model": answer.Model{},
		"Plan": answer.Plan{}, "Exchange": answer.Exchange{}, "Plans": answer.Plans{},
		"PlanOptions": answer.PlanQuestion{}} {
		_, body, found := strings.Cut(string(text), "export interface "+name+" {\n")
		body, _, _ = strings.Cut(body, "\n}\n")
		if !found {
			t.Errorf("no interface %s", name)
		}
		fields := map[string]bool{} // whether it may be left out
		for line := range strings.Lines(body) {
			field, _, isField := strings.Cut(strings.TrimSpace(line), ": ")
			if isField && !strings.HasPrefix(field, "/") {
				fields[strings.TrimSuffix(field, "?")] = strings.HasSuffix(field, "?")
			}
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			optional, named := fields[tag]
			if !named || optional != (options == "omitempty") {
				t.Errorf("%s.%s: in the types %v, may be left out %v; %q", name, tag, named, optional, options)
			}
			delete(fields, tag)
		}
		for field := range fields {
			t.Errorf("%s.%s is in the types only", name, field)
		}
	}
}

// The package has the number of the newest edition.
func TestPackageVersion(t *testing.T) {
	changes, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	_, releases, err := edition.Read(string(changes))
	if err != nil {
		t.Fatal(err)
	}
	if releases[0].Day == "" {
		releases = releases[1:]
	}
	text, err := os.ReadFile(source + "package.json")
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Version string }
	if err := json.Unmarshal(text, &p); err != nil || p.Version != releases[0].Version {
		t.Errorf("the package is %s, the edition %s, %v", p.Version, releases[0].Version, err)
	}
}
