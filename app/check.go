package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// check is the verb that checks every sheet of the content.
func check(args []string, s streams) int {
	flags := newFlags("check")
	asJSON := flags.Bool("json", false, "print one JSON object for every expect")
	paths, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(paths) == 0 {
		paths = []string{"content"}
	}
	files, err := sheetFiles(paths)
	if err != nil {
		s.complain("%v", err)
		return failed
	}
	c := checker{streams: s, json: *asJSON, env: widget.Env(), facts: map[string]bool{}, ids: map[string][]source{}}
	for _, file := range files {
		c.file(file)
	}
	c.sameIDs()
	return c.finish(len(files))
}

// checker goes through files and counts.
type checker struct {
	streams
	json                    bool
	env                     *value.Env
	sheets, expects, broken int
	errors                  int
	facts                   map[string]bool
	ids                     map[string][]source // the sheets of each id that an author wrote
}

// sameIDs reports ids that more than one sheet has: in a book each has its own.
func (c *checker) sameIDs() {
	for _, id := range slices.Sorted(maps.Keys(c.ids)) {
		if named := c.ids[id]; len(named) > 1 {
			c.fault(sameID(named))
		}
	}
}

// file checks the sheets of one file.
func (c *checker) file(name string) {
	data, shown, err := read(name, c.streams)
	if err != nil {
		c.fault(err.Error())
		return
	}
	for _, src := range sources(shown, data) {
		c.sheet(src)
	}
}

// sheet checks one sheet: that it compiles, and each of its expects.
func (c *checker) sheet(src source) {
	c.sheets++
	if src.id != "" && !src.Made && !src.wrong {
		c.ids[src.id] = append(c.ids[src.id], src)
	}
	sh, errs := src.compile(c.env)
	if src.wrong {
		if len(errs) == 0 {
			c.fault(
				src.place(
					sheet.Pos{Line: 1, Col: 1},
				) + ": this sheet is shown as one that doesn’t compile, but does; make it a sheet-example",
			)
		}
		return
	}
	for _, e := range errs {
		c.fault(e)
	}
	if len(errs) > 0 {
		return
	}
	for _, f := range sh.Former {
		c.complain("%s: %s is a function of an earlier edition; today one writes %s", src.place(f.Pos), f.Name,
			f.Instead)
	}
	for _, result := range sh.Check() {
		c.expect(src, sh, result)
	}
}

// expect reports one expect.
func (c *checker) expect(src source, sh *sheet.Sheet, r sheet.ExpectResult) {
	c.expects++
	if r.Expect.Fact != "" {
		c.facts[r.Expect.Fact] = true
	}
	if !r.OK {
		c.broken++
	}
	switch {
	case c.json:
		line, err := answer.Line(verdictOf(src, r))
		if err != nil {
			c.fault(fmt.Sprintf("%s: %v", src.place(r.Expect.Pos), err))
			return
		}
		fmt.Fprintln(c.out, line)
	case !r.OK:
		fmt.Fprintf(c.out, "%s: %s\n", src.place(r.Expect.Pos), broken(r))
	}
}

// broken says in what a failing expect fails.
func broken(r sheet.ExpectResult) string {
	e := r.Expect
	var b strings.Builder
	fmt.Fprintf(&b, "%s should be %s", e.Name, e.Wanted(phrase.Phrases{}))
	if e.Within > strict {
		fmt.Fprintf(&b, " within %.3g%%", 100*e.Within)
	}
	if len(e.At) > 0 {
		b.WriteString(" at " + stateText(e.At))
	}
	if r.Err != nil {
		fmt.Fprintf(&b, ", but has no value: %v", r.Err)
	} else {
		fmt.Fprintf(&b, ", but is %s", r.Got)
		if off, isNumber := offBy(r); isNumber && e.IsBound() {
			fmt.Fprintf(&b, " (exactly %v against %v)", r.Got.Num.Value, e.Want.Num.Value)
		} else if isNumber {
			fmt.Fprintf(&b, " (off by %+.3g%%; exactly %v instead of %v)", 100*off, r.Got.Num.Value, e.Want.Num.Value)
		}
	}
	if e.Fact != "" {
		fmt.Fprintf(&b, ", fact %s", e.Fact)
	}
	return b.String()
}

// strict is the tolerance of an expect that names none.
const strict = 1e-9

// offBy is by which share of the wanted number a number is off.
func offBy(r sheet.ExpectResult) (share float64, isNumber bool) {
	want, got := r.Expect.Want, r.Got
	if want.Kind != value.Number || got.Kind != value.Number || want.Num.Value == 0 {
		return 0, false
	}
	return got.Num.Value/want.Num.Value - 1, true
}

// stateText is "B = 128, chip = tpu.v5e", in the order of the names.
func stateText(st input.State) string {
	var parts []string
	for name, v := range st {
		text := v.String()
		if v.Kind == value.Rec && v.Record != nil && v.Record.ID != "" {
			text = v.Record.ID
		}
		parts = append(parts, name+" = "+text)
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// verdict is a line of check -json.
type verdict struct {
	File   string  `json:"file"`
	Sheet  string  `json:"sheet"`
	Name   string  `json:"name"`
	Fact   string  `json:"fact"`
	Got    any     `json:"got"`          // null where there is no value
	Op     string  `json:"op,omitempty"` // of a bound: < <= > >=
	Want   any     `json:"want"`
	Unit   string  `json:"unit"`
	Within float64 `json:"within"`
	OK     bool    `json:"ok"`
	Error  string  `json:"error,omitempty"`
}

func verdictOf(src source, r sheet.ExpectResult) verdict {
	v := verdict{
		File: src.file, Sheet: src.id, Name: r.Expect.Name, Fact: r.Expect.Fact,
		Want: answer.Plain(r.Expect.Want), Unit: answer.Unit(r.Expect.Want), Within: r.Expect.Within, OK: r.OK,
	}
	if r.Expect.IsBound() {
		v.Op = r.Expect.Op
	}
	if r.Err != nil {
		v.Error = r.Err.Error()
	} else {
		v.Got = answer.Plain(r.Got)
	}
	return v
}

// mostFaults is how many faults are listed: more are counted only.
const mostFaults = 1000

// fault reports what is not even a sheet.
func (c *checker) fault(text string) {
	if c.errors++; c.errors <= mostFaults {
		c.complain("%s", text)
	}
}

// finish prints the summary and returns the exit status.
func (c *checker) finish(files int) int {
	if more := c.errors - mostFaults; more > 0 {
		c.complain("and %s", count(more, "more error"))
	}
	if !c.json {
		fmt.Fprintf(c.out, "%s in %s: %s, %s covered",
			count(c.sheets, "sheet"), count(files, "file"), held(c.expects-c.broken, c.expects),
			count(len(c.facts), "fact"))
		if c.errors > 0 {
			fmt.Fprintf(c.out, ", %s", count(c.errors, "error"))
		}
		fmt.Fprintln(c.out)
	}
	if c.sheets == 0 && c.errors == 0 {
		c.complain("there is nothing to check; name .md or .sheet files with sheets, or a folder of them")
		return failed
	}
	if c.errors+c.broken > 0 {
		return failed
	}
	return ok
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// held says how many expects hold.
func held(n, of int) string {
	switch {
	case of == 0:
		return "no expects"
	case n == of:
		return "all " + count(of, "expect") + " hold"
	}
	return fmt.Sprintf("%d of %s hold", n, count(of, "expect"))
}

// sheetFiles lists the .md and .sheet files that the paths name or hold, each once, in order; - is stdin.
func sheetFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		if path == "-" {
			files = append(files, path)
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %s; name a .md or .sheet file, or a folder of them", path, reason(err))
		}
		if !info.IsDir() {
			if !hasSheets(path) {
				return nil, fmt.Errorf("%s: not a file with sheets; name a .md or .sheet file, or a folder of them",
					path)
			}
			files = append(files, filepath.ToSlash(filepath.Clean(path)))
			continue
		}
		err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && hasSheets(name) {
				files = append(files, filepath.ToSlash(name))
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %s", path, reason(err))
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func hasSheets(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".md" || ext == ".sheet"
}

// source is the text of a sheet and where it stands.
type source struct {
	file, id string
	wrong    bool // shown as an example of what doesn't compile
	book.Source
}

// sources finds the sheets of a file. What comes from stdin is a chapter if it has a fence with a sheet, else a sheet.
func sources(file string, data []byte) []source {
	name := file
	if file == "stdin" {
		name = "stdin.sheet"
		if strings.HasPrefix(string(data), "```sheet") || strings.Contains(string(data), "\n```sheet") {
			name = "stdin.md"
		}
	}
	var found []source
	for _, s := range book.Sheets(name, data) {
		found = append(found, source{file: file, id: s.ID, wrong: s.Mode == "sheet-error", Source: s})
	}
	return found
}

// place is a position in the sheet as file:line:col.
func (src source) place(p sheet.Pos) string {
	line, col := src.Position(p)
	return fmt.Sprintf("%s:%d:%d", src.file, line, col)
}

// fence is where the sheet's fence stands, as file:line:col.
func (src source) fence() string {
	_, col := src.Position(sheet.Pos{})
	return fmt.Sprintf("%s:%d:%d", src.file, src.Line-1, col)
}

// compile compiles the sheet; its errors come as lines to print.
func (src source) compile(env *value.Env) (*sheet.Sheet, []string) {
	sh, errs := sheet.Compile(src.Text, env)
	var lines []string
	for _, e := range errs {
		lines = append(lines, src.place(e.Pos)+": "+env.Phrases.Text(e.Fault()))
	}
	if len(lines) == 0 && len(sh.Rows)+len(sh.Figures) == 0 {
		lines = append(lines, src.place(sheet.Pos{})+
			": there is no line in this sheet; write one, such as `let B = 256`")
	}
	return sh, lines
}

// reason is what went wrong with a file, without its name, which the caller has.
func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or folder"
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) {
		return "packed by gzip, but not whole; copy it again"
	}
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}
