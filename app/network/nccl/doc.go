// Package nccl knows collectives as NCCL runs them: by a ring, by trees, or with sums in the switches (NVLS, SHARP),
// and what share of each law's bound its tests reach.
//
// With W the egress of a device, one way, n devices on m nodes, and B what enters a node's network interfaces:
//
//	ring       every device hands on 2 (n-1)/n of the array: the bus bandwidth is W
//	NVLS       a device sends its array, of which the switch makes sums, and its n-th part of the sum, of which the
//	           switch makes copies: 1 + 1/n of the array, so the bus bandwidth is 2 (n-1)/n W / (1 + 1/n)
//	tree       two trees over nodes, each for half of the array: a node is inside one and a leaf of the other, and sends
//	           twice the array; of two nodes each sends it once
//	SHARP      the switches of the network add: a node sends its array once
//
// Bus bandwidth is bytes of the array a second (algorithm bandwidth) times what a ring would send for each byte. It may
// be compared with a link only where a ring runs: with sums in the switch it counts what nobody sends.
package nccl
