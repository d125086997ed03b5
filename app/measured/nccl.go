package measured

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/nccl"
	q "github.com/scalebook/scalebook/app/quantity"
)

// collectiveTest predicts what the tests of NCCL print of a collective: times and bandwidths, size by size.
func collectiveTest(row Row, widths *machineWidths) (Prediction, error) {
	c, err := readCollective(row.Setup)
	if err != nil {
		return Prediction{}, err
	}
	c.widths = widths
	asked := row.Asked
	if len(asked) == 0 {
		asked = collectiveMetrics()
	}
	p := Prediction{Metrics: Metrics{}}
	for _, name := range asked {
		if x, found := byName(name, c.metric); found && x.sound() {
			p.Metrics[name] = x
		}
	}
	if len(p.Metrics) == 0 {
		return p, errors.New("none of what was measured is a time or a bandwidth; ask for busbw_GBps or " +
			"time_us_by_bytes")
	}
	return p, nil
}

// collectiveMetrics are the metrics of a row that names none: of sizes from 8 bytes to 16 GiB by factors of two.
func collectiveMetrics() []string {
	names := []string{"busbw_GBps", "algbw_GBps", "busbw_GBps_at_max", "busbw_peak_GBps", "busbw_peak_expected_GBps",
		"busbw_ring_expected_GBps", "algbw_peak_expected_GBps", "busbw_expected_approx_GBps",
		"busbw_ring_GBps_at_16GiB",
		"busbw_nvls_off_GBps", "busbw_1node_GBps", "busbw_ring_approx_GBps", "busbw_tree_approx_GBps", "floor_us"}
	for _, dtype := range []string{"int8", "uint8", "int32", "int64", "fp16", "bf16", "fp32", "fp64", "f8e4m3",
		"f8e5m2"} {
		names = append(names, "busbw_"+dtype+"_GBps")
	}
	for size := 8; size <= 16<<30; size *= 2 {
		text := nested + strconv.Itoa(size)
		names = append(names, "busbw_GBps_by_bytes"+text, "time_us_by_bytes"+text)
	}
	return names
}

// collective is a row of NCCL's tests, read.
type collective struct {
	setting *nccl.Setting
	size    float64 // of the array as NCCL's tests count it, at the end of the sweep
	tool    float64 // seconds that the tool takes besides, for each collective
	local   int     // devices of a node
	family  string  // of its devices
	widths  *machineWidths
}

// usualLargest is where sweeps end that do not tell it.
const usualLargest = 16 << 30

// pythonStart is what a loop in Python adds to the start of a collective that NCCL's own tests do not pay.
const pythonStart = 20e-6

// networkWords find the interfaces of a node: "8 x 400 Gb/s InfiniBand a node"; and of one device: "NDR 400 Gb/s".
var (
	networkWords = regexp.MustCompile(`(\d+)\s*x\s*(\d+)\s*Gb/s`)
	wireWords    = regexp.MustCompile(`(\d+)\s*Gb/s`)
)

// readCollective reads a set-up.
func readCollective(s Setup) (*collective, error) {
	a, err := collectiveDevice(s)
	if err != nil {
		return nil, err
	}
	c := &collective{family: nccl.Family(a)}
	if c.setting, err = nccl.Node(a); err != nil {
		return nil, fmt.Errorf("%w: its links are what decides", err)
	}
	op := strings.ReplaceAll(strings.TrimSuffix(s.Text("op", "collective"), "_perf"), "_", "-")
	if c.setting.Op, err = network.ParseOp(op); err != nil {
		return nil, fmt.Errorf(
			"op %q is no collective; write all-reduce, all-gather, reduce-scatter, all-to-all or broadcast",
			s.Text("op", "collective"),
		)
	}
	if err := c.readDevices(s, a); err != nil {
		return nil, err
	}
	c.readNetwork(s)
	if c.setting.Nodes > 1 && c.local == 1 && c.setting.Wire == 0 { // else its own links bind
		return nil, errors.New("what enters a node isn't known; write network, such as \"8 x 400 Gb/s\"")
	}
	words := strings.ToLower(s.Text("algorithm"))
	switch {
	case strings.Contains(words, "nvls"): // also where a ring carries the small sizes
	case strings.Contains(words, "ring"):
		c.setting.Algorithm = nccl.Ring
	case strings.Contains(words, "tree"):
		c.setting.Algorithm = nccl.Tree
	}
	if narrow(s.Text("dtype")) {
		c.setting.Switched, c.setting.Sharp = false, false
	}
	if strings.Contains(s.Text("tool"), ".py") {
		c.tool = pythonStart
	}
	c.size, err = s.arrayBytes()
	if err == nil && !(c.size > 0 && c.size < 1e15) {
		err = fmt.Errorf("payload_bytes is %v; write the bytes of the array", c.size)
	}
	if strings.Contains(s.Text("payload_note"), "input a rank") {
		c.size *= float64(c.setting.Devices)
	}
	return c, err
}

// byteUnits are the units of bytes in names and values. By K to T alone NCCL's tests mean powers of 1024.
var byteUnits = []struct {
	name  string
	bytes float64
}{
	{"bytes", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40},
}

// byteUnit is how many bytes a unit has; 0 if it is none.
func byteUnit(name string) float64 {
	for _, u := range byteUnits {
		if strings.EqualFold(u.name, name) {
			return u.bytes
		}
	}
	return 0
}

// bytesWords are bytes as people write them: 8 GB, 256MiB, and 1G.
var bytesWords = regexp.MustCompile(`^(\d+(?:\.\d+)?) ?([KMGT](?:i?B)?)$`)

// arrayBytes is how large the largest array is: in bytes, or in what the name or the value says.
func (s Setup) arrayBytes() (float64, error) {
	names := []string{"payload_bytes", "max_bytes", "payload_max_bytes"}
	if m := bytesWords.FindStringSubmatch(s.Text(names...)); m != nil {
		x, err := strconv.ParseFloat(m[1], 64)
		return x * byteUnit(m[2]), err
	}
	if !s.Has(names...) {
		for _, begin := range []string{"payload_", "size_", "message_", "message_size_", "max_", "array_"} {
			for _, u := range byteUnits {
				if s.Has(begin + u.name) {
					x, err := s.Number(0, begin+u.name)
					return x * u.bytes, err
				}
			}
		}
	}
	return s.Number(usualLargest, names...)
}

// collectiveDevice is the device of a row, by the first name that its text holds.
func collectiveDevice(s Setup) (*hardware.Accelerator, error) {
	text := s.Text("device")
	if text == "" {
		return nil, errors.New("no device; write \"device\": \"H100 SXM\" or the like")
	}
	if strings.Contains(text, "generation not") || strings.HasPrefix(text, "Gaudi (") {
		return nil, fmt.Errorf("device %q may be several; write Gaudi 2 or Gaudi 3", text)
	}
	short, _, _ := strings.Cut(text, " (")
	if a, err := FindDevice(short); err == nil {
		return a, nil
	}
	return deviceNamed(short)
}

// narrow tells the types that switches don't add: those of eight bits.
func narrow(dtype string) bool {
	dtype = strings.ToLower(dtype)
	return strings.Contains(dtype, "8") && !strings.Contains(dtype, "128")
}

// readDevices reads how many devices there are, and on how many nodes.
func (c *collective) readDevices(s Setup, a *hardware.Accelerator) error {
	n, err := s.Count(mostDevices, "n_devices", "n_ranks", "nranks")
	if err != nil {
		return err
	}
	if n < 2 {
		return errors.New("the number of devices is not said; write n_devices, at least 2")
	}
	domain := c.setting.Devices
	c.setting.Devices = int(n)
	nodes, err := s.Count(mostDevices, "racks", "n_nodes")
	if err != nil {
		return err
	}
	if !s.Has("racks") {
		nodes = float64(nccl.Domains(int(n), int(nodes), domain))
	}
	if nodes == 0 && domain > 1 {
		nodes = math.Ceil(n / float64(domain))
	}
	nodes = max(1, nodes) // cards without links of their own stand in one machine, if nothing says otherwise
	c.setting.Nodes = int(nodes)
	c.local = max(1, int(n/nodes))
	if wire, err := a.Get("network_bandwidth"); err == nil {
		c.setting.Wire = wire.Value.Value * float64(c.local)
	}
	return nil
}

// readNetwork reads what enters a node, where the row tells it.
func (c *collective) readNetwork(s Setup) {
	text := s.Text("network") + " " + s.Text("device")
	if m := networkWords.FindStringSubmatch(text); m != nil {
		x := numbers(m)
		c.setting.Wire = x[1] * x[2] / 8 * 1e9
	} else if m := wireWords.FindStringSubmatch(text); m != nil {
		c.setting.Wire = numbers(m)[1] / 8 * 1e9 * float64(c.local)
	}
	c.setting.Sharp = strings.Contains(text, "SHARP")
}

// sizeWords find the size of an array in a name: "busbw_GBps_by_bytes/8192", "busbw_ring_GBps_at_16GiB", "_1x4GB",
// "_1000x0_004GB"; typeWords the type of its elements.
var (
	sizeWords = regexp.MustCompile(`/(\d+)$`)
	unitWords = regexp.MustCompile(`(?:_at_|x)(\d+(?:_\d+)?)([KMG])(i?)B`)
	typeWords = regexp.MustCompile(`^busbw_(u?int\d+|fp\d+|bf16|f8e\dm\d)_`)
)

// metric is a metric by its name.
func (c *collective) metric(name string) (Interval, bool) {
	one := *c.setting
	s, size := &one, c.size
	if m := sizeWords.FindStringSubmatch(name); m != nil {
		size, _ = strconv.ParseFloat(m[1], 64)
	} else if m := unitWords.FindStringSubmatch(name); m != nil {
		size, _ = strconv.ParseFloat(strings.ReplaceAll(m[1], "_", "."), 64)
		base := 1000.0
		if m[3] != "" {
			base = 1024
		}
		size *= math.Pow(base, float64(1+strings.Index("KMG", m[2])))
	}
	switch {
	case strings.Contains(name, "ring") || strings.Contains(name, "nvls_off"):
		s.Algorithm = nccl.Ring
	case strings.Contains(name, "tree"):
		s.Algorithm = nccl.Tree
	case strings.Contains(name, "1node"):
		s.Devices, s.Nodes = c.local, 1
	}
	if m := typeWords.FindStringSubmatch(name); m != nil && narrow(m[1]) {
		s.Switched, s.Sharp, s.Algorithm = false, false, nccl.Ring
	}
	if !(size > 0) {
		return Interval{}, false
	}
	law := nccl.Of(s)
	t := float64(law.Time(q.Bytes(size))) + c.tool
	time := c.around(t, law, size)
	switch {
	case strings.HasPrefix(name, "time_us"):
		return time.Times(1e6), true
	case name == "floor_us":
		return c.around(float64(law.Time(minBytes))+c.tool, law, minBytes).Times(1e6), true
	case strings.HasPrefix(name, "busbw"):
		return time.Over(law.Factor * size / unitOf(name)), true
	case strings.HasPrefix(name, "algbw"):
		return time.Over(size / unitOf(name)), true
	}
	return Interval{}, false
}

// minBytes are those of the smallest array of a sweep, whose time is the floor.
const minBytes = 8

// The kinds of collectives, each with intervals of its own: most of the time goes to the bytes of the array, or to
// starts and steps.
const (
	byBytes  = "bytes"
	byStarts = "starts"
)

// around is a predicted time with its interval.
func (c *collective) around(t float64, law *nccl.Law, size float64) Interval {
	kind := byStarts
	if size/float64(law.Bandwidth) >= t/2 {
		kind = byBytes
	}
	low, high := c.widths.of(kind, c.family)
	least := min(t, law.Factor*size/float64(law.Bound)) // which no algorithm of these links undercuts
	return Interval{max(t*low, least), t, t * high}
}

// unitOf is the unit of a bandwidth: bytes a second, or bits where a name says so.
func unitOf(name string) float64 {
	if strings.Contains(name, "Gbps") {
		return 1e9 / 8
	}
	return 1e9
}
