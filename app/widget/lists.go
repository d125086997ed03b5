package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget/address"
)

// A table of a list ranks its entries as the reader wants, shows the first of them, and lets the reader choose one.

// longCell is from how many letters on the text of a cell is a sentence, which takes several lines.
const longCell = 48

// mostLines is how many entries a table shows when the reader asks for all.
const mostLines = 500

// shownList is a table of a list as it stands: all its entries in order, and the columns of those that are shown.
type shownList struct {
	data    *sheet.ListData
	lines   []sheet.ListRow
	columns []listColumn
	first   int // how many lines are the first of the order; the chosen one may stand behind them
	chosen  int // the line that the reader has chosen, -1 for none
	all     int // entries, of which the reader may look for some
	sought  bool
}

func allKey(i int) string { return partKey("all", strconv.Itoa(i)) }

// list is table i as it stands.
func (v *View) list(i int) *shownList {
	s := v.lines(i)
	s.columns = listColumns(v.phrases(), s.data, s.lines)
	v.star(v.Sheet.Tables[i], s)
	return s
}

// lines is table i without what its cells say.
func (v *View) lines(i int) *shownList {
	t := v.Sheet.Tables[i]
	s := &shownList{data: v.Result.ListData(t, v.order(i)), chosen: -1}
	s.all = len(s.data.Rows)
	s.sought = v.filter(i, s.data)
	lines, top := s.data.Rows, mostLines
	if t.Top > 0 && !s.sought && !v.open[allKey(i)] {
		top = t.Top
	}
	s.first = min(len(lines), top)
	s.lines = lines[:s.first]
	if row := v.row(t.Chooses); t.Chooses != "" && row != nil && row.Err == nil {
		s.chosen = slices.IndexFunc(lines, func(l sheet.ListRow) bool { return l.Entry.Equal(row.Value) })
	}
	if s.chosen >= len(s.lines) { // what is chosen stays in sight
		s.lines = append(s.lines[:len(s.lines):len(s.lines)], lines[s.chosen])
		s.chosen = len(s.lines) - 1
	}
	return s
}

// star marks the cells that would be others without the constants that the reader set. Long work is not done twice for
// it.
func (v *state) star(t *sheet.Table, s *shownList) {
	if len(v.Sheet.Changed(v.State)) == 0 || v.Sheet.Long() {
		return
	}
	if v.published.rev != v.rev || v.published.result == nil {
		v.published.rev, v.published.result = v.rev, v.Sheet.Eval(v.Sheet.Published(v.State))
	}
	was := v.published.result.ListData(t, sheet.Order{})
	for r, line := range s.lines {
		i := slices.IndexFunc(was.Rows, func(x sheet.ListRow) bool { return x.Entry.Equal(line.Entry) })
		if i < 0 {
			continue
		}
		for c := range s.columns {
			column := &s.columns[c]
			before := was.Rows[i].Cells[column.field]
			cell := &column.cells[r]
			cell.edited = cell.err == nil && (before.Err != nil || !before.Value.Equal(cell.value))
		}
	}
}

// listTable is a table of a list.
func (v *View) listTable(i int) *Node {
	t, id := v.Sheet.Tables[i], v.id("table", strconv.Itoa(i+1))
	s := v.list(i)
	caption := v.caption(t.Caption)
	if caption == "" {
		caption = v.called(t.List)
	}
	if s.data.Err != nil {
		return el("div", class("list"), el("p", class("none"), spoken(v.say("widget.no-table", "why", s.data.Err))))
	}
	head := el("tr")
	for c := range s.columns {
		head.Kids = append(head.Kids, v.listHead(i, &s.columns[c], c > 0))
	}
	body := el("tbody", attr("translate", "no"))
	pads := make([][]int, len(s.columns))
	for c := range s.columns {
		pads[c] = s.columns[c].pads()
	}
	for r := range s.lines {
		body.Kids = append(body.Kids, v.listLine(i, s, r, pads))
	}
	n := el("div", class("list"), v.filterField(i, s),
		el("div", class("grid"), attr("role", "group"), attr("aria-labelledby", id+"-caption"), attr("tabindex", "0"),
			el("table", el("caption", attr("id", id+"-caption"), caption), el("thead", head), body)),
		v.listMore(i, s))
	n.Add(v.veil([]string{t.List}, "")...)
	return n
}

// listHead is the head of a column: a button that ranks by it, the least first, the largest first, as its author did.
func (v *state) listHead(i int, c *listColumn, further bool) *Node {
	th := el("th", attr("scope", "col"))
	if further && c.numbers {
		th.Add(class("n"))
	}
	label := []*Node{text(c.head)}
	if c.unit != "" {
		label = []*Node{text(c.head + " "), el("span", class("in"), "("+c.unit+")")}
	}
	if c.name == "" {
		th.Kids = append(th.Kids, label...)
		return th
	}
	next, sign := sheet.Order{By: c.name}, "↕"
	if now := v.order(i); now.By == c.name {
		ordered := "ascending"
		next, sign = sheet.Order{By: c.name, Desc: true}, "↑"
		if now.Desc {
			ordered, sign, next = "descending", "↓", sheet.Order{}
		}
		if author := v.Sheet.Tables[i].Order(); next == (sheet.Order{}) && author.By == c.name {
			next = sheet.Order{By: c.name, Desc: !now.Desc}
		}
		th.Add(attr("aria-sort", ordered))
	}
	th.Add(el("button", attr("type", "button"), class("sorter"),
		on("click", DoSet, sortKey(v.Sheet, i)+"="+next.String()), label,
		el("span", attr("aria-hidden", "true"), sign)))
	return th
}

// listLine is one entry; where the reader may choose it, with a radio button.
func (v *evaluated) listLine(i int, s *shownList, r int, pads [][]int) *Node {
	tr := el("tr")
	if r == s.chosen {
		tr.Add(class("now"), attr("aria-current", "true"))
	}
	for c := range s.columns {
		cell := &s.columns[c].cells[r]
		if c == 0 {
			tr.Add(el("th", attr("scope", "row"), v.listPick(i, s, r, v.cell(cell))))
			continue
		}
		td := el("td", v.cell(cell))
		kind := ""
		if len(cell.text) > longCell {
			kind = "long"
		}
		if s.columns[c].numbers {
			kind += " n"
			td.Add(maybe("data-pad", padText(pads[c][r])))
		}
		if cell.edited {
			kind += " edited"
		}
		td.Add(maybe("class", strings.TrimSpace(kind)))
		tr.Add(td)
	}
	return tr
}

func padText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (v *evaluated) cell(c *listCell) *Node {
	if c.err != nil {
		return v.lacking(c.err, c.text)
	}
	if c.edited {
		return el("span", c.text, el("span", class("edited-mark"), attr("title", v.say("widget.rests-on-yours")), "*"))
	}
	return figure.Notated(c.text)
}

// lacking is a cell without a value: a dash to the eye, unless there is more to say of it than that it has none, and
// the reason to whoever listens.
func (v *evaluated) lacking(err error, said string) *Node {
	why := v.errorText(err)
	n := el("span", class("none"), attr("title", why))
	if said == noValue(v.phrases()) {
		n.Add(el("span", attr("aria-hidden", "true"), "–"), el("span", class("visually-hidden"), why))
	} else {
		n.Add(said)
	}
	return n
}

// listMore says how many entries there are beside those that are shown, and offers them.
func (v *evaluated) listMore(i int, s *shownList) *Node {
	shown, all, top := s.first, len(s.data.Rows), v.Sheet.Tables[i].Top
	said := v.say("widget.list-first", "shown", shown, "all", all)
	if len(s.lines) > shown {
		said = v.say("widget.list-first-chosen", "shown", shown, "all", all)
	}
	switch {
	case s.sought: // said aloud too, once the reader pauses
		said = v.say("widget.list-match", "n", all, "all", s.all)
		return el("p", class("list-more"), attr("role", "status"), said)
	case all == 0:
		return el("p", class("list-more"), v.say("widget.list-empty"))
	case shown < all && shown >= mostLines:
		return el("p", class("list-more"), said)
	case shown < all:
		return el("p", class("list-more"), said+" ", tool(v.say("widget.list-show", "n", min(all, mostLines)), DoMore,
			allKey(i)))
	case top > 0 && all > top:
		return el("p", class("list-more"), v.say("widget.list-all", "all", all)+" ",
			tool(v.say("widget.list-show-first", "n", top), DoMore, allKey(i)))
	}
	return nil
}

// sortKey is the name under which an address carries the order of a table: sort.ways, and sort.ways.2 for a second
// table of the same list. Tables of a list that their author ranks by nothing are ranked together.
func sortKey(s *sheet.Sheet, i int) string {
	own, nth := s.Tables[i], 1
	for _, t := range s.Tables[:i] {
		if t.List == own.List && t.By == "" && own.By == "" {
			break
		}
		if t.List == own.List {
			nth++
		}
	}
	if nth == 1 {
		return address.SortPrefix + own.List
	}
	return address.SortPrefix + own.List + "." + strconv.Itoa(nth)
}

// sortAll is what older addresses call the order of every table that has the column: "time" the largest first, "-time"
// the least first.
const sortAll = "sort"

// setOrder is the reader ranking a table: "time" the least first, "-time" the largest first, "" as its author did.
func (v *state) setOrder(key, text string) error {
	if key == sortAll {
		text = formerOrder(text)
	}
	err, found := errUnknownInput(v.Sheet, key), false
	for i, t := range v.Sheet.Tables {
		own := sortKey(v.Sheet, i)
		if t.List == "" || own != key && key != sortAll {
			continue
		}
		o, fault := t.ParseOrder(text)
		if fault == nil {
			v.rank(own, t, o)
			found = true
		} else {
			err = fault // unless another table that is ranked together with it has the column
		}
	}
	if found {
		return nil
	}
	return err
}

// formerOrder is an order of an older address as sheets have it.
func formerOrder(text string) string {
	text = strings.ReplaceAll(text, ".", "_")
	if least, ok := strings.CutPrefix(text, "-"); ok || text == "" {
		return least
	}
	return "-" + text
}

// rank puts the table with this key into an order.
func (v *state) rank(key string, t *sheet.Table, o sheet.Order) {
	if o.By == "" || o == t.Order() {
		delete(v.orders, key)
	} else {
		v.orders[key] = o
	}
	v.rev++
}

// order is how table i is ranked now.
func (v *state) order(i int) sheet.Order {
	if o, ok := v.orders[sortKey(v.Sheet, i)]; ok {
		return o
	}
	return v.Sheet.Tables[i].Order()
}

// listControls are the radio buttons of table i.
func (v *View) listControls(i int) []Control {
	if v.Sheet.Tables[i].List == "" || !v.Result.ShowsTable(i) {
		return nil
	}
	var cs []Control
	if all, err := v.Result.Value(v.Sheet.Tables[i].List); err == nil && len(all.List) >= filtered {
		cs = append(cs, Control{ID: v.filterID(i), Value: v.fields[v.filterID(i)]})
	}
	if v.Sheet.Tables[i].Chooses == "" {
		return cs
	}
	s := v.lines(i)
	for r := range s.lines {
		value := "off"
		if r == s.chosen {
			value = "on"
		}
		cs = append(cs, Control{ID: v.radioID(i, r), Value: value})
	}
	return cs
}

// listParams are the orders that the address carries.
func (v *state) listParams() []address.Param {
	var ps []address.Param
	for i, t := range v.Sheet.Tables {
		if t.List == "" || !v.Result.ShowsTable(i) {
			continue
		}
		p := address.Param{Sheet: v.Sheet.ID, Name: sortKey(v.Sheet, i)}
		if o, ok := v.orders[p.Name]; ok {
			if p.Text = o.String(); !slices.Contains(ps, p) {
				ps = append(ps, p)
			}
		}
	}
	return ps
}

// isSortKey tells whether a name of an address is of an order, and of no input.
func (v *evaluated) isSortKey(name string) bool {
	return strings.HasPrefix(name, address.SortPrefix) || name == sortAll && v.Sheet.Input(name) == nil
}

// listPick is the first cell of a line, as the label of its radio button if the line can be chosen.
func (v *evaluated) listPick(i int, s *shownList, r int, label *Node) *Node {
	set := v.pickOf(i, s.lines[r].Entry)
	if set == "" {
		return label
	}
	return el(
		"label",
		class("pick"),
		el(
			"input",
			attr("type", "radio"),
			attr("name", v.id("table", strconv.Itoa(i+1), "pick")),
			attr("id", v.radioID(i, r)),
			attr("data-set", set),
			bare("checked", r == s.chosen),
			on("change", DoSet, set),
		),
		label,
	)
}

// radioID is the id of a radio button by its line, not by its entry: the element stays where it is when the order
// changes.
func (v *evaluated) radioID(i, line int) string {
	return v.id("table", strconv.Itoa(i+1), "line", strconv.Itoa(line+1))
}

// pickOf is what choosing an entry sets: "way=ring", or nothing if table i chooses nothing or the entry has no name.
func (v *evaluated) pickOf(i int, entry value.Value) string {
	in := v.Sheet.Input(v.Sheet.Tables[i].Chooses)
	if in == nil || entry.Kind == value.Rec && (entry.Record == nil || entry.Record.ID == "") {
		return ""
	}
	return in.Name + "=" + in.Typed(entry)
}

// A table of a list with more entries than a glance takes in has a field: it keeps the lines that have all the words
// that the reader types into it.

// filtered is from how many entries on a table has a field to filter it.
const filtered = 13

func (v *evaluated) filterID(i int) string { return v.id("table", strconv.Itoa(i+1)) + "-filter" }

// SetFilter is the reader typing into the field of a table.
func (v *state) SetFilter(id, text string) {
	v.SetField(id, text)
	v.rev++
}

// filter keeps the lines of table i that the reader looks for, and says whether they look for any.
func (v *state) filter(i int, data *sheet.ListData) bool {
	words := strings.Fields(strings.ToLower(v.fields[v.filterID(i)]))
	if len(words) == 0 || len(data.Rows) < filtered {
		return false
	}
	data.Rows = slices.DeleteFunc(data.Rows, func(line sheet.ListRow) bool {
		text := lineText(v.phrases(), data, line)
		return slices.ContainsFunc(words, func(word string) bool { return !hasWord(text, word) })
	})
	return true
}

// lineText is all that a line says, in small letters.
func lineText(l phrase.Phrases, data *sheet.ListData, line sheet.ListRow) string {
	var b strings.Builder
	for c, f := range data.Fields {
		b.WriteString(cellText(l, line, c, f.Name))
		b.WriteByte(' ')
	}
	return strings.ToLower(b.String())
}

// hasWord says whether a text has a word or a part of one. A setting is meant as a whole: tp=1 is not tp=16, and tp=2
// is also the TP2 of a layout. Plans are written without degrees of 1.
func hasWord(text, word string) bool {
	name, setting, _ := strings.Cut(word, "=")
	if setting == "" {
		return strings.Contains(text, word)
	}
	for _, w := range strings.Fields(text) {
		rest, found := strings.CutPrefix(w, name)
		if found && rest != "" && strings.IndexByte("=0123456789", rest[0]) >= 0 {
			return strings.TrimPrefix(rest, "=") == setting
		}
	}
	return setting == "1" && strings.ContainsAny(text, "=×")
}

// filterField is the field of table i, if it has one.
func (v *state) filterField(i int, s *shownList) *Node {
	if s.all < filtered {
		return nil
	}
	id := v.filterID(i)
	return el("p", class("list-filter"), el("label", attr("for", id), v.say("widget.list-filter"), " "),
		el("input", attr("type", "search"), class("field"), attr("id", id), attr("autocomplete", "off"),
			attr("spellcheck", "false"), attr("value", v.fields[id]), on("input", DoFilter, id)))
}
