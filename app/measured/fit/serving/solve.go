package main

import "math"

// damped is a with so much of its diagonal added, which keeps steps short.
func damped(a [][]float64, damping float64) [][]float64 {
	mean := 0.0
	for i := range a {
		mean += a[i][i] / float64(len(a))
	}
	out := make([][]float64, len(a))
	for i := range a {
		out[i] = append([]float64(nil), a[i]...)
		out[i][i] += damping*a[i][i] + 1e-3*mean
	}
	return out
}

// solve is the x of a x = b, for a that is symmetric and positive: by Cholesky's factors, in place.
func solve(a [][]float64, b []float64) []float64 {
	n, x := len(b), append([]float64(nil), b...)
	for i := range n {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(sum, 1e-12))
			} else {
				a[i][j] = sum / a[j][j]
			}
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}
