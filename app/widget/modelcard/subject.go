package modelcard

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// subject is a model on the card.
type subject struct {
	*model.Model
	prefix string         // of the names of its results
	own    bool           // it comes from the reader's file
	im     *config.Import // what became of that
	known  *model.Known   // or what the catalog says of it
}

// subjects are the model and the one to compare it with, as far as there are such.
func (c *card) subjects(s *instrument.State) []*subject {
	var all []*subject
	for _, slot := range []struct{ control, prefix string }{{"model", ""}, {"other", "other_"}} {
		if x := c.subject(s, s.Text(slot.control)); x != nil {
			x.prefix = slot.prefix
			all = append(all, x)
		}
	}
	if len(all) == 2 && all[0].Name == all[1].Name { // tell them apart
		copied := *all[1].Model
		copied.Name += " (2)"
		all[1].Model = &copied
	}
	return all
}

// subject is the model of that id, nil if there is none.
func (c *card) subject(s *instrument.State, id string) *subject {
	if id != own {
		k, err := model.Catalog().Get(id)
		if err != nil {
			return nil
		}
		return &subject{Model: &k.Model, known: k}
	}
	text := s.Text("config")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	im, err := c.read(text)
	if err != nil {
		return nil
	}
	m := im.Model
	m.Name = called(m.Name)
	return &subject{Model: &m, own: true, im: im}
}

// called is the name of a model from a file, short enough for the heads of tables: the last of a path.
func called(name string) string {
	name = strings.TrimRight(name, "/ ")
	name = strings.TrimSpace(name[strings.LastIndexByte(name, '/')+1:])
	const most = 28
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most-1]) + "…"
	}
	if name == "" {
		return "Your model"
	}
	return name
}

// number is one number of a model, for a line of a table, and for prose where it has a name.
type number struct {
	name, label string
	of          func(x *subject) (quantity.Quantity, string) // the number, or why there is none
}

// figures are the results, as they are called for these models.
func figures(s *instrument.State, all ...*subject) []number {
	full := ""
	for _, x := range all {
		if x != nil && x.Window.Size > 0 {
			full = ", no window full"
		}
	}
	T, batch := s.Number("context"), s.Number("batch")
	w, e := element(weightTypes(), s.Text("weights")), quantity.Bytes(element(cacheTypes(), s.Text("cache")))
	p, step := pass(s)
	at := " at " + s.Quantity("context").String()
	just := func(f func(x *subject) quantity.Quantity) func(*subject) (quantity.Quantity, string) {
		return func(x *subject) (quantity.Quantity, string) { return f(x), "" }
	}
	return []number{
		{"params", "Parameters", just(func(x *subject) quantity.Quantity { return plain(x.Total()) })},
		{"active", "Active: what a token uses", just(func(x *subject) quantity.Quantity { return plain(x.ActiveTotal()) })},
		{"active_bare", "Active, without the input embedding", just(func(x *subject) quantity.Quantity { return plain(x.ActiveWithoutLookup()) })},
		{"weights", "Weights, as " + s.Text("weights"), just(func(x *subject) quantity.Quantity { return weightBytes(x, w).Quantity() })},
		{"kv_per_token", "KV cache for each token, as " + s.Text("cache") + full, just(func(x *subject) quantity.Quantity { return x.KVBytesPerToken(e).Quantity() })},
		{"kv", "KV cache of a sequence" + at, just(func(x *subject) quantity.Quantity { return x.KVBytes(T, e).Quantity() })},
		{"kv_all", "KV cache of " + s.Quantity("batch").String(), just(func(x *subject) quantity.Quantity { return (quantity.Bytes(batch) * x.KVBytes(T, e)).Quantity() })},
		{"flops", "Operations for a token" + at + ", " + step, just(func(x *subject) quantity.Quantity { return x.FLOPsPerToken(T, mask(s), p).Quantity() })},
		{"crossover", "Attention overtakes the layers’ matmuls at", func(x *subject) (quantity.Quantity, string) {
			at, err := x.CrossoverContext(mask(s))
			if err != nil {
				return quantity.Quantity{Value: math.NaN()}, "never"
			}
			return quantity.Quantity{Value: math.Round(at), Label: quantity.Label{Over: "token"}}, ""
		}},
	}
}

func plain(x float64) quantity.Quantity { return quantity.Quantity{Value: x} }

// weightBytes are those of all parameters in one format.
func weightBytes(x *subject, element float64) quantity.Bytes {
	return quantity.Bytes(x.Total() * element)
}

// values are the results of both models. Those that there are none of say so.
func (c *card) values(s *instrument.State) []instrument.Value {
	var out []instrument.Value
	all := c.subjects(s)
	for _, prefix := range []string{"", "other_"} {
		var here *subject
		for _, x := range all {
			if x.prefix == prefix {
				here = x
			}
		}
		out = append(out, valuesOf(s, prefix, here)...)
	}
	return out
}

func valuesOf(s *instrument.State, prefix string, x *subject) []instrument.Value {
	name := "no model"
	if x != nil {
		name = x.Name
	}
	out := []instrument.Value{{Name: prefix + "name", Label: "Model", Text: name, Data: name}}
	for _, f := range figures(s, x) {
		v := instrument.Value{Name: prefix + f.name, Label: f.label, Text: "no model"}
		if x != nil {
			if q, why := f.of(x); why != "" {
				v.Text = why
			} else {
				v = instrument.Of(v.Name, f.label, q)
			}
		}
		out = append(out, v)
	}
	return out
}

// summary tells the main results.
func (c *card) summary(s *instrument.State) string {
	all := c.subjects(s)
	if len(all) == 0 {
		return "No model has been read yet"
	}
	var said []string
	for _, x := range all {
		line := x.Name
		for _, f := range figures(s) {
			if q, why := f.of(x); why == "" && (f.name == "params" || f.name == "active" || f.name == "kv" || f.name == "flops") {
				line += "; " + f.label + ": " + q.String()
			}
		}
		said = append(said, line)
	}
	return strings.Join(said, ". ")
}

// digits is a whole number in full, with commas: 70,553,706,496.
func digits(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
