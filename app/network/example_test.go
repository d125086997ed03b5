package network_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
)

func Example() {
	chip, err := hardware.Catalog().Get("tpu.v5e")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := network.NewSlice(chip, 8, 16)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, a := range s.Axes {
		along, _ := s.Along(i)
		c, err := network.Collective{Op: network.AllGather, Bytes: 64 << 20}.Over(along)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s, %s: %v by bytes (textbook %v), %d hops\n", a.Name, along, c.Bandwidth.Quantity(),
			c.Shortcut.Quantity(), c.Hops)
	}
	_, err = network.NewSlice(chip, 3, 5)
	fmt.Println(err)
	// Output:
	// X, a line of 8: 1.30 ms by bytes (textbook 1.49 ms), 7 hops
	// Y, a ring of 16: 699 µs by bytes (textbook 746 µs), 8 hops
	// TPU v5e has no slice 3x5; there are 1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16, and the same with the sides in another order
}
