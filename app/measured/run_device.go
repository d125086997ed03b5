package measured

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/training"
)

// device finds the device of a set-up by its name, or as the set-up describes it. It tells the catalog's ID, if any.
func (s Setup) device() (d training.Device, id string, err error) {
	a, err := deviceNamed(s.Text("device"))
	if err != nil {
		if s.Has(peakNames...) {
			d, err = s.ownDevice()
		}
		return d, "", err
	}
	if d, err = training.NewDevice(a); err == nil {
		if n := coresOf.FindStringSubmatch(s.Text("device")); n != nil {
			d = coreOf(d, n[1])
		}
	}
	s.node(&d)
	s.network(&d)
	return d, a.ID, err
}

// peakNames are those by which a set-up tells the rate of a device that the catalog lacks.
var peakNames = []string{"peak_tflops", "device_tflops", "tflops_peak", "bf16_tflops"}

// ownDevice is a device of which the set-up tells all that counts. Its name may be any.
func (s Setup) ownDevice() (training.Device, error) {
	const tera, giga, most = 1e12, 1e9, 1e9
	var sizes [5]float64
	for i, size := range []struct {
		least, otherwise float64
		names            []string
	}{
		{1e-3, 0, peakNames},
		{1e-3, 0, []string{"memory_GB", "hbm_GB", "device_memory_GB"}},
		{1e-3, 0, []string{"memory_bandwidth_GBps", "hbm_bandwidth_GBps"}},
		{0, 64, []string{"scaleup_GBps", "nvlink_GBps", "interconnect_GBps"}}, // as PCIe does
		{0, 25, []string{"network_GBps", "nic_GBps"}},
	} {
		x, err := s.Number(size.otherwise, size.names...)
		if err == nil && !(x >= size.least && x <= most) {
			err = fmt.Errorf("device %q needs %s, one way and of one device; write a number, such as 400",
				s.Text("device"), size.names[0])
		}
		if err != nil {
			return training.Device{}, err
		}
		sizes[i] = x
	}
	domain, err := s.Whole(8, 1, mostDevices, "node_size", "gpus_per_node", "devices_per_node")
	return training.OwnDevice(s.Text("device"), sizes[0]*tera, sizes[1]*giga, sizes[2]*giga, sizes[3]*giga,
		sizes[4]*giga, domain), err
}

var gigabytes = regexp.MustCompile(`(\d+)\s?GB\b`)

// coreOf is one of n cores of a chip, which a row counts as a device: "NeuronCore (2 a chip)".
func coreOf(d training.Device, count string) training.Device {
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 {
		return d
	}
	for i := range d.Peak {
		d.Peak[i] /= float64(n)
	}
	for _, x := range []*float64{&d.Memory, &d.Stream, &d.Fast, &d.Slow, &d.Host} {
		*x /= float64(n)
	}
	d.Domain *= n
	return d
}

var coresOf = regexp.MustCompile(`\((\d+) a chip`)

// network takes over what a set-up says of the links between its nodes: so many of so many Gb/s, of a node or a device,
// and how many devices a node has.
func (s Setup) network(d *training.Device) {
	const bits, rack = 1e9 / 8, 16 // devices from which on a domain is no node
	if n, err := s.Whole(0, 0, mostDevices, "gpus_per_node", "devices_per_node"); err == nil && n > 0 && d.Axes == 0 &&
		n < d.Domain && d.Domain <= rack {
		d.Domain = n
	}
	said := s.Text("interconnect", "network")
	found := links.FindStringSubmatch(said)
	if found == nil || d.Axes > 0 {
		return
	}
	rate, _ := strconv.ParseFloat(found[2], 64)
	count := 1.0
	if n := linkCount.FindStringSubmatch(said[:strings.Index(said, found[0])+len(found[1])]); n != nil {
		count, _ = strconv.ParseFloat(n[1], 64)
	}
	node := float64(max(1, d.Domain))
	if of := nodeOf.FindStringSubmatch(said); of != nil {
		node, _ = strconv.ParseFloat(of[1], 64)
	}
	if whole := perNode.MatchString(said) || count > 1; whole && rate > 0 && node > 0 {
		d.Slow = count * rate * bits / node
	} else if rate > 0 {
		d.Slow = rate * bits
	}
}

var (
	links     = regexp.MustCompile(`((?:\d+ ?x ?)?)(\d+) ?Gb(?:/s|it/s| )`)
	linkCount = regexp.MustCompile(`(\d+) ?x? ?[A-Za-z- ]*(?:\d+ ?x ?)?$`)
	perNode   = regexp.MustCompile(`(per|a) node|between nodes`)
	nodeOf    = regexp.MustCompile(`node of (\d+)`)
)

// node takes over what a set-up says of its devices: memory in their name, where another variant is meant than the
// catalog's. The gigabytes of names are GiB, or nearly. A name with two sizes says nothing.
func (s Setup) node(d *training.Device) {
	said := s.Text("device")
	if all := gigabytes.FindAllString(said, -1); len(all) > 1 &&
		strings.TrimSuffix(all[0], "GB") != strings.TrimSuffix(all[1], "GB") {
		return
	}
	if found := gigabytes.FindStringSubmatch(said); found != nil {
		if n, err := strconv.ParseFloat(found[1], 64); err == nil && n > 0 {
			if named := n * (1 << 30); math.Abs(named/(d.Memory+hardware.Driver)-1) > 0.15 {
				d.Memory = named - hardware.Driver
			}
		}
	}
}
