package machine

// Moment is how many requests are served and how many wait, at the end of a slice of time.
type Moment struct{ Served, Waiting int }

// Crowd lets requests arrive at random, at so many for each slice of time, at a machine of some slots that completes at
// most so many a slice, when all slots are taken, and in proportion fewer when not. The same seed gives the same crowd.
func Crowd(rate, capacity float64, slots, slices int, seed uint64) []Moment {
	d := dice{seed}
	there := 0
	moments := make([]Moment, slices)
	for i := range moments {
		const parts = 16 // of a slice: in each at most one comes and one leaves
		for range parts {
			if d.roll() < rate/parts {
				there++
			}
			if d.roll() < capacity/parts*float64(min(there, slots))/float64(slots) {
				there--
			}
		}
		moments[i] = Moment{min(there, slots), max(there-slots, 0)}
	}
	return moments
}

// dice is a generator of random numbers, small and the same everywhere (splitmix64).
type dice struct{ state uint64 }

// roll is a number from 0 up to 1.
func (d *dice) roll() float64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}
