package search

// This file narrows the place where something is least, and rounds a place to a number that a person would write.

// goldenSteps narrow the distance of two samples to the last digit.
const goldenSteps = 66

// golden narrows the coordinates from ua to uc to where height is least, by golden section, and gives the last two
// looks, the lower one first. It ends early when stop says so of two looks.
func golden[T any](ua, uc float64, look func(u float64) T, height func(T) float64, stop func(a, b T) bool) (T, T) {
	const g = 0.3819660112501051
	u1, u2 := ua+float64(g*(uc-ua)), uc-float64(g*(uc-ua))
	m1, m2 := look(u1), look(u2)
	for i := 0; i < goldenSteps && !stop(m1, m2); i++ {
		if height(m1) <= height(m2) {
			uc, u2, m2 = u2, u1, m1
			u1 = ua + float64(g*(uc-ua))
			m1 = look(u1)
		} else {
			ua, u1, m1 = u1, u2, m2
			u2 = uc - float64(g*(uc-ua))
			m2 = look(u2)
		}
	}
	if height(m2) < height(m1) {
		return m2, m1
	}
	return m1, m2
}

// plain is x rounded to few digits, if what is seen there is as good; else x.
func (p Interval) plain(x float64, asGood func(x float64) bool) float64 {
	for _, digits := range []int{6, 10} {
		if r := roundedTo(x, digits); r >= p.Lo && r <= p.Hi && asGood(r) {
			return r
		}
	}
	return x
}
