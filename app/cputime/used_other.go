//go:build !unix && !js

package cputime

import "time"

// used is the time of the day, where nothing tells how long this process has computed.
func used() time.Duration { return time.Duration(time.Now().UnixNano()) }
