package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scalebook/scalebook/app/answer"
)

// toolClient is a real client of a server in this process.
func toolClient(t *testing.T, box toolbox) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	server, err := newToolServer(box).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		server.Wait()
	})
	return client
}

var theToolbox = toolbox{pages: os.DirFS("../content"), limit: time.Minute}

// asked calls a tool, and reads its structured answer into out. It returns the text of an error of the tool.
func asked(t *testing.T, c *mcp.ClientSession, tool string, args any, out any) (wrong string) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if r.IsError {
		return r.Content[0].(*mcp.TextContent).Text
	}
	text, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil {
		t.Fatalf("%s: %v in %.200s", tool, err, text)
	}
	return ""
}

type given = map[string]any

// program is one in HLO.
const program = `HloModule m, is_scheduled=true

ENTRY %main (a: f32[4096,4096]) -> f32[4096,4096] {
  %a = f32[4096,4096] parameter(0)
  ROOT %b = f32[4096,4096] add(%a, %a)
}
`

// The tools answer what the command prints.
func TestToolsAnswer(t *testing.T) {
	c := toolClient(t, theToolbox)
	var sheet evaluated
	text := "let B = 240 token\nops = 2 FLOP * B * 4096 * 16384 \"Operations\"\n"
	if wrong := asked(t, c, "evaluate", given{"sheet": text, "inputs": given{"B": "1k"}}, &sheet); wrong != "" {
		t.Fatal(wrong)
	}
	if r := sheet.Rows[1]; r.Name != "ops" || r.Value != 2*1000*4096*16384. || r.Unit != "FLOP" {
		t.Errorf("%+v", r)
	}
	if wrong := asked(t, c, "evaluate", given{"sheet": text, "inputs": given{"B": 512}}, &sheet); wrong != "" ||
		sheet.Rows[1].Value != 2*512*4096*16384. {
		t.Errorf("%s, %+v", wrong, sheet.Rows)
	}
	if wrong := asked(t, c, "evaluate", given{"name": "rooflines#matmul"}, &sheet); wrong != "" ||
		sheet.Sheet != "matmul" || len(sheet.Rows) < 3 {
		t.Errorf("%s, %+v", wrong, sheet)
	}
	var read readAnswer
	wrong := asked(t, c, "read", given{"text": program, "inputs": given{"chip": "gpu.h100"}}, &read)
	if wrong != "" || read.Sheet != "pasted" || len(read.Tables) == 0 || read.Tables[0].Rows[0]["name"] != "b" {
		t.Errorf("%s, %+v", wrong, read)
	}
	var m answer.Model
	if wrong := asked(t, c, "model", given{"model": "llama3.70b"}, &m); wrong != "" || m.Total != 70553706496 ||
		m.KV != 327680 {
		t.Errorf("%s, %+v", wrong, m)
	}
	config, err := os.ReadFile("model/config/testdata/configs/llama3-70b.json")
	if err != nil {
		t.Fatal(err)
	}
	if wrong := asked(t, c, "model", given{"model": string(config), "dtype": "fp8"}, &m); wrong != "" ||
		m.Total != 70553706496 || m.KV != 327680/2 {
		t.Errorf("%s, %+v", wrong, m)
	}
	var plans plannedAnswer
	ask := given{"model": "llama3.70b", "chip": "h100", "chips": 512, "batch": "4M", "top": 2}
	if wrong := asked(t, c, "plan", ask, &plans); wrong != "" || len(plans.Plans) < 2 || plans.Plans[0].Chips != 512 ||
		!(plans.Plans[0].Step[0] < plans.Plans[0].Step[1]) || !(plans.Plans[0].MFU > 20) {
		t.Errorf("%s, %+v", wrong, plans)
	}
	best := plans.Plans[0]
	ask["plan"] = best.Plan
	wrong = asked(t, c, "plan", ask, &plans)
	if wrong != "" || len(plans.Plans) != 1 || plans.Plans[0].Step != best.Step {
		t.Errorf("the best plan, judged: %s, %+v instead of %+v", wrong, plans, best)
	}
	var ways served
	wrong = asked(t, c, "serve_plan", given{"model": "llama3.70b", "chips": 8, "ttft": "2s", "top": 3}, &ways)
	if wrong != "" || len(ways.Options) == 0 || len(ways.Options) > 3 || !(ways.Options[0].TTFT <= 2) {
		t.Errorf("%s, %+v", wrong, ways)
	}
	var chips chipsAnswer
	if wrong := asked(t, c, "chips", given{}, &chips); wrong != "" || len(chips.Chips) < 20 || chips.Chip != nil {
		t.Errorf("%s, %d chips", wrong, len(chips.Chips))
	}
	if wrong := asked(t, c, "chips", given{"chip": "h100"}, &chips); wrong != "" || len(chips.Chips) != 1 ||
		chips.Chip.Constants["hbm"][0].Value != 81559<<20 || chips.Chips[0].Memory != 81559<<20 ||
		chips.Sources[chips.Chip.Constants["hbm"][0].Source].Title == "" || chips.Fields["hbm"].Unit != "byte" {
		t.Errorf("%s, %+v", wrong, chips)
	}
}

// Every tool says what it takes, each argument in words, and answers in the form that it promises.
func TestToolsDescribeThemselves(t *testing.T) {
	c := toolClient(t, theToolbox)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 6 {
		t.Fatal(tools, err)
	}
	for _, tool := range tools.Tools {
		text, _ := json.Marshal(tool.InputSchema)
		var s jsonschema.Schema
		if err := json.Unmarshal(text, &s); err != nil || s.Type != "object" || len(s.Properties) == 0 {
			t.Errorf("%s: %v, %s", tool.Name, err, text)
		}
		for name, p := range s.Properties {
			if p.Description == "" {
				t.Errorf("%s: %s is not described", tool.Name, name)
			}
		}
		if tool.OutputSchema == nil || tool.Description == "" || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%+v", tool)
		}
	}
}

// What can't be answered is an error of the tool, with what would be right.
func TestToolErrors(t *testing.T) {
	c := toolClient(t, theToolbox)
	for _, test := range []struct {
		tool string
		args given
		want []string
	}{
		{"evaluate", given{}, []string{"give either sheet"}},
		{"evaluate", given{"sheet": "let B = 240 token\nt = B + 1 s"}, []string{"sheet.sheet:2:", ";"}},
		{"evaluate", given{"sheet": "let B = 240", "inputs": given{"C": 1}},
			[]string{"no such input", "its inputs are B"}},
		{"evaluate", given{"sheet": "let B = 240", "inputs": given{"B": []int{1}}}, []string{"B is neither"}},
		{"evaluate", given{"name": "nothing#x"}, []string{`no page "nothing#x"`, "rooflines"}},
		{"evaluate", given{"name": "../go.mod"}, []string{"is no page of the book"}},
		{"evaluate", given{"name": "rooflines"}, []string{"name one: rooflines.md#"}},
		{"model", given{"model": "llama9"}, []string{"llama", "config.json"}},
		{"model", given{"model": "{"}, []string{"config.json:1:"}},
		{"plan", given{"model": "llama3.70b", "chip": "h100", "chips": 8}, []string{"take at least 15 devices"}},
		{"plan", given{"model": "llama3.8b", "chip": "h100", "chips": 8, "batch": "0"}, []string{"batch is \"0\""}},
		{"plan", given{"model": "llama3.8b", "chip": "h100", "chips": 8, "plan": "0"}, []string{"plan: "}},
		{"plan", given{"model": "llama3.8b", "chip": "h100", "chips": 8, "constants": given{"luck": "1"}},
			[]string{"constants luck: ", "show_dp"}},
		{"serve_plan", given{"model": "llama3.8b", "hit": 2}, []string{"hit 2: "}},
		{"read", given{"text": "nothing known"}, []string{"none of the files that the book reads"}},
		{"read", given{"text": program, "inputs": given{"luck": 1}}, []string{"no such input"}},
		{"plan", given{"model": "llama3.70b", "chip": "h1000", "chips": 8}, []string{"h1000", "gpu.h100"}},
		{"plan", given{"model": "llama3.8b", "chip": "h100", "chips": 8, "settings": "nothing known"},
			[]string{"settings:"}},
		{"model", given{"model": "llama3.8b", "context": 0}, []string{"context", "minimum"}},
		{"plan", given{"model": "llama3.8b", "chip": "h100", "chips": 8, "top": 0}, []string{"top", "minimum"}},
		{"serve_plan", given{"model": "llama3.405b", "chips": 1}, []string{"nothing serves this; allow more chips"}},
		{"chips", given{"chip": "h1000"}, []string{"h1000"}},
		{"plan", given{"model": "llama3.70b", "chip": "h100", "chips": 512, "oops": 1}, []string{"oops"}},
	} {
		var out any
		wrong := asked(t, c, test.tool, test.args, &out)
		for _, want := range test.want {
			if !strings.Contains(wrong, want) {
				t.Errorf("%s %v: %q, want %q", test.tool, test.args, wrong, want)
			}
		}
		if flag := regexp.MustCompile(`(^|[ "(])-[a-z]`).FindString(wrong); flag != "" {
			t.Errorf("%s %v: %q names a flag of the command", test.tool, test.args, wrong)
		}
	}
}

// No argument makes a tool read a file of the machine.
func TestToolsReadNoFiles(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.json")
	writeFile(t, secret, `{"hidden_size": 4096, "secret-field": 1}`)
	sheet := filepath.Join(filepath.Dir(secret), "secret.sheet")
	writeFile(t, sheet, "let secret = 1\n")
	c := toolClient(t, theToolbox)
	document := "let config = document(\".json\", 64 KiB)\nsize = 1\n"
	for _, test := range []struct {
		tool string
		args given
	}{
		{"model", given{"model": secret}},
		{"plan", given{"model": secret, "chip": "h100", "chips": 8}},
		{"plan", given{"model": "llama3.8b", "chip": "h100", "chips": 8, "settings": "@" + secret}},
		{"serve_plan", given{"model": secret}},
		{"evaluate", given{"name": sheet}},
		{"evaluate", given{"name": "../../" + sheet + "#secret"}},
		{"evaluate", given{"sheet": document, "inputs": given{"config": "@" + secret}}},
		{"evaluate", given{"name": "model-card#modelcard", "inputs": given{"config": "@" + secret}}},
		{"evaluate", given{"sheet": document, "inputs": given{"config": "@-"}}},
		{"evaluate", given{"name": "-"}},
	} {
		var out any
		if wrong := asked(t, c, test.tool, test.args, &out); wrong == "" || strings.Contains(wrong, "secret-field") {
			t.Errorf("%s %v: %q, %v", test.tool, test.args, wrong, out)
		} else if test.args["inputs"] != nil && !strings.Contains(wrong, "this server reads no files") {
			t.Errorf("%v: %q", test.args, wrong)
		}
	}
}

// Work that takes too long ends, and says what would take less.
func TestToolsEnd(t *testing.T) {
	c := toolClient(t, toolbox{pages: theToolbox.pages, limit: time.Nanosecond})
	for _, test := range []struct {
		tool string
		args given
	}{
		{"plan", given{"model": "llama3.70b", "chip": "h100", "chips": 16384}},
		{"serve_plan", given{"model": "llama3.70b", "chips": 64}},
	} {
		var out any
		if wrong := asked(t, c, test.tool, test.args, &out); !strings.Contains(wrong,
			"takes longer than 1ns; ask for less") {
			t.Errorf("%s: %q", test.tool, wrong)
		}
	}
	var sheet evaluated
	wrong := asked(t, c, "evaluate", given{"name": "training-planner#training"}, &sheet)
	if wrong != "" || len(sheet.Rows) == 0 || !strings.Contains(strings.Join(sheet.Notes, "\n"), "left out: ") {
		t.Errorf("evaluate: %q, %d rows, %q", wrong, len(sheet.Rows), sheet.Notes)
	}
}

// The server is a process on stdin and stdout, as clients start it, and ends when its client does.
func TestToolsOverStdio(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "scalebook")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary, "mcp", "-content", "../content")
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	c, err := client.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.InitializeResult().ServerInfo.Name != "scalebook" || c.InitializeResult().Instructions == "" {
		t.Errorf("%+v", c.InitializeResult())
	}
	var m answer.Model
	if wrong := asked(t, c, "model", given{"model": "llama3.8b"}, &m); wrong != "" || m.Total != 8030261248 {
		t.Errorf("%s, %+v", wrong, m)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if !command.ProcessState.Success() {
		t.Errorf("%v", command.ProcessState)
	}
}
