package nccl

import "strconv"

// places are where ranks are, by the lines of a list that may be cut: of each node the rank of its first device, as far
// as ranks follow the devices of a node.
type places struct {
	first map[string]int // by host
	lines int
	size  int  // devices of a node, at least
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

// nodes is on how many nodes so many devices are, of which the list names some; as many as it names where it is whole,
// or where its lines don't tell.
func (p *places) nodes(named, devices int) int {
	if p.mixed || p.size == 0 || p.lines >= devices || devices%p.size != 0 {
		return named
	}
	for _, first := range p.first {
		if first%p.size != 0 {
			return named
		}
	}
	return max(named, devices/p.size)
}
