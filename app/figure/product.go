package figure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/setup"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Notated is a text that may hold the notation of shards, "AllGather_X(B)" or "A[I_X, J]": the axes of the mesh become
// indices, the point of a typed product and its arrow the signs that they stand for. The underscore stays in the text,
// unseen, for those who copy it or have it read to them. No line breaks between a number and its unit in a name, "H100
// SXM 80 GB"; values stay in one line anyway.
func Notated(s string) *markup.Node {
	if name, found := strings.CutSuffix(s, " GB"); found && isLetter(s[0]) {
		s = name + "\u00a0GB"
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "] . ", "] · "), "] -> ", "] → ")
	from, to := axes(s)
	if from < 0 {
		return markup.Text(s)
	}
	n := markup.El("span")
	for from >= 0 {
		n.Add(s[:from], markup.El("sub", markup.El("span", markup.Class("under"), "_"), s[from+1:to]))
		s = s[to:]
		from, to = axes(s)
	}
	n.Add(s)
	return n
}

// axes is where the first underscore stands that has the axes of a mesh behind it, and where they end.
func axes(s string) (from, to int) {
	for i := 1; i < len(s)-1; i++ {
		if s[i] != '_' || !isLetter(s[i-1]) || !isUpper(s[i+1]) || i > 1 && s[i-2] == '_' { // the last: Q4_K_M
			continue
		}
		for to = i + 1; to < len(s) && isUpper(s[to]); to++ {
		}
		if (to == len(s) || s[to] != '_' && !isLetter(s[to])) && capital(s[:i]) { // else it is a name: gemmSN_TN_kernel
			return i, to
		}
	}
	return -1, 0
}

// capital tells whether the word that ends a text begins with a capital and is one name, as arrays and collectives are.
// Kernels are called otherwise: nvjet_tst_64x8_TNT, Sum_bf16_RING_LL.
func capital(s string) bool {
	i := len(s)
	for i > 0 && (isLetter(s[i-1]) || '0' <= s[i-1] && s[i-1] <= '9') {
		i--
	}
	return i < len(s) && isUpper(s[i]) && (i == 0 || s[i-1] != '_' && s[i-1] != ':')
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLetter(c byte) bool { return isUpper(c) || 'a' <= c && c <= 'z' }

// Costs carry their terms as formulas with named values. Here the renderer of sheets writes them down.

// work is a formula with symbols and with numbers.
func work(formula string, values []law.Value, f explain.Format) (symbols, numbers string) {
	named := make([]explain.Named, len(values))
	for i, v := range values {
		named[i] = explain.Named{Name: v.Name, Value: value.Value{Kind: value.Number, Num: v.Num}}
	}
	w, err := explain.Work(formula, named, nil, f)
	if err != nil {
		return formula, ""
	}
	return w.Symbols, w.Numbers
}

// workedTerm is a term as a line: what it is about, its formula, its numbers, its time.
func workedTerm(label, text string, values []law.Value, time quantity.Seconds) *markup.Node {
	how := markup.El("span", markup.Class("law-how"))
	symbols, numbers := work(text, values, explain.MathML)
	plainSymbols, plainNumbers := work(text, values, explain.Plain)
	how.Add(formula(symbols, plainSymbols))
	if numbers != "" {
		how.Add(formula("<mo>=</mo>"+numbers, "= "+plainNumbers))
	}
	return markup.El("div", markup.Class("law-term"), markup.El("span", label), how,
		markup.El("span", markup.Class("law-time"), time.Quantity().String()))
}

// formula is a formula with its plain text beside it, for copies.
func formula(ml, plain string) *markup.Node {
	return markup.Raw(`<math displaystyle="true" alttext="` + markup.Escape(plain) + `">` + ml + `</math>`)
}

// ProductSplits are the menus that build a product: one to begin with, and one for each dimension of each array, of the
// mesh axes that split it. Choosing sets the input product; what to begin with sets mesh and sizes as well.
func ProductSplits(l phrase.Phrases, s *setup.Setup) *Drawing {
	d := &Drawing{Title: l.Say("figure.splits"), About: s.Einsum.String()}
	twin := Table{Caption: l.Say("figure.splits-which"), Heads: cells(l, "figure.splits-heads")}
	groups := make([]*markup.Node, 3)
	for i, a := range s.Arrays() {
		groups[i] = markup.El("div", markup.Class("split-array"), markup.El("span", markup.Class("split-name"), a.Name))
	}
	for i, p := range s.Splits() {
		m := menu{key: "split-" + strconv.Itoa(i), says: l.Text(p.Says)}
		for _, c := range p.Choices {
			m.add("", c.Name, "product="+c.Product, c.Now)
			if c.Now {
				twin.add(l.Say("figure.dimension-of", "dimension", p.Label, "array", s.Arrays()[p.Array].Name), c.Name)
			}
		}
		groups[p.Array].Add(markup.El("span", markup.Class("split"), markup.El("i", p.Label), m.node()))
	}
	d.AltTables = []Table{twin}
	box := markup.El("div", markup.Class("splits"), beginWith(l, s), markup.El("div", markup.Class("split-arrays"),
		markup.Attr("role", "group"), markup.Attr("aria-label", l.Say("figure.splits-which")), groups))
	d.Root = markup.Raw(markup.HTML(box)) // as text, so that a menu that is drawn anew shows what holds
	return d
}

// beginWith is the menu of products to begin with.
func beginWith(l phrase.Phrases, s *setup.Setup) *markup.Node {
	m := menu{key: "example", says: l.Say("figure.begin-with-product")}
	for _, x := range setup.Examples() {
		m.add(l.Word(x.Group), l.Word(x.Name), exampleSets(&x), x.Is(s))
	}
	if !m.chosen {
		m.options = append([]option{{name: l.Say("figure.your-own"), now: true}}, m.options...)
	}
	return markup.El("p", markup.Class("split-begin"), l.Say("figure.begin-with"), " ", m.node())
}

// exampleSets is what an example sets, and what it leaves to the author.
func exampleSets(x *setup.Example) string {
	sets := []string{"mesh=" + x.Mesh, "product=" + x.Product}
	for _, d := range x.Sizes {
		sets = append(sets, setup.SizeName(d.Name)+"="+strconv.FormatFloat(d.Value, 'f', -1, 64))
	}
	return strings.Join(append(sets, "way", "over", "at"), "\n")
}

// menu is a menu of a drawing: what is chosen sets inputs.
type menu struct {
	key, says string
	options   []option
	chosen    bool
}

type option struct {
	group, name, sets string
	now               bool
}

func (m *menu) add(group, name, sets string, now bool) {
	m.options = append(m.options, option{group, name, sets, now})
	m.chosen = m.chosen || now
}

// node is the menu. Its data-set only names it: the value of the chosen option is what is set.
func (m *menu) node() *markup.Node {
	n := markup.El("select", markup.Class("field field-menu"), markup.Attr("data-set", m.key),
		markup.Attr("aria-label", m.says), markup.Attr("autocomplete", "off"))
	group, heading := n, ""
	for _, o := range m.options {
		if group == n || o.group != heading {
			if group = n; o.group != "" {
				group = markup.El("optgroup", markup.Attr("label", o.group))
				n.Add(group)
			}
			heading = o.group
		}
		group.Add(markup.El("option", markup.Attr("value", o.sets), markup.Flag("selected", o.now), o.name))
	}
	return n
}

// ProductCase says in words what a product is, which of the four cases, and what is not as it is written.
func ProductCase(l phrase.Phrases, s *setup.Setup) *Drawing {
	whole, axes := s.Einsum.Case()
	now := l.Say(caseWords(whole))
	d := &Drawing{Title: l.Say("figure.case"), About: ended(l, now), Now: now}
	box := markup.El("div", markup.Class("product-case"))
	for _, note := range s.Notes {
		box.Add(markup.El("p", markup.Class("product-note"), l.Text(note)))
	}
	box.Add(markup.El("p", markup.Class("product-subject"), Notated(subject(l, s))),
		markup.El("p", markup.El("strong", d.About)))
	list := markup.El("ul")
	twin := Table{Caption: l.Say("figure.case-axes"), Heads: cells(l, "figure.case-heads")}
	for i, c := range axes {
		name, does := s.Mesh.Axes[i].Name, l.Say(axisWords(c))
		list.Add(markup.El("li", markup.El("b", name), " ", l.Say("figure.ended", "said", does)))
		twin.add(name, does)
	}
	d.AltTables = []Table{twin}
	if s.Fabric != nil {
		box.Add(list, markup.El("p", l.Say("figure.case-laid", "chip", s.Chip.Name, "axes", s.Laid())))
	}
	d.Root = box
	return d
}

// subject says what is looked at.
func subject(l phrase.Phrases, s *setup.Setup) string {
	product := s.Einsum.String()
	var sizes []string
	for _, d := range s.Sizes {
		sizes = append(sizes, d.Name+" = "+strconv.FormatFloat(d.Value, 'f', -1, 64))
	}
	if len(sizes) > 0 {
		product = l.Say("figure.with-sizes", "product", product, "sizes", commas(l, sizes...))
	}
	key, mesh, chip := "figure.subject", s.Mesh.String(), ""
	if s.Chip != nil {
		chip = s.Chip.Name
	}
	switch {
	case mesh != "" && chip != "":
		key = "figure.subject-mesh-chip"
	case mesh != "":
		key = "figure.subject-mesh"
	case chip != "":
		key = "figure.subject-chip"
	}
	return l.Say(key, "product", product, "arithmetic", s.Einsum.Arithmetic(), "mesh", mesh, "chip", chip)
}

// caseWords is the key of what a case is called.
func caseWords(c sharding.Case) string {
	return [...]string{"figure.case-unused", "figure.case-one", "figure.case-two", "figure.case-three",
		"figure.case-four"}[min(c, sharding.Conflict)]
}

// axisWords is the key of what an axis does in a case.
func axisWords(c sharding.Case) string {
	return [...]string{"figure.axis-unused", "figure.axis-one", "figure.axis-two", "figure.axis-three",
		"figure.axis-four"}[min(c, sharding.Conflict)]
}

// shardedMatmul is a product of two matrices on a mesh, what is sent for it, and the device that is looked at.
type shardedMatmul struct {
	*sharding.Einsum
	sends       string
	comms, math float64
	at          int
}

// ShardedMatmul draws a matmul with its operands at the sides of the result, split into the shards of devices; those of
// one device are filled. Clicking a dimension shards it over the next axis of the mesh: it sets the input that is
// called as the array. Dragging the device sets `at`. The values after the product are what is sent, as text, the times
// to communicate and to compute, and the device.
func ShardedMatmul(l phrase.Phrases, s *setup.Setup, a values) *Drawing {
	m := &shardedMatmul{Einsum: s.Einsum, sends: a[1].Text, comms: a.num(2), math: a.num(3), at: a.whole(4)}
	m.at = min(max(m.at, 0), m.Mesh.Chips()-1)
	d := &Drawing{Title: l.Say("figure.product-sent", "product", m.String(), "sends", m.sends)}
	t := Table{Caption: d.Title, Heads: cells(l, "figure.product-sent-heads")}
	for i := range m.Mesh.Chips() {
		row := []string{strconv.Itoa(i)}
		for _, x := range m.arrays() {
			row = append(row, (&mesh{Mesh: m.Mesh, l: l}).held(x, m.Mesh.Coords(i)))
		}
		t.add(row...)
	}
	d.About = sentences(l, ended(l, d.Title), l.Say("figure.product-sent-device", "n", m.at))
	d.Now, d.AltTables = d.Title, []Table{t}
	return d.opening(l, m.draw)
}

func (m *shardedMatmul) arrays() [3]*sharding.Array { return [...]*sharding.Array{&m.A, &m.B, &m.C} }

func (m *shardedMatmul) draw(c *canvas) {
	u := c.of(1, 0.62) // of a unit of the wide drawing
	left, mid, top, low := 46*u, 246*u, c.of(40, 22), c.of(214, 121)
	inner, rows, cols := 140*u, 128*u, 250*u
	m.array(c, 0, left, low, inner, rows)
	m.array(c, 1, mid, top, cols, inner)
	m.array(c, 2, mid, low, cols, rows)
	m.devices(c, left, c.of(398, 236), mid+cols-left)
	if c.narrow {
		m.costs(c, 6, 272, 348, 9)
	} else {
		m.mesh(c, 580, 66, 352, 214)
		m.costs(c, 580, 46, 352, 30)
	}
}

// array draws one of the arrays, a line between its shards and the device's own filled, with its dimensions to click.
func (m *shardedMatmul) array(c *canvas, i int, x, y, w, h float64) {
	a, color := m.arrays()[i], strconv.Itoa(i+1)
	held := a.Held(m.Mesh, m.Mesh.Coords(m.at))
	r, k := held[0], held[1]
	down, across := h/a.Dims[0].Size, w/a.Dims[1].Size
	c.Rect(`class="c`+color+` pale"`, x, y, w, h)
	c.Rect(`class="c`+color+`"`, x+float64(k.From)*across, y+float64(r.From)*down,
		float64(k.Len())*across, float64(r.Len())*down)
	var lines markup.Pen
	for n, d := 1, a.Dims[0].Shards(m.Mesh); n < d; n++ {
		lines.Move(x, y+h*float64(n)/float64(d)).Put("h").Number(w)
	}
	for n, d := 1, a.Dims[1].Shards(m.Mesh); n < d; n++ {
		lines.Move(x+w*float64(n)/float64(d), y).Put("v").Number(h)
	}
	c.Path("between", lines.String())
	class := "edge" + color
	if strings.Contains(m.sends, "("+a.Name+")") {
		class = "sent"
	}
	c.Rect(`class="`+class+`"`, x, y, w, h)
	c.Label("strong big mid halo", x+w/2, y+h/2+7, a.Name)
	if i < 2 {
		m.dimension(c, a, 0, x-c.of(4, 2), y+h/2)
		m.dimension(c, a, 1, x+w/2, y-c.of(16, 10))
	}
}

// dimension draws what says how one is sharded. Clicking it takes the next axis that the array's other one hasn't.
func (m *shardedMatmul) dimension(c *canvas, a *sharding.Array, k int, x, y float64) {
	var specs [2]string
	for i, d := range a.Dims {
		specs[i] = "None"
		axis := -1
		if len(d.Axes) > 0 {
			axis = d.Axes[0]
		}
		if i == k {
			for axis++; axis < len(m.Mesh.Axes) && slices.Contains(a.Dims[1-k].Axes, axis); {
				axis++
			}
		}
		if axis >= 0 && axis < len(m.Mesh.Axes) {
			specs[i] = "'" + m.Mesh.Axes[axis].Name + "'"
		}
	}
	name := a.Dims[k].Name
	for _, axis := range a.Dims[k].Axes {
		name += " / " + m.Mesh.Axes[axis].Name
	}
	const wide, high = 44, 22
	c.Put(`<g data-set="`, a.Name, "=P(", specs[0], ", ", specs[1], `)">`)
	c.Rect(`class="pill" rx="11"`, x-wide/2, y-high/2, wide, high)
	c.Label("mid strong", x, y+5, name).Put("</g>")
}

// devices draws all devices in a row, with a knob at the one that is looked at.
func (m *shardedMatmul) devices(c *canvas, x, y, wide float64) {
	n := m.Mesh.Chips()
	step := wide / float64(n)
	for i := range n {
		class := "slots"
		if i == m.at {
			class = "c4"
		}
		c.Rect(`class="`+class+`"`, x+float64(i)*step+2, y-c.of(12, 9), step-4, c.of(24, 18))
	}
	places := axisPlaces(m.Mesh, m.Mesh.Coords(m.at))
	c.say("in4 strong", x, y-c.of(24, 15), "figure.product-sent-at", "n", m.at, "place", strings.Join(places, ", "))
	c.pull("at", "x", "linear", x+step/2, 0, x+step*(float64(n)-0.5), float64(n-1))
	c.knob(x+(float64(m.at)+0.5)*step, y, false)
}

// mesh draws the devices in the mesh, the first axis downwards, and between those that exchange something a thick line.
// Clicking a device looks at it.
func (m *shardedMatmul) mesh(c *canvas, x, y, wide, high float64) {
	rows := m.Mesh.Axes[0].Size
	across := m.Mesh.Chips() / rows
	stepX, stepY := wide/float64(across), high/float64(rows)
	w, h := stepX*0.62, min(stepY*0.66, 60)
	at := func(i int) (float64, float64) {
		return x + (float64(i%across)+0.5)*stepX, y + (float64(i/across)+0.5)*stepY
	}
	var lines markup.Pen
	for i := range m.Mesh.Chips() {
		for j := range i {
			if m.exchange(i, j) {
				x0, y0 := at(j)
				x1, y1 := at(i)
				lines.Move(x0, y0).Line(x1, y1)
			}
		}
	}
	c.Path("sent", lines.String())
	for i := range m.Mesh.Chips() {
		x, y := at(i)
		class, label := "store", "mid"
		if i == m.at {
			class, label = "c4", "on strong mid"
		}
		c.Put(`<g data-set="at=`, strconv.Itoa(i), `">`)
		c.Rect(`class="`+class+`" rx="5"`, x-w/2, y-h/2, w, h)
		c.Label(label, x, y+5, strconv.Itoa(i)).Put("</g>")
	}
}

// exchange reports whether two devices are neighbours on an axis that something is sent along.
func (m *shardedMatmul) exchange(i, j int) bool {
	a, b, on := m.Mesh.Coords(i), m.Mesh.Coords(j), -1
	for k := range a {
		if a[k] == b[k] {
			continue
		}
		if on >= 0 || a[k]-b[k] != 1 && b[k]-a[k] != 1 {
			return false
		}
		on = k
	}
	for part := range strings.SplitSeq(m.sends, "_") {
		axes, rest, _ := strings.Cut(part, "(")
		if rest != "" && on >= 0 && strings.Contains(axes, m.Mesh.Axes[on].Name) {
			return true
		}
	}
	return false
}

// costs draws what is sent, in two lines where it is long, and the two times.
func (m *shardedMatmul) costs(c *canvas, x, y, wide, high float64) {
	class, second := c.of2("strong big", "strong"), ""
	first := m.sends
	if textWide(class, first) > wide {
		class, first = "strong", ""
		for part := range strings.SplitAfterSeq(m.sends, ", ") {
			if second != "" || textWide(class, first+part) > wide {
				second += part
			} else {
				first += part
			}
		}
	}
	if c.narrow {
		c.Label(class, x, y, first)
		if second != "" {
			y += 14
			c.Label(class, x, y, second)
		}
		y += 22
	} else {
		c.say("", x, y-30, "figure.product-sent-inserts")
		if second != "" {
			c.Label(class, x, y+6, second)
			y -= 6
		}
		c.Label(class, x, y-4, first)
		y = 324
	}
	longer := max(m.comms, m.math, 1e-12)
	for i, time := range [...]float64{m.comms, m.math} {
		top := y + float64(i)*(high+c.of(26, 17))
		c.say("strong "+[...]string{"bad", ""}[i], x, top-4,
			[...]string{"figure.product-sent-comms", "figure.product-sent-math"}[i], "x", seconds(time))
		c.Rect(`class="`+[...]string{"bad", "block"}[i]+`"`, x, top, max(wide*time/longer, 1), high)
	}
}
