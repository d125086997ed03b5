// Package quantity is numbers with a dimension: reading what people write, computing without mixing units up, and
// printing with the right prefix and no more digits than help.
//
// A [Quantity] is a float64 in base units and a [Dim], the exponents of five base units: FLOP, byte, second, US dollar
// and joule. Counts (token, chip, parameter, layer, ...) are plain numbers with a [Label] that is carried along and
// never enforced. [Parse] and [Literal] read, [Quantity.String] writes, and Parse(q.String()) is q again as far as its
// digits go.
//
// # Units
//
//	operations  FLOP, FLOPs, flop, flops, OP, OPs, op, ops, with k M G T P E Z Y
//	            a capital S is a rate: 197 TFLOPS is 197 TFLOP/s, 197 TFLOPs is 197 TFLOP
//	data        byte, kB (KB) to EB are powers of 1000, KiB to EiB powers of 1024; bit, kbit to Pbit;
//	            GBps is GB/s, Gbps is Gbit/s; b, Gb and a B that stands alone are refused, since they are read both ways
//	time        ps ns us (µs) ms s min h hour day week year (365.25 days), with their plurals
//	money       $ USD dollar cent
//	energy      J with p to E, Wh kWh MWh; W is J/s
//	rate        Hz is 1/s
//	counts      token chip parameter layer head expert request sequence step core host node device GPU TPU sample link
//	            hop slice pod word example epoch user image, singular or plural, in any case; ktoken, Mtoken
//
// k, M, B and T after a number are its magnitude: 8k, 70B parameters, 15T tokens. % is a hundredth.
package quantity
