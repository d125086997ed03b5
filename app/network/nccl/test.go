package nccl

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/spell"
)

// Test is what a run of NCCL's tests printed (all_reduce_perf and its like), or of those made after them, RCCL's and
// MPI's wrappers included.
type Test struct {
	Op      network.Op
	Devices int    // ranks; as many as bus over algorithm bandwidth says, or as are listed
	Nodes   int    // hosts that are listed; 1 if none are
	Device  string // as a rank is listed: "NVIDIA H100 80GB HBM3"; "" if none is
	Points  []Point
	Factor  float64 // bus over algorithm bandwidth, as printed
	Average float64 // bus bandwidth, as the last line has it, byte/s; 0 without it
	Wrong   int     // lines with wrong results
	More    bool    // another test follows in the text, which isn't read
}

// Point is a line of the table, the operation out of place.
type Point struct {
	network.Point
	Bus float64 // as printed, byte/s
}

// mostLines bounds what is read of a text.
const mostLines = 20000

// ReadTest reads the output of a run, header and all. Lines of other kinds, as of a scheduler or of NCCL's own log, are
// passed over; a text without a single line of a table is refused, with its first line.
func ReadTest(text string) (*Test, error) {
	t := &Test{Op: network.AllReduce, Nodes: 1}
	hosts, ranks, lines, first, named, blamed := map[string]bool{}, 0, 0, "", false, false
	for line := range strings.Lines(text) {
		if lines++; lines > mostLines {
			break
		}
		line = unprefixed(strings.TrimSpace(line))
		if failed := strings.Contains(line, " failure "); first == "" || failed && !blamed {
			first, blamed = line, failed // a test that failed says why
		}
		if op, is := opIn(line); is && named && op != t.Op && len(t.Points) > 0 {
			t.More = true
			break
		} else if is && !named {
			t.Op, named = op, true
		} else if test := lawless(line); test != "" && !named {
			return nil, phrase.Fault{What: phrase.New("nccl.no-law", "test", test), Remedy: phrase.New("nccl.paste-table")}
		}
		cells := strings.Fields(strings.ReplaceAll(strings.TrimLeft(line, "# "), ",", " "))
		switch {
		case len(cells) > 8 && cells[0] == "Rank":
			ranks++
			hosts[hostOf(cells)] = true
			t.Device = deviceOf(cells)
		case strings.HasPrefix(line, "#"):
			if _, after, is := strings.Cut(line, ":"); is && len(cells) > 0 && cells[0] == "Avg" {
				x, _ := strconv.ParseFloat(strings.TrimSpace(after), 64)
				t.Average = positive(x) * 1e9
			}
		default:
			for range mostPrefix {
				if t.readLine(cells, named) || len(cells) <= leastCells {
					break
				}
				cells = cells[1:] // a prefix, such as the time
			}
		}
	}
	if len(t.Points) == 0 {
		return nil, phrase.Fault{What: phrase.New("nccl.no-table", "line", spell.Clip(strings.ToValidUTF8(first, ""), 40)),
			Remedy: phrase.New("nccl.paste-table")}
	}
	t.Nodes = max(1, len(hosts))
	t.count(ranks)
	return t, nil
}

// lawless is the test that a line names whose operation is none of the collectives; "" if it names none.
func lawless(line string) string {
	for _, test := range [...]string{"sendrecv_perf", "gather_perf", "scatter_perf", "hypercube_perf"} {
		if strings.Contains(line, test) {
			return test
		}
	}
	return ""
}

// unprefixed is a line without what launchers put before it: "3: ", "[1,0]<stdout>:", "worker-0: ", and before what
// begins with # also what has blanks in it: "[pod/launcher-x/main] ", "2026-05-01T10:00:00.1Z ".
func unprefixed(line string) string {
	if at := strings.Index(line, "# "); at > 0 && at <= 100 && !strings.Contains(line[:at], "#") {
		return line[at:]
	}
	if head, rest, found := strings.Cut(line, ":"); found && len(head) <= 24 && !strings.ContainsAny(head, " #\t") {
		return strings.TrimSpace(rest)
	}
	return line
}

// ops are collectives by the names of their tests.
var ops = []struct {
	word string
	op   network.Op
}{{"all_reduce", network.AllReduce}, {"allreduce", network.AllReduce}, {"all_gather", network.AllGather},
	{"allgather", network.AllGather}, {"reduce_scatter", network.ReduceScatter}, {"reducescatter", network.ReduceScatter},
	{"alltoall", network.AllToAll}, {"all_to_all", network.AllToAll}, {"broadcast", network.Broadcast},
	{"reduce_perf", network.Reduce}}

// opIn is the collective that a line names.
func opIn(line string) (network.Op, bool) {
	line = strings.ToLower(line)
	for _, o := range ops {
		if strings.Contains(line, o.word) {
			return o.op, true
		}
	}
	return 0, false
}

// hostOf is the host of a line such as "#  Rank  0 Group  0 Pid  9 on node-a device  0 [0x07] NVIDIA H100 80GB HBM3".
func hostOf(cells []string) string {
	for i, cell := range cells[:len(cells)-1] {
		if cell == "on" {
			return cells[i+1]
		}
	}
	return ""
}

// deviceOf is the device of such a line: what follows the bus in brackets.
func deviceOf(cells []string) string {
	for i, cell := range cells {
		if strings.HasPrefix(cell, "[") && strings.HasSuffix(cell, "]") {
			return strings.Join(cells[i+1:], " ")
		}
	}
	return ""
}

// The columns of a line, counted from the end: time, algorithm and bus bandwidth and wrong results, out of place and,
// if somebody did not cut them off, in place. Before them come size, count and type, and of some collectives the
// operation and the root.
const (
	columns    = 4
	leastCells = 3 + columns
	mostCells  = 5 + 2*columns
)

// mostPrefix is how many words may stand before a line of the table, and itself.
const mostPrefix = 4

// readLine reads a line of the table, and tells whether it is one.
func (t *Test) readLine(cells []string, named bool) bool {
	if len(cells) < leastCells || len(cells) > mostCells || len(cells) == 10 {
		return false
	}
	var x [4]float64 // size, microseconds, GB/s by the array, GB/s by the bus
	at := len(cells) - columns
	if len(cells) >= leastCells+columns {
		at -= columns
	}
	for i, cell := range [...]string{cells[0], cells[at], cells[at+1], cells[at+2]} {
		n, err := strconv.ParseFloat(cell, 64)
		if err != nil || !(n >= 0) || math.IsInf(n, 0) {
			return false
		}
		x[i] = n
	}
	if x[0] == 0 || x[1] == 0 {
		return true
	}
	if wrong := cells[at+3]; wrong != "0" && wrong != "N/A" && strings.Trim(wrong, "0123456789") == "" {
		t.Wrong++
	}
	t.Points = append(t.Points, Point{network.Point{Bytes: q.Bytes(x[0]), Time: q.Seconds(x[1] * 1e-6)}, x[3] * 1e9})
	if x[2] > 0 && x[0] >= t.largest() { // small ones are printed with few digits
		t.Factor = x[3] / x[2]
	}
	if !named && t.Factor > 0 && t.Factor < 1 {
		t.Op = network.AllGather
	}
	return true
}

// largest is the largest array.
func (t *Test) largest() float64 {
	most := 0.0
	for _, p := range t.Points {
		most = max(most, float64(p.Bytes))
	}
	return most
}

// count tells how many devices there are: those that are listed, or as bus over algorithm bandwidth says.
func (t *Test) count(ranks int) {
	t.Devices = ranks
	if ranks > 0 {
		return
	}
	n := 0.0
	switch f := t.Factor; {
	case t.Op == network.AllReduce && f >= 1 && f < 2:
		n = 2 / (2 - f)
	case f > 0 && f < 1:
		n = 1 / (1 - f)
	}
	if t.Devices = 8; n >= 1.5 && n < 1<<20 {
		t.Devices = int(math.Round(n))
	}
}

// Best is the largest bus bandwidth, and its line.
func (t *Test) Best() Point {
	best := t.Points[0]
	for _, p := range t.Points {
		if p.Bus > best.Bus {
			best = p
		}
	}
	return best
}

// positive is a number, or 0.
func positive(x float64) float64 {
	if x > 0 && !math.IsInf(x, 0) {
		return x
	}
	return 0
}
