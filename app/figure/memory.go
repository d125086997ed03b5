package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// The measures of a memory.
const (
	memoryWide = 520
	memoryTop  = 26
	memoryHigh = 64
	memoryLine = 22 // of the legend
	mostCells  = 64 // sequences that are drawn one by one
)

// Memory draws what is in a memory of that capacity while it serves: the weights, then the KV cache of each sequence,
// then what is free or what doesn't fit. All arguments but sequences are bytes.
func Memory(l phrase.Phrases, capacity, weights, each, sequences float64) *Drawing {
	cache := each * sequences
	used := weights + cache
	m := memory{scale: memoryWide / math.Max(math.Max(capacity, used), 1)}
	d := &Drawing{
		Title: outOf(l, bytesText(used), bytesText(capacity)),
		Note:  l.Say("figure.memory-note"),
	}
	d.head(&m.pen, 17)
	ledger := newLedger(l, d.Title, capacity)
	entry := func(class, key string, size float64) { m.legend(class, ledger.add(l.Say(key), size)) }
	m.part("b1", weights, 1)
	entry("b1", "figure.memory-weights", weights)
	m.part("b2", cache, int(math.Max(1, math.Min(sequences, mostCells))))
	entry("b2", "figure.memory-cache", cache)
	if used > capacity {
		m.part("hatch", capacity-used, 1)
		entry("frame", "figure.memory-lacks", used-capacity)
	} else {
		entry("frame", "figure.memory-free", capacity-used)
	}
	return m.whole(d, ledger)
}

// ledger says what is in a memory, part by part, as a table and in sentences.
type ledger struct {
	Table
	l        phrase.Phrases
	capacity float64
	said     []any
}

func newLedger(l phrase.Phrases, caption string, capacity float64) *ledger {
	return &ledger{l: l, capacity: capacity, Table: Table{Caption: caption, Heads: cells(l, "figure.memory-heads")}}
}

// add writes a part down, and is what a legend says of it.
func (x *ledger) add(name string, size float64) string {
	x.Table.add(name, bytesText(size), shareText(size, x.capacity))
	x.said = append(x.said, x.l.Say("figure.memory-part", "part", name, "bytes", bytesText(size)))
	return commas(x.l, name, bytesText(size))
}

func (x *ledger) about() string { return sentences(x.l, x.said...) }

// memory is a drawing of one under way.
type memory struct {
	pen     markup.Pen
	scale   float64 // of a byte
	filled  float64 // bytes drawn so far
	entries int     // of the legend
}

// part draws bytes in so many cells side by side; below zero they are the last of what is drawn already, crossed out.
func (m *memory) part(class string, bytes float64, cells int) {
	if bytes < 0 {
		left := (m.filled + bytes) * m.scale
		hatched(&m.pen, left, memoryTop, -bytes*m.scale, memoryHigh)
		return
	}
	for i := range cells {
		wide := bytes * m.scale / float64(cells)
		m.pen.Rect(`class="`+class+`"`, m.filled*m.scale+float64(i)*wide, memoryTop, wide, memoryHigh)
	}
	m.filled += bytes
}

// whole puts the drawing together, with the edge of the memory around what it can hold.
func (m *memory) whole(d *Drawing, x *ledger) *Drawing {
	m.pen.Rect(`class="axis"`, 0, memoryTop, x.capacity*m.scale, memoryHigh)
	d.About, d.Twin = x.about(), []Table{x.Table}
	bottom := memoryTop + memoryHigh + 8 + float64((m.entries+1)/2)*memoryLine
	return d.svg("fig", frame{0, 0, memoryWide, bottom}, &m.pen)
}

// legend writes an entry of the legend, two in a line.
func (m *memory) legend(class, text string) {
	x := float64(m.entries%2) * memoryWide / 2
	y := float64(memoryTop + memoryHigh + 12 + m.entries/2*memoryLine)
	m.pen.Rect(`class="`+class+`"`, x, y, 12, 12)
	m.pen.Label("small", x+18, y+11, text)
	m.entries++
}

// bytesText is a number of bytes as text.
func bytesText(n float64) string { return quantity.Bytes(n).Quantity().String() }
