package network

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// clusterTable is the levels of published clusters: device, level, degree, egress of a unit below, switches of a unit,
// ports of a switch, bandwidth of a port one way, source, note.
//
//go:embed clusters.tsv
var clusterTable string

// NewCluster is the published cluster of a device, level by level: the SuperPods of H100, B200 and GB200. Its source is
// that of each level in the table. The error says which there are.
func NewCluster(device *hardware.Accelerator) (Tree, error) {
	t := Tree{Name: device.Name + " cluster"}
	_, generation, _ := strings.Cut(device.ID, ".")
	for line := range strings.Lines(clusterTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 9 || strings.TrimPrefix(c[0], "gpu.") != generation {
			continue
		}
		l, err := level(c)
		if err != nil {
			return Tree{}, err
		}
		t.Levels = append(t.Levels, l)
	}
	if len(t.Levels) < 2 {
		return Tree{}, phrase.Fault{
			What:   phrase.New("network.no-cluster", "device", device.Name),
			Remedy: phrase.New("network.clusters"),
		}
	}
	return t, nil
}

// level reads a row of the table.
func level(c []string) (Level, error) {
	l := Level{Name: c[1], Source: c[7], Note: c[8]}
	var err error
	for _, n := range []struct {
		text string
		to   *int
	}{{c[2], &l.Degree}, {c[4], &l.Switches}, {c[5], &l.Ports}} {
		if *n.to, err = strconv.Atoi(n.text); err != nil {
			return Level{}, phrase.Fault{
				What:   phrase.New("network.no-number", "text", n.text),
				Remedy: phrase.New("network.write-digits"),
			}
		}
	}
	for _, w := range []struct {
		text string
		to   *q.Bandwidth
	}{{c[3], &l.Egress}, {c[6], &l.Port}} {
		v, _, err := q.Literal(w.text)
		if err != nil {
			return Level{}, err
		}
		*w.to = q.Bandwidth(v.Value)
	}
	return l, nil
}

// Units is the number of units of level i in the whole tree: the product of the degrees above it.
func (t Tree) Units(i int) int {
	n := 1
	for _, l := range t.Levels[min(i+1, len(t.Levels)):] {
		n = product([]int{n, l.Degree})
	}
	return n
}

// Switches is the number of switches of level i in the whole tree.
func (t Tree) Switches(i int) int { return t.Levels[i].Switches * t.Units(i) }

// Joined is the bandwidth that the cables of level i bring into one of its units, one way.
func (l Level) Joined() q.Bandwidth { return q.Bandwidth(l.Degree) * l.Egress }

// Capacity is the bandwidth of all ports of one unit's switches, one way.
func (l Level) Capacity() q.Bandwidth { return q.Bandwidth(l.Switches*l.Ports) * l.Port }

// Bisection is the one-way bandwidth between two halves (as near as the degree allows) of the units that the topmost
// level joins.
func (t Tree) Bisection() q.Bandwidth {
	for i := len(t.Levels) - 1; i >= 0; i-- {
		if l := t.Levels[i]; l.Degree > 1 {
			return q.Bandwidth(l.Degree/2) * l.Egress
		}
	}
	return 0
}

// CollectiveBandwidth is V over the exact time of an all-gather of V over all devices: the least over the levels of
// W/(1 - n/N), W being the egress of a unit of n of the N devices.
func (t Tree) CollectiveBandwidth() (q.Bandwidth, error) {
	c, err := Collective{Op: AllGather, Bytes: 1}.Over(t.All())
	if err != nil {
		return 0, err
	}
	if c.Bandwidth == 0 {
		return 0, phrase.Fault{What: phrase.New("network.lone-device"), Remedy: phrase.New("network.give-devices")}
	}
	return q.Bandwidth(1 / float64(c.Bandwidth)), nil
}
