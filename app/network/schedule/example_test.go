package schedule_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/network/schedule"
)

// A ring of four gathers four shards of 100 bytes in two steps; what comes from the chip opposite comes in halves.
func Example() {
	s, err := schedule.AllGather(schedule.Ring(4), 400, schedule.Bidirectional)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = s.Play(func(step int, state *schedule.State) bool {
		held := 0.0
		for c, bytes := range s.Sizes {
			if state.Holds(0, c) > 0 {
				held += bytes
			}
		}
		fmt.Printf("after step %d chip 0 holds %g bytes\n", step, held)
		return true
	})
	fmt.Println(err)
	for i, loads := range s.Loads(schedule.Ring(4)) {
		fmt.Printf("step %d: %g bytes from chip 0 to chip 1\n", i+1, loads[schedule.Link{At: 0, Dir: +1}])
	}
	// Output:
	// after step 0 chip 0 holds 100 bytes
	// after step 1 chip 0 holds 300 bytes
	// after step 2 chip 0 holds 400 bytes
	// <nil>
	// step 1: 100 bytes from chip 0 to chip 1
	// step 2: 50 bytes from chip 0 to chip 1
}
