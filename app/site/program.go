package site

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// apartNames are the functions and figures that the lean program lacks.
func apartNames() map[string]bool {
	env, names := widget.Env(), map[string]bool{}
	for name, f := range env.Funcs {
		if f.Apart {
			names[name] = true
		}
	}
	for name, f := range env.Figures {
		if f.Apart {
			names[name] = true
		}
	}
	return names
}

// Program is the address of the program that brings the page to life. On the scratch pad readers write what they like,
// and the calculators on other people's pages share one program, whatever they are: these get the whole one.
func (v view) Program() string {
	whole := v.Asset(plannerProgram)
	if whole != "" && (v.Scratch != nil || v.Alone || v.Page != nil && slices.ContainsFunc(v.Page.Sheets, v.plans)) {
		return whole
	}
	return v.Asset(leanProgram)
}

// plans tells whether a sheet names something that the lean program lacks.
func (v view) plans(s *sheet.Sheet) bool {
	words := strings.FieldsFunc(
		s.Source,
		func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) },
	)
	return slices.ContainsFunc(words, func(word string) bool { return v.apart[word] })
}

// Worker is the address of the worker that helps the page with long documents and long work, which only the whole
// program has; empty if the page has none.
func (v view) Worker() string {
	if whole := v.Asset(plannerProgram); whole != "" && v.Program() == whole {
		return v.Asset("worker.js")
	}
	return ""
}
