package widget

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/spell"
	"github.com/scalebook/scalebook/app/widget/address"
)

// The things a reader can do; Act.Do is one of them.
const (
	DoInput      = "input"     // typed into an input's field, or chose: On is the variable
	DoSlide      = "slide"     // moved a slider
	DoKey        = "key"       // pressed a key in an input's field or slider
	DoUndo       = "undo"      // put an input back
	DoReset      = "reset"     // put all back
	DoToggle     = "toggle"    // opened or closed a <details>: On is its key
	DoToggleAll  = "toggleall" // opened or closed every working
	DoCopy       = "copy"      // On: link, text, markdown, csv or embed
	DoField      = "field"     // typed into another field: On is the element's id
	DoGuess      = "guess"     // committed to an estimate: On is the row
	DoChoose     = "choose"    // chose an answer: On is the row, =, and the answer
	DoSymbol     = "symbol"    // puts a symbol behind a formula: On is the row, =, and the symbol
	DoReveal     = "tell"      // gave up guessing
	DoGuessAgain = "again"     // wants to guess again
	DoRenew      = "renew"     // wants to be asked with other numbers
	DoFilter     = "filter"    // typed into the field of a table: On is the element's id
	DoGoal       = "goal"      // wants an input that gives a row a value: On is the row
	DoRead       = "read"      // moved the reading line of a plot with the keyboard: On is the part's key
	DoPoint      = "point"     // pointed at a plot
	DoLeave      = "leave"     // stopped pointing at it
	DoPad        = "pad"       // opens the sheet in the scratch pad
	DoDismiss    = "dismiss"   // put the notices away
	DoSet        = "set"       // pressed what sets an input, or ranks a table: On is "name=value"
	DoHalt       = "halt"      // stops long work, or goes on with it: On is the row
	DoMore       = "show"      // wants to see all of a list, or the first of it again: On is a key
	DoPull       = "pull"      // moved what a pointer has hold of in a figure
	DoPick       = "pick"      // clicked in a figure; what was hit says which input it sets
	DoAdd        = "add"       // chose one more of several: On is the variable
	DoDrop       = "drop"      // took one out: On is "name id"
	DoStep       = "step"      // pressed a button of a stepper: On is "name first", back, play, next or last
	DoKeys       = "stepkey"   // pressed a key in a stepper
	DoFile       = "file"      // chose a file for a document: On is the variable
	DoPaste      = "paste"     // pasted a text into a document
	DoOver       = "over"      // dragged something over it
	DoLand       = "land"      // let it fall there
	DoRestart    = "restart"   // wants a calculator that failed to begin anew
)

// head is the title with what can be done to the whole sheet.
func (v *View) head() *Node {
	title := v.Sheet.Title
	if title == "" {
		title = v.Sheet.ID
	}
	return el("header", class("sheet-head"),
		el(cmp.Or(v.Heading, "h3"), class("sheet-title"), attr("id", v.Sheet.ID+"-title"), title),
		el("div", class("sheet-tools"), attr("role", "group"), attr("aria-label", v.say("widget.tools")),
			tool(v.say("widget.reset"), DoReset, "", bare("disabled", len(v.typed) == 0 && len(v.orders) == 0)),
			tool(v.say("widget.link"), DoCopy, "link", attr("aria-label", v.say("widget.link-long"))),
			v.menu(),
			el("span", class("copied"), attr("aria-hidden", "true"), v.copied)))
}

func (v *View) menu() *Node {
	all, what := v.say("widget.open-every-working"), "open"
	if v.allOpen() {
		all, what = v.say("widget.close-every-working"), "close"
	}
	var use, edit *Node
	if v.Sheet.ID != address.PadID {
		use, edit = tool(v.say("widget.use-this-calculator"), DoCopy, "embed"),
			tool(v.say("widget.open-in-the-scratch-pad"), DoPad, "")
	}
	return el("details", class("menu"), attr("data-key", "menu"), bare("open", v.open["menu"]),
		on("toggle", DoToggle, "menu"), on("keydown", DoKey, "menu"),
		el("summary", class("tool"), v.say("widget.copy-menu")),
		el("div", class("menu-list"),
			tool(v.say("widget.copy-as-text"), DoCopy, "text"),
			tool(v.say("widget.copy-as-markdown"), DoCopy, "markdown"),
			tool(v.say("widget.copy-as-csv"), DoCopy, "csv"),
			use,
			tool(all, DoToggleAll, what),
			edit))
}

func tool(label, do, what string, more ...any) *Node {
	parts := append([]any{attr("type", "button"), class("tool"), on("click", do, what)}, more...)
	return el("button", append(parts, label)...)
}

func (v *View) allOpen() bool {
	rows := v.rows()
	for _, row := range rows {
		if !v.open[rowKey(row.Def.Name)] {
			return false
		}
	}
	return len(rows) > 0
}

// noticeBox says what was wrong with the address, below the head until the reader dismisses it.
func (v *View) noticeBox() *Node {
	box := el("div", class("notices"))
	if len(v.notices) == 0 {
		return box
	}
	note := el("div", class("sheet-notice"), attr("role", "alert"))
	for _, n := range v.notices {
		note.Kids = append(note.Kids, el("p", spoken(sentence(n))))
	}
	note.Kids = append(note.Kids, tool(v.say("widget.dismiss"), DoDismiss, ""))
	box.Kids = append(box.Kids, note)
	return box
}

// Notice shows messages in the sheet until the reader dismisses them.
func (v *news) Notice(messages []string) { v.notices = append(v.notices, messages...) }

// Dismiss puts the notices away.
func (v *news) Dismiss() { v.notices = nil }

// Failure is what stands in the place of a calculator that failed.
func Failure(l phrase.Phrases, message string) *Node {
	return el("div", class("sheet-failed"), attr("role", "alert"),
		el("p", l.Say("widget.stopped", "why", message)),
		tool(l.Say("widget.restart"), DoRestart, ""))
}

// Copied says beside the menu what became of copying.
func (v *news) Copied(said string) { v.copied = said }

// statusNode is what a screen reader hears of a change.
func (v *news) statusNode() *Node {
	return el("p", class("sheet-status visually-hidden"), attr("role", "status"), attr("aria-live", "polite"), v.status)
}

// Say is the next thing a screen reader is given.
func (v *news) Say(text string) { v.status = text }

// Summary tells the main results in one sentence: what was refused, where steppers stand, what figures show, and the
// results that nothing else uses, three at most.
func (v *built) Summary() string {
	var said []string
	for _, in := range v.Sheet.Inputs {
		if e := v.fault(in.Name); e != "" {
			said = append(said, v.about(in.Name, el("span", spoken(e)).TextContent()))
		}
		if in = v.fitted(in.Name); in.Form() == input.StepForm && !in.Absent {
			said = append(said, v.about(in.Name, v.stepText(in)))
		}
	}
	if own := len(v.Sheet.Changed(v.State)); own > 0 {
		said = append(said, v.phrases().Count(own, "widget.yours"))
	}
	for i := range v.Sheet.Figures {
		if d := v.drawFigure(i); d.err == nil && d.drawing.Now != "" && v.Result.ShowsFigure(i) {
			said = append(said, strings.TrimSuffix(d.drawing.Now, "."))
		}
	}
	names := slices.DeleteFunc(leaves(v.Sheet), func(name string) bool {
		row := v.row(name)
		return row == nil || row.Absent || v.Veiled(name)
	})
	for _, name := range names[max(0, len(names)-3):] {
		said = append(said, v.about(name, v.rowText(v.row(name))))
	}
	return strings.Join(said, "; ") + "."
}

// A page of another site may give a calculator values of its own to start with. For the reader those are the defaults:
// they count as no edit, and undoing and resetting come back to them.

// Host sets inputs from the parameters that the page around gives, as Apply does, and takes them for the defaults.
func (v *state) Host(ps []address.Param) (problems []*phrase.Phrase) {
	problems = v.Apply(ps)
	for _, p := range v.today(ps) {
		if text, ok := v.typed[p.Name]; ok && v.errs[p.Name] == "" && v.fitted(p.Name) != nil {
			v.hosted[p.Name] = text
			delete(v.typed, p.Name)
		}
	}
	return problems
}

// startText is the text that a field holds before its reader changes it.
func (v *state) startText(in *input.Input) string {
	if text, ok := v.hosted[in.Name]; ok {
		return text
	}
	if in.Form() != input.NumberForm {
		return followText(in)
	}
	// Which digits mean a number exactly takes many tries, and most numbers stay as they are.
	t := v.starts[in.Name]
	if t == nil || t.of != in.Default.Num {
		t = &numberStart{in.Default.Num, followText(in)}
		v.starts[in.Name] = t
	}
	return t.text
}

// numberStart is the text of a number that an input begins with.
type numberStart struct {
	of   quantity.Quantity
	text string
}

// startName is the value that an input begins with, as its control shows it.
func (v *View) startName(in *input.Input) string {
	text, ok := v.hosted[in.Name]
	if !ok {
		return controlOf(in).shows(v, in, in.Default)
	}
	if o := in.Option(text); o != nil && !in.Open() {
		return v.word(o)
	}
	return text
}

// started is a state with an input as it began.
func (v *state) started(st input.State, name string) input.State {
	if text, ok := v.hosted[name]; ok {
		if with, err := v.Sheet.Set(st, name, text); err == nil {
			return with
		}
	}
	return v.Sheet.Without(st, name)
}

// startState is the state in which all inputs are as they began.
func (v *state) startState() input.State {
	var st input.State
	for _, name := range v.Sheet.Order() {
		if _, ok := v.hosted[name]; ok {
			st = v.started(st, name)
		}
	}
	return st
}

// phrases is the language in which the view speaks: that of its sheet.
func (v *evaluated) phrases() phrase.Phrases { return v.Sheet.Phrases() }

// say is a sentence for the reader.
func (v *evaluated) say(key string, gaps ...any) string { return v.phrases().Say(key, gaps...) }

// errorText is an error for the reader.
func (v *evaluated) errorText(err error) string { return v.phrases().Text(err) }

// spoken is a message as nodes: what stands between backticks is set as code.
func spoken(message string) []*Node {
	var nodes []*Node
	for i, part := range strings.Split(message, "`") {
		switch {
		case part == "":
		case i%2 == 1:
			nodes = append(nodes, el("code", part))
		default:
			nodes = append(nodes, linked(part)...)
		}
	}
	return nodes
}

// linked is a part of a message, with links to pages of the book as such: [“Reading profiles”](profiling/). Whatever
// stands in brackets there is a path below the book's own.
func linked(part string) []*Node {
	before, rest, _ := strings.Cut(part, "[“")
	title, after, found := strings.Cut(rest, "](")
	path, behind, closed := strings.Cut(after, ")")
	if !found || !closed {
		return []*Node{text(part)}
	}
	return append([]*Node{text(before), el("a", attr("href", "../"+path), "“"+title)}, linked(behind)...)
}

// about is what is said of an input or a row, behind its label.
func (v *evaluated) about(name, said string) string {
	return v.say("widget.about", "subject", v.called(name), "said", said)
}

// around is a sentence with an element in its gap {name}.
func (v *evaluated) around(key string, n *Node) []*Node {
	before, after, _ := strings.Cut(v.say(key, "name", "\x00"), "\x00")
	return []*Node{text(before), n, text(after)}
}

// mark is a sentence as Markdown; text is what stands in its gap.
func (v *evaluated) mark(key string, text any) string {
	return v.say(key, "text", mdCell(v.phrases().Text(text)))
}

// rowText is a row for a reader: its value, or that it has none.
func (v *evaluated) rowText(row *expr.Row) string { return rowText(v.phrases(), row) }

// Problem is how a reader is informed of a part of the address that can't be taken.
func Problem(name, text string, err error) *phrase.Phrase {
	return phrase.New("widget.address-refused", "name", name, "text", spell.Clip(text, 40), "why", err)
}
