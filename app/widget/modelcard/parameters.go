package modelcard

import (
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// parameters is the picture, the parts as a table, and the three ways to count.
func parameters(s *instrument.State, all []*subject) *instrument.Node {
	var drawn []*instrument.Node
	for _, x := range all {
		drawn = append(drawn, figure.Strip(x.Name, x.Model).Root)
	}
	picture := instrument.El("figure", instrument.Class("strips"), drawn,
		instrument.El("figcaption", "As wide as its parameters, as full as a token uses them: pale are experts that it is not sent to, hatched the tables of which it reads one row."))
	return section(s, "Parameters by part", picture, partTable(s, all), countTable(s, all), whyCountsDiffer(s, all))
}

func partTable(s *instrument.State, all []*subject) *instrument.Node {
	t := instrument.Table{Key: "parts", Caption: "By part", Heads: heads("Part", all, "parameters", "share", "a token uses")}
	var lists [][]model.Part
	for _, x := range all {
		lists = append(lists, x.Model.Parts())
	}
	for i := range lists[0] {
		name, any := lists[0][i].Name, false
		var cells []instrument.Cell
		for j, x := range all {
			p := lists[j][i]
			any = any || p.Stored > 0
			if p.Name != name {
				name = "Unembedding"
			}
			if p.Stored == 0 {
				cells = append(cells, instrument.Say("–"), instrument.Say("–"), instrument.Say("–"))
				continue
			}
			uses := instrument.Q(plain(p.Used))
			if p.Lookup {
				uses = instrument.Say("one row")
			}
			cells = append(cells, instrument.Q(plain(p.Stored)), instrument.Cell{Text: percent(p.Stored, x.Total()), Num: p.Stored / x.Total()}, uses)
		}
		if any {
			t.Rows = append(t.Rows, append([]instrument.Cell{instrument.Say(name)}, cells...))
		}
	}
	return s.Table(t)
}

// countTable is the three counts in full, and what the publisher prints.
func countTable(s *instrument.State, all []*subject) *instrument.Node {
	t := instrument.Table{Key: "counts", Caption: "Three ways to count", Heads: heads("", all, "counted", "published")}
	t.Heads[0].Text = "Count"
	for i, label := range []string{"All that are stored", "Active: what a token uses", "Active, without the input embedding"} {
		row := []instrument.Cell{instrument.Say(label)}
		for _, x := range all {
			n := [...]float64{x.Total(), x.ActiveTotal(), x.ActiveWithoutLookup()}[i]
			row = append(row, instrument.Cell{Text: digits(n), Num: n}, published(x, i))
		}
		t.Rows = append(t.Rows, row)
	}
	return s.Table(t)
}

// published is what the publisher prints for one of the three counts.
func published(x *subject, i int) instrument.Cell {
	if x.known == nil {
		return instrument.Unknown("not known", "a config.json does not say")
	}
	text := x.known.PublishedTotal
	if i > 0 {
		text = ""
		if without := strings.HasSuffix(x.known.PublishedActive, " without"); without == (i == 2) {
			text = x.known.PublishedActive
		}
	}
	text, _, _ = strings.Cut(text, " ")
	if text == "" {
		return instrument.Say("–")
	}
	if len(text) > 9 && strings.Trim(text, "0123456789") == "" { // an exact count
		for i := len(text) - 3; i > 0; i -= 3 {
			text = text[:i] + "," + text[i:]
		}
	}
	return instrument.Say(text)
}

// whyCountsDiffer says what is between the three.
func whyCountsDiffer(s *instrument.State, all []*subject) *instrument.Node {
	box := instrument.El("div")
	for _, x := range all {
		said, p := "", x.Params()
		switch lookup := p.Lookup(); {
		case p.Embedding > 0:
			said += "the two active counts differ by the input embedding, V × D = " + plain(lookup).String() + ", " + percent(lookup, x.ActiveTotal()) + " of what a token uses. "
		case lookup > 0:
			said += "the two active counts differ by the learned positions, " + plain(lookup).String() + ". "
		default:
			said += "its one embedding matrix also makes the logits, so both active counts include it. "
		}
		if x.MoE.Experts == 0 {
			said += "Without experts a token uses all that is stored."
		} else {
			said += "Experts that a token is not sent to hold " + percent(x.Total()-x.ActiveTotal(), x.Total()) + " of all parameters."
		}
		if said = instrument.Capital(said); len(all) > 1 {
			said = x.Name + ": " + said
		}
		box.Kids = append(box.Kids, instrument.Note(said))
	}
	box.Kids = append(box.Kids, instrument.Note("Publishers differ: Mistral, Qwen and DeepSeek-V2 count the input embedding as active, gpt-oss and DeepSeek-V3 do not, as no arithmetic is done with it. Modules that predict further tokens, and encoders of images or sound, are not counted here."))
	return box
}
