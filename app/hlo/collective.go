package hlo

import (
	"strings"

	"github.com/scalebook/scalebook/app/network"
)

// Collective is what an operation sends, and among how many devices.
type Collective struct {
	Op    network.Op
	Bytes float64 // the whole array of a group, as app/network counts it
	Group int     // devices of a group; 0 if the text does not say
}

// bases are the operations that send, as their names begin.
var bases = [...]struct {
	code string
	op   network.Op
}{
	{"all-reduce-scatter", network.ReduceScatter}, {"reduce-scatter", network.ReduceScatter},
	{"all-gather", network.AllGather}, {"all-reduce", network.AllReduce}, {"ragged-all-to-all", network.AllToAll},
	{"all-to-all", network.AllToAll}, {"collective-permute", network.Permute}, {"collective-broadcast", network.Broadcast},
}

// sends tells which collective an operation code, or the name of a computation, stands for.
func sends(code string) (network.Op, bool) {
	for _, b := range bases {
		if rest, ok := strings.CutPrefix(code, b.code); ok && (rest == "" || rest == "-start" || rest[0] == '.') {
			return b.op, true
		}
	}
	return 0, false
}

// collective is what an operation sends; ok is false if it sends nothing.
func (o *Op) collective() (c Collective, ok bool) {
	if o.Code == "send" && o.Attr("is_host_transfer") != "true" {
		return Collective{network.Permute, o.operand(0).Bytes(), 2}, true
	}
	if c.Op, ok = sends(o.Code); !ok {
		return c, false
	}
	c.Group = o.group()
	in := 0.0
	for i := range o.Operands {
		in += o.operand(i).Bytes()
	}
	c.size(in, o.Shape.Bytes())
	return c, true
}

// size fills in what is known from the bytes that each device puts in and takes out. Where the text does not have what
// is put in, it follows from the rest.
func (c *Collective) size(in, out float64) {
	known := in > 0
	switch {
	case known:
	case c.Op == network.ReduceScatter:
		in = out * float64(max(c.Group, 1))
	default:
		in = out
	}
	switch c.Op {
	case network.AllGather:
		c.Bytes = out
	case network.AllToAll:
		c.Bytes = in * float64(max(c.Group, 1))
	default:
		c.Bytes = in
	}
	if known && c.Group == 0 && (c.Op == network.AllGather || c.Op == network.ReduceScatter) {
		c.Group = int(min(maxGroup, max(in, out)/max(1, min(in, out))))
	}
	if c.Op == network.Permute {
		c.Group = max(c.Group, 2)
	}
}

// begun is the operation that another one begins, which is written with -start and has its operands in its result.
func (o *Op) begun() *Op {
	base, ok := strings.CutSuffix(o.Code, "-start")
	if !ok {
		return o
	}
	w, s := *o, &o.Shape
	switch w.Code = base; {
	case len(s.Tuple) < 2:
	case base == "copy":
		w.Shape = s.Tuple[0]
	case base != "all-reduce" || s.Tuple[0].Type == "": // else it reduces several arrays
		w.Shape = s.Tuple[1]
	}
	return &w
}

// ends tells whether an operation only waits for what another one began.
func (o *Op) ends() bool {
	return strings.HasSuffix(o.Code, "-done") || strings.HasSuffix(o.Code, "-update")
}

// maxGroup is how many devices a group may have.
const maxGroup = 1 << 20

// group is how many devices take part: the length of the first list of replica_groups={{0,1},{2,3}}, the second number
// of its short form [2,4]<=[8], which is groups times members; 0 if all do or nobody says.
func (o *Op) group() int {
	text := o.Attr("replica_groups")
	if short, ok := strings.CutPrefix(text, "["); ok {
		short, _, _ = strings.Cut(short, "]")
		if ns, ok := numbers(short); ok && len(ns) == 2 && ns[1] <= maxGroup {
			return int(ns[1])
		}
		return 0
	}
	n := 0
	list(strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}"), func(part string) bool {
		n = 0
		list(strings.Trim(part, "{}"), func(string) bool { n++; return n < maxGroup })
		return false
	})
	return n
}
