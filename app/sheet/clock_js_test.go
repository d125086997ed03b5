package sheet

import (
	"syscall/js"
	"time"
)

// processorTime is how long node has computed: what other processes do meanwhile doesn't count.
func processorTime() time.Duration {
	node := js.Global().Get("process")
	if !node.Truthy() || node.Get("cpuUsage").Type() != js.TypeFunction {
		return time.Duration(time.Now().UnixNano())
	}
	used := node.Call("cpuUsage")
	return time.Duration(used.Get("user").Float()+used.Get("system").Float()) * time.Microsecond
}
