package quantity_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/quantity"
)

func ExampleParse() {
	for _, text := range []string{"16 GiB", "4*8192", "17.4 B parameters", "$2.1/hour", "3.2 Tbit/s", "16 gb"} {
		q, err := quantity.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s = %s\n", q, q.Exact())
	}
	// Output:
	// 16 GiB = 1.7179869184e+10 byte
	// 32,768 = 32768
	// 17.4 B parameters = 1.74e+10 parameter
	// $2.10/hour = 0.0005833333333333334 USD/s
	// 400 GB/s = 4e+11 byte/s
	// gb could be bit or byte; write Gbit or GB
}

// A reader types into a field whose author wrote 16 GiB.
func ExampleParseLike() {
	unit, _ := quantity.UnitOf("16 GiB")
	for _, text := range []string{"32", "40 GB", "3 s", "16 B"} {
		q, err := quantity.ParseLike(text, unit)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(q)
	}
	// Output:
	// 32 GiB
	// 40 GB
	// this is a time; give data, such as 16 GiB
	// B could be byte or billion; write 16 byte, 16 GB, or 16e9
}

func ExampleLiteral() {
	src := "256 token in 1..16384 log"
	q, n, _ := quantity.Literal(src)
	fmt.Printf("%s | %s\n", q, src[n:])
	// Output: 256 tokens |  in 1..16384 log
}

func ExampleQuantity_Div() {
	work := quantity.FLOPs(34.36e9).Quantity()
	rate, _ := quantity.Parse("394 TFLOP/s")
	fmt.Println(work.Div(rate))
	// Output: 87.2 µs
}

func ExampleQuantity_Add() {
	time, _ := quantity.Parse("2 ms")
	data, _ := quantity.Parse("1 GB")
	_, err := time.Add(data)
	fmt.Println(err)
	// Output: cannot add byte (data) to s (time); both sides need the same unit
}

func ExampleQuantity_Format() {
	q := quantity.Quantity{Value: 1048576}
	fmt.Println(q, "is", q.Format(7))
	number, unit := quantity.Seconds(0.00131).Quantity().Parts()
	fmt.Printf("%6s %s\n", number, unit)
	// Output:
	// 1.05 M is 1.048576 M
	//   1.31 ms
}
