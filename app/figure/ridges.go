package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// ChipRidges draws the ridge points of chips over the years in which they were announced, and the arithmetic intensity
// of a matmul as a line across them: the chips above it wait for memory. Dragging the line sets the input `B`, clicking
// a chip sets `chip`. The values are the batch, the width, the intensity, the chips and the one that is chosen.
func ChipRidges(l phrase.Phrases, a values) (*Drawing, error) {
	r := &ridges{batch: a.num(0), D: a.num(1), intensity: a.num(2), chosen: a[4].Record}
	d := &Drawing{}
	t := Table{Heads: cells(l, "figure.ridges-heads")}
	for _, v := range a[3].List {
		chip, err := unwrap[*hardware.Accelerator](v)
		if err != nil {
			return nil, err
		}
		peak, err := chip.Peak("bf16")
		if err != nil {
			return nil, err
		}
		hbm, err := chip.Get("hbm_bandwidth")
		if err != nil {
			return nil, err
		}
		at := peak.Value.Value / hbm.Value.Value
		if r.list = append(r.list, ridge{chip, at}); at <= r.intensity {
			r.busy++
		}
		t.add(chip.Name, strconv.Itoa(chip.Year), counted(math.Round(at)), shareText(min(r.intensity, at), at))
	}
	if len(r.list) == 0 || !(r.intensity > 0 && r.batch > 0 && r.D > 0) {
		return nil, phrase.New("library.give-finite")
	}
	d.Title = l.Say("figure.ridges", "batch", a[0].Num.String(), "n", r.busy, "all", len(r.list))
	t.Caption = d.Title
	d.About, d.Now, d.AltTables = ended(l, d.Title), d.Title, []Table{t}
	return d.opening(l, r.draw), nil
}

// ridge is a chip and its ridge point, in FLOP for each byte.
type ridge struct {
	chip *hardware.Accelerator
	at   float64
}

// ridges is a drawing under way.
type ridges struct {
	batch, D, intensity float64
	busy                int // chips that compute all the time
	list                []ridge
	chosen              *value.Record
	taken               []frame
}

func (r *ridges) draw(c *canvas) {
	left, right, top, bottom := c.of(8, 6), c.of(932, 354), c.of(10, 8), c.of(396, 312)
	y := logScale{bottom, top, r.list[0].at, r.list[0].at}
	first, last := r.list[0].chip.Year, r.list[0].chip.Year
	for _, x := range r.list {
		first, last = min(first, x.chip.Year), max(last, x.chip.Year)
		y.low, y.high = min(y.low, x.at/1.8), max(y.high, x.at*1.8)
	}
	begin, end := left+c.of(190, 112), right-c.of(56, 44) // of the years; the line is named to their left
	year := func(n int) float64 { return begin + (end-begin)*float64(n-first)/float64(max(last-first, 1)) }
	line := max(min(y.at(r.intensity), bottom-56), top+56)
	c.Rect(`class="soft1"`, left, top, right-left, line-top)
	c.Rect(`class="soft2"`, left, line, right-left, bottom-line)
	for v := 100.0; y.at(v) > top+24; v *= 2 {
		c.Path("grid", (&markup.Pen{}).Move(left, y.at(v)).Put("H").Number(right).String())
		c.Label("small end", right-2, y.at(v)-5, counted(v))
	}
	c.Path("axis", (&markup.Pen{}).Move(left, bottom).Put("H").Number(right).String())
	for n := first; n <= last; n++ {
		c.tick(year(n), bottom, c.of2(strconv.Itoa(n), "’"+strconv.Itoa(n%100)))
	}
	c.Label("in1 strong", left+8, top+20, c.l.Say("figure.tile-memory")+": "+strconv.Itoa(len(r.list)-r.busy))
	c.Label("in2 strong", left+8, bottom-10, c.l.Say("figure.tile-compute")+": "+strconv.Itoa(r.busy))
	c.say("small end", right-2, bottom-10, c.of2("figure.ridges-axis", "figure.tile-axis"))
	c.Path("seam", (&markup.Pen{}).Move(left, line).Put("H").Number(right).String())
	r.label(c, c.of2("big strong halo", "strong halo"), left+c.of(44, 34), line-c.of(12, 16), "B = "+counted(r.batch))
	r.label(c, "small halo", left+c.of(44, 34), line+c.of(22, 24), counted(math.Round(r.intensity))+" "+
		c.of2(c.l.Say("figure.tile-axis"), ""))
	r.taken = append(r.taken, frame{left, line - 2, right, line + 2}) // no name is struck through
	for _, x := range r.list {
		r.taken = append(r.taken, frame{year(x.chip.Year) - 9, y.at(x.at) - 9, year(x.chip.Year) + 9, y.at(x.at) + 9})
	}
	for _, x := range r.list {
		r.chip(c, x, year(x.chip.Year), y.at(x.at), right)
	}
	r.taken = nil
	var rows []float64
	for k := range 9 { // the batch that has the intensity at a place: I = B D / (2 B + D)
		at := top + 56 + (bottom-top-112)*float64(k)/8
		if i := y.value(at); 2*i < r.D {
			rows = append(rows, at, i*r.D/(r.D-2*i))
		}
	}
	if len(rows) > 2 {
		c.pull("B", "y", "log", rows...)
		c.knob(left+c.of(22, 16), line, true)
	}
}

// label writes what the line says, where no name of a chip may come.
func (r *ridges) label(c *canvas, class string, x, y float64, text string) {
	c.Label(class, x, y, text)
	r.taken = append(r.taken, frame{x - 4, y - 16, x + textWide(class, text) + 4, y + 5})
}

// chip is a disc with its name and, if it waits, how much of its peak it reaches, where there is place for them.
func (r *ridges) chip(c *canvas, x ridge, at, y, right float64) {
	class := "c1"
	if x.at <= r.intensity {
		class = "c2"
	}
	if r.chosen.Of == any(x.chip) {
		class += " finish"
	}
	c.Put(`<circle class="`, class, `" data-set="chip=`, x.chip.ID, `"`).Attr("cx", at).Attr("cy", y).
		Attr("r", c.of(9, 7)).Put("/>")
	name, _, _ := strings.Cut(x.chip.Name, " SXM")
	name, _, _ = strings.Cut(name, " (")
	texts := []string{name}
	if share := shareText(r.intensity, x.at); x.at > r.intensity && !c.narrow {
		texts = []string{name + ": " + c.l.Say("figure.tile-share", "share", share), name + " " + share, name}
	}
	name, _, _ = strings.Cut(name, " NVL")
	texts = append(texts, name)
	for i, word := range strings.Fields(name) {
		if i > 0 {
			texts = append(texts, word) // as v5p of TPU v5p
		}
	}
	for _, text := range texts {
		wide := textWide("halo", text)
		for _, to := range [...][2]float64{{14, 0}, {-14 - wide, 0}, {right - wide - at, -18}, {-wide / 2, -18},
			{right - wide - at, 18}, {-wide / 2, 18}} {
			from, y := at+to[0], y+to[1]
			f := frame{from - 1, y - 9, from + wide + 1, y + 9}
			if from < 0 || from > at+14 || from+wide > right || r.meets(f) {
				continue
			}
			c.Label("halo", from, y+5, text)
			r.taken = append(r.taken, f)
			return
		}
	}
}

// meets says whether a label would cover a disc, the line or another label.
func (r *ridges) meets(f frame) bool {
	for _, t := range r.taken {
		if f.meets(t) {
			return true
		}
	}
	return false
}
