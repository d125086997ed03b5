package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
)

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
func (v *View) setOrder(key, text string) error {
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
func (v *View) rank(key string, t *sheet.Table, o sheet.Order) {
	if o.By == "" || o == t.Order() {
		delete(v.orders, key)
	} else {
		v.orders[key] = o
	}
	v.rev++
}

// order is how table i is ranked now.
func (v *View) order(i int) sheet.Order {
	if o, ok := v.orders[sortKey(v.Sheet, i)]; ok {
		return o
	}
	return v.Sheet.Tables[i].Order()
}

// listControls are the radio buttons of table i.
func (v *View) listControls(i int) []Control {
	if v.Sheet.Tables[i].Chooses == "" || !v.Result.ShowsTable(i) {
		return nil
	}
	var cs []Control
	s := v.list(i)
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
func (v *View) listParams() []address.Param {
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
func (v *View) isSortKey(name string) bool {
	return strings.HasPrefix(name, address.SortPrefix) || name == sortAll && v.Sheet.Input(name) == nil
}
