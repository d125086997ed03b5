package sheet

import (
	"errors"

	"github.com/scalebook/scalebook/app/quantity"
)

// solve finds where the two sides of d meet.
func (s *Sheet) solve(st State, d *solveDef, sw *sweeper) (quantity.Quantity, error) {
	return quantity.Quantity{}, errors.New("not solved yet")
}
