package model_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/model"
)

func Example() {
	m, err := model.Catalog().Get("llama3.70b")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s has %.0f parameters\n", m.Name, m.Params().Total())
	for mask, name := range []string{"what it looks at", "the causal half", "the full square"} {
		fmt.Printf(
			"training takes %.1f GFLOP a token of 8192, counting %s\n",
			float64(m.FLOPsPerToken(8192, model.Mask(mask), model.Train))/1e9,
			name,
		)
	}
	fmt.Println("its cache grows by", m.KVBytesPerToken(1).Quantity(), "a token in int8")
	// Output:
	// Llama 3.1 70B has 70553706496 parameters
	// training takes 449.2 GFLOP a token of 8192, counting what it looks at
	// training takes 449.2 GFLOP a token of 8192, counting the causal half
	// training takes 481.4 GFLOP a token of 8192, counting the full square
	// its cache grows by 164 kB a token in int8
}
