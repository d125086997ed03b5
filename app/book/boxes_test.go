package book

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTextFitsItsBox: in the still figures, a label that stands within a box stays within its sides, also with the
// larger letters of a phone.
func TestTextFitsItsBox(t *testing.T) {
	figures, _ := filepath.Glob("../../content/figures/*.svg")
	held := 0
	for _, name := range figures {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `class="fig"`) {
			continue // a picture without words
		}
		p, err := readDrawing("", string(text), true)
		if err != nil {
			t.Fatal(name, err)
		}
		boxes := boxesOf(string(text))
		for _, l := range p.labels {
			box, within := boxAround(boxes, (l.x0+l.x1)/2, (l.y0+l.y1)/2)
			if !within || !l.level {
				continue
			}
			held++
			if l.x0 < box[0]-1 || l.x1 > box[2]+1 {
				t.Errorf("%s: %q, from %.0f to %.0f, is wider than its box, from %.0f to %.0f", filepath.Base(name),
					l.text, l.x0, l.x1, box[0], box[2])
			}
		}
	}
	if held < 50 {
		t.Errorf("only %d labels stand in a box", held)
	}
}

// boxesOf are the rectangles of a picture: left, top, right, bottom.
func boxesOf(svg string) (boxes [][4]float64) {
	groups := []affine{{a: 1, d: 1}}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err != nil {
			return boxes
		}
		switch token := token.(type) {
		case xml.StartElement:
			attrs := map[string]string{}
			for _, a := range token.Attr {
				attrs[a.Name.Local] = a.Value
			}
			m := groups[len(groups)-1].with(attrs["transform"])
			groups = append(groups, m)
			if token.Name.Local == "rect" {
				of := func(name string) float64 { v, _ := strconv.ParseFloat(attrs[name], 64); return v }
				x0, y0 := m.at(of("x"), of("y"))
				x1, y1 := m.at(of("x")+of("width"), of("y")+of("height"))
				boxes = append(boxes, [4]float64{x0, y0, x1, y1})
			}
		case xml.EndElement:
			groups = slices.Delete(groups, len(groups)-1, len(groups))
		}
	}
}

// boxAround is the smallest box that a place lies in.
func boxAround(boxes [][4]float64, x, y float64) (least [4]float64, found bool) {
	area := func(b [4]float64) float64 { return (b[2] - b[0]) * (b[3] - b[1]) }
	for _, b := range boxes {
		if x > b[0] && x < b[2] && y > b[1] && y < b[3] && (!found || area(b) < area(least)) {
			least, found = b, true
		}
	}
	return least, found
}
