// Package roofline says how long a computation must take at least, from what it computes and what it moves.
//
// A chip computes at a peak rate and moves bytes at a bandwidth. The two can overlap, so the time of an operation
// lies between the larger of its two times and their sum:
//
//	max(ops/peak, bytes/bandwidth) <= T <= ops/peak + bytes/bandwidth <= 2 max(...)
//
// Which of the two is larger is decided by one ratio on each side: the operation's arithmetic intensity (operations
// per byte moved) and the chip's ridge point (peak over bandwidth). The model is Williams, Waterman and Patterson,
// "Roofline", CACM 52(4), 2009.
//
// Conventions: a multiply and an add count as two operations. Every operand is read once and every result written
// once unless a law says otherwise. Sizes are plain numbers, B the batch in tokens, D the contracted width, F the
// output width: [B, D] x [D, F] -> [B, F]. All laws hold for any positive sizes, fractional ones included.
//
// The bounds leave out how a matmul starts. Two constants, fitted to matmuls that somebody timed, say that: Started.
package roofline

import (
	_ "embed" // matmuls that were measured
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Bounds is between which times an operation lies, as far as the roofline knows.
type Bounds struct {
	Math  q.Seconds // operations over the peak rate
	Comms q.Seconds // bytes over the bandwidth
}

// Lower is the time if computing and moving overlap fully: max(Math, Comms).
func (b Bounds) Lower() q.Seconds { return max(b.Math, b.Comms) }

// Upper is the time if nothing overlaps: Math + Comms. It is never more than twice Lower.
func (b Bounds) Upper() q.Seconds { return b.Math + b.Comms }

// Ironwood is square bf16 matmuls timed on half a TPU7x, one of the two devices that it shows to programs: side and
// TFLOP/s. From AI-Hypercomputer/tpu-recipes, microbenchmarks/ironwood/README.md.
//
//go:embed ironwood.tsv
var ironwood string

// startedLaws are those of a matmul that doesn't begin at full speed.
func startedLaws() []law.Law {
	return []law.Law{
		{Name: "matmul_time_started", Gives: "s",
			Takes: "B, D, F, peak FLOP/s > 0, bandwidth byte/s > 0, share > 0, edge s >= 0" + widths,
			Formula: "edge * cbrt(B * D * F) + max(2 FLOP * B * D * F / peak, " +
				"(B * D * x.bytes + D * F * w.bytes + B * F * y.bytes) / bandwidth) / share",
			Source: "fitted to tpu-recipes, microbenchmarks/ironwood, where it holds within 3 %",
			Doc: "Time of [B, D] x [D, F] with its start-up: the roofline’s time at the share of it that large " +
				"matmuls reach, and a time that grows with the matmul’s side, the cube root of B D F, for filling " +
				"and draining."},
	}
}

// Timed is a matmul [B, D] x [D, F] -> [B, F] that somebody timed.
type Timed struct {
	B, D, F float64 // the batch, the contracted width and the output width, all positive
	Took    q.Seconds
}

// Side is the side of a cube of as many multiply-adds: the cube root of B D F.
func (t Timed) Side() float64 { return math.Cbrt(t.B * t.D * t.F) }

// Started is how long matmuls take to start and how fast they then are: the two constants of
//
//	T = Edge * cbrt(B D F) + T_roofline/Share
//
// which sheets know as matmul_time_started. The form is fitted, not derived.
type Started struct {
	Share float64   // of the roofline's rate that large matmuls reach, above 0
	Edge  q.Seconds // to fill and drain the unit, for each step along the side of the matmul, at least 0
}

// Timings reads a matmul a line: its side, or B, D and F, and then TFLOP/s. Empty lines, a head without numbers and
// lines that begin with # are left out. An empty text is the measurements of a TPU7x. The error names the first line
// that is none of these; numbers must lie above 0 and not above 1e12.
func Timings(text string) ([]Timed, error) {
	if strings.TrimSpace(text) == "" {
		text = ironwood
	}
	var all []Timed
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' || number == 1 && isHead(line) &&
			!isHead(text) {
			continue
		}
		t, ok := timing(line)
		if !ok {
			return nil, phrase.Fault{What: phrase.New("roofline.no-matmul", "line", number),
				Remedy: phrase.New("roofline.write-matmul")}
		}
		all = append(all, t)
	}
	return all, nil
}

// isHead tells a line that names columns.
func isHead(line string) bool { return !strings.ContainsAny(line, "0123456789") }

// timing reads a line.
func timing(line string) (Timed, bool) {
	cells := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,;", r) })
	if len(cells) != 2 && len(cells) != 4 {
		return Timed{}, false
	}
	var x [4]float64
	for i, cell := range cells {
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil || !(v > 0) || v > 1e12 {
			return Timed{}, false
		}
		x[i] = v
	}
	rate := x[len(cells)-1] * 1e12
	if len(cells) == 2 {
		x = [4]float64{x[0], x[0], x[0]}
	}
	return Timed{x[0], x[1], x[2], MatmulFLOPs(x[0], x[1], x[2]).Over(q.FLOPRate(rate))}, true
}

// Ideal is the least time that the roofline allows t at a peak rate and a memory bandwidth, with bf16 matrices: 2 bytes
// for each number, read or written once.
func (t Timed) Ideal(peak q.FLOPRate, bandwidth q.Bandwidth) q.Seconds {
	moved := q.Bytes(2 * (t.B*t.D + t.D*t.F + t.B*t.F))
	return Bounds{MatmulFLOPs(t.B, t.D, t.F).Over(peak), moved.Over(bandwidth)}.Lower()
}

// FitStarted finds the constants with the least sum of squared relative errors, for a peak rate and a memory bandwidth.
// Matmuls that show no start-up give Edge = 0. It is an error if there are not at least two matmuls of different sides.
func FitStarted(timed []Timed, peak q.FLOPRate, bandwidth q.Bandwidth) (Started, error) {
	var ee, ei, ii, e1, i1 float64 // sums of products of side, ideal time and one, each over the time taken
	for _, t := range timed {
		e, i := t.Side()/float64(t.Took), float64(t.Ideal(peak, bandwidth)/t.Took)
		ee, ei, ii, e1, i1 = ee+e*e, ei+e*i, ii+i*i, e1+e, i1+i
	}
	det := ee*ii - ei*ei
	edge, slow := (e1*ii-i1*ei)/det, (i1*ee-e1*ei)/det
	if edge < 0 { // no start-up to be seen
		edge, slow = 0, i1/ii
	}
	if len(timed) < 2 || !(det > 1e-12*ee*ii) || !(slow > 0) {
		return Started{}, phrase.Fault{What: phrase.New("roofline.no-start"), Remedy: phrase.New("roofline.two-sizes")}
	}
	return Started{Share: 1 / slow, Edge: q.Seconds(edge)}, nil
}

// Time is Edge * Side + ideal/Share, where ideal is the time that the roofline allows the matmul.
func (s Started) Time(t Timed, ideal q.Seconds) q.Seconds {
	return s.Edge*q.Seconds(t.Side()) + ideal/q.Seconds(s.Share)
}
