package serving

import (
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// A layer that looks at the keys and values of another keeps nothing and reads as much: of four layers with two heads
// of
// 64, the last two read what the two before them keep.
func TestSharedCacheIsReadByEachLayer(t *testing.T) {
	const T, entry, state = 1000, 2 * 2 * 64 * 2, 0 // keys and values of two heads in bf16
	m := model.Model{Layers: 4, Width: 256, Heads: 4, KVHeads: 2, HeadSize: 64, FFWidth: 512, Vocab: 1000}
	m.Sharing = model.Sharing{Layers: 2}
	r := Replica{Shape: NewShape(&m, Precision{Cache: 2}), Plan: Plan{TP: 1, CP: 1}}
	if got := float64(r.CacheBytes(T)); got != 2*entry*T {
		t.Errorf("two layers keep %v bytes, by hand %v", got, 2*entry*T)
	}
	if got, _ := r.read(T); got != 4*entry*T+state {
		t.Errorf("four layers read %v bytes, by hand %v", got, 4*entry*T)
	}
}

// Of DeepSeek-V4.1-Flash a token reads a window of 128 in each of 40 layers and 512 entries in 38 of them, and four
// layers keep entries: three of half as many as there are tokens, one of as many.
func TestSharedEntriesAreReadByEachLayer(t *testing.T) {
	const T, entry = 100_000, 512 * 2
	k, err := model.Catalog().Get("deepseek.v4_1_flash")
	if err != nil {
		t.Fatal(err)
	}
	r := Replica{Shape: NewShape(&k.Model, Precision{Cache: 2}), Plan: Plan{TP: 1, CP: 1}}
	state := float64(k.StateBytes())
	if got, want := float64(r.CacheBytes(T)), state+entry*(40*128+2.5*T); got != want {
		t.Errorf("a sequence keeps %v bytes, by hand %v", got, want)
	}
	got, _ := r.read(T)
	if want := 2*state + entry*(40*128+38*512.0); got != want {
		t.Errorf("a token reads %v bytes, by hand %v", got, want)
	}
}
