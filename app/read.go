package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving/startlog"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/content"
)

// reader is a calculator of the book that reads files which other programs print.
type reader struct {
	page, sheet string
	input       string // the one that takes the file
	says        string // rows that its page shows in a sentence, not in a row
	kinds       string // what package pasted calls these files
}

// readers are all of them. A file that nothing tells is shown to each in turn: the one that takes most comes last.
func readers() []reader {
	return []reader{
		{"profiling", "pasted", "own", "", "hlo xla-dump stablehlo jaxpr torch-graph kernel-code"},
		{"collectives", "nccl", "own", "verdict", "nccl nccl-log osu ib-test nvbandwidth topology"},
		{"profiling", "dropped", "own", "", "trace xplane rocprof nsys-table nsys-export ncu key-averages sampled " +
			"memory-snapshot trtexec"},
		{"startup-log", "startup", "log", "read log_read", "startup-log metrics"},
	}
}

// readDocument is the verb that reads a file which another program printed, with the calculator made for it.
func readDocument(args []string, s streams) int {
	flags := newFlags("read")
	var sets settings
	flags.Var(&sets, "set", "another input of the calculator, as a reader types it: chip=gpu.h200")
	asJSON := flags.Bool("json", false, "print JSON, values in base units")
	files, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(files) != 1 {
		s.complain("scalebook read: got %d files; name one: a file that a program printed, or - for stdin", len(files))
		return misuse
	}
	data, err := s.text(files[0])
	if err != nil {
		s.complain("scalebook read: %s: %s", files[0], reason(err))
		return failed
	}
	data, says, err := unarchived(data)
	var d *document
	if err == nil {
		d, err = readerOf(data)
	}
	if says != "" {
		s.complain("scalebook read: %s: %s", files[0], says)
	}
	if err != nil {
		s.complain("scalebook read: %s: %s", files[0], phrase.Unlinked(reason(err)))
		return failed
	}
	return d.print(sets, *asJSON, s)
}

// document is a file in the calculator that reads it.
type document struct {
	source
	reader reader
	sheet  *sheet.Sheet
	text   string
	state  input.State
}

// readerOf finds the calculator that reads a file, by what the file says it is. Of one that says nothing the first
// that takes it.
func readerOf(data []byte) (*document, error) {
	kind, err := kindOf(data)
	if err != nil {
		return nil, err
	}
	if r := readerOfKind(kind); r != nil {
		return r.read(data)
	}
	if kind == "binary" || kind == "" {
		d, err := readerOfKind("trace").binary(data)
		if d != nil || err != nil {
			return d, err
		}
	}
	if other := pasted.Other(string(data)); other != nil {
		if readBy := readElsewhere(data); kind == "python" && readBy != nil {
			return nil, readBy
		}
		return nil, withCommand(other)
	}
	for _, r := range readers() {
		if d, err := r.read(data); err == nil && d.names() {
			return d, nil
		}
	}
	var fault phrase.Fault
	if _, err := startlog.Read(string(data)); errors.As(err, &fault) && fault.What.Key != "startlog.nothing" {
		return nil, err // an engine that has no ledger
	}
	if readBy := readElsewhere(data); readBy != nil {
		return nil, readBy
	}
	return nil, errors.New("it is none of the files that the book reads: HLO as XLA dumps it, a trace (.json, " +
		".jsonl, .json.gz, .xplane.pb, tables of nsys and rocprof), the output of nccl-tests and their like, an " +
		"engine’s start-up log or command; plan reads the settings of a training run, and model the file of a model")
}

// readElsewhere says what a file is that another verb reads; nil if none does.
func readElsewhere(data []byte) error {
	var what *phrase.Phrase
	if !errors.As(library.FileKind(string(data[:min(len(data), pasted.Head)])), &what) {
		return nil
	}
	if said := withCommand(what); said != error(what) {
		return said
	}
	return nil
}

// withCommand is what a file is, with the command that reads it, where another verb does.
func withCommand(what *phrase.Phrase) error {
	command := map[string]string{"pasted.config": "model", "pasted.settings": "plan -chip h100 -settings"}[what.Key]
	if command == "" {
		return what
	}
	return fmt.Errorf("%w; on the command line: scalebook %s FILE", what, command)
}

// binary is a file that is no text in the reader of traces: profilers have files of their own. If it is none that is
// read, the error is what that reader says of it, where it knows what that is.
func (r *reader) binary(data []byte) (*document, error) {
	d, err := r.read(data)
	var fault *phrase.Phrase
	switch {
	case err == nil && bytes.IndexByte(data[:min(len(data), pasted.Head)], 0) >= 0:
		return d, nil
	case errors.As(err, &fault) && slices.Contains(strings.Fields(binaries), fault.Key):
		return nil, err
	}
	return nil, nil
}

// binaries are what the reader of traces says of such files.
const binaries = "trace.ncu trace.nsys trace.other-packed trace.perfetto trace.picture trace.rocpd trace.sqlite"

// readerOfKind is who reads files of a kind; nil if nobody does.
func readerOfKind(kind string) *reader {
	for _, r := range readers() {
		if slices.Contains(strings.Fields(r.kinds), kind) {
			return &r
		}
	}
	return nil
}

// readBy says which command reads a file of another program; "" if it is none of those that one reads.
func readBy(data []byte, name string) string {
	kind, err := kindOf(data)
	if err == nil && readerOfKind(kind) == nil {
		_, err = readerOf(data)
	}
	if err != nil {
		return ""
	}
	return "scalebook read " + name + " reads it"
}

// names tells whether what was read is a text of an engine, where it was taken for one.
func (d *document) names() bool {
	if d.reader.page != "startup-log" {
		return true
	}
	l, err := startlog.Read(d.text)
	return err == nil && l.Names()
}

// kindOf is what package pasted calls a file, packed or not.
func kindOf(data []byte) (string, error) {
	unpack, err := unpacked(data)
	if err != nil {
		return "", err
	}
	begin, err := io.ReadAll(io.LimitReader(unpack, pasted.Head))
	return pasted.Kind(input.Decoded(string(begin))), err
}

// unpacked is what a file holds that may be packed by gzip, or be UTF-16.
func unpacked(data []byte) (io.Reader, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		return gzip.NewReader(bytes.NewReader(data))
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return strings.NewReader(input.Decoded(string(data))), nil
	}
	return bytes.NewReader(data), nil
}

// read sets the file in the reader's calculator.
func (r reader) read(data []byte) (*document, error) {
	name := r.page + ".md"
	page, err := content.Pages.ReadFile(name)
	if err != nil {
		return nil, err
	}
	d := &document{reader: r}
	if d.source, err = choose(sources(name, page), name, r.sheet); err != nil {
		return nil, err
	}
	sh, errs := d.compile(widget.Env())
	if len(errs) > 0 {
		return nil, fmt.Errorf("%s", errs[0])
	}
	d.sheet = sh
	if d.text, err = documentOf(sh.Input(r.input), data); err != nil {
		return nil, err
	}
	d.state, err = sh.Set(nil, r.input, d.text)
	return d, err
}

// print prints what the calculator makes of the file, with other inputs set.
func (d *document) print(sets settings, asJSON bool, s streams) int {
	state, wrong := d.set(d.sheet, d.state, sets, s)
	for _, err := range wrong {
		s.complain("%v", err)
	}
	if len(wrong) > 0 {
		return misuse
	}
	work := worker{sheet: d.sheet, limit: usualLimit, ended: s.ended}
	result := work.eval(state)
	var err error
	if asJSON {
		err = json.NewEncoder(s.out).Encode(answer.DocumentOf(d.id, result))
	} else {
		err = d.write(s.out, result)
	}
	if err != nil {
		s.complain("scalebook read: %v", err)
		return failed
	}
	return ok
}

// write prints a result for people: what the page shows in rows and sentences, by label and value, and its tables.
func (d *document) write(w io.Writer, r *sheet.Result) error {
	var out strings.Builder
	out.WriteString(r.Sheet.Title + "\n\n")
	var lines [][2]string
	wide := 0
	for _, said := range []bool{true, false} { // what the page says in a sentence stands first
		for i := range r.Rows {
			if row := &r.Rows[i]; row.Def.Hidden == said && d.shows(row) {
				line := rowLine(r, row)
				lines = append(lines, [2]string{line[0], line[2]})
				wide = max(wide, utf8.RuneCountInString(line[0]))
			}
		}
	}
	for _, line := range lines {
		out.WriteString(strings.TrimRight(pad(line[0], wide)+"  "+line[1], " ") + "\n")
	}
	for i, t := range r.Sheet.Tables {
		if t.List != "" && r.ShowsTable(i) {
			out.WriteString(tableText(r, t))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// shows tells whether a row is printed: it has a label, and is seen on the page, or said there.
func (d *document) shows(row *expr.Row) bool {
	in := d.sheet.Input(row.Def.Name)
	if row.Absent || row.Def.Label == "" || in != nil && in.Form() == input.DocumentForm {
		return false
	}
	return !row.Def.Hidden || slices.Contains(strings.Fields(d.reader.says), row.Def.Name) && row.Text() != ""
}

// tableText is a table below its caption, as much of it as the page shows at first.
func tableText(r *sheet.Result, t *sheet.Table) string {
	data := r.ListData(t, sheet.Order{By: t.By, Desc: t.Desc})
	all := len(data.Rows)
	if data.Err != nil || all == 0 {
		return ""
	}
	if t.Top > 0 {
		data.Rows = data.Rows[:min(t.Top, all)]
	}
	text := "\n" + cmp.Or(t.Caption, r.Sheet.Label(r.State, t.List)) + "\n" + widget.ListText(phrase.Phrases{}, data)
	if more := all - len(data.Rows); more > 0 {
		text += fmt.Sprintf("and %d more\n", more)
	}
	return text
}
