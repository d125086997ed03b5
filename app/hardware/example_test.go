package hardware_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/hardware"
)

func Example() {
	chip, err := hardware.Catalog().Get("tpu.v5e")
	if err != nil {
		fmt.Println(err)
		return
	}
	peak, _ := chip.Peak("int8")
	memory, _ := chip.Get("hbm_bandwidth")
	fmt.Println(chip.Name, "computes", peak.Value, "and reads", memory.Value)
	fmt.Println("ridge:", peak.Value.Div(memory.Value))
	for _, other := range memory.Others {
		fmt.Printf("%s (%s)\n", other.Text, other.Source.ID)
	}
	// Output:
	// TPU v5e computes 394 TFLOP/s and reads 819 GB/s
	// ridge: 481 FLOP/byte
	// 810 GB/s (book-tpus)
	// 820 GB/s (book-text)
	// 800 GiB/s (google-v5e)
}

func ExampleConstant_From() {
	chip, _ := hardware.Catalog().Get("tpu.v5e")
	peak, _ := chip.Peak("int8")
	memory, _ := chip.Get("hbm_bandwidth")
	book, _ := memory.From("book-tpus")
	fmt.Println(peak.Value.Div(book.Value))
	// Output: 486 FLOP/byte
}

func ExampleAccelerator_Peak() {
	chip, _ := hardware.Catalog().Get("gpu.v100")
	_, err := chip.Peak("bf16")
	fmt.Println(err)
	// Output: the catalog has no bf16 rate for V100 SXM2 32 GB; it has fp32, fp16, int8
}
