package modelcard

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// card remembers what it has read last: a text of a megabyte is looked at again with every change of anything else.
type card struct {
	mu   sync.Mutex
	last [2]reading // the newest first; two, because one that is refused leaves the one before in use
}

type reading struct {
	text string
	im   *config.Import
	err  error
}

// read is config.Read.
func (c *card) read(text string) (*config.Import, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := &c.last[1]; c.last[0].text != text && r.text == text {
		c.last[0], c.last[1] = *r, c.last[0]
	}
	if r := &c.last[0]; text != "" && r.text == text {
		return r.im, r.err
	}
	im, err := config.Read([]byte(text))
	c.last[0], c.last[1] = reading{text, &im, err}, c.last[0]
	return &im, err
}

// check refuses what is no model.
func (c *card) check(_ *instrument.State, text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	_, err := c.read(text)
	var at *config.Error
	if !errors.As(err, &at) {
		return err
	}
	where := "line " + strconv.Itoa(at.Pos.Line) + ", column " + strconv.Itoa(at.Pos.Col)
	if there := excerpt(text, at.Pos); there != "" {
		where += ", at “" + there + "”"
	}
	return errors.New(where + ": " + at.What + "; " + at.Remedy)
}

// excerpt is what stands at a place of a text: a line, or of a long one what follows the place.
func excerpt(text string, at config.Pos) string {
	for range at.Line - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	line, _, _ := strings.Cut(text, "\n")
	const most = 40
	if len(line) > most {
		skipped := 1
		for i := range line {
			if skipped == at.Col {
				line = line[i:]
				break
			}
			skipped++
		}
	}
	if line = config.Printable(strings.TrimSpace(line), most); utf8.RuneCountInString(line) < 3 {
		return ""
	}
	return line
}

// follow shows a model as soon as it has been read, and goes back when it is taken away.
func (c *card) follow(s *instrument.State) []instrument.Change {
	shown := s.Text("model") == own || s.Text("other") == own
	switch empty := strings.TrimSpace(s.Text("config")) == ""; {
	case empty && s.Text("model") == own:
		return []instrument.Change{{Name: "model"}}
	case empty && s.Text("other") == own:
		return []instrument.Change{{Name: "other"}}
	case !empty && !shown:
		return []instrument.Change{{Name: "model", Text: own}}
	}
	return nil
}

// document is the place where a file comes in, and the account of it.
func document(s *instrument.State, all []*subject) *instrument.Node {
	open := false
	fold := s.Fold("config", "Read a config.json of your own", false, func(printed bool) []*instrument.Node {
		if printed {
			return []*instrument.Node{instrument.Note("Paste or drop a config.json as Hugging Face repositories have it, once this page’s calculator runs. It is read here and sent nowhere.")}
		}
		open = true
		return []*instrument.Node{s.Control("config")}
	})
	box := instrument.El("div", instrument.Class("part drop-zone"), widget.On("dragover", widget.DoOver, "config"), widget.On("drop", widget.DoLand, "config"), fold)
	if why := s.Refused("config"); why != "" && !open { // a file can be dropped on the closed fold, too
		box.Kids = append(box.Kids, instrument.El("p", instrument.Class("note error"), widget.Sentence(why)))
	}
	for _, x := range all {
		if x.own {
			box.Kids = append(box.Kids, account(s, x)...)
		}
	}
	if waiting(s) {
		box.Kids = append(box.Kids, instrument.Note("No config.json has been read yet. Links don’t carry one: open the line above and paste it, or choose a model of the catalog."))
	}
	return box
}

// waiting says whether a file is asked for that is not there.
func waiting(s *instrument.State) bool {
	return strings.TrimSpace(s.Text("config")) == "" && (s.Text("model") == own || s.Text("other") == own)
}

// account is what became of a file's fields.
func account(s *instrument.State, x *subject) []*instrument.Node {
	said := "Read as " + x.im.Family
	if a := x.im.Architecture; a != "" {
		said += ", " + a
	}
	nodes := []*instrument.Node{instrument.Note(said + ": " + strconv.Itoa(len(x.im.Understood)) + " fields understood, " + strconv.Itoa(len(x.im.Ignored)) + " ignored, " +
		strconv.Itoa(len(x.im.Missing)) + " missing and assumed, " + strconv.Itoa(len(x.im.Unknown)) + " unknown; " + doubts(len(x.im.Doubts)) + ".")}
	if len(x.im.Doubts) > 0 {
		nodes = append(nodes, notes("What may make these numbers wrong", x.im.Doubts))
	}
	for _, l := range []struct {
		key, title string
		notes      []config.Note
	}{
		{"missing", "Missing, and assumed", x.im.Missing}, {"unknown", "Unknown", x.im.Unknown},
		{"understood", "Understood", x.im.Understood}, {"ignored", "Ignored: nothing here depends on it", x.im.Ignored},
	} {
		if len(l.notes) > 0 {
			nodes = append(nodes, s.Fold(l.key, l.title+" ("+strconv.Itoa(len(l.notes))+")", false, func(bool) []*instrument.Node {
				return []*instrument.Node{notes("", l.notes)}
			}))
		}
	}
	return nodes
}

func doubts(n int) string {
	switch n {
	case 0:
		return "no doubts"
	case 1:
		return "one doubt"
	}
	return strconv.Itoa(n) + " doubts"
}

// notes is a list of fields with what is said of each. They come from a file: texts, never markup.
func notes(title string, all []config.Note) *instrument.Node {
	box := instrument.El("div", instrument.Class("account"))
	if title != "" {
		box.Kids = append(box.Kids, instrument.El("p", instrument.Class("account-title"), title))
	}
	list := instrument.El("ul", instrument.At("translate", "no"))
	for _, n := range all {
		li := instrument.El("li")
		if n.Field != "" {
			li.Kids = append(li.Kids, instrument.El("code", n.Field), widget.TextNode(" "))
		}
		li.Kids = append(li.Kids, widget.TextNode(n.Text))
		list.Kids = append(list.Kids, li)
	}
	box.Kids = append(box.Kids, list)
	return box
}
