package nccl

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/spell"
)

// Test is what a run of NCCL's tests printed (all_reduce_perf and its like), or of those made after them, RCCL's, MPI's
// wrappers, Intel's and Neuron's included.
type Test struct {
	Op      network.Op
	Devices int    // ranks; as many as bus over algorithm bandwidth says, or as are listed
	Host    string // the last that is listed
	Nodes   int    // hosts that are listed; 1 if none are
	Device  string // as a rank is listed: "NVIDIA H100 80GB HBM3"; "" if none is
	Points  []Point
	Factor  float64 // bus over algorithm bandwidth, as printed
	Average float64 // bus bandwidth, as the last line has it, byte/s; 0 without it
	Wrong   int     // lines with wrong results
	More    bool    // another test follows in the text, which isn't read
	Cut     bool    // the text ends within a line of the table, or the test failed
	Open    bool    // the list of ranks ends within its first node
	Assumed bool    // nothing in the text says how many devices there are

	unsure float64 // by how much Factor may be off for the digits that are printed
	size   float64 // of an array, and its bus bandwidth in GB/s, of which other lines say the rest
	bus    float64
	empty  bool // arrays of no bytes are in the table

	layout   layout
	strange  string  // the benchmark of Intel MPI or oneCCL whose table follows, if it is none of the collectives
	devices  bool    // its arrays are in the memory of devices, as its command or its options say
	hosted   bool    // they are in the host's
	unit     float64 // of DeepSpeed's column of throughput, byte/s; 0 if there is none
	brief    bool    // its lines have no bus bandwidth
	ranks    int     // by the command that started it, or by its title
	nameless bool    // a table is there, and nothing says of which collective
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
	r := reader{Test: &Test{Op: network.AllReduce, Nodes: 1}, hosts: map[string]bool{},
		placed: places{first: map[string]int{}}}
	whole := pasted.Plain(text)
	text, r.devices = whole, onDevices(whole)
	if strings.Contains(text, `"out_of_place"`) {
		text = unpacked(text)
	} else {
		text = recorded(text)
	}
	lines := 0
	for line := range strings.Lines(text) {
		if lines++; lines > mostLines {
			break
		}
		more, err := r.line(unprefixed(strings.TrimSpace(line)))
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	if len(r.Points) == 0 {
		return nil, r.refused(whole)
	}
	r.Nodes, r.Cut = max(1, len(r.hosts)), r.Cut || r.blamed
	if r.brief {
		r.listed = max(r.listed, r.ranks)
	}
	r.count(r.listed)
	r.Nodes = r.placed.nodes(r.Nodes, r.Devices)
	r.Open = r.placed.open
	switch {
	case !r.finish():
		return nil, phrase.New("nccl.no-command")
	case r.layout == onHost:
		return nil, phrase.New("nccl.on-host")
	case r.Devices == 1 && r.Best().Bus == 0:
		return nil, phrase.Fault{What: phrase.New("nccl.one-device"), Remedy: phrase.New("nccl.more-devices")}
	}
	return r.Test, nil
}

// reader reads the output of a run line by line.
type reader struct {
	*Test
	hosts  map[string]bool
	listed int    // ranks
	placed places // where they are
	first  string // line that says something, or why a test failed,
	blamed bool   // which it is then
	named  bool   // a line names the collective
}

// line reads a line, and tells whether more may follow of the same test.
func (r *reader) line(line string) (more bool, err error) {
	if failed := strings.Contains(line, " failure "); strings.Trim(r.first, "# ") == "" || failed && !r.blamed {
		r.first, r.blamed = line, failed
	}
	if strings.Contains(line, "nccom-test") {
		r.Device, r.listed = "AWS Trainium", max(r.listed, workers(line))
	}
	op, is := opIn(line)
	if strings.HasPrefix(line, "# Benchmarking") && len(r.Points) > 0 { // of Intel MPI
		if !is || op != r.Op {
			r.More = true
			return false, nil
		}
		r.Points = nil // once more, among more ranks
	}
	r.titled(line)
	switch test := lawless(line); {
	case is && r.named && op != r.Op && len(r.Points) > 0:
		r.More = true
		return false, nil
	case is && !r.named:
		r.Op, r.named = op, true
	case test != "" && !r.named && r.layout == none:
		return false, noLaw(test)
	}
	cells := strings.FieldsFunc(strings.TrimLeft(line, "# "), isApart)
	if len(r.Points) > 0 && begins(line, cells) {
		r.More = true // the same collective once more
		return false, nil
	}
	r.placed.started(cells)
	if strings.HasPrefix(line, "[BENCHMARK]") {
		r.demonstrated(line)
	} else {
		r.cells(line, cells)
	}
	return true, nil
}

// cells reads a line by its cells: a rank, an average, or a line of the table.
func (r *reader) cells(line string, cells []string) {
	if len(cells) == 10 && strings.HasPrefix(cells[0], "COMMS-RES") { // of PARAM: five times before the bandwidths
		cells = []string{cells[1], cells[2], "-", cells[3], cells[8], cells[9]}
	}
	r.Cut = r.Cut && line == ""
	switch {
	case len(cells) > 8 && cells[0] == "Rank":
		r.listed = max(r.listed+1, lastRank(cells))
		r.Host, r.Device = hostOf(cells), deviceOf(cells)
		if r.Host != "" {
			r.hosts[r.Host] = true
			r.placed.add(r.Host, cells)
		}
	case strings.HasPrefix(line, "#"), strings.HasPrefix(line, "Avg "):
		_, after, _ := strings.Cut(line, ":")
		switch figures := strings.FieldsFunc(after, isApart); {
		case len(figures) == 0 || len(cells) == 0:
		case cells[0] == "Avg":
			r.Average = max(numberOf(figures[0]), 0) * 1e9
		case cells[0] == "Out" && r.Wrong == 0: // of bounds: old tables print an error, which tells less
			r.Wrong = int(min(max(numberOf(figures[0]), 0), float64(len(r.Points))))
		}
	default:
		r.Cut = r.Cut || len(cells) > 1 && numberOf(cells[0]) > r.largest() && numberOf(cells[1]) > 0 && r.largest() > 0
		for range mostPrefix {
			if r.readBrief(cells, r.named) || r.readLine(cells, r.named) {
				r.Cut = false
				break
			} else if len(cells) <= leastCells {
				break
			}
			cells = cells[1:] // a prefix, such as the time
		}
	}
}

// refused says why a text without a line of a table can't be read.
func (r *reader) refused(text string) error {
	switch test := lawless(text); {
	case r.strange != "":
		return noLaw(r.strange)
	case r.empty:
		return phrase.New("nccl.no-bytes")
	case r.nameless:
		return phrase.New("nccl.no-command")
	case pasted.Other(text, "nccl") != nil:
		return phrase.Fault{What: pasted.Other(text, "nccl"), Remedy: phrase.New("nccl.paste-table")}
	case test != "":
		return noLaw(test)
	}
	return phrase.Fault{What: phrase.New("nccl.no-table", "line", spell.Clip(strings.ToValidUTF8(r.first, ""), 40)),
		Remedy: phrase.New("nccl.paste-table")}
}

// noLaw is the error of a test that is none of the collectives.
func noLaw(test string) error {
	return phrase.Fault{What: phrase.New("nccl.no-law", "test", test), Remedy: phrase.New("nccl.paste-table")}
}

// demonstrated reads a line of Gaudi's hccl_demo: the size, then its bus bandwidth (NW), then its algorithm bandwidth,
// each on a line of its own. Its links tell the device: a Gaudi 2's carry 262.5 GB/s. Of an all-gather the size is what
// each of n devices puts in, and so is the algorithm bandwidth, so that bus over algorithm bandwidth is n-1.
func (t *Test) demonstrated(line string) {
	const ofGaudi2 = 262.5
	cells := strings.FieldsFunc(line, func(c rune) bool { return isApart(c) || c == ':' || c == '=' })
	for i := 1; i+1 < len(cells); i++ {
		x := numberOf(cells[i+1])
		switch cells[i-1] + cells[i] {
		case "NWBandwidth":
			t.bus = x
		case "AlgoBandwidth":
			if t.Device = "Gaudi 2"; t.bus > ofGaudi2 {
				t.Device = "Gaudi 3"
			}
			if x > 0 && t.bus > 0 && t.size > 0 {
				n := 1.0
				if t.bus/x > 2 {
					n = math.Round(t.bus/x) + 1
				}
				t.Points = append(t.Points, Point{network.Point{Bytes: q.Bytes(n * t.size),
					Time: q.Seconds(t.size / x / 1e9)}, t.bus * 1e9})
				t.Factor, t.unsure = t.bus/x/n, 0.001
			}
		}
		if (strings.HasSuffix(cells[i], "data_size") || strings.HasSuffix(cells[i], "dataSize")) && x > 0 {
			t.size = x
		}
	}
}

// begins tells whether a line is of the head of a test: its settings, or its first rank.
func begins(line string, cells []string) bool {
	return strings.Contains(line, "nThread ") && strings.Contains(line, " minBytes ") ||
		len(cells) > 8 && cells[0] == "Rank" && cells[1] == "0"
}

// unpacked makes lines of what the tests write with -J: of each device, and of each size.
func unpacked(text string) string {
	return strings.NewReplacer("\n", " ", `"hostname"`, " on ", `"device_hex"`, " ", `"device_info"`, " [] ",
		`"rank"`, "\n# Rank ", `"group"`, "Group ", `"pid"`, "Pid ", `"device"`, "device ", `"size"`, "\n",
		`"bandwidth"`,
		"\n# Avg : ", `"out_of_bounds"`, "\n", `"count"`, " ", `"type"`, " ", `"redop"`, " ", `"root"`, " ",
		`"out_of_place"`, " ", `"in_place"`, " ", `"time"`, " ", `"cpu_time"`, " ", `"alg_bw"`, " ", `"bus_bw"`, " ",
		`"nwrong"`, " ", `"config"`, "\n", `"env"`, "\n", `"results"`, "\n", ":", " ", "{", " ", "}", " ",
		"[", " ", "]", " ", `"`, " ").Replace(text)
}

// isApart tells what stands between the cells of a line.
func isApart(c rune) bool { return c <= ' ' || c == ',' || c == '|' }

// lastRank is how many ranks there are at least, of a line of one rank or of "Rank  0 .. Rank  7 on node-a".
func lastRank(cells []string) int {
	most := 0
	for i, cell := range cells[1:] {
		if n, err := strconv.Atoi(cell); err == nil && cells[i] == "Rank" && n < 1<<20 {
			most = max(most, n+1)
		}
	}
	return most
}

// workers is how many take part by a command, "nccom-test -r 32" or "mpirun -np 32", or by a title, "over 16 ranks"; 0
// if a line doesn't say.
func workers(line string) int {
	words := strings.Fields(strings.ReplaceAll(line, "=", " "))
	for i := 1; i < len(words); i++ {
		n, err := strconv.Atoi(words[i])
		before := strings.Contains("|-r|--nworkers|-np|-n|--ntasks|-p|#processes|#processes:|", "|"+words[i-1]+"|")
		behind := i+1 < len(words) && (words[i+1] == "ranks" || words[i+1] == "devices") // as titles have it
		if err == nil && n > 0 && n < 1<<20 && (before || behind) {
			return n
		}
	}
	return 0
}

// lawless is the test that a line names whose operation is none of the collectives; "" if it names none. Tests of
// others, of links and of MPI, have no table like this.
func lawless(line string) string {
	for _, test := range [...]string{"gather_perf", "scatter_perf", "hypercube_perf", "RDMA_Write",
		"RDMA_Read", "ucx_perftest", "ib_write_bw", "ib_read_bw", "ib_send_bw", "OSU MPI", "nvbandwidth"} {
		if strings.Contains(line, test) {
			return test
		}
	}
	switch { // that don't name themselves
	case strings.Contains(line, " (usec) "):
		return "ucx_perftest"
	case strings.Contains(line, "[tuning] "), strings.Contains(line, "Dispatch + combine"):
		return "DeepEP"
	}
	return ""
}

// unprefixed is a line without what launchers put before it: "3: ", "[1,0]<stdout>:", "worker-0: ", and before what
// begins with # also what has blanks in it: "[pod/launcher-x/main] ", "2026-05-01T10:00:00.1Z ".
func unprefixed(line string) string {
	if at := strings.Index(line, "# "); at > 0 && at <= 100 && !strings.Contains(line[:at], "#") {
		return line[at:]
	}
	head, rest, found := strings.Cut(line, ":")
	if found && len(head) <= 24 && head != "Collective" && !strings.ContainsAny(head, " #\t") {
		return strings.TrimSpace(rest)
	}
	return line
}

// ops are collectives by the names of their tests.
var ops = []struct {
	word string
	op   network.Op
}{{"all_reduce", network.AllReduce}, {"allreduce", network.AllReduce}, {"all_gather", network.AllGather},
	{"allgather", network.AllGather}, {"reduce_scatter", network.ReduceScatter},
	{"reducescatter", network.ReduceScatter}, {"alltoall", network.AllToAll}, {"all_to_all", network.AllToAll},
	{"broadcast", network.Broadcast}, {"reduce_perf", network.Reduce}, {"sendrecv", network.Permute},
	{" allr", network.AllReduce}, {" allg", network.AllGather}, {" redsct", network.ReduceScatter},
	{" a2a", network.AllToAll}, {"all-to-all", network.AllToAll}, {"bcast", network.Broadcast}}

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

// deviceOf is the device of such a line: what follows the bus in brackets, or the host.
func deviceOf(cells []string) string {
	device := ""
	for i, cell := range cells[:len(cells)-1] {
		if strings.HasPrefix(cell, "[") && strings.HasSuffix(cell, "]") || i > 0 && cells[i-1] == "on" {
			device = strings.Join(cells[i+1:], " ")
		}
	}
	return device
}

// leastCells is how many cells a line of the table has at least: size, count, type, then of some collectives the
// operation and the root, then time, algorithm and bus bandwidth and wrong results, out of place and, if somebody did
// not cut them off, in place. Releases add columns behind each of the two.
const leastCells = 6

const gib = 1 << 30

// mostPrefix is how many words may stand before a line of the table, such as day, time, host and program, and itself.
const mostPrefix = 8

// readLine reads a line of the table, and tells whether it is one: its time is the first number with whose bandwidth
// its size agrees, as printed.
func (t *Test) readLine(cells []string, named bool) bool {
	if len(cells) > leastCells && numberOf(cells[2]) >= 0 && numberOf(cells[3]) >= 0 && numberOf(cells[4]) < 0 {
		cells = append(append([]string{}, cells[:2]...), cells[4:]...) // bytes that go in and come out
	}
	if len(cells) < leastCells || !(numberOf(cells[0]) >= 0 && numberOf(cells[1]) >= 0) {
		return false
	}
	size, at, unit := numberOf(cells[0]), 3, 1e9
	if numberOf(cells[2]) >= 0 { // no type, as MSCCL++'s tests have none: nothing else tells such a line from others
		if at--; size == 0 || numberOf(cells[at]) <= 0 || strings.Trim(cells[5], "0123456789") != "" {
			return false
		}
	}
	for ; ; at++ {
		if at > 5 || at+2 >= len(cells) || at == 3 && numberOf(cells[2]) >= 0 {
			return false
		}
		time, rate := numberOf(cells[at]), numberOf(cells[at+1])
		if time > 0 && numberOf(cells[at+2]) >= 0 {
			if math.Abs(size/time/1e3-rate) <= 0.006+0.03*rate {
				break
			} else if math.Abs(size/time/1e-6/gib-rate) <= 0.001*rate { // as older releases of nccom-test count
				unit = gib
				break
			}
		}
	}
	time, rate, bus := numberOf(cells[at]), numberOf(cells[at+1]), numberOf(cells[at+2])
	if size == 0 {
		t.empty = true
		return true
	}
	if at += 3; at < len(cells) {
		if wrong := cells[at]; strings.Trim(wrong, "0.") != "" && strings.Trim(wrong, "0123456789.") == "" {
			t.Wrong++
		}
	}
	t.Points = append(t.Points, Point{network.Point{Bytes: q.Bytes(size), Time: q.Seconds(time * 1e-6)}, bus * unit})
	if rate >= 1 && size >= t.largest() { // small ones are printed with few digits
		t.Factor, t.unsure = bus/rate, 0.01/rate
	}
	if !named && rate >= 1 {
		alone := at+4 < len(cells) && cells[len(cells)-1] == "N/A" && cells[at] != "N/A" // nothing was checked in place
		t.Op = inferredOp(cells[min(3, at-3):at-3], t.Factor, t.unsure, alone)
	}
	return true
}

// inferredOp is the collective of a line that nothing else names, by its columns between type and time, the sum and the
// root, and by bus over algorithm bandwidth, which is 1 of an all-reduce of two devices and more of one of more. Old
// releases print no sum where nothing is summed. An all-to-all and what each sends to the next have no form in place,
// and so no results to check there.
func inferredOp(columns []string, factor, unsure float64, alone bool) network.Op {
	sums, root := false, false
	for _, cell := range columns {
		root = numberOf(cell) >= 0
		sums = sums || !root && cell != "none" && cell != "-1"
	}
	switch {
	case root && sums:
		return network.Reduce
	case root:
		return network.Broadcast
	case alone && math.Abs(factor-1) <= unsure:
		return network.Permute
	case factor == 0 || factor+unsure >= 1:
		return network.AllReduce
	case sums: // the share of a gather, and sums
		return network.ReduceScatter
	case alone:
		return network.AllToAll
	}
	return network.AllGather
}

// numberOf is a number that isn't below zero; less than zero if a cell is none, or more than anything measured.
func numberOf(cell string) float64 {
	const most = 1e21
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil || !(x >= 0 && x <= most) {
		return -1
	}
	return x
}

// largest is the largest array.
func (t *Test) largest() float64 {
	most := 0.0
	for _, p := range t.Points {
		most = max(most, float64(p.Bytes))
	}
	return most
}

// count tells how many devices there are: those that are listed, unless bus over algorithm bandwidth says that there
// were more, as where only some of the list was copied; as that says without a list; eight if neither does.
func (t *Test) count(ranks int) {
	whole := 0.0 // the factor of infinitely many
	switch f := t.Factor; {
	case t.Op == network.AllReduce && f >= 1 && f < 2:
		whole = 2
	case f > 0 && f < 1:
		whole = 1
	}
	least, most := whole/(whole-t.Factor+t.unsure), whole/max(whole-t.Factor-t.unsure, 1e-6)
	n := roundest(least-0.01, most+0.01)
	known := whole > 0 && n >= 2
	switch {
	case ranks > 0 && !(known && float64(ranks) < least-0.01):
		t.Devices = ranks
	case known:
		t.Devices = n
	default:
		t.Devices, t.Assumed = 8, true
	}
}

// roundest is the whole number between two that the largest power of two divides: what is printed has few digits, and
// machines have so many devices. It is 0 if there is none.
func roundest(least, most float64) int {
	for step := 1 << 16; step > 0; step /= 2 {
		if n := int(math.Ceil(least/float64(step))) * step; float64(n) <= most && n > 0 && n < 1<<20 {
			return n
		}
	}
	return 0
}

// Named is what tells the device: what it is called, or the host where that is no name of a product.
func (t *Test) Named() string {
	if strings.HasSuffix(t.Device, "Device") {
		return t.Host
	}
	return t.Device
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
