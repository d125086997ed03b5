package cputime

import (
	"syscall/js"
	"time"
)

// used is how long node has computed.
func used() time.Duration {
	node := js.Global().Get("process")
	if !node.Truthy() || node.Get("cpuUsage").Type() != js.TypeFunction {
		return time.Duration(time.Now().UnixNano())
	}
	spent := node.Call("cpuUsage")
	return time.Duration(spent.Get("user").Float()+spent.Get("system").Float()) * time.Microsecond
}
