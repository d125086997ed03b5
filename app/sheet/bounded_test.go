package sheet

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/sheet/explain"
)

// manyPlots is 21 KB that ask for all that a sheet may ask for: twelve solves, each of which needs the one before it,
// and 380 plots of the last of them.
func manyPlots() string {
	var b strings.Builder
	b.WriteString("title Bounded together\nlet B = 9 in 1..99 log\nlet C = 5 in 1..99\nlet s0 = 1\n")
	for i := 1; i <= 12; i++ {
		fmt.Fprintf(&b, "solve s%d: C where C * B = s%d + 7\n", i, i-1)
	}
	for i := range 380 {
		fmt.Fprintf(&b, "plot s12, s11, s10 over B \"The %d. of 380 plots\"\n", i+1)
	}
	return b.String()
}

// However many plots, tables and solves a sheet has, all that is shown of it in one state is worked out on sheetFuel:
// each part gets its share, and none goes beyond it by more than a row. The clock is only there for a fuel that is
// counted wrongly.
func TestBoundedTogether(t *testing.T) {
	s := sheetOf(t, manyPlots())
	start := time.Now()
	spent := -*s.share(maxFuel) // of the last row, which may go beyond
	use := func(do func(fuel *int)) {
		fuel := s.share(maxFuel)
		before := *fuel
		do(fuel)
		spent += before - *fuel
	}
	for _, p := range s.Plots {
		use(func(fuel *int) { s.plotOn(fuel, nil, p) })
	}
	for _, table := range s.Tables {
		use(func(fuel *int) { s.tableOn(fuel, nil, table) })
	}
	r := s.Eval(nil)
	for _, row := range r.Rows {
		r.Working(row.Def.Name, explain.Plain)
	}
	if spent > sheetFuel {
		t.Errorf(
			"%d plots and %d tables of %d bytes take %d operations, more than %d",
			len(s.Plots),
			len(s.Tables),
			len(s.Source),
			spent,
			sheetFuel,
		)
	}
	// WebAssembly (-short) is tested beside a browser: there the operations are what is held.
	if d := time.Since(start); d > 10*time.Second && !testing.Short() {
		t.Errorf("they take %v", d)
	}
}

// A sheet whose plots are cheap shows all of them, however many there are.
func TestManyCheapPlots(t *testing.T) {
	s := sheetOf(t, "let B = 9 in 1..99 log\na = B^2\nb = 100 * B\n"+strings.Repeat("plot a, b over B\n", 390))
	for i, p := range s.Plots {
		if data := s.PlotData(nil, p); data.Err != nil || len(data.Series) != 2 {
			t.Fatalf("plot %d: %v", i, data.Err)
		}
	}
}
