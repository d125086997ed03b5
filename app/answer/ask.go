package answer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/training"
	"github.com/scalebook/scalebook/app/widget"
)

// Ask answers a question of a program of another language: JSON in, JSON out. Questions are "evaluate" (SheetQuestion),
// "model" (ModelQuestion) and "plan" (PlanQuestion). What can't be answered is {"error": "what; what would be right"}.
func Ask(question string, request []byte) []byte {
	var answer any
	err := fmt.Errorf("unknown question %q; ask evaluate, model or plan", question)
	switch question {
	case "evaluate":
		answer, err = askedOf(request, Evaluate)
	case "model":
		answer, err = askedOf(request, Count)
	case "plan":
		answer, err = askedOf(request, FindPlans)
	}
	if err == nil {
		var text []byte
		if text, err = json.Marshal(answer); err == nil {
			return text
		}
	}
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // a text: can't fail
	return text
}

// askedOf reads a question and answers it. A name that the question hasn't is refused: it would change nothing. So is a
// count of 0, which would be taken for one that is left out.
func askedOf[Q, A any](request []byte, answer func(Q) (A, error)) (a A, err error) {
	var q Q
	d := json.NewDecoder(strings.NewReader(string(request)))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		return a, fmt.Errorf("the question can't be read: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	var fields map[string]any
	if err := json.Unmarshal(request, &fields); err != nil {
		return a, fmt.Errorf("the question can't be read: %v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name] == 0. && name != "margin" {
			return a, fmt.Errorf("%s is 0; write a number above 0, or leave it out", name)
		}
	}
	return answer(q)
}

// SheetQuestion asks for the rows of a sheet.
type SheetQuestion struct {
	Sheet  string         `json:"sheet"`
	Inputs map[string]any `json:"inputs,omitempty"` // texts as a reader types them, numbers, true or false
}

// Evaluate evaluates a sheet. Errors name line and column of its text.
func Evaluate(q SheetQuestion) (Rows, error) {
	env := widget.Env()
	sh, faults := sheet.Compile(q.Sheet, env)
	var errs []error
	for _, e := range faults {
		errs = append(errs, fmt.Errorf("%d:%d: %s", e.Pos.Line, e.Pos.Col, env.Phrases.Text(e.Fault())))
	}
	if len(errs) > 0 {
		return Rows{}, errors.Join(errs...)
	}
	if len(sh.Rows) == 0 {
		return Rows{}, errors.New("1:1: there is no line in this sheet; write one, such as let B = 256")
	}
	var state input.State
	given := today(sh, q.Inputs)
	for _, name := range inOrder(sh, given) {
		text, err := Typed(name, given[name])
		if err != nil {
			return Rows{}, err
		}
		if _, constant := sh.Constant(name); constant == nil && sh.Input(name) == nil {
			return Rows{}, fmt.Errorf("inputs: the sheet has no input %s; %s", name, inputsOf(sh))
		}
		if state, err = sh.Set(state, name, text); err != nil {
			return Rows{}, fmt.Errorf("inputs: %s=%s: %v", name, text, err)
		}
	}
	return RowsOf("", sh.Eval(state)), nil
}

// today are inputs with the names that sh has for them today. A former name counts where the present one isn't given.
func today(sh *sheet.Sheet, inputs map[string]any) map[string]any {
	own := map[string]any{}
	for name, x := range inputs {
		if _, given := inputs[sh.Today(name)]; !given || sh.Today(name) == name {
			own[sh.Today(name)] = x
		}
	}
	return own
}

// inOrder are the names of inputs, each behind those that it follows; those that the sheet lacks come last.
func inOrder(sh *sheet.Sheet, inputs map[string]any) []string {
	order := sh.Order()
	return slices.SortedFunc(maps.Keys(inputs), func(a, b string) int {
		return cmp.Or(cmp.Compare(uint(slices.Index(order, a)), uint(slices.Index(order, b))), cmp.Compare(a, b))
	})
}

func inputsOf(sh *sheet.Sheet) string {
	if len(sh.Inputs) == 0 {
		return "it has no inputs at all"
	}
	var names []string
	for _, in := range sh.Inputs {
		names = append(names, in.Name)
	}
	return "its inputs are " + strings.Join(names, ", ")
}

// Typed is a value of JSON as a reader types it.
func Typed(name string, v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case bool:
		return strconv.FormatBool(v), nil
	}
	return "", fmt.Errorf("inputs: %s is neither a text, a number, true nor false; write it as a reader types it, "+
		"such as \"16 GiB\"", name)
}

// ModelQuestion asks for the counts of a model.
type ModelQuestion struct {
	Model   string `json:"model"`             // a name of the catalog, or the text of a configuration
	Context int    `json:"context,omitempty"` // tokens of a sequence, 4096 if left out
	DType   string `json:"dtype,omitempty"`   // of the KV cache, bf16 if left out
}

// Count counts a model. The error says that there is no model of that name, what is wrong with the configuration, or
// that the context or the element of the cache is out of range.
func Count(q ModelQuestion) (m Model, err error) {
	q.Context, q.DType = cmp.Or(q.Context, 4096), cmp.Or(q.DType, "bf16")
	element, err := ElementOf(q.Context, q.DType)
	if err != nil {
		return m, err
	}
	im, err := FindModel(q.Model)
	if err != nil {
		return m, err
	}
	return ModelOf(im, q.Context, q.DType, element), nil
}

// ElementOf checks what counts depend on besides the model, and is the size of an element of a dtype.
func ElementOf(context int, dtype string) (quantity.Bytes, error) {
	const longest = 1_000_000_000
	if context < 1 || context > longest {
		return 0, fmt.Errorf("a context of %d tokens is out of range; write a whole number from 1 to %d", context,
			longest)
	}
	var names []string
	for _, d := range widget.Env().DTypes {
		if names = append(names, d.Text); d.Text == dtype {
			return quantity.Bytes(d.Bits / 8), nil
		}
	}
	return 0, fmt.Errorf("unknown dtype %q; the dtypes are %s", dtype, strings.Join(names, ", "))
}

// IsConfig tells the text of a configuration from a name of the catalog.
func IsConfig(text string) bool {
	return strings.ContainsAny(text, "{\n=") || strings.HasPrefix(strings.TrimSpace(text), "-")
}

// FindModel reads the text of a configuration, or takes a model of the catalog.
func FindModel(text string) (config.Import, error) {
	if IsConfig(text) {
		im, err := config.Read([]byte(text))
		if err != nil {
			err = fmt.Errorf("model:%w", err)
		}
		return im, err
	}
	known, err := model.Catalog().Get(text)
	if err != nil {
		return config.Import{}, fmt.Errorf("model: %v; or give the text of its config.json", err)
	}
	return config.Import{Model: known.Model}, nil
}

// PlanQuestion asks for the best plans to train a model, or for the estimate of one.
type PlanQuestion struct {
	Model     string            `json:"model"` // as ModelQuestion has it
	Chip      string            `json:"chip"`
	Chips     int               `json:"chips"`
	Batch     int               `json:"batch,omitempty"`    // tokens in a step, 4194304 if left out
	Sequence  int               `json:"sequence,omitempty"` // tokens in a sequence, 8192 if left out
	DType     string            `json:"dtype,omitempty"`    // bf16 if left out
	Stack     string            `json:"stack,omitempty"`
	By        string            `json:"by,omitempty"`  // time, if left out, or memory
	Top       int               `json:"top,omitempty"` // 10 if left out
	MaxTP     int               `json:"maxTP,omitempty"`
	Margin    float64           `json:"margin,omitempty"` // share of the memory to leave free
	Whole     bool              `json:"all,omitempty"`    // every schedule, policy and sharding
	Plan      string            `json:"plan,omitempty"`   // judge this one instead
	Settings  string            `json:"settings,omitempty"`
	State     string            `json:"state,omitempty"`
	Constants map[string]string `json:"constants,omitempty"`
	Limit     float64           `json:"limit,omitempty"` // seconds, 60 if left out
}

// Plans are the best plans, and with them those that the software can't run.
type Plans struct {
	Plans []Plan `json:"plans"`
	Fits  bool   `json:"fits"` // false only for a plan that was given and needs more memory than there is
}

// FindPlans searches, or judges the plan or the settings that are given. What can't be is an error that says why.
func FindPlans(q PlanQuestion) (all Plans, err error) {
	if q.Top < 0 || q.Top > 100_000 || !(q.Margin >= 0 && q.Margin < 1) || q.MaxTP < 0 || !(q.Limit >= 0) {
		return all, errors.New("top, margin, maxTP or limit is out of range; write top from 1 to 100000, margin " +
			"from 0 to below 1, maxTP and limit above 0")
	}
	if q.By != "" && q.By != "time" && q.By != "memory" {
		return all, fmt.Errorf("by is %q; write time or memory", q.By)
	}
	t, err := q.task()
	if err != nil {
		return all, err
	}
	estimator := training.NewEstimator(t.Job)
	if t.Plan != nil {
		if err := estimator.Legal(*t.Plan); err != nil {
			return all, fmt.Errorf("plan: %v", err)
		}
		estimate := estimator.Estimate(*t.Plan)
		fits := estimate.Memory.Total() <= training.AfterContext(t.Job.Device.Memory)
		return Plans{[]Plan{t.Of(estimator, &estimate)}, fits}, nil
	}
	search := training.Search{Space: estimator.Usual(), Top: cmp.Or(q.Top, 10), Margin: q.Margin, MaxTP: q.MaxTP}
	if q.Whole {
		search.Space = estimator.Whole()
	}
	if q.By == "memory" {
		search.Objective = training.ByMemory
	}
	limit := time.Duration(cmp.Or(q.Limit, 60) * float64(time.Second))
	until, under := time.Now().Add(limit), estimator.BeginSearch(search)
	for under.Step() {
		if !time.Now().Before(until) {
			return all, fmt.Errorf("the search takes longer than %v; give a higher limit, or fewer chips", limit)
		}
	}
	found := under.Found()
	if len(found.Best) == 0 {
		return all, fmt.Errorf("%s on %d x %s: %v", t.Job.Model.Name, t.Job.Devices, t.Job.Device.Name,
			estimator.ExplainNoPlan(&search, &found))
	}
	all.Fits = true
	for _, estimates := range [][]training.Estimate{found.Best, found.Lacking} {
		for i := range estimates {
			all.Plans = append(all.Plans, t.Of(estimator, &estimates[i]))
		}
	}
	return all, nil
}

// task makes a task of the question.
func (q *PlanQuestion) task() (*Task, error) {
	im, err := FindModel(q.Model)
	if err != nil {
		return nil, err
	}
	if q.Chip == "" || q.Chips == 0 {
		return nil, errors.New("model, chip and chips are needed, such as llama3.70b, h100 and 1024")
	}
	dtype := cmp.Or(q.DType, "bf16")
	if dtype != "bf16" && dtype != "fp8" && dtype != "fp4" {
		return nil, fmt.Errorf("dtype is %q; write bf16, fp8 or fp4", q.DType)
	}
	name := q.Model
	if IsConfig(name) {
		name = im.Model.Name
	}
	asked := Training{Name: name, Model: &im.Model, Chip: q.Chip, Chips: strconv.Itoa(q.Chips),
		Batch: strconv.Itoa(cmp.Or(q.Batch, 4194304)), Sequence: strconv.Itoa(cmp.Or(q.Sequence, 8192)), DType: dtype,
		Stack: q.Stack, Plan: q.Plan, State: q.State, Settings: q.Settings, SettingsName: "settings"}
	for _, name := range slices.Sorted(maps.Keys(q.Constants)) {
		asked.Constants = append(asked.Constants, Constant{name, q.Constants[name]})
	}
	return asked.Task()
}

// Model is a counted model.
type Model struct {
	Name         string             `json:"name"`
	Architecture string             `json:"architecture"`
	Family       string             `json:"family"`
	Context      int                `json:"context" jsonschema:"tokens of a sequence, for what depends on them"`
	DType        string             `json:"dtype" jsonschema:"of the KV cache"`
	Total        float64            `json:"params_total" jsonschema:"parameters"`
	Active       float64            `json:"params_active" jsonschema:"parameters that a token uses"`
	ActiveBare   float64            `json:"params_active_without_input_embedding" jsonschema:"the same without lookup"`
	KV           float64            `json:"kv_bytes_per_token" jsonschema:"byte, windows not counted"`
	Index        float64            `json:"index_bytes_per_token,omitempty" jsonschema:"byte of keys of sparse attention"`
	State        float64            `json:"state_bytes_per_sequence,omitempty" jsonschema:"byte of recurrent state"`
	FLOPs        float64            `json:"flops_per_token_train" jsonschema:"FLOP of training a token, causal"`
	Parts        map[string]float64 `json:"parts" jsonschema:"parameters by part"`
	Apart        map[string]float64 `json:"apart,omitempty" jsonschema:"parameters beside the language model, by field"`
	Ignored      []string           `json:"ignored" jsonschema:"fields that change nothing, or are not known"`
	Missing      []string           `json:"missing" jsonschema:"fields that are assumed"`
	Doubts       []string           `json:"doubts" jsonschema:"what may make these numbers wrong"`
	Notes        []Note             `json:"notes" jsonschema:"what became of each field"`
}

// Note is what became of one field of a configuration.
type Note struct {
	List  string `json:"list" jsonschema:"understood, ignored, unknown, missing or doubts"`
	Field string `json:"field"`
	Text  string `json:"text"`
}

// ModelOf counts a model: what depends on the length of its sequences at so many tokens, the cache with elements of a
// dtype of so many bytes.
func ModelOf(im config.Import, context int, dtype string, element quantity.Bytes) Model {
	m := &im.Model
	j := Model{Name: m.Name, Architecture: im.Architecture, Family: im.Family, Context: context, DType: dtype,
		Total: m.Total(), Active: m.ActiveTotal(), ActiveBare: m.ActiveWithoutLookup(),
		KV:    float64(m.KVBytesPerToken(element)),
		Index: float64(m.IndexBytes(1)), State: float64(m.StateBytes()),
		FLOPs: float64(m.FLOPsPerToken(float64(context), model.Windowed, model.Train)), Parts: map[string]float64{},
		Ignored: []string{}, Missing: fieldNames(im.Missing), Doubts: []string{}, Notes: []Note{}}
	for _, a := range im.Apart {
		if j.Apart == nil {
			j.Apart = map[string]float64{}
		}
		j.Apart[a.Field] = a.Params
	}
	for _, p := range Parts(m) {
		j.Parts[p.Name] = p.Value
	}
	j.Ignored = append(fieldNames(im.Ignored), fieldNames(im.Unknown)...)
	for _, n := range im.Doubts {
		j.Doubts = append(j.Doubts, strings.TrimPrefix(n.Field+": "+n.Text.String(), ": "))
	}
	for _, l := range Accounts(im) {
		for _, n := range l.Notes {
			j.Notes = append(j.Notes, Note{l.Name, n.Field, n.Text.String()})
		}
	}
	return j
}

// fieldNames are the names of the fields of a list.
func fieldNames(notes []config.Note) []string {
	names := []string{}
	for _, n := range notes {
		names = append(names, n.Field)
	}
	return names
}

// Account is one of the lists of an import.
type Account struct {
	Name, Title string
	Notes       []config.Note
}

// Accounts are the lists of an import, the doubtful ones first.
func Accounts(im config.Import) []Account {
	return []Account{
		{"doubts", "What may make these numbers wrong", im.Doubts},
		{"missing", "Not in the file, and assumed", im.Missing},
		{"unknown", "Not known", im.Unknown},
		{"understood", "Understood", im.Understood},
		{"ignored", "Ignored", im.Ignored},
	}
}

// Part is a share of the parameters; together they are all.
type Part struct {
	Name, Label string
	Value       float64
}

// Parts are those of a model, in the order of its layers.
func Parts(m *model.Model) []Part {
	p := m.Params()
	all := []Part{
		{"embedding", "input embedding", p.Embedding},
		{"unembedding", unembedding(m), p.Unembedding},
		{"positions", "learned positions", p.Positions},
		{"attention", "attention’s projections", p.Attention() - p.Linear - p.Index},
		{"mlp", "dense MLPs", p.MLP},
		{"routed_experts", "routed experts", p.Routed},
		{"shared_experts", "shared experts", p.Shared},
		{"router", "routers", p.Router},
		{"norms", "norms", p.Norms},
		{"biases", "biases", p.Biases},
		{"sinks", "attention sinks", p.Sinks},
	}
	for _, x := range []Part{
		{"linear", "layers with a state", p.Linear},
		{"index", "indexes of sparse attention", p.Index},
		{"narrow", "into and out of the experts’ space", p.Narrow},
		{"layer_embeddings", "embeddings of each layer", p.PerLayer},
		{"ngram_tables", "tables of n-grams", p.NGrams},
		{"injected", "paths into the layers and beside them", p.Injected},
		{"unused", "keys and values that are stored and not used", p.Unused},
	} {
		if x.Value != 0 {
			all = append(all, x)
		}
	}
	return all
}

func unembedding(m *model.Model) string {
	if m.Tied {
		return "embedding and unembedding, one matrix"
	}
	return "unembedding"
}
