package chart

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
)

// TestGolden holds the drawings and their words to what was looked at and found good.
func TestGolden(t *testing.T) {
	for _, p := range examples() {
		header, rows := p.Twin()
		words := []string{p.Summary(), "", strings.Join(header, " | ")}
		for _, r := range rows {
			words = append(words, strings.Join(r, " | "))
		}
		golden.Check(t, "testdata/"+p.ID+".svg", p.SVG()+"\n")
		golden.Check(t, "testdata/"+p.ID+".txt", strings.Join(words, "\n")+"\n")
	}
}
