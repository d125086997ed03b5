package schedule

// Direct is an all-gather through a switch in one step: everyone sends its shard to everyone.
func Direct(chips int, bytes float64) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	s := shards(chips, bytes, []float64{1})
	return s, s.add(pairs(chips, func(from, to int) []int { return s.Begin[from] }))
}

// DirectExchange is an all-to-all through a switch, or a tree of them, in one step.
func DirectExchange(chips int, bytes float64) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	s := rows(chips, bytes)
	return s, s.add(pairs(chips, func(from, to int) []int {
		return []int{rowChunk(from, to, chips, 0), rowChunk(from, to, chips, 1)}
	}))
}

// pairs is a transfer from everyone to every other.
func pairs(chips int, chunks func(from, to int) []int) []Transfer {
	var out []Transfer
	for from := range chips {
		for to := range chips {
			if from != to {
				out = append(out, Transfer{From: from, To: to, Axis: -1, Chunks: chunks(from, to)})
			}
		}
	}
	return out
}

// InSwitch is an all-reduce in which the switch adds: everyone sends its array in pieces to the switch (chip number
// chips), which sends each sum back as soon as it has it.
func InSwitch(chips int, bytes float64, pieces int) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	if err := checkChips(pieces); err != nil {
		return nil, err
	}
	s := whole(chips, bytes, pieces)
	s.Nodes = chips + 1
	for t := range pieces + 1 {
		var all []Transfer
		for chip := range chips {
			if t < pieces {
				all = append(all, Transfer{From: chip, To: chips, Axis: -1, Chunks: []int{t}, Add: true})
			}
			if t > 0 {
				all = append(all, Transfer{From: chips, To: chip, Axis: -1, Chunks: []int{t - 1}})
			}
		}
		if err := s.add(all); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// whole is the beginning of an all-reduce: everyone has its own version of the array, in pieces.
func whole(chips int, bytes float64, pieces int) *Schedule {
	s := &Schedule{Chips: chips, Nodes: chips, Begin: make([][]int, chips), Want: make([][]int, chips)}
	for p := range pieces {
		s.Sizes = append(s.Sizes, bytes/float64(pieces))
		for chip := range chips {
			s.Begin[chip], s.Want[chip] = append(s.Begin[chip], p), append(s.Want[chip], p)
		}
	}
	return s
}

// Pipeline is a broadcast from chip 0 along a line, in pieces that follow each other.
func Pipeline(chips int, bytes float64, pieces int) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	if err := checkChips(pieces); err != nil {
		return nil, err
	}
	s := fromRoot(chips, bytes, pieces)
	for t := range pieces + chips - 2 {
		var all []Transfer
		for chip := range chips - 1 {
			if piece := t - chip; piece >= 0 && piece < pieces {
				all = append(all, Transfer{From: chip, To: chip + 1, Dir: +1, Chunks: []int{piece}})
			}
		}
		if err := s.add(all); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// fromRoot is the beginning of a broadcast.
func fromRoot(chips int, bytes float64, pieces int) *Schedule {
	s := whole(chips, bytes, pieces)
	for chip := 1; chip < chips; chip++ {
		s.Begin[chip] = nil
	}
	return s
}
