package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// countModel is the verb that counts a model: one of the catalog, or one that a config.json describes.
func countModel(args []string, s streams) int {
	flags := newFlags("model")
	asJSON := flags.Bool("json", false, "print JSON, plain numbers")
	context := flags.Int("context", 4096, "tokens of a sequence, for what depends on them")
	dtype := flags.String("dtype", "bf16", "dtype of the KV cache")
	files, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(files) != 1 {
		s.complain(
			"scalebook model: got %d files; name one: a config.json, - for stdin, or a model of the catalog such as llama3.70b",
			len(files),
		)
		return misuse
	}
	q := question{context: *context, dtype: *dtype}
	if err := q.check(); err != nil {
		s.complain("scalebook model: %v", err)
		return misuse
	}
	im, err := findModel(files[0], s)
	if err != nil {
		s.complain("%v", err)
		return failed
	}
	if *asJSON {
		err = writeJSON(s.out, []answer.Model{answer.ModelOf(im, q.context, q.dtype, q.element)})
	} else {
		err = writeModel(s.out, im, q)
	}
	if err != nil {
		s.complain("scalebook model: %v", err)
		return failed
	}
	return ok
}

// question is what counts depend on besides the model.
type question struct {
	context int // tokens of a sequence
	dtype   string
	element quantity.Bytes // of an element of the KV cache
}

// check fills in the size of an element.
func (q *question) check() (err error) {
	q.element, err = answer.ElementOf(q.context, q.dtype)
	return err
}

// findModel reads a config.json, stdin's for -, or takes a model of the catalog, by its ID or as its publisher calls
// it. A file comes first.
func findModel(arg string, s streams) (config.Import, error) {
	if arg == "-" {
		return readModel(s.in, "stdin")
	}
	f, err := s.file(arg)
	if err == nil {
		defer f.Close()
		return readModel(f, arg)
	}
	known, unknown := model.Catalog().Get(arg)
	if unknown == nil {
		return config.Import{Model: known.Model}, nil
	}
	if m, found := measured.Model(arg); found && !strings.HasSuffix(arg, ".json") {
		return config.Import{Model: *m}, nil
	}
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(arg, `/\`) && !strings.HasSuffix(arg, ".json") {
		return config.Import{}, fmt.Errorf("%s: no such file, and %v", arg, unknown)
	}
	return config.Import{}, failure{fmt.Errorf(
		"%s: %s; name a config.json, - for stdin, or a model of the catalog such as llama3.70b", arg, reason(err))}
}

// readModel reads the text of a config.json. No more of it is read than it takes to see that it is too long.
func readModel(r io.Reader, shown string) (config.Import, error) {
	text, err := io.ReadAll(io.LimitReader(r, config.MaxBytes+1))
	if err != nil {
		return config.Import{}, failure{fmt.Errorf("%s: %s; name a config.json", shown, reason(err))}
	}
	if err := asText(text, shown); err != nil {
		return config.Import{}, failure{err}
	}
	im, err := config.Read(text)
	if err != nil {
		return im, failure{fmt.Errorf("%s:%w", shown, err)}
	}
	return im, nil
}

// modelRow is a line of the table: a label, a number in full, and the same in short.
type modelRow struct {
	label string
	value float64
	short string
}

// writeModel prints a model for people: its sizes, its counts, and an account of the fields of its file.
func writeModel(w io.Writer, im config.Import, q question) error {
	var out strings.Builder
	out.WriteString(im.Model.Name + "\n")
	if im.Family != "" {
		out.WriteString("read as " + im.Family + "\n")
	}
	card := library.ModelRecord(library.New(), &im.Model)
	groups := [][]modelRow{sizeRows(card), partRows(&im.Model, card), countRows(&im.Model, q)}
	if len(im.Apart) > 0 {
		groups = append(groups, apartRows(im.Apart))
	}
	labels, values := 0, 0
	for _, rows := range groups {
		for _, r := range rows {
			labels = max(labels, utf8.RuneCountInString(r.label))
			values = max(values, len(digits(r.value)))
		}
	}
	for _, rows := range groups {
		out.WriteByte('\n')
		for _, r := range rows {
			number := digits(r.value)
			line := pad(r.label, labels) + "  " + strings.Repeat(" ", values-len(number)) + number + "  " + r.short
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	for _, l := range answer.Accounts(im) {
		writeNotes(&out, l.Title, l.Notes)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// writeNotes prints a list of fields, unless it is empty.
func writeNotes(out *strings.Builder, title string, notes []config.Note) {
	if len(notes) == 0 {
		return
	}
	const widest = 40
	width := 0
	for _, n := range notes {
		width = max(width, min(widest, utf8.RuneCountInString(n.Field)))
	}
	out.WriteString("\n" + title + "\n")
	for _, n := range notes {
		line := "  "
		if n.Field != "" {
			line += pad(n.Field, width) + "  "
		}
		out.WriteString(line + n.Text.String() + "\n")
	}
}

// shownSizes are the sizes of a model, as its card calls them.
var shownSizes = []string{"layers", "width", "heads", "kv_heads", "head_size", "value_size", "kv_rank", "rope_size",
	"window", "windowed_layers", "ff_width", "experts", "experts_per_token", "shared_experts", "expert_width",
	"expert_layers", "vocab"}

// sizeRows are the sizes of a model that it has.
func sizeRows(m *value.Record) []modelRow {
	var there []modelRow
	for _, name := range shownSizes {
		if r := fieldRow(m, name); r.value != 0 {
			there = append(there, r)
		}
	}
	return there
}

// fieldRow is a field of a model with its label; 0 if the model lacks it.
func fieldRow(m *value.Record, name string) modelRow {
	v, _ := m.Field(name)
	return modelRow{label: m.Type.Field(name).Label, value: v.Num.Value}
}

// partRows are the parts that a model has, and their sums.
func partRows(m *model.Model, card *value.Record) []modelRow {
	var rows []modelRow
	total := m.Total()
	for _, p := range answer.Parts(m) {
		if p.Value != 0 {
			rows = append(rows, modelRow{"  " + p.Label, p.Value, share(p.Value, total)})
		}
	}
	for _, name := range []string{"params", "active_params", "active_params_without_input_embedding"} {
		r := fieldRow(card, name)
		r.short = short(r.value, "")
		rows = append(rows, r)
	}
	return rows
}

// apartRows are what the file describes beside the language model, and the counts above leave out.
func apartRows(apart []config.Apart) []modelRow {
	var rows []modelRow
	for _, a := range apart {
		rows = append(rows, modelRow{"apart: " + a.Name.String(), a.Params, short(a.Params, "")})
	}
	return rows
}

// countRows are the KV cache and the operations. Operations are those that the model needs: what a causal mask or a
// window hides is not counted. The cache for each token is what it grows by while no window is full.
func countRows(m *model.Model, q question) []modelRow {
	T := float64(q.context)
	at := " at " + digits(T) + " tokens"
	causal := at + ", causal"
	if m.Window.Size != 0 {
		causal += ", windows counted"
	}
	bytes := func(label string, b quantity.Bytes) modelRow {
		return modelRow{label, float64(b), b.Quantity().String()}
	}
	flops := func(label string, f quantity.FLOPs) modelRow {
		return modelRow{label, float64(f), f.Quantity().String()}
	}
	rows := []modelRow{
		bytes("KV cache for each token, "+q.dtype+", no window", m.KVBytesPerToken(q.element)),
		bytes("KV cache"+at+", "+q.dtype, m.KVBytes(T, q.element)),
	}
	if b := m.IndexBytes(T); b != 0 {
		kept := ", fp8"
		if m.Index.FP4 {
			kept = ", fp4"
		}
		rows = append(rows, bytes("keys of the index"+at+kept, b))
	}
	if b := m.StateBytes(); b != 0 {
		rows = append(rows, bytes("state of a sequence of any length", b))
	}
	return append(rows,
		flops("training operations for each token"+causal, m.FLOPsPerToken(T, model.Windowed, model.Train)),
		flops("  in matmuls with weights", m.WeightFLOPs(model.Train)),
		flops("  in attention’s scores and values", m.AttentionFLOPs(T, model.Windowed, model.Train)))
}

// digits is a number in full, with commas: 70,553,706,496. What is not whole keeps two places.
func digits(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	if strings.Contains(text, ".") {
		text = strconv.FormatFloat(x, 'f', 2, 64)
	}
	return quantity.Grouped(text)
}

// short is a count with a prefix: 70.6B.
func short(x float64, noun string) string {
	return quantity.Quantity{Value: x, Label: quantity.Label{Over: noun}}.String()
}

// share is "17.1 %".
func share(x, total float64) string {
	return strings.Replace(quantity.Percent(x/total, 1), "\u00a0", " ", 1)
}

// findChip finds a device by its ID, by the part after the dot, or as people and drivers write it.
func findChip(name string) (*hardware.Accelerator, error) {
	a, err := answer.FindChip(name)
	if err == nil {
		return a, nil
	}
	if howMany.MatchString(strings.TrimSpace(name)) {
		return nil, fmt.Errorf("device %q tells how many, too; write -chip h100 -chips 8", name)
	}
	if a, found := measured.Device(name); found {
		return a, nil
	}
	return nil, err
}

// howMany is a device with how many there are of it: 8xH100.
var howMany = regexp.MustCompile(`^[0-9]+ ?[x×*] ?`)
