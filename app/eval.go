package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// eval is the verb that evaluates one sheet and prints its rows.
func eval(args []string, s streams) int {
	flags := newFlags("eval")
	var sets settings
	flags.Var(&sets, "set", "an input’s value, as a reader types it: name=value, or name=@FILE where a text is pasted")
	asJSON := flags.Bool("json", false, "print JSON, values in base units")
	limit := flags.Duration("limit", usualLimit, "how long the searches of a sheet may take")
	files, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(files) != 1 {
		s.complain("scalebook eval: got %d files; name one: FILE, FILE#sheet-id, or - for stdin", len(files))
		return misuse
	}
	if *limit <= 0 {
		s.complain("scalebook eval: -limit %v; write a time above 0, such as 30s", *limit)
		return misuse
	}
	src, err := findSheet(files[0], s)
	if err != nil {
		s.complain("%v", err)
		return failed
	}
	sh, errs := src.compile(widget.Env())
	if len(errs) > 0 {
		for _, e := range errs {
			s.complain("%s", e)
		}
		return failed
	}
	for _, f := range sh.Former {
		s.complain("%s: %s is a function of an earlier edition; today one writes %s", src.place(f.Pos), f.Name,
			f.Instead)
	}
	state, wrong := src.set(sh, nil, sets, s)
	if len(wrong) > 0 {
		for _, err := range wrong {
			s.complain("%v", err)
		}
		return statusOf(errors.Join(wrong...))
	}
	work := worker{sheet: sh, limit: *limit, ended: s.ended}
	result := work.eval(state)
	if *asJSON {
		err = answer.RowsOf(src.id, result).Write(s.out)
	} else {
		err = writeRows(s.out, result)
	}
	if err != nil {
		s.complain("scalebook eval: %v", err)
		return failed
	}
	if names := work.leftOut(result); len(names) > 0 {
		more := strings.Replace((6 * *limit).String(), "m0s", "m", 1)
		s.complain("%s: left out: %s; -limit %s allows more", src.place(sheet.Pos{}), few(names), more)
		return failed
	}
	return src.expects(&work, s)
}

// usualLimit is how long the searches of a sheet may take if nobody says otherwise.
const usualLimit = 10 * time.Second

// worker evaluates a sheet, state after state, and does its long work piece by piece for as long as it may take in all.
type worker struct {
	sheet *sheet.Sheet
	limit time.Duration
	until time.Time // from the first piece on
	tasks *sheet.Tasks
	over  error        // why rows were left out
	ended func() error // says when work must end before
}

// eval evaluates the sheet in a state. What was found in the states before is kept.
func (w *worker) eval(st input.State) *sheet.Result {
	if w.tasks == nil {
		w.tasks, w.until = &sheet.Tasks{}, time.Now().Add(w.limit)
	}
	w.tasks = w.tasks.Next()
	live := w.sheet.With(w.tasks)
	if w.over != nil {
		w.tasks.End(w.over)
	}
	r := live.Eval(st)
	for w.tasks.Busy() {
		for w.mayWork() && w.tasks.Step() {
		}
		if w.tasks.Busy() && !w.mayWork() {
			w.over = fmt.Errorf("left out: the searches of this sheet take longer than %v", w.limit)
			w.tasks.End(w.over)
		}
		r = live.Eval(st)
	}
	return r
}

// mayWork tells whether there is time left, and somebody still waits.
func (w *worker) mayWork() bool {
	return time.Now().Before(w.until) && (w.ended == nil || w.ended() == nil)
}

// leftOut are the names of the rows without a value because work was left out.
func (w *worker) leftOut(r *sheet.Result) (names []string) {
	for i := range r.Rows {
		if w.over != nil && errors.Is(r.Rows[i].Err, w.over) {
			names = append(names, r.Rows[i].Def.Name)
		}
	}
	return names
}

// expects reports every expect of the sheet that does not hold.
func (src source) expects(w *worker, s streams) int {
	status := ok
	for _, r := range w.sheet.CheckBy(w.eval) {
		if !r.OK {
			s.complain("%s: %s", src.place(r.Expect.Pos), broken(r))
			status = failed
		}
	}
	return status
}

// set applies -set to a state, each input behind those that it follows. An error names the place of the input in the
// file; all of them are reported.
func (src source) set(sh *sheet.Sheet, state input.State, sets settings, s streams) (_ input.State, wrong []error) {
	order := sh.Order()
	sets = sets.today(sh)
	slices.SortStableFunc(sets, func(a, b setting) int {
		// unknown names come last
		return cmp.Compare(uint(slices.Index(order, a.name)), uint(slices.Index(order, b.name)))
	})
	for _, one := range sets {
		in := sh.Input(one.name)
		if _, c := sh.Constant(one.name); c != nil {
			next, err := sh.Set(state, one.name, one.text)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("-set %s=%s: %v", one.name, one.text, err))
			}
			state = next
			continue
		}
		if in == nil {
			wrong = append(
				wrong,
				fmt.Errorf(
					"%s: -set %s: the sheet has no such input; %s",
					src.place(sheet.Pos{Line: 1, Col: 1}),
					one.name,
					inputNames(sh),
				),
			)
			continue
		}
		text, err := documentText(in, one.text, s)
		if err != nil {
			wrong = append(wrong, failure{err})
			continue
		}
		next, err := sh.Set(state, one.name, text)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: -set %s=%s: %v", src.place(in.Pos), one.name, one.text, err))
			continue
		}
		state = next
	}
	return state, wrong
}

// today are the settings with the names that the inputs of sh have today. A former name counts where the present one
// isn't given.
func (s settings) today(sh *sheet.Sheet) (own settings) {
	for _, one := range s {
		name := sh.Today(one.name)
		if name == one.name || !slices.ContainsFunc(s, func(o setting) bool { return o.name == name }) {
			own = append(own, setting{name, one.text})
		}
	}
	return own
}

// documentText is the text that a document is set to: with an @ before it the name of the file that holds it.
func documentText(in *input.Input, text string, s streams) (string, error) {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile || in.Form() != input.DocumentForm {
		return text, nil
	}
	data, err := s.text(name)
	if err != nil {
		return "", err
	}
	return documentOf(in, data)
}

// documentOf is the text that a document is set to by a file, packed or not.
func documentOf(in *input.Input, data []byte) (string, error) {
	unpack, err := unpacked(data)
	if err != nil {
		return "", err
	}
	if in.Shortens != nil && in.Shortens.Stream != nil && len(data) <= in.Cap {
		return inShort(in.Shortens.Stream(), unpack)
	}
	data, err = io.ReadAll(io.LimitReader(unpack, int64(in.Cap)+1))
	return input.Decoded(string(data)), err
}

// inShort puts a file in short, piece by piece, as a browser does.
func inShort(task value.Fed, from io.Reader) (string, error) {
	piece := make([]byte, 1<<20)
	for {
		n, err := io.ReadFull(from, piece)
		if task.Feed(string(piece[:n])); err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		} else if err != nil {
			return "", err
		}
		for task.Step() {
		}
	}
	for task.Close(); task.Step(); {
	}
	v, err := task.Value()
	return v.Text, err
}

// inputNames says which inputs a sheet has.
func inputNames(sh *sheet.Sheet) string {
	if len(sh.Inputs) == 0 {
		return "it has no inputs at all"
	}
	var names []string
	for _, in := range sh.Inputs {
		names = append(names, in.Name)
	}
	return "its inputs are " + few(names)
}

// findSheet resolves FILE, FILE#id, - and -#id to one sheet.
func findSheet(arg string, s streams) (source, error) {
	name, id := arg, ""
	if i := strings.LastIndexByte(arg, '#'); i >= 0 {
		name, id = arg[:i], arg[i+1:]
	}
	data, shown, err := read(name, s)
	if err != nil {
		return source{}, err
	}
	return choose(sources(shown, data), shown, id)
}

// read returns the text of a file, or stdin's for -, and the name that errors give it.
func read(name string, s streams) (data []byte, shown string, err error) {
	if shown = name; name == "-" {
		shown = "stdin"
		data, err = s.text(name)
	} else {
		data, err = readFile(name, s)
	}
	if err == nil {
		err = asText(data, shown)
	}
	return data, shown, err
}

// readFile returns the bytes of a file with sheets.
func readFile(name string, s streams) ([]byte, error) {
	if ext := filepath.Ext(name); ext != ".md" && ext != ".sheet" {
		command := "name a .md or a .sheet file, or - for stdin"
		if data, err := s.text(name); err == nil {
			command = cmp.Or(readBy(data, name), command)
		}
		return nil, fmt.Errorf("%s: not a file with sheets; %s", name, command)
	}
	data, err := s.text(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %s; name a .md or a .sheet file, or - for stdin", name, reason(err))
	}
	return data, nil
}

// choose picks the sheet of that id; without an id the file must have only one.
func choose(found []source, file, id string) (source, error) {
	if len(found) == 0 {
		return source{}, fmt.Errorf("%s: no sheet in it; write one between ```sheet some-id and ```", file)
	}
	var right, named []source
	for _, src := range found {
		if src.id == id {
			named = append(named, src)
		}
		if !src.wrong {
			right = append(right, src)
		}
	}
	switch {
	case id != "" && len(named) == 1:
		return named[0], nil
	case id != "" && len(named) > 1:
		return source{}, errors.New(sameID(named))
	case id == "" && len(right) == 1:
		return right[0], nil
	}
	if id == "" {
		return source{}, fmt.Errorf("%s: %s in it; name one: %s", file, count(len(right), "sheet"), ids(found, file))
	}
	has := ids(found, file)
	if has == "" {
		has = "one without a name: leave out #" + id
	}
	return source{}, fmt.Errorf("%s: no sheet %q in it; it has %s", file, id, has)
}

// ids lists sheets as they are named on the command line.
func ids(found []source, file string) string {
	if file == "stdin" {
		file = "-"
	}
	var names []string
	for _, src := range found {
		if name := file + "#" + src.id; src.id != "" && (len(names) == 0 || names[len(names)-1] != name) {
			names = append(names, file+"#"+src.id)
		}
	}
	return few(names)
}

// sameID says of several sheets with one id where they stand.
func sameID(named []source) string {
	places := make([]string, len(named)-1)
	for i := range places {
		places[i] = named[i].fence()
	}
	return fmt.Sprintf("%s: the id %q is taken by %s; give each sheet an id of its own", named[len(places)].fence(),
		named[0].id, few(places))
}

// writeRows prints a result for people: label, name, value and working, in columns, inputs first among themselves and
// the rest in the order of the text.
func writeRows(w io.Writer, r *sheet.Result) error {
	var out strings.Builder
	if r.Sheet.Title != "" {
		out.WriteString(r.Sheet.Title + "\n\n")
	}
	var lines [][4]string
	inputs := 0
	for _, wanted := range []bool{true, false} {
		for i := range r.Rows {
			if row := &r.Rows[i]; (row.Def.Kind == "input") == wanted && !row.Absent {
				lines = append(lines, rowLine(r, row))
			}
		}
		if wanted {
			inputs = len(lines)
		}
	}
	width := columnWidths(lines)
	for i, line := range lines {
		if i == inputs && inputs > 0 {
			out.WriteByte('\n')
		}
		text := pad(line[0], width[0]) + "  " + pad(line[1], width[1]) + "  "
		if line[3] == "" {
			text += line[2]
		} else {
			text += pad(line[2], width[2]) + "  " + line[3]
		}
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// rowLine is a row as four texts: label, name, value or the reason for none, working.
func rowLine(r *sheet.Result, row *expr.Row) [4]string {
	line := [4]string{1: row.Def.Name}
	if row.Def.Label != "" {
		line[0] = r.Sheet.Label(r.State, row.Def.Name)
	}
	if row.Err != nil {
		line[2] = "no value: " + oneLine(row.Err.Error())
		return line
	}
	line[2] = row.Text()
	switch row.Def.Kind {
	case "step":
		line[3] = working(r, row.Def.Name)
	case "solve":
		line[3] = r.Note(row.Def.Name)
	}
	return line
}

// working is a step's formula and the same with its numbers: "= 2 B D F = 2 × 256 × 4096". Long ones are left out: the
// columns are there to be read down.
func working(r *sheet.Result, name string) string {
	const long = 60
	text := "= " + oneLine(r.Sheet.Formula(name, explain.Plain))
	if numbers := oneLine(r.Working(name, explain.Plain)); numbers != "" && utf8.RuneCountInString(numbers) <= long {
		text += " = " + numbers
	}
	return text
}

// columnWidths are the widths of the first three columns. Reasons don't widen the third: nothing follows them.
func columnWidths(lines [][4]string) (width [3]int) {
	for _, line := range lines {
		for c := range width {
			if c == 2 && line[3] == "" {
				continue
			}
			width[c] = max(width[c], utf8.RuneCountInString(line[c]))
		}
	}
	return width
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
