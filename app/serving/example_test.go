package serving_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/serving"
)

// spec is a Llama 3.1 70B on eight H100s, for prompts and answers of 1024 tokens.
func spec() serving.Spec {
	m, _ := model.Catalog().Get("llama3.70b")
	a, _ := hardware.Catalog().Get("gpu.h100")
	chip, _ := serving.NewChip(a)
	return serving.Spec{Shape: serving.NewShape(&m.Model, serving.Uniform(2, 2)), Chip: chip, Chips: 8,
		Constants: serving.Fitted(""), Load: serving.Load{In: 1024, Out: 1024}}
}

// Of all plans and batches those are kept that no other beats in tokens for each user and for each chip.
func Example() {
	w := spec()
	options, _ := w.Search(0, 1)
	front := serving.Front(options)
	first, last := front[0], front[len(front)-1]
	fmt.Println("the first is faster for a user:", first.PerUser > last.PerUser)
	fmt.Println("the last makes more of a chip:", last.PerChip > first.PerChip)
	// Output:
	// the first is faster for a user: true
	// the last makes more of a chip: true
}

// The smallest slice is the one that holds the weights and some cache.
func ExampleSpec_SmallestSlice() {
	plan, fits := spec().SmallestSlice()
	fmt.Println(plan.Chips(), "chips,", fits)
	// Output:
	// 2 chips, true
}
