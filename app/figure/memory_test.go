package figure

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

func TestMemory(t *testing.T) {
	d := Memory(phrase.Phrases{}, 100e9, 60e9, 10e9, 3)
	svg := markup.HTML(d.Root)
	if got := strings.Count(svg, `<rect class="b2"`); got != 4 { // three sequences, and the legend
		t.Errorf("%d cells of cache", got)
	}
	if !strings.Contains(d.About, "Free 10 GB") || d.Title != "90 GB of 100 GB" {
		t.Errorf("%q: %q", d.Title, d.About)
	}
	if over := Memory(phrase.Phrases{}, 100e9, 90e9, 10e9, 5); !strings.Contains(over.About, "Does not fit 40 GB") {
		t.Error(over.About)
	}
	many := Memory(phrase.Phrases{}, 1e12, 1e9, 1e6, 1e5)
	if strings.Count(markup.HTML(many.Root), "<rect") > mostCells+8 {
		t.Error("a cell for each of too many sequences")
	}
	for _, odd := range [][4]float64{{0, 0, 0, 0}, {0, 1, 1, 1}, {1, 0, 0, 0}} {
		if svg := markup.HTML(Memory(phrase.Phrases{}, odd[0], odd[1], odd[2], odd[3]).Root); strings.Contains(svg, "NaN") {
			t.Error(odd, svg)
		}
	}
}
