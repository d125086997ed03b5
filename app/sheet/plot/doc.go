// Package plot samples curves over an input, closely where something happens: at corners and jumps, where two curves
// cross, and where a curve goes over from one operand of a min or max to another. It finds what the axes are, and the
// places worth marking.
//
// It knows neither sheets nor drawings. A [Plot] says what to sample, and its bands evaluate rows; package sheet makes
// it of a `plot` statement. The [Data] are numbers, which package chart draws.
package plot
