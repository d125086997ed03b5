// Package cputime measures how long a piece of work takes, for tests that hold work to a time: what other programs do
// meanwhile on the same machine doesn't count. Only tests import it.
package cputime

import "time"

// Of is how long do takes: the time that this process computes in all of its threads, or the time of the day that
// passes where that is less, since several threads compute at once.
func Of(do func()) time.Duration {
	began, day := used(), time.Now()
	do()
	return min(used()-began, time.Since(day))
}
