//go:build unix

package site

import (
	"syscall"
	"time"
)

// processorTime is how long this process has computed: what other processes do meanwhile doesn't count.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
