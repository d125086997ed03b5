package book

import (
	"regexp"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// TestTimesAreNotPerChip: no row of the book is a time for each chip where it should be a time: a count of chips
// that a formula divides by has to cancel.
func TestTimesAreNotPerChip(t *testing.T) {
	perChip := regexp.MustCompile(`\d (?:[pnµm]?s|min|hours?|days?|years?)/(?:chips?|devices?|GPUs?)$`)
	rows := 0
	eachSheet(t, func(page string, s *sheet.Sheet) {
		r := s.Eval(nil)
		for i := range r.Rows {
			row := &r.Rows[i]
			if row.Err != nil || row.Absent {
				continue
			}
			rows++
			if text := row.Text(); perChip.MatchString(text) {
				t.Errorf("%s#%s: %s is %s", page, s.ID, row.Def.Name, text)
			}
		}
	})
	if rows < 3000 {
		t.Errorf("only %d rows", rows)
	}
}
