package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/site/data"
)

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
	args := []string{"-limit=" + box.limit.String()}
	for _, name := range slices.Sorted(maps.Keys(in.Inputs)) {
		text, err := answer.Typed(name, in.Inputs[name])
		if err != nil {
			return out, err
		}
		args = append(args, "-set="+name+"="+text)
	}
	printed, notes, err := box.run(ctx, given, "eval", append(args, from)...)
	if err != nil {
		return out, err
	}
	rows, err := lines[answer.Rows](printed)
	if err != nil || len(rows) != 1 {
		return out, fmt.Errorf("the answer can't be read: %v", err)
	}
	return evaluated{rows[0].Sheet, rows[0].Rows, notes}, nil
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
	if _, err := model.Catalog().Get(text); err != nil {
		return "", fmt.Errorf("model: %v; or give the text of its config.json", err)
	}
	return text, nil
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
	Model     string            `json:"model" jsonschema:"such as llama3.70b, or the text of a config.json"`
	Chip      string            `json:"chip" jsonschema:"an accelerator, such as gpu.h100 or tpu.v5p; see the tool chips"`
	Chips     int               `json:"chips" jsonschema:"how many"`
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
	name, err := given.model(in.Model)
	if err != nil {
		return out, err
	}
	const settingsName = "settings"
	args := flagsWith("model", name, "chip", in.Chip, "batch", in.Batch, "sequence", in.Sequence, "dtype", in.DType,
		"stack", in.Stack, "by", in.By, "top", cmp.Or(in.Top, 5), "max-tp", in.MaxTP, "margin", in.Margin, "plan", in.Plan,
		"state", in.State)
	args = append(args, "-chips="+strconv.Itoa(in.Chips))
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
	TPOT    string  `json:"tpot,omitempty" jsonschema:"time a token at the most, such as 50ms"`
	Rate    float64 `json:"rate,omitempty" jsonschema:"requests a second: the replicas that they need, and their waits"`
	Price   float64 `json:"price,omitempty" jsonschema:"USD a chip and hour, the catalog’s if left out"`
	Apart   bool    `json:"apart,omitempty" jsonschema:"also prefill and decode on chips of their own"`
	Plan    string  `json:"plan,omitempty" jsonschema:"price only this layout, such as tp=8"`
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
	printed, notes, err := box.run(ctx, given, "serve-plan", flagsWith("model", name, "chip", in.Chip, "chips", in.Chips,
		"in", in.In, "out", in.Out, "hit", in.Hit, "weights", in.Weights, "cache", in.Cache, "engine", in.Engine,
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
