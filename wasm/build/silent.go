package build

import (
	"slices"
	"strings"
)

// The runtime can trace what a program does and take profiles. The parts that write traces and profiles are in every
// program, since the runtime's own loops call them when somebody has asked. Nobody can ask in a reader's browser: what would
// begin it is not in the program (beginners), and the environment, where the scheduler's trace would be asked for, is empty.
// So these functions lose their bodies.

// beginners begin a trace or a profile. If a program has one, all of the runtime stays.
var beginners = []string{"runtime.StartTrace", "runtime.SetCPUProfileRate", "runtime.newProfBuf"}

// tracers begin the names of functions that run only while a trace or a profile is taken.
var tracers = []string{
	"runtime.traceAdvance", "runtime.traceReadCPU", "runtime.traceSyncBatch", "runtime.traceStack",
	"runtime.traceWriter.", "runtime.traceEventWriter.", "runtime.traceLocker.", "runtime.(*traceStackTable).",
	"runtime.(*traceStringTable).", "runtime.(*traceTypeTable).", "runtime.(*traceMap).", "runtime.(*traceRegionAlloc).",
	"runtime.(*profBuf).", "runtime.schedtrace",
}

// silent finds, by the names in a program's table, the functions that never run; nil if that can't be known.
func silent(memory []byte) []bool {
	t, ok := findTable(memory)
	if !ok {
		return nil
	}
	found := make([]bool, t.count)
	for i := range found {
		name := t.name(t.entry(i))
		if slices.Contains(beginners, name) {
			return nil
		}
		// Whether there is a trace is asked all the time.
		found[i] = name != "runtime.traceLocker.ok" && slices.ContainsFunc(tracers, func(begin string) bool { return strings.HasPrefix(name, begin) })
	}
	return found
}

// nothing is the body of a function that never runs: no variables, and a trap.
var nothing = []byte{0, opUnreachable, opEnd}

const opUnreachable = 0x00
