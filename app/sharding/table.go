package sharding

// table maps layouts to nodes: a hash table with open addressing, quicker to make than a map.
type table struct {
	keys []uint64
	node []int32 // -1 where the slot is free
	used int
}

// find is the slot of a key; a new one holds -1 and is filled by the caller.
func (t *table) find(key uint64) *int32 {
	if 2*t.used >= len(t.node) {
		t.grow()
	}
	mask := uint64(len(t.node) - 1)
	for h := key * 0x9E3779B97F4A7C15 >> 20; ; h++ {
		i := h & mask
		if t.node[i] < 0 {
			if t.keys[i] != key {
				t.keys[i] = key
			}
			return &t.node[i]
		}
		if t.keys[i] == key {
			return &t.node[i]
		}
	}
}

func (t *table) grow() {
	old := *t
	n := max(64, 2*len(old.node))
	t.keys, t.node, t.used = make([]uint64, n), make([]int32, n), 0
	for i := range t.node {
		t.node[i] = -1
	}
	for i, v := range old.node {
		if v >= 0 {
			*t.find(old.keys[i]) = v
			t.used++
		}
	}
}
