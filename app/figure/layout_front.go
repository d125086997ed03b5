package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// The measures of a front.
const (
	frontTop  = 30
	frontHigh = 300
	frontBar  = 392 // the time of a token
	leastDeal = 8   // chips of the smallest layout; each of the others has twice as many
	deals     = 4

	curvePoints = 48
)

// steps is what a decode step costs: reading and computing once in chip-seconds, for each sequence in the batch where it
// says so; wire is the traffic of a sequence through a chip's links, hop a message’s latency, both in seconds.
type steps struct {
	read, cache, math, wire, hop float64
	weights, each, hbm           float64 // in bytes
}

// parts are the seconds of a step: reading or computing with the weights, the caches, and communication.
func (s *steps) parts(n, batch float64) [3]float64 {
	rows := math.Exp2(math.Floor(math.Log2(n) / 2))
	return [...]float64{math.Max(s.read, batch*s.math) / n, batch * s.cache / n, batch*s.wire + (rows+n/rows-2)*s.hop}
}

func (s *steps) step(n, batch float64) float64 {
	p := s.parts(n, batch)
	return p[0] + p[1] + p[2]
}

// most is the largest batch that fits.
func (s *steps) most(n float64) float64 {
	return math.Floor((n*s.hbm - s.weights) / math.Max(s.each, 1))
}

// LayoutFront draws tokens for a chip over tokens for a user, a curve for each number of chips along which the batch
// grows, what no other beats, and the reader's own: so many chips and sequences. All is of one second.
func LayoutFront(l phrase.Phrases, s *steps, chips, batch float64) *Drawing {
	t := s.step(chips, batch)
	user, chip := perSecond("token")(1/t), perSecond("token")(batch/chips/t)
	d := &Drawing{Title: l.Say("figure.deal", "chips", counted(chips), "batch", counted(batch), "user", user, "chip", chip)}
	f := dealt{steps: s, l: l}
	f.fit()
	for i := range deals {
		f.curve(layoutChips(i), chips)
	}
	f.pen.Path("axis", (&markup.Pen{}).Move(0, frontTop).Put("v").Number(frontHigh).Put("h").Number(openWide).String())
	x, y := f.at(chips, batch)
	f.pen.Path("thin dash", (&markup.Pen{}).Move(0, y).Line(x, y).Line(x, frontTop+frontHigh).String())
	grip(&f.pen, pulls("speed", openWide/f.user), x, y)
	f.pen.Label("t1 strong mid", math.Min(math.Max(x, 110), openWide-110), frontTop+frontHigh+20, l.Say("figure.deal-user", "x", user))
	class, left := "strong", x+18
	if x > openWide*0.6 {
		class, left = "strong end", openWide
	}
	f.pen.Label(class, left, y-36, l.Say("figure.deal-own", "chips", counted(chips), "batch", counted(batch)))
	f.pen.Label("t3 "+class, left, y-12, l.Say("figure.deal-chip", "x", chip))
	f.bar(s.parts(chips, batch), t)
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.deal-heads")}
	for i := range deals {
		n := layoutChips(i)
		if b := s.most(n); b >= 1 {
			twin.add(counted(n), perSecond("token")(1/s.step(n, 1)), counted(b), perSecond("token")(b/n/s.step(n, b)))
		}
	}
	d.About, d.Now, d.Twin = ended(l, d.Title), d.Title, []Table{twin}
	return d.svg("fig opens", frame{-14, 0, openWide + 4, openHigh}, &f.pen)
}

// dealt is a drawing under way: its scales, for a token a second.
type dealt struct {
	*steps
	l          phrase.Phrases
	user, chip float64
	pen        markup.Pen
}

// fit takes the scales from the quickest layout and from the one that gets most out of a chip.
func (f *dealt) fit() {
	user, chip := 0.0, 0.0
	for i := range deals {
		n := layoutChips(i)
		if most := f.most(n); most >= 1 {
			user, chip = math.Max(user, 1/f.step(n, 1)), math.Max(chip, most/n/f.step(n, most))
		}
	}
	f.user, f.chip = openWide/math.Max(user*1.04, 1e-9), frontHigh/math.Max(chip*1.12, 1e-9)
}

func layoutChips(i int) float64 { return float64(int(leastDeal) << i) }

func (f *dealt) at(n, batch float64) (x, y float64) {
	t := f.step(n, batch)
	return f.user / t, frontTop + frontHigh - f.chip*batch/n/t
}

// curve is a layout: to the left its batch grows, up to where the memory is full. The reader's own is thick.
func (f *dealt) curve(n, own float64) {
	most, path := f.most(n), &markup.Pen{}
	if most < 1 {
		return
	}
	for i := range curvePoints + 1 {
		x, y := f.at(n, math.Pow(most, float64(i)/curvePoints))
		if i == 0 {
			path.Move(x, y)
			continue
		}
		path.Line(x, y)
	}
	x, y := f.at(n, most)
	right, _ := f.at(n, 1)
	f.pen.Path("reach", path.String()+(&markup.Pen{}).Put("H0V").Number(frontTop+frontHigh).Put("H").Number(right).
		Put("z").String())
	class := "curve"
	if n == own {
		class = "curve own"
	}
	f.pen.Path(class, path.String())
	f.pen.Label("small end", x-8, y+5, f.l.Say("figure.deal-chips", "n", counted(n)))
}

// bar draws what the time of a token is made of.
func (f *dealt) bar(parts [3]float64, step float64) {
	left := 0.0
	f.pen.Label("strong", 0, frontBar-9, f.l.Say("figure.flow-tpot", "x", seconds(step)))
	for i, key := range [...]string{"figure.flow-read", "figure.flow-cache-read", "figure.deal-wire"} {
		wide := parts[i] / step * openWide
		f.pen.Rect(`class="`+[...]string{"c2", "c4", "c1"}[i]+`"`, left, frontBar, wide, tokenHigh)
		if text := f.l.Say(key, "x", seconds(parts[i])); wide > 9*float64(len(text)) {
			f.pen.Label("in mid wide", left+wide/2, frontBar+18, text)
		}
		left += wide
	}
}
