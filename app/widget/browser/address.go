//go:build js && wasm

package browser

import (
	"slices"
	"syscall/js"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/widget/address"
)

// readAddress decodes the state in the address and reports what is meant for no sheet of this page.
func (p *page) readAddress() {
	search := get(global, "location", "search").String()
	if search == "" {
		return
	}
	ps, others, problems := address.Decode(search)
	ps, p.others = p.alone(ps, others)
	for _, x := range ps {
		known := slices.ContainsFunc(p.queue, func(s js.Value) bool { return attribute(s, "data-sheet") == x.Sheet })
		if known {
			p.params = append(p.params, x)
		} else {
			problems = append(problems, phrase.New("browser.address-elsewhere", "sheet", x.Sheet, "name", x.Name))
		}
	}
	p.report(p.texts(problems))
}

// writeAddress lets the address carry what the reader changed. What waits for a sheet that isn't live yet stays.
func (p *page) writeAddress() {
	var ps []address.Param
	for _, x := range p.params {
		if p.island(x.Sheet) == nil {
			ps = append(ps, x)
		}
	}
	for _, c := range p.islands {
		if c.inPage() {
			ps = append(ps, c.view.Params()...)
		}
	}
	p.reportLeftOut(address.LeftOut(ps))
	location := get(global, "location")
	url := get(location, "pathname").String() + address.Query(ps, p.others) + get(location, "hash").String()
	history := get(global, "history")
	defer func() { _ = recover() }() // browsers limit how often this may be called; the next change will catch up
	history.Call("replaceState", get(history, "state"), "", url)
}

// reportLeftOut tells the reader, once for each input, what a link to this page would not carry.
func (p *page) reportLeftOut(left []address.Param) {
	for _, x := range left {
		if key := x.Sheet + "." + x.Name; !slices.Contains(p.unsaid, key) {
			p.unsaid = append(p.unsaid, key)
			p.report(p.texts([]*phrase.Phrase{phrase.New("browser.address-no-room", "sheet", x.Sheet, "name", x.Name)}))
		}
	}
}
