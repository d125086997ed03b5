// Package nccl knows collectives as NCCL runs them: by a ring, by trees, or with sums in the switches (NVLS, SHARP),
// and what share of each law's bound its tests reach.
//
// With W the egress of a device, one way, n devices on m nodes, and B what enters a node's network interfaces:
//
//	ring       every device hands on 2 (n-1)/n of the array: the bus bandwidth is W
//	NVLS       a device sends its array, of which the switch makes sums, and its n-th part of the sum, of which the
//	           switch makes copies: 1 + 1/n of the array, so the bus bandwidth is 2 (n-1)/n W / (1 + 1/n)
//	tree       two trees over nodes, each for half of the array: a node is inside one and a leaf of the other, and sends
//	           twice the array; of two nodes each sends it once
//	SHARP      the switches of the network add: a node sends its array once
//	sendrecv   every device sends its array to the next: the bus bandwidth is W, and between nodes B over the devices of
//	           a node, as only its last device sends to another
//
// An all-to-all sends to each device its own part: with k devices in a node n-k of n-1 parts leave it over the device's
// share of the network, B/k, so that the bus bandwidth is (n-1)/(n-k) B/k at the most.
//
// Where each pair of a node's N devices has links of its own, as those of AMD and Gaudi have, W is what n of them have
// among each other: the links to n-1 of N-1 others, and of a sendrecv those to the next alone.
//
// Bus bandwidth is bytes of the array a second (algorithm bandwidth) times what a ring would send for each byte. It may
// be compared with a link only where a ring runs: with sums in the switch it counts what nobody sends.
package nccl

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Algorithm is how NCCL runs a collective.
type Algorithm string

// The algorithms. Between nodes NVLS goes on as trees, as NCCL's NVLSTree does, or as SHARP where the network adds.
const (
	Auto  Algorithm = "auto" // the one of the largest bus bandwidth
	Ring  Algorithm = "ring"
	Tree  Algorithm = "tree"
	NVLS  Algorithm = "nvls"
	Sharp Algorithm = "sharp"
)

// Setting is a collective of NCCL on devices.
type Setting struct {
	Op        network.Op
	Algorithm Algorithm
	Devices   int     // of all nodes together
	Nodes     int     // domains of the scale-up network; at least 1
	Egress    float64 // of a device in its node, one way, byte/s
	Wire      float64 // into the network interfaces of a node, one way, byte/s; counts where there are several nodes
	Reached   *Constants
	Switched  bool // its switches add (NVLS)
	Sharp     bool // the network's switches add
	Mesh      hardware.Mesh
	Borrowed  Borrowed
}

// Borrowed is where the shares of a device's links come from, if no published test of it is fitted.
type Borrowed int

// What shares are borrowed from.
const (
	Own     Borrowed = iota
	NVLink           // of cards on PCIe, and of devices of other makers: from machines with NVLink
	MI300X           // of later ones of AMD's
	OfEight          // of racks, whose switches add for more than eight: from nodes of eight
	Frames           // of Ethernet: what its frames carry
)

// carried is what frames of RoCE carry of what they take on the wire: 4096 bytes of data with headers of Ethernet,
// IPv4, UDP and InfiniBand (14 + 20 + 8 + 12), checks (4 + 4), and preamble and gap (8 + 12).
const carried = 4096. / (4096 + 82)

// BusFactor is bus bandwidth over bytes of the array a second: what a ring sends for each byte, as nccl-tests have it.
// The array is the whole of it: of an all-gather what comes out, of a reduce-scatter what goes in.
func BusFactor(op network.Op, n int) float64 {
	N := float64(max(n, 1))
	switch op {
	case network.AllReduce:
		return 2 * (N - 1) / N
	case network.AllGather, network.ReduceScatter, network.AllToAll:
		return (N - 1) / N
	}
	return 1
}

// Law is the time of a collective over the size of its array, and where it comes from.
type Law struct {
	network.Piped
	Algorithm Algorithm
	Factor    float64 // bus bandwidth over bytes of the array a second
	Bound     float64 // bus bandwidth at the most, byte/s
	Share     float64 // of it that the tests reach
	Wired     bool    // the network between nodes binds
	Borrowed  Borrowed
}

// Bus is the bus bandwidth with an array of so many bytes.
func (l *Law) Bus(size float64) float64 {
	return l.Factor * size / float64(l.Time(q.Bytes(size)))
}

// Reached is the bus bandwidth of the largest arrays.
func (l *Law) Reached() float64 { return l.Share * l.Bound }

// Of is the law of a setting: that of its algorithm, or, where NCCL chooses, of the one with the highest bus bandwidth
// for the largest arrays.
func Of(s *Setting) *Law {
	if s.Algorithm != Auto && s.Algorithm != "" {
		return s.law(s.Algorithm)
	}
	best := s.law(Ring)
	others := []Algorithm{Tree}
	if s.Switched {
		others = append(others, NVLS)
	}
	if s.Sharp {
		others = append(others, Sharp)
	}
	for _, a := range others {
		if l := s.law(a); l.Reached() > best.Reached() {
			best = l
		}
	}
	return best
}

// ofEight is of how many devices the share with sums in the switches was measured. NCCL gives a device of a rack no
// more channels for them than one of a node, so that of a larger domain the array goes no faster (NCCL 2.27,
// src/transport/nvls.cc: 24 within a domain of Blackwell, 16 on Hopper).
const ofEight = 8

// Can tells whether an algorithm exists for the collective on these devices: all but rings are for all-reduces, and
// NVLS for switches that add.
func (s *Setting) Can(a Algorithm) bool {
	switch a {
	case Auto, "", Ring:
		return true
	case Tree, Sharp:
		return s.Op == network.AllReduce
	case NVLS:
		return s.Op == network.AllReduce && s.Switched
	}
	return false
}

// inside is the bound of the bus bandwidth within a node, and the share of it that the tests reach.
func (s *Setting) inside(a Algorithm) (bound, share float64) {
	f := BusFactor(s.Op, s.Devices)
	local := float64(s.Devices) / float64(max(s.Nodes, 1))
	others := local
	if s.Op == network.Permute { // to the next alone
		others = min(local, 2)
	}
	k, egress := s.Reached, s.Egress*s.Mesh.Share(others)
	adds := (a == NVLS || a == Sharp) && s.Switched && s.Op == network.AllReduce
	switch {
	case local <= 1:
		return math.Inf(1), 1
	case s.Op == network.AllToAll: // only what it sends to others of its node
		egress *= (float64(s.Devices) - 1) / (local - 1)
	case adds: // by as many channels in a rack as in a node of eight, which move no more of an array
		return f * egress / (1 + 1/local), k.NVLS * min(1, (1+1/local)/(1+1./ofEight))
	case a == Tree && s.Nodes <= 1 && s.Op == network.AllReduce:
		return egress, k.Ring * k.Tree // a chain through the node, up and down
	}
	return egress, k.Ring
}

// between is the same of the network between nodes.
func (s *Setting) between(a Algorithm) (bound, share float64) {
	k := s.Reached
	if s.Nodes <= 1 || s.Wire <= 0 {
		return math.Inf(1), 1
	}
	f := BusFactor(s.Op, s.Devices)
	switch s.Op {
	case network.AllReduce:
	case network.AllToAll: // each sends most of its array to other nodes, over its own part
		n, local := float64(s.Devices), float64(s.Devices)/float64(s.Nodes)
		return s.Wire / local * (n - 1) / (n - local), k.Wire
	case network.Permute: // one device of a node sends out of it, over its own part
		return s.Wire * float64(s.Nodes) / float64(s.Devices), k.Wire
	default:
		return s.Wire, k.Wire
	}
	switch a {
	case Sharp:
		return f * s.Wire, k.Wire
	case Tree, NVLS:
		if s.Nodes == 2 {
			return f * s.Wire, k.Wire
		}
		return f / 2 * s.Wire, k.Wire
	}
	return s.Wire, k.Wire
}

// law is the law of one algorithm.
func (s *Setting) law(a Algorithm) *Law {
	l := &Law{Algorithm: a, Factor: BusFactor(s.Op, s.Devices)}
	inside, ofInside := s.inside(a)
	between, ofBetween := s.between(a)
	l.Bound, l.Share, l.Borrowed = inside, ofInside, s.Borrowed
	if a == NVLS && s.Devices > ofEight*s.Nodes {
		l.Borrowed = OfEight
	}
	if between*ofBetween < inside*ofInside {
		l.Bound, l.Share, l.Wired = between, ofBetween, true
	}
	k := s.Reached
	l.Start, l.Fill = q.Seconds(k.Start), q.Seconds(k.Fill)
	if s.Nodes > 1 {
		levels := math.Log2(float64(s.Nodes))
		if s.Op == network.Permute { // nobody waits for more than the one before
			levels = 0
		}
		l.Start, l.Fill = l.Start+q.Seconds(k.Far*(1+levels)), l.Fill+q.Seconds(k.FarFill*levels)
	}
	l.Bandwidth = q.Bandwidth(l.Reached() / l.Factor)
	return l
}

// constantTable is what the tests reach, a family of devices a column. Shares of the link inside a node are what
// nccl-tests print of the largest arrays; times are fitted to half of the published tables, see /measured/.
//
//go:embed constants.tsv
var constantTable string

// Constants are what the tests reach on a family of devices.
type Constants struct {
	Ring    float64 // share of the bound by a ring
	Tree    float64 // of that, by a chain up and down within a node
	NVLS    float64 // share of the bound with sums in the switches
	Wire    float64 // share of the network between nodes
	Start   float64 // seconds of a start
	Fill    float64 // of the start-ups of the steps, see [network.Piped]
	Far     float64 // seconds of a start with several nodes, once and again for each doubling of them
	FarFill float64 // the same of the steps, for each doubling
}

// ConstantNames are the constants by their names in the table.
func ConstantNames() []string {
	return strings.Split("ring,tree,nvls,wire,start,fill,far,far_fill", ",")
}

// Field is a constant by its name; nil if there is none.
func (c *Constants) Field(name string) *float64 {
	at := slices.Index(ConstantNames(), name)
	if at < 0 {
		return nil
	}
	return [...]*float64{&c.Ring, &c.Tree, &c.NVLS, &c.Wire, &c.Start, &c.Fill, &c.Far, &c.FarFill}[at]
}

// Families are the columns.
func Families() []string {
	head, _, _ := strings.Cut(constantTable, "\n")
	return strings.Split(head, "\t")[1:]
}

// ConstantsOf are the constants of a family of devices, one of Families; all 0 of another one.
func ConstantsOf(family string) *Constants {
	c := &Constants{}
	column := 1 + slices.Index(Families(), family)
	for line := range strings.Lines(constantTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if to := c.Field(cells[0]); to != nil {
			*to, _ = strconv.ParseFloat(cells[column], 64)
		}
	}
	return c
}

// Node is a setting of one node of a device, with what the catalog says of it. The error names what is missing.
func Node(a *hardware.Accelerator) (*Setting, error) {
	s := &Setting{Algorithm: Auto, Nodes: 1, Reached: ConstantsOf(Family(a)), Switched: a.Vendor == "NVIDIA" &&
		HasNVLS(a)}
	egress, err := a.Get("scaleup_bandwidth")
	if err != nil {
		return s, err
	}
	s.Egress = egress.Value.Value
	link, err := a.Get("pcie_bandwidth")
	onPCIe := err == nil && link.Value.Value == s.Egress
	size, err := a.Get("node_size")
	if s.Devices = int(size.Value.Value); err != nil && !onPCIe {
		return s, err
	}
	switch {
	case onPCIe, a.Vendor != "NVIDIA" && Family(a) == "h100":
		s.Borrowed = NVLink
	case Family(a) == "mi300x" && !among(measuredAMD, a):
		s.Borrowed = MI300X
	}
	if onPCIe && s.Devices < 2 { // as many as a machine has slots for
		s.Devices = 8
	}
	if link, err := a.Get("network_bandwidth"); err == nil {
		s.Wire = link.Value.Value * float64(s.Devices)
	}
	if s.Mesh = a.Mesh(); a.Vendor == "Intel" && s.Mesh.Devices > 0 { // ports of Ethernet
		s.Reached.Ring, s.Borrowed = carried, Frames
	}
	return s, nil
}

// Domains is how many groups of fast links so many devices on so many hosts are: where such a group spans more than a
// host has, as in a rack of trays, hosts of one group count as one.
func Domains(devices, hosts, group int) int {
	const mostOfHost = 8
	if group > mostOfHost {
		return (devices + group - 1) / group
	}
	return hosts
}

// The devices whose switches add, those of Hopper and later, and the families of others than Hopper.
const (
	adding      = " h100 h800 h20 h200 b200 b300 gb200 gb300 rubin "
	blackwell   = " b200 b300 gb200 gb300 rubin "
	ampere      = " a100 a100_40 v100 "
	measuredAMD = " mi300x mi325x "
	instinct    = " mi250 mi250x mi300x mi325x mi350x mi355x "
)

// among tells whether a device is one of a list.
func among(list string, a *hardware.Accelerator) bool {
	return strings.Contains(list, " "+strings.TrimPrefix(a.ID, "gpu.")+" ")
}

// Family is the column of shares of a device: its generation.
func Family(a *hardware.Accelerator) string {
	switch {
	case among(blackwell, a):
		return "b200"
	case among(ampere, a):
		return "a100"
	case among(instinct, a):
		return "mi300x"
	}
	return "h100"
}

// HasNVLS tells whether the switches of a device's node add: NVSwitch does from its third generation on.
func HasNVLS(a *hardware.Accelerator) bool { return among(adding, a) }
