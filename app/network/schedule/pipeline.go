package schedule

// PipelineRing is a broadcast from chip 0 around a ring in pieces that follow each other, the even ones forwards and
// the odd ones backwards, each all around to the last who lacks it: every link carries half of the array in each
// direction.
func PipelineRing(chips int, bytes float64, pieces int) (*Schedule, error) {
	if err := checkChips(chips); err != nil {
		return nil, err
	}
	if err := checkChips(pieces); err != nil {
		return nil, err
	}
	s := fromRoot(chips, bytes, pieces)
	for t := range (pieces+1)/2 + chips - 2 {
		var all []Transfer
		for hop := range chips - 1 {
			for way, dir := range [...]int{+1, -1} {
				if piece := 2*(t-hop) + way; piece >= way && piece < pieces {
					from, to := (chips+dir*hop)%chips, (chips+dir*(hop+1))%chips
					all = append(all, Transfer{From: from, To: to, Dir: dir, Chunks: []int{piece}})
				}
			}
		}
		if err := s.add(all); err != nil {
			return nil, err
		}
	}
	return s, nil
}
