// Command recipes uses what the recipes of CONTRIBUTING.md add, which TestRecipes lays over the sources: it prints the
// rows of a sheet, what its page has, and a sentence of a language.
package main

import (
	"fmt"
	"os"
	"strings"
	"testing/fstest"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/training"
	"github.com/scalebook/scalebook/app/translation"
	"github.com/scalebook/scalebook/app/widget"
)

const text = `title Recipes
let chip = gpu.recipe "Chip"
let dial = 3 in 1..8 "Dial"
m = recipe.8b "Model"
memory = chip.hbm - gpu.h100.hbm "More memory"
layers = m.layers "Layers"
t = recipe_time(1 MB, 8, 1 GB/s, 4) - all_reduce_time_line(1 MB, 8, 1 GB/s, 4) "More time"
figure recipe_figure(2 s) "A figure"
`

func main() {
	s, faults := sheet.Compile(text, widget.Env())
	for _, fault := range faults {
		fmt.Println(fault)
	}
	if len(faults) > 0 {
		os.Exit(1)
	}
	s.ID = "recipes"
	for _, row := range s.Eval(nil).Rows {
		fmt.Println(row.Def.Name, row.Value, row.Err)
	}
	page := widget.HTML(widget.Section(widget.New(s)))
	for _, has := range []string{"input-dial", "<title>2 s</title>"} {
		fmt.Println(has, strings.Contains(page, has))
	}
	o, known := training.OptimizerNamed("recipe")
	fmt.Println("optimizer", o.ID, known)
	const po = "msgid \"\"\nmsgstr \"\"\n\"Language: xx\\n\"\n\"Plural-Forms: nplurals=1; plural=0;\\n\"\n\n" +
		"msgid \"Chip\"\nmsgstr \"Puce\"\n"
	l, err := translation.Read(fstest.MapFS{"xx.po": {Data: []byte(po)}}, "xx.po", ".")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	lines, problems := l.Phrases()
	fmt.Println("language", phrase.Read(lines).Say("figure.chip"), len(problems))
}
