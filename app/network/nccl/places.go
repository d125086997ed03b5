package nccl

import "strconv"

// places are where ranks are, by the lines of a list that may be cut: of each node the rank of its first device, as far
// as ranks follow the devices of a node.
type places struct {
	first map[string]int // by host
	lines int
	size  int  // devices of a node, at least
	each  int  // devices of a process, if the head says so
	open  bool // the first node has more than it names, nobody says how many
	mixed bool // ranks don't follow devices
}

// add takes a line of one rank.
func (p *places) add(host string, cells []string) {
	rank, err := strconv.Atoi(cells[1])
	device := -1
	for i, cell := range cells[:len(cells)-1] {
		if n, err := strconv.Atoi(cells[i+1]); err == nil && cell == "device" {
			device = n
		}
	}
	first, known := p.first[host]
	if p.lines++; err != nil || device < 0 || device > rank || known && first != rank-device {
		p.mixed = true
		return
	}
	p.first[host] = rank - device
	p.size = max(p.size, device+1)
}

// started takes how a process was started, by the head of a test: all of its devices are of one node.
func (p *places) started(cells []string) {
	if len(cells) < 4 || cells[0] != "nThread" || cells[2] != "nGpus" {
		return
	}
	threads, err := strconv.Atoi(cells[1])
	each, err2 := strconv.Atoi(cells[3])
	if err == nil && err2 == nil && threads > 0 && each > 0 && threads <= 1<<10 && each <= 1<<10 {
		p.each = threads * each
	}
}

// nodes is on how many nodes so many devices are, of which the list names some; as many as it names where it is whole,
// or where its lines don't tell.
func (p *places) nodes(named, devices int) int {
	size, ends := max(p.size, p.each), p.each > 1
	if p.mixed || p.size == 0 || p.lines >= devices || devices%size != 0 {
		return named
	}
	for _, first := range p.first {
		if first%size != 0 {
			return named
		}
		ends = ends || first > 0
	}
	if p.open = !ends; p.open { // a list of the first devices of one node doesn't tell how many more it has
		return named
	}
	return max(named, devices/size)
}
