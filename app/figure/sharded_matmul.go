package figure

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/setup"
)

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
	d.Now, d.Twin = d.Title, []Table{t}
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
		m.costs(c, 590, 96, 342, 44)
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

// costs draws what is sent, and the two times.
func (m *shardedMatmul) costs(c *canvas, x, y, wide, high float64) {
	if c.narrow {
		c.Label("strong", x, y, m.sends)
		y += 22
	} else {
		c.say("", x, y-30, "figure.product-sent-inserts")
		c.Label("strong big", x, y-4, m.sends)
		y += 70
	}
	longer := max(m.comms, m.math, 1e-12)
	for i, time := range [...]float64{m.comms, m.math} {
		top := y + float64(i)*(high+c.of(52, 17))
		c.say("strong "+[...]string{"bad", ""}[i], x, top-4,
			[...]string{"figure.product-sent-comms", "figure.product-sent-math"}[i], "x", seconds(time))
		c.Rect(`class="`+[...]string{"bad", "block"}[i]+`"`, x, top, max(wide*time/longer, 1), high)
	}
}
