package network

import (
	q "github.com/scalebook/scalebook/app/quantity"
)

// Point is a measured transfer.
type Point struct {
	Bytes q.Bytes
	Time  q.Seconds
}

// AlphaBeta is a straight line through measured times: T = Alpha + Bytes/Bandwidth.
type AlphaBeta struct {
	Alpha     q.Seconds
	Bandwidth q.Bandwidth
	Worst     float64 // the largest relative error among the points fitted, |T/measured - 1|
}

// Time is what the line says for a transfer.
func (f AlphaBeta) Time(b q.Bytes) q.Seconds { return f.Alpha + b.Over(f.Bandwidth) }

// Knee is the size at which Alpha is half of the time: Alpha x Bandwidth.
func (f AlphaBeta) Knee() q.Bytes { return q.Bytes(float64(f.Alpha) * float64(f.Bandwidth)) }
