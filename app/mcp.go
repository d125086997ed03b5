package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/site/data"
)

// serveTools is the verb that answers an assistant's program: a server of the Model Context Protocol on stdin and
// stdout. Its tools are verbs of the command. They see no file but the pages of the book; what a person names a file
// for, a program gives as text.
func serveTools(args []string, s streams) int {
	flags := newFlags("mcp")
	content := flags.String("content", "content", "the `folder` of pages whose sheets can be evaluated by name")
	limit := flags.Duration("limit", usualToolLimit, "how long a call may take")
	others, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(others) > 0 || *limit <= 0 {
		s.complain("scalebook mcp: write it without arguments, or with -content FOLDER and -limit 30s")
		return misuse
	}
	server := newToolServer(toolbox{pages: os.DirFS(*content), limit: *limit})
	err := server.Run(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(s.in), Writer: unclosed{s.out}})
	if err != nil && !errors.Is(err, io.EOF) {
		s.complain("scalebook mcp: %v", err)
		return failed
	}
	return ok
}

// usualToolLimit is how long a call may take if nobody says otherwise: clients wait for a minute, most of them.
const usualToolLimit = 30 * time.Second

// unclosed is a stream that somebody else closes.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// toolbox is what tools work with.
type toolbox struct {
	pages fs.FS         // the pages of the book
	limit time.Duration // of a call
}

// toolInstructions tell an assistant what the tools are for.
const toolInstructions = "Scalebook estimates what language models need: memory, time and cost of training and " +
	"serving on accelerators. Numbers come from published constants and laws with known errors; quote them with " +
	"their units, and say what was assumed (notes, doubts, missing). All values are plain numbers in base units " +
	"(FLOP, byte, s, USD, J) unless the name of a field says otherwise. No tool reads files: give texts inline."

// newToolServer has all tools.
func newToolServer(box toolbox) *mcp.Server {
	version, _ := ownVersion()
	server := mcp.NewServer(&mcp.Implementation{Name: "scalebook", Title: "Scalebook", Version: version},
		&mcp.ServerOptions{Instructions: toolInstructions})
	addTool(server, "evaluate", "Evaluate a calculator",
		"Evaluates a sheet, the book's language for worked estimates, and returns its inputs and results with units. "+
			"Give `sheet`, its text, such as \"let B = 240 token\\nops = 2 FLOP * B * 4096 * 16384\"; or `name`, a "+
			"calculator of the book as page#id, such as rooflines#matmul (a page alone lists its ids). `inputs` "+
			"changes inputs, as a reader types them: {\"B\": \"1k\", \"chip\": \"tpu.v5p\"}.", box.evaluate)
	addTool(server, "model", "Count a model",
		"Counts a Transformer: parameters by part, KV cache, operations for each token, and what of its configuration "+
			"was understood, assumed or ignored. `model` is a name of the catalog, or the text of a config.json, "+
			"params.json, arguments of Megatron-LM or NeMo, or metadata of GGUF.", box.model)
	addTool(server, "read", "Read what a program printed",
		"Reads what another program printed, and finds out what it is: HLO as XLA dumps it (what each operation must "+
			"take on a chip), a trace in Chrome's format (where the time went), the output of nccl-tests and their "+
			"like (each size against its law), an engine's start-up log or the command that starts it (KV tokens, "+
			"step by step). `inputs` sets other inputs of the calculator, such as {\"chip\": \"gpu.h200\"}.", box.read)
	addTool(server, "plan", "Plan training",
		"Finds the best ways to divide the training of a model over chips (data, tensor, pipeline, context and expert "+
			"parallelism, ZeRO, recomputation), exactly, or judges one `plan` or the `settings` of a training tool: "+
			"flags of Megatron-LM or MaxText, YAML of axolotl or NeMo, TOML of TorchTitan, JSON of DeepSpeed. `state` "+
			"says what learns and how its state is kept. Steps come as low, middle and high.", box.plan)
	addTool(server, "serve_plan", "Plan serving",
		"Estimates every way to serve a model on so many chips, and returns the Pareto-optimal ones in tokens per "+
			"chip and per user, with latencies, cost and flags of the engine.", box.servePlan)
	addTool(server, "chips", "Look up accelerators",
		"Without `chip` lists all accelerators that are known; with it returns every constant of one (peak rates, "+
			"memory, bandwidths, power, price) as each source has it, with its date and any doubt.", box.chips)
	return server
}

// addTool adds a tool that only reads. Its whole numbers are counts: 0 is refused, and not taken for one left out.
func addTool[In, Out any](server *mcp.Server, name, title, does string, f func(context.Context, In) (Out, error)) {
	closed, least := false, 1.0
	takes, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // a type of ours that JSON can't have
	}
	for _, p := range takes.Properties {
		if p.Type == "integer" {
			p.Minimum = &least
		}
	}
	mcp.AddTool(server, &mcp.Tool{Name: name, Title: title, Description: does, InputSchema: takes,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}},
		func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
			out, err := f(ctx, in)
			return nil, out, err
		})
}

// texts are the files that a call gives, by name.
type texts map[string]string

// run runs a verb, and returns what it prints and what it remarks. All that is remarked is the error if nothing is
// printed.
func (box toolbox) run(ctx context.Context, given texts, verb string, args ...string) (printed []byte, notes []string,
	err error) {
	until := time.Now().Add(box.limit)
	var out, remarks bytes.Buffer
	s := streams{
		in: noFile{}, out: &out, err: &remarks, open: given.open(box.pages),
		over: func() error {
			if ctx.Err() != nil {
				return errors.New("the call was cancelled")
			}
			if !time.Now().Before(until) {
				return fmt.Errorf("this takes longer than %v; ask for less: fewer chips, a plan of your own, or "+
					"-limit with more time where the server is started", box.limit)
			}
			return nil
		},
	}
	status := s.run(append([]string{verb, "-json"}, args...))
	for line := range strings.Lines(remarks.String()) {
		line = asArguments(verb, strings.TrimPrefix(strings.TrimSpace(line), "scalebook "+verb+": "))
		notes = append(notes, strings.TrimPrefix(line, "note: "))
	}
	if status != ok && out.Len() == 0 {
		return nil, nil, errors.New(strings.Join(notes, "\n"))
	}
	return out.Bytes(), notes, nil
}

var flagInText = regexp.MustCompile(`(^|[ (])(-[a-z][a-z-]*)`)

// asArguments is a remark of a verb with the arguments of its tool in the places of its flags: whoever asks knows no
// flags.
func asArguments(verb, remark string) string {
	v, _ := verbOf(verb)
	flags := flagsOf(v)
	return flagInText.ReplaceAllStringFunc(remark, func(found string) string {
		before, name, _ := strings.Cut(found, "-")
		switch {
		case !slices.Contains(flags, "-"+name) || name == "limit": // -limit is the server’s
			return found
		case name == "set" && (verb == "eval" || verb == "read"):
			return before + "inputs"
		case name == "set":
			return before + "constants"
		}
		return before + strings.ReplaceAll(name, "-", "_")
	})
}

// errNoFiles is said of a file of the machine.
var errNoFiles = errors.New("this server reads no files; give the text itself")

// noFile is what stands for stdin, which is the client's.
type noFile struct{}

func (noFile) Read([]byte) (int, error) { return 0, errNoFiles }

// pageName is the name of a file with a page of the book.
var pageName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*\.md$`)

// open opens what a call gives, or a page of the book, and no file of the machine.
func (given texts) open(pages fs.FS) func(name string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) {
		if text, found := given[name]; found {
			return io.NopCloser(strings.NewReader(text)), nil
		}
		if pageName.MatchString(name) {
			return pages.Open(name)
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNoFiles}
	}
}

// lines reads an object a line.
func lines[T any](printed []byte) ([]T, error) {
	all := []T{}
	for d := json.NewDecoder(bytes.NewReader(printed)); ; {
		var x T
		if err := d.Decode(&x); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
}

// pageNames are the pages that have a sheet, for those who ask for one that isn't there.
func (box toolbox) pageNames() string {
	files, _ := fs.Glob(box.pages, "*.md")
	var names []string
	for _, name := range files {
		if text, err := fs.ReadFile(box.pages, name); err == nil && bytes.Contains(text, []byte("```sheet ")) {
			names = append(names, strings.TrimSuffix(filepath.Base(name), ".md"))
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "there are none here: start the server in the folder of the book, or with -content FOLDER"
	}
	return "they are " + strings.Join(names, ", ")
}

// evaluateArgs is what the tool evaluate is asked.
type evaluateArgs struct {
	Sheet  string         `json:"sheet,omitempty" jsonschema:"the text of a sheet, one definition a line"`
	Name   string         `json:"name,omitempty" jsonschema:"instead of sheet: a calculator of the book as page#id"`
	Inputs map[string]any `json:"inputs,omitempty" jsonschema:"by name: a text (16 GiB, tpu.v5p), number, true or false"`
}

// evaluated is what it answers.
type evaluated struct {
	Sheet string       `json:"sheet" jsonschema:"the id of the sheet, empty if it has none"`
	Rows  []answer.Row `json:"rows" jsonschema:"its inputs and results, in the order of its text"`
	Notes []string     `json:"notes,omitempty" jsonschema:"what does not hold, or was left out for lack of time"`
}

func (box toolbox) evaluate(ctx context.Context, in evaluateArgs) (out evaluated, err error) {
	given, from := texts{}, "sheet.sheet"
	switch {
	case (in.Sheet == "") == (in.Name == ""):
		return out, errors.New("give either sheet, a text, or name, such as rooflines#matmul")
	case in.Sheet != "":
		if strings.Contains(in.Sheet, "```sheet") {
			from = "sheet.md"
		}
		given[from] = in.Sheet
	default:
		page, id, _ := strings.Cut(in.Name, "#")
		if page = strings.TrimSuffix(page, ".md") + ".md"; !pageName.MatchString(page) {
			return out, fmt.Errorf("%q is no page of the book; %s", in.Name, box.pageNames())
		}
		f, missing := box.pages.Open(page)
		if missing != nil {
			return out, fmt.Errorf("there is no page %q with calculators; %s", in.Name, box.pageNames())
		}
		f.Close()
		if from = page; id != "" {
			from += "#" + id
		}
	}
	args, err := setsOf(in.Inputs)
	if err != nil {
		return out, err
	}
	args = append(args, "-limit="+box.limit.String(), from)
	printed, notes, err := box.run(ctx, given, "eval", args...)
	if err != nil {
		return out, err
	}
	rows, err := lines[answer.Rows](printed)
	if err != nil || len(rows) != 1 {
		return out, fmt.Errorf("the answer can't be read: %v", err)
	}
	return evaluated{rows[0].Sheet, rows[0].Rows, notes}, nil
}

// setsOf are arguments of the command that set inputs.
func setsOf(inputs map[string]any) (args []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		text, err := answer.Typed(name, inputs[name])
		if err != nil {
			return nil, err
		}
		args = append(args, "-set="+name+"="+text)
	}
	return args, nil
}

// modelArgs is what the tool model is asked.
type modelArgs struct {
	Model   string `json:"model" jsonschema:"a name of the catalog, such as llama3.70b, or the text of its file"`
	Context int    `json:"context,omitempty" jsonschema:"tokens of a sequence, 4096 if left out"`
	DType   string `json:"dtype,omitempty" jsonschema:"of the KV cache: bf16 if left out"`
}

func (box toolbox) model(ctx context.Context, in modelArgs) (out answer.Model, err error) {
	given := texts{}
	name, err := given.model(in.Model)
	if err != nil {
		return out, err
	}
	printed, _, err := box.run(ctx, given, "model", flagsWith("context", in.Context, "dtype", in.DType, name)...)
	if err != nil {
		return out, err
	}
	all, err := lines[answer.Model](printed)
	if err != nil || len(all) != 1 {
		return out, fmt.Errorf("the answer can't be read: %v", err)
	}
	return all[0], nil
}

// configName is how errors call a configuration that a call gives.
const configName = "config.json"

// model is how the command names a model: one of the catalog, or a text.
func (given texts) model(text string) (string, error) {
	if answer.IsConfig(text) {
		given[configName] = text
		return configName, nil
	}
	_, err := answer.FindModel(text)
	return text, err
}

// flagsWith are arguments of the command: pairs of a flag and its value, but for those that are left out, and last what
// stands beside the flags.
func flagsWith(pairs ...any) []string {
	var args []string
	for len(pairs) > 1 {
		if value := reflect.ValueOf(pairs[1]); !value.IsZero() {
			args = append(args, fmt.Sprintf("-%v=%v", pairs[0], value))
		}
		pairs = pairs[2:]
	}
	for _, last := range pairs {
		args = append(args, fmt.Sprint(last))
	}
	return args
}

// planArgs is what the tool plan is asked.
type planArgs struct {
	Model     string            `json:"model,omitempty" jsonschema:"such as llama3.70b, or the text of a config.json"`
	Chip      string            `json:"chip" jsonschema:"an accelerator, such as gpu.h100 or tpu.v5p; see the tool chips"`
	Chips     int               `json:"chips,omitempty" jsonschema:"how many; settings may say it, and the model"`
	Batch     string            `json:"batch,omitempty" jsonschema:"tokens in a step, such as 4M; 4194304 if left out"`
	Sequence  int               `json:"sequence,omitempty" jsonschema:"tokens in a sequence, 8192 if left out"`
	DType     string            `json:"dtype,omitempty" jsonschema:"of matmuls: bf16 (if left out), fp8 or fp4"`
	Stack     string            `json:"stack,omitempty" jsonschema:"the software, such as megatron or megatron-2021"`
	By        string            `json:"by,omitempty" jsonschema:"least time (if left out), cost or memory"`
	Top       int               `json:"top,omitempty" jsonschema:"how many plans, 5 if left out, 100 at the most"`
	MaxTP     int               `json:"max_tp,omitempty" jsonschema:"tensor parallelism at the most"`
	Margin    float64           `json:"margin,omitempty" jsonschema:"share of the memory to leave free, such as 0.05"`
	Plan      string            `json:"plan,omitempty" jsonschema:"judge this plan instead: dp=64,tp=8,pp=2,mbs=1,zero=1"`
	Settings  string            `json:"settings,omitempty" jsonschema:"judge the run of this text of settings instead"`
	State     string            `json:"state,omitempty" jsonschema:"such as learn=lora,rank=16,optimizer=adamw8bit"`
	Constants map[string]string `json:"constants,omitempty" jsonschema:"of the software as measured: show_dp: 50%"`
}

// plannedAnswer is what it answers.
type plannedAnswer struct {
	Plans []answer.Plan `json:"plans" jsonschema:"the best first, then those that the software lacks"`
	Notes []string      `json:"notes,omitempty"`
}

func (box toolbox) plan(ctx context.Context, in planArgs) (out plannedAnswer, err error) {
	if in.Top < 0 || in.Top > 100 {
		return out, fmt.Errorf("top is %d; write from 1 to 100", in.Top)
	}
	if strings.Contains(in.Chip, ",") {
		return out, errors.New("chip: name one accelerator, and ask once more for another")
	}
	given := texts{}
	var name string
	if in.Model != "" || in.Settings == "" {
		if name, err = given.model(in.Model); err != nil {
			return out, err
		}
	}
	const settingsName = "settings"
	args := flagsWith("model", name, "chip", in.Chip, "batch", in.Batch, "sequence", in.Sequence, "dtype", in.DType,
		"stack", in.Stack, "by", in.By, "top", cmp.Or(in.Top, 5), "max-tp", in.MaxTP, "margin", in.Margin, "plan",
		in.Plan, "state", in.State)
	if in.Chips != 0 || in.Settings == "" {
		args = append(args, "-chips="+strconv.Itoa(in.Chips))
	}
	if in.Settings != "" {
		given[settingsName] = in.Settings
		args = append(args, "-settings="+settingsName)
	}
	for _, constant := range slices.Sorted(maps.Keys(in.Constants)) {
		args = append(args, "-set="+constant+"="+in.Constants[constant])
	}
	printed, notes, err := box.run(ctx, given, "plan", args...)
	if err != nil {
		return out, err
	}
	out.Notes = notes
	out.Plans, err = lines[answer.Plan](printed)
	return out, err
}

// servePlanArgs is what the tool serve_plan is asked.
type servePlanArgs struct {
	Model   string  `json:"model" jsonschema:"such as llama3.70b, or the text of a config.json"`
	Chip    string  `json:"chip,omitempty" jsonschema:"an accelerator, gpu.h100 if left out; see the tool chips"`
	Chips   int     `json:"chips,omitempty" jsonschema:"at the most, 8 if left out"`
	In      int     `json:"in,omitempty" jsonschema:"tokens of a prompt, 1024 if left out"`
	Out     int     `json:"out,omitempty" jsonschema:"tokens of an answer, 1024 if left out"`
	Hit     float64 `json:"hit,omitempty" jsonschema:"share of a prompt that is cached, 0 to 1"`
	Weights string  `json:"weights,omitempty" jsonschema:"bf16 (if left out), fp8, int8, int4, nvfp4 or mxfp4"`
	Cache   string  `json:"cache,omitempty" jsonschema:"how keys and values are stored: bf16 (if left out) or fp8"`
	Engine  string  `json:"engine,omitempty" jsonschema:"vllm, sglang, trtllm or maxtext"`
	TTFT    string  `json:"ttft,omitempty" jsonschema:"time to the first token at the most, such as 2s"`
	TPOT    string  `json:"tpot,omitempty" jsonschema:"time per output token at the most, such as 50ms"`
	Rate    float64 `json:"rate,omitempty" jsonschema:"requests a second: the replicas that they need, and their waits"`
	Price   float64 `json:"price,omitempty" jsonschema:"USD a chip and hour, the catalog’s if left out"`
	Apart   bool    `json:"apart,omitempty" jsonschema:"also prefill and decode on chips of their own"`
	Plan    string  `json:"plan,omitempty" jsonschema:"price only this layout, such as tp=8 or 1x TP4 to 2x TP8"`
	Top     int     `json:"top,omitempty" jsonschema:"options at the most, 10 if left out, 100 at the most"`
}

// served is what it answers.
type served struct {
	Options []servedRow `json:"options" jsonschema:"the fastest for one user first"`
	Notes   []string    `json:"notes,omitempty"`
}

func (box toolbox) servePlan(ctx context.Context, in servePlanArgs) (out served, err error) {
	if in.Top < 0 || in.Top > 100 {
		return out, fmt.Errorf("top is %d; write from 1 to 100", in.Top)
	}
	given := texts{}
	name, err := given.model(in.Model)
	if err != nil {
		return out, err
	}
	printed, notes, err := box.run(ctx, given, "serve-plan",
		flagsWith("model", name, "chip", in.Chip, "chips", in.Chips, "in", in.In, "out", in.Out, "hit", in.Hit,
			"weights", in.Weights, "cache", in.Cache, "engine", in.Engine,
			"ttft", in.TTFT, "tpot", in.TPOT, "rate", in.Rate, "price", in.Price, "apart", in.Apart, "plan", in.Plan,
			"top", cmp.Or(in.Top, 10))...)
	if err != nil {
		return out, err
	}
	out.Notes = notes
	out.Options, err = lines[servedRow](printed)
	return out, err
}

// chipsArgs is what the tool chips is asked.
type chipsArgs struct {
	Chip string `json:"chip,omitempty" jsonschema:"the id of one, such as gpu.h100 or h100; all are listed if left out"`
}

// chipsAnswer is what it answers.
type chipsAnswer struct {
	Chips   []chipLine             `json:"chips" jsonschema:"all that are known, or the one that was asked for"`
	Chip    *data.Chip             `json:"chip,omitempty" jsonschema:"all that is known of the one"`
	Fields  map[string]data.Field  `json:"fields,omitempty" jsonschema:"the constants it has, by name"`
	Sources map[string]data.Source `json:"sources,omitempty" jsonschema:"where they were read, by id"`
}

// chipLine is an accelerator in short.
type chipLine struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Vendor    string  `json:"vendor"`
	Year      int     `json:"year"`
	Memory    float64 `json:"memory_byte,omitempty"`
	Bandwidth float64 `json:"memory_byte_per_s,omitempty"`
	BF16      float64 `json:"bf16_flop_per_s,omitempty" jsonschema:"dense peak rate"`
}

func (box toolbox) chips(_ context.Context, in chipsArgs) (out chipsAnswer, err error) {
	if in.Chip == "" {
		for _, a := range hardware.Catalog().All {
			out.Chips = append(out.Chips, lineOf(a))
		}
		return out, nil
	}
	a, err := findChip(in.Chip)
	if err != nil {
		return out, err
	}
	out.Chips = []chipLine{lineOf(a)}
	all := data.ChipsOf()
	i := slices.IndexFunc(all.Chips, func(c data.Chip) bool { return c.ID == a.ID })
	out.Chip, out.Fields, out.Sources = &all.Chips[i], map[string]data.Field{}, map[string]data.Source{}
	for _, f := range all.Fields {
		if _, has := out.Chip.Constants[f.Name]; has {
			out.Fields[f.Name] = f
		}
	}
	for _, readings := range out.Chip.Constants {
		for _, r := range readings {
			out.Sources[r.Source] = all.Sources[r.Source]
		}
	}
	return out, nil
}

// lineOf is an accelerator in short.
func lineOf(a *hardware.Accelerator) chipLine {
	value := func(field string) float64 {
		c, _ := a.Get(field)
		return c.Value.Value
	}
	return chipLine{a.ID, a.Name, a.Vendor, a.Year, value("hbm"), value("hbm_bandwidth"), value("flops.bf16")}
}
