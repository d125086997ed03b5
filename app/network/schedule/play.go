package schedule

import "github.com/scalebook/scalebook/app/phrase"

// State is what everyone holds: of each chunk, whose parts have been added up in a chip's copy.
type State struct {
	chunks, words int
	bits          []uint64
}

// Holds is the number of parts in chip's copy of a chunk: 0 if it has none, 1 for a part or a chunk that needs no
// adding, all chips that began with one when the sum is complete.
func (s *State) Holds(chip, chunk int) int {
	n := 0
	for _, w := range s.set(chip, chunk) {
		for ; w != 0; w &= w - 1 {
			n++
		}
	}
	return n
}

// Has tells whether chip's copy of a chunk holds the part of another.
func (s *State) Has(chip, chunk, part int) bool {
	return s.set(chip, chunk)[part/64]>>(part%64)&1 == 1
}

func (s *State) set(chip, chunk int) []uint64 {
	at := (chip*s.chunks + chunk) * s.words
	return s.bits[at : at+s.words]
}

// begin is the state before the first step.
func (s *Schedule) begin() *State {
	state := &State{chunks: len(s.Sizes), words: (s.Nodes + 63) / 64}
	state.bits = make([]uint64, s.Nodes*state.chunks*state.words)
	for chip, chunks := range s.Begin {
		for _, c := range chunks {
			state.set(chip, c)[chip/64] |= 1 << (chip % 64)
		}
	}
	return state
}

// Play moves the chunks step by step and shows everyone the state before the first step (step 0) and after each, until
// see returns false; see may be nil. The error says which transfer could not be, or what someone lacks in the end.
func (s *Schedule) Play(see func(step int, state *State) bool) error {
	state := s.begin()
	full := make([][]uint64, len(s.Sizes))
	for chip := range s.Begin {
		for _, c := range s.Begin[chip] {
			if full[c] == nil {
				full[c] = make([]uint64, state.words)
			}
			full[c][chip/64] |= 1 << (chip % 64)
		}
	}
	if see != nil && !see(0, state) {
		return nil
	}
	for i := range s.Steps {
		if err := state.step(&s.Steps[i]); err != nil {
			return phrase.Fault{What: phrase.New("schedule.in-step", "step", i+1, "what", err.What), Remedy: err.Remedy}
		}
		if see != nil && !see(i+1, state) {
			return nil
		}
	}
	return s.check(state, full)
}

// step sends everything from the state as it is, then lets everything arrive.
func (s *State) step(step *Step) *phrase.Fault {
	var letters []uint64
	for _, t := range step.Transfers {
		for _, c := range t.Chunks {
			if s.Holds(t.From, c) == 0 {
				return &phrase.Fault{
					What:   phrase.New("schedule.not-held", "chip", t.From, "chunk", c),
					Remedy: phrase.New("schedule.arrive-first"),
				}
			}
			letters = append(letters, s.set(t.From, c)...)
		}
	}
	for _, t := range step.Transfers {
		for _, c := range t.Chunks {
			mine := s.set(t.To, c)
			for w := range mine {
				if t.Add && mine[w]&letters[w] != 0 {
					return &phrase.Fault{
						What:   phrase.New("schedule.added-twice", "chip", t.To, "chunk", c),
						Remedy: phrase.New("schedule.add-once"),
					}
				}
				if !t.Add {
					mine[w] = 0
				}
				mine[w] |= letters[w]
			}
			letters = letters[s.words:]
		}
	}
	return nil
}

// check holds the state in the end against what everyone wants.
func (s *Schedule) check(state *State, full [][]uint64) error {
	for chip, chunks := range s.Want {
		for _, c := range chunks {
			for w, bits := range state.set(chip, c) {
				if full[c] == nil || bits != full[c][w] {
					return phrase.Fault{
						What:   phrase.New("schedule.lacking", "chip", chip, "chunk", c),
						Remedy: phrase.New("schedule.wrong"),
					}
				}
			}
		}
	}
	return nil
}
