package build

import (
	"bytes"
	"testing"
)

// What writes traces is silent, what the runtime asks all the time is not, and all stays where a trace can begin.
func TestSilent(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	_, program := stress(t)
	m := memory(t, program)
	table, ok := findTable(m)
	found := silent(m)
	if !ok || len(found) != table.count {
		t.Fatalf("%d of %d functions", len(found), table.count)
	}
	names := map[string]bool{}
	count := 0
	for i, s := range found {
		names[table.name(table.entry(i))] = s
		if s {
			count++
		}
	}
	for name, want := range map[string]bool{
		"runtime.traceAdvance": true, "runtime.traceLocker.GoStart": true, "runtime.(*profBuf).read": true,
		"runtime.traceLocker.ok": false, "runtime.mallocgc": false, "runtime.gopanic": false, "runtime.traceback2": false, "main.main": false,
	} {
		if got, there := names[name]; got != want || want && !there {
			t.Errorf("%s: silent is %t", name, got)
		}
	}
	if count < 30 || count > 200 {
		t.Errorf("%d functions are silent", count)
	}
	name := []byte("runtime.gcMarkTermination\x00")
	renamed := bytes.Replace(m, name, append([]byte("runtime.StartTrace"), make([]byte, len(name)-len("runtime.StartTrace"))...), 1)
	if bytes.Equal(renamed, m) || silent(renamed) != nil {
		t.Error("a program that can begin a trace would lose its tracer")
	}
}
