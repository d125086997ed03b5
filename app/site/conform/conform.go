// Package conform holds pages to what neither the checker of the HTML standard nor axe reports: the book's own
// Content-Security-Policy, which forbids style attributes and inline handlers, one h1 a page, no heading level left
// out, and elements that are closed where they are written to be, so that no parser moves one.
package conform

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// maxFaults is how many faults of one page are listed.
const maxFaults = 50

// void are the elements without an end tag that the book's pages use.
const void = " area base br col embed hr img input link meta source track wbr "

// Check lists what is wrong with a page.
func Check(page []byte) []string {
	c := &checker{}
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return c.end()
		case html.StartTagToken, html.SelfClosingTagToken:
			c.start(z.Token(), kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			c.close(z.Token().Data)
		}
	}
}

// checker is a page under way.
type checker struct {
	faults []string
	open   []string // the elements that are open
	level  int      // of the last heading
	tops   int      // headings of the first level
}

func (c *checker) fault(format string, args ...any) {
	if len(c.faults) < maxFaults {
		c.faults = append(c.faults, fmt.Sprintf(format, args...))
	}
}

// start checks a start tag.
func (c *checker) start(t html.Token, closed bool) {
	for _, a := range t.Attr {
		if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
			c.fault("<%s> has %s, which the page's policy forbids", t.Data, a.Key)
		}
	}
	if len(t.Data) == 2 && t.Data[0] == 'h' && '1' <= t.Data[1] && t.Data[1] <= '6' {
		c.heading(int(t.Data[1] - '0'))
	}
	if !closed && !strings.Contains(void, " "+t.Data+" ") {
		c.open = append(c.open, t.Data)
	}
}

// heading checks that a heading is at most one level below the last.
func (c *checker) heading(level int) {
	if level > c.level+1 {
		c.fault("a heading of level %d follows one of level %d", level, c.level)
	}
	if level == 1 {
		c.tops++
	}
	c.level = level
}

// close checks that an end tag closes the element that is open.
func (c *checker) close(name string) {
	last := len(c.open) - 1
	if last < 0 || c.open[last] != name {
		c.fault("</%s> closes nothing here; open are %s", name, strings.Join(c.open, " "))
		return
	}
	c.open = c.open[:last]
}

// end checks what only the whole page shows.
func (c *checker) end() []string {
	if len(c.open) > 0 {
		c.fault("<%s> is not closed", c.open[len(c.open)-1])
	}
	if c.tops != 1 {
		c.fault("%d headings of the first level; a page has one", c.tops)
	}
	return c.faults
}
