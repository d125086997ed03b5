package nccl

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// layout is how a table has its lines that prints fewer columns than nccl-tests do.
type layout uint8

const (
	none      layout = iota
	latencies        // OSU: bytes of a rank, then microseconds
	rates            // OSU, of two ranks: bytes, then MB/s
	averages         // Intel MPI and oneCCL: bytes of a rank, repetitions, then microseconds: least, most, average
	counts           // UCC: elements and bytes of a rank, then microseconds: average, least, most
	onHost           // any of those, of arrays in the host's memory
)

// titled takes over what a command or a title says: how many ranks, and of the OSU tests whether their arrays are in
// the memory of devices, and which test has a law here.
func (t *Test) titled(line string) {
	t.ranks = max(t.ranks, workers(line))
	if strings.Contains(line, "t_avg[usec]") {
		if t.layout = averages; !t.devices {
			t.layout = onHost
		}
	}
	if strings.HasPrefix(line, "Memory ") {
		t.hosted = strings.HasSuffix(line, "host")
	}
	if strings.HasPrefix(line, "Count ") && strings.Contains(line, "Time,") {
		if t.layout = counts; t.hosted {
			t.layout = onHost
		}
	}
	if _, unit, is := strings.Cut(line, "Throughput ("); is {
		if t.unit = 1e9; strings.HasPrefix(unit, "Gbps") {
			t.unit /= 8
		}
	}
	words := strings.Fields(line)
	if len(words) == 3 && strings.HasPrefix(words[1], "Benchmarking") || len(words) == 2 && words[0] == "Collective:" {
		test := words[len(words)-1]
		if t.strange = ""; strings.EqualFold(test, "reduce") {
			t.Op = network.Reduce
		} else if _, named := opIn(line); !named {
			t.strange = test
		}
	}
	if len(words) < 5 || words[0] != "#" || words[1] != "OSU" {
		return
	}
	_, named := opIn(line)
	if words[3] == "Reduce" {
		t.Op, named = network.Reduce, true
	}
	switch {
	case !named && words[3] != "Bandwidth" || strings.Contains(words[2], "_"):
	case !strings.Contains(words[2], "-CUDA") && !strings.Contains(words[2], "-ROCM"):
		t.layout = onHost
	case named:
		t.layout = latencies
	default:
		t.layout, t.Op = rates, network.Permute
	}
}

// onDevices tells whether a text of Intel MPI's benchmarks or of oneCCL's is of arrays in the memory of devices: the
// former say so by their name, IMB-MPI1-GPU, or a flag, the latter by their options.
func onDevices(text string) bool {
	return strings.Contains(text, "MPI1-GPU") && !strings.Contains(text, "mem_alloc_type cpu") ||
		strings.Contains(text, "mem_alloc_type device") || strings.Contains(text, "sycl_dev_type:  gpu")
}

// readBrief reads a line of a table with few columns, and tells whether it is one. Its bus bandwidth follows once the
// number of devices is known.
func (t *Test) readBrief(cells []string, named bool) bool {
	size, time := 0.0, 0.0
	switch {
	case len(cells) < 2, t.strange != "":
	case t.layout == latencies, t.layout == onHost:
		size, time = numberOf(cells[0]), numberOf(cells[1])*1e-6
	case t.layout == averages:
		if len(cells) > 4 {
			size, time = numberOf(cells[0]), numberOf(cells[4])*1e-6
		}
	case t.layout == counts:
		if len(cells) > 4 {
			size, time = numberOf(cells[1]), numberOf(cells[2])*1e-6
			t.ranksBy(cells, size/time)
		}
	case t.layout == rates:
		size = numberOf(cells[0])
		time = size / numberOf(cells[1]) / 1e6
	case len(cells) == 4 && (cells[3] == "success" || cells[3] == "NULL"): // of Ascend's hccl_test
		size, time = numberOf(cells[0]), numberOf(cells[1])*1e-6
		rate := numberOf(cells[2])
		if math.Abs(size/time/1e9-rate) > 0.006+0.03*rate || BusFactor(t.Op, 1<<20) == 1 && t.Op != network.Broadcast {
			return false
		}
		if t.Device = "Ascend NPU"; !named {
			t.nameless = true
			return false
		}
	case named && t.Op == network.AllReduce:
		size, time = t.readUnits(cells)
	case named && t.unit > 0:
		size, time = t.readRate(cells)
	}
	if !(size > 0 && time > 0 && time < 1e9) {
		return false
	}
	t.brief = true
	t.Points = append(t.Points, Point{Point: network.Point{Bytes: q.Bytes(size), Time: q.Seconds(time)}})
	return true
}

// ranksBy takes how many ranks there are from what UCC prints as bandwidth, over bytes a second of a rank.
func (t *Test) ranksBy(cells []string, rate float64) {
	if len(cells) < 8 || !(rate > 0) {
		return
	}
	switch factor := numberOf(cells[5]) * 1e9 / rate; {
	case t.Op == network.AllGather || t.Op == network.AllToAll: // to each other one
		t.ranks = max(t.ranks, int(math.Round(min(factor, 1<<20)))+1)
	case rate > 1e9:
		t.Factor, t.unsure = factor, 0.01e9/rate
	}
}

// readRate reads a line of DeepSpeed's benchmark by its time and its throughput, whose product is the array: its first
// column has what a rank puts in.
func (t *Test) readRate(cells []string) (size, time float64) {
	for i := 1; i+1 < len(cells); i++ {
		_, scale, is := strings.Cut(" us1e-6 ms1e-3 s1 ", " "+cells[i]+"1")
		x, rate := numberOf(cells[i-1]), numberOf(cells[i+1])
		if !is || cells[i] == "" || x <= 0 || rate <= 0 {
			continue
		}
		scale, _, _ = strings.Cut("1"+scale, " ")
		time = x * numberOf(scale)
		return rate * t.unit * time, time
	}
	return 0, 0
}

// readUnits reads a line whose numbers have units: a size, then its time, or its bus and its algorithm bandwidth, as
// DeepSpeed's benchmark and the one of the book "Machine Learning Engineering" print them.
func (t *Test) readUnits(cells []string) (size, time float64) {
	x, rate := 0.0, 0.0
	for _, cell := range cells {
		digits := strings.TrimRight(cell, "GMKBpsmu")
		if digits != "" { // else the unit of the number before it
			x = numberOf(digits)
		}
		scale := strings.IndexByte("KMG", (cell + " ")[len(digits)])
		switch unit := cell[len(digits):]; {
		case x <= 0:
		case unit == "us":
			return size, x / 1e6
		case unit == "ms":
			return size, x / 1e3
		case unit == "GBps" && rate > 0:
			return size, size / x / 1e9
		case unit == "GBps":
			rate = x
		case scale >= 0:
			size = x * float64(int(1024)<<(10*scale))
		}
	}
	return 0, 0
}

// finish works out the bus bandwidths of such a table for so many ranks. OSU's sizes of a gather and of an all-to-all
// are what a rank sends to each other one. It is false if those are to be known, and nobody says how many ranks.
func (t *Test) finish() bool {
	if !t.brief {
		return true
	}
	each := 1.0
	if t.layout == rates {
		t.Devices, t.Assumed = 2, false
	}
	ofRank := t.layout == latencies || t.layout == averages || t.layout == counts
	if ofRank && (t.Op == network.AllGather || t.Op == network.AllToAll) {
		if each = float64(t.Devices); t.Assumed {
			return false
		}
	}
	t.Factor = BusFactor(t.Op, t.Devices)
	for i := range t.Points {
		p := &t.Points[i]
		p.Bytes *= q.Bytes(each)
		p.Bus = t.Factor * float64(p.Bytes) / float64(p.Time)
	}
	return true
}
