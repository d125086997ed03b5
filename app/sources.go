package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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
		lines = append(lines, src.place(sheet.Pos{})+": there is no line in this sheet; write one, such as `let B = 256`")
	}
	return sh, lines
}

// reason is what went wrong with a file, without its name, which the caller has.
func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file or folder"
	}
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}
