package sheet_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
)

func Example() {
	const text = `
let chip = tpu.v5e                "Chip"
let B = 256 token in 1..16384     "Tokens in the batch"
ops = 2 FLOP * B * 4096 * 16384   "Operations"
T = ops / chip.flops(bf16)        "Time to compute"
solve most: B where T = 1 ms      "Tokens in a millisecond"
`
	sh, faults := sheet.Compile(text, library.New())
	if len(faults) > 0 {
		fmt.Println(faults[0])
		return
	}
	state, err := sh.Set(nil, "chip", "gpu.h100")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range []*sheet.Result{sh.Eval(nil), sh.Eval(state)} {
		for _, name := range []string{"T", "most"} {
			v, err := r.Value(name)
			fmt.Println(sh.Label(r.State, name)+":", v, err)
		}
	}
	// Output:
	// Time to compute: 174 µs <nil>
	// Tokens in a millisecond: 1468 tokens <nil>
	// Time to compute: 34.7 µs <nil>
	// Tokens in a millisecond: 7369 tokens <nil>
}

func ExampleCompile_faults() {
	_, faults := sheet.Compile("let B = 256 token\nT = B * 1 s + 2 byte\n", library.New())
	for _, f := range faults {
		fmt.Println(f)
	}
	// Output:
	// 2:5: cannot add `2 byte`, data (byte), to `B * 1 s`, time (s); both sides need the same unit
}
