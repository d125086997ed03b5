package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// A picture stands where a reader who moves an input sees it: above the working of a sheet, if that is long. Openings
// and heroes have it beside their inputs.
func TestPicturesAreAboveLongWorking(t *testing.T) {
	t.Parallel()
	const long = 6 // rows, some 350 pixels
	checked := 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		if strings.HasPrefix(name, "embed/") || name == "language/index.html" { // examples, as their sources have them
			continue
		}
		for _, s := range plainSheets(doc) {
			order := picturesAndRows(s)
			rows := strings.Count(order, "r")
			if rows == len(order) || rows == 0 {
				continue
			}
			id, _ := attr(s, "id")
			if checked++; rows >= long && order[0] == 'r' {
				t.Errorf("%s#%s: the first picture stands below %d rows; put it after the inputs", name, id, rows)
			}
		}
	}
	if checked < 40 { // others have many inputs, and stand beside their plots as heroes do
		t.Errorf("only %d sheets with a picture", checked)
	}
}

// Ticks of time are round in the unit that they are printed in: 10 min, and not 16.7 min for 1000 s; so are those of
// prices: $1.00/hour, and not $0.72/hour for $0.0002 a second.
func TestTicksOfTimeAreRound(t *testing.T) {
	t.Parallel()
	times, odd := regexp.MustCompile(`^[0-9.]+\s(min|hours?|days?|years?)$`), regexp.MustCompile(`\.[0-9]`)
	prices, oddPrice := regexp.MustCompile(`^\$.*/hour$`), regexp.MustCompile(`[1-9][.,]?[0-9]*[1-9]`)
	checked, priced := 0, 0
	for name, doc := range pagesOf(t, render(t, realBook)) {
		for n := range doc.Descendants() {
			if class, _ := attr(n, "class"); class != "ticks" {
				continue
			}
			for text := range n.Descendants() {
				isOdd := odd
				switch {
				case text.Type == html.TextNode && times.MatchString(text.Data):
					checked++
				case text.Type == html.TextNode && prices.MatchString(text.Data):
					priced++
					isOdd = oddPrice
				default:
					continue
				}
				if isOdd.MatchString(text.Data) {
					t.Errorf("%s: an axis has the tick %q", name, text.Data)
				}
			}
		}
	}
	if checked < 6 || priced < 3 {
		t.Errorf("only %d ticks of time, %d of prices", checked, priced)
	}
}

// Each instrument that the first page lists has its picture there.
func TestInstrumentsHavePictures(t *testing.T) {
	t.Parallel()
	var cards, pictures int
	var walk func(n *html.Node, in bool)
	walk = func(n *html.Node, in bool) {
		class, _ := attr(n, "class")
		if in = in || class == "home-tools"; in && n.Data == "li" {
			cards++
		}
		if in && n.Data == "svg" {
			pictures++
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			walk(k, in)
		}
	}
	walk(pagesOf(t, render(t, realBook))["index.html"], false)
	if cards < 10 || pictures != cards {
		t.Errorf("%d cards, %d pictures", cards, pictures)
	}
}

// plainSheets are the calculators of a page that are neither an opening nor a hero.
func plainSheets(n *html.Node) (all []*html.Node) {
	if id, is := attr(n, "data-sheet"); is && n.Data == "section" && id != "" {
		if _, large := attr(n, "data-size"); !large {
			return []*html.Node{n}
		}
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		all = append(all, plainSheets(k)...)
	}
	return all
}

// picturesAndRows has a p for each picture and an r for each row that isn't folded, in the order of the page.
func picturesAndRows(n *html.Node) (order string) {
	class, _ := attr(n, "class")
	switch classes := strings.Fields(class); {
	case slices.Contains(classes, "row"):
		return "r"
	case n.Data == "details", n.Data == "template":
		return ""
	case slices.Contains(classes, "plot"), slices.Contains(classes, "drawing"):
		return "p"
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		order += picturesAndRows(k)
	}
	return order
}
