package search

import (
	"reflect"
	"testing"
)

// Each name of a term leads to it, in the order of the alphabet.
func TestLetters(t *testing.T) {
	got := Letters(`<dl><dt id="remat">Rematerialization</dt><dd>Computing again.</dd>
<dd><em>Also</em> activation checkpointing, recomputation.</dd>
<dt id="fsdp">FSDP</dt><dd>Sharded weights.</dd><dd><em>Also</em> ZeRO-3, 1F.</dd><dt>None</dt></dl>`)
	want := []Letter{
		{"", []Name{{"1F", "fsdp"}}},
		{"A", []Name{{"activation checkpointing", "remat"}}},
		{"F", []Name{{"FSDP", "fsdp"}}},
		{"R", []Name{{"recomputation", "remat"}, {"Rematerialization", "remat"}}},
		{"Z", []Name{{"ZeRO-3", "fsdp"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}
