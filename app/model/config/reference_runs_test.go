package config

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// What one token uses and what a cache keeps are what the library uses and keeps when it runs the model. Which rows of
// testdata/unlike_runs.tsv differ, and why, it says; one that doesn't any more has no place there.
func TestReferenceUsesAndKeeps(t *testing.T) {
	texts := map[string][]byte{}
	for _, s := range samples(t) {
		texts[s.file] = s.text
	}
	unlike, why := reasons(t, "testdata/unlike.tsv"), reasons(t, "testdata/unlike_runs.tsv")
	equal := 0
	for _, b := range reference(t) {
		if b.Uses == nil || unlike[b.Name] != "" {
			continue // it doesn't run, or has other parts already
		}
		if len(b.Config) == 0 {
			b.Config = texts[b.Name]
		}
		im, err := Read(b.Config)
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		diff := strings.Join(append(otherUses(&im.Model, &b), otherKeeps(&im.Model, &b)...), "; ")
		switch {
		case diff == "":
			equal++
			if why[b.Name] != "" {
				t.Errorf("%s is alike, though unlike_runs.tsv has it", b.Name)
			}
		case why[b.Name] == "":
			t.Errorf("%s: %s", b.Name, diff)
		}
	}
	if equal < 287 {
		t.Errorf("only %d configurations use and keep what the library does", equal)
	}
}

// reasons is a table of names and why each differs.
func reasons(t *testing.T, file string) map[string]string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	why := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, reason, _ := strings.Cut(strings.TrimSpace(line), "\t")
		why[name] = reason
	}
	return why
}

// otherUses tells which parts of a model a token uses otherwise than where the library runs it. Of tables it reads a
// row; by convention they count in full, here as there.
func otherUses(m *model.Model, b *built) (diffs []string) {
	want := maps.Clone(b.Parts)
	maps.Copy(want, b.Uses)
	got := byModule(m, m.Active())
	for _, k := range modules {
		if k == "head" && !strings.Contains(b.Class, "For") {
			continue // built without a head
		}
		if got[k] != want[k] {
			diffs = append(diffs, fmt.Sprintf("uses %.0f of %s, not %.0f (%+.0f)", got[k], k, want[k], got[k]-want[k]))
		}
	}
	return diffs
}

// otherKeeps tells which caches of a model grow otherwise with a token than the library's do, in bf16, and which states
// have another size. Below windows, windowed layers grow as others do.
func otherKeeps(m *model.Model, b *built) (diffs []string) {
	const element = 2
	got := map[string]float64{}
	for i := range m.Layers {
		l := m.Layer(i)
		kept := element * m.CacheElements(l)
		switch {
		case m.Compress.OutRank != 0:
			got["window"] += kept
			if l.Compress != 0 && !l.Borrows {
				got["entries"] += kept / float64(l.Compress)
			}
		case l.Window != 0:
			got["window"] += kept
		default:
			got["full"] += kept
		}
		if l.Indexes && !l.Borrows { // engines keep these keys in less
			got["index"] += element * float64(m.Index.Size) / float64(max(1, l.Compress))
		}
		if x := m.Linear; l.Linear {
			// The library's convolutions keep an input for each tap, though the next token comes in for the oldest.
			got["conv"] += float64(x.Conv * x.Channels(m.Width))
			if x.Kind != model.ShortConv {
				got["state"] += float64(x.Heads * x.ValueSize * x.KeySize)
			}
		}
	}
	for _, k := range []string{"full", "window", "entries", "index", "conv", "state"} {
		if got[k] != b.Keeps[k] {
			diffs = append(diffs, fmt.Sprintf("keeps %v of %s, not %v", got[k], k, b.Keeps[k]))
		}
	}
	const few = 8 // tokens, fewer than a window or an entry that is kept whole has
	if m.Compress.OutRank == 0 {
		if grows := float64(m.KVBytes(few, element)) / few; grows != b.Keeps["full"]+b.Keeps["window"] {
			diffs = append(diffs, fmt.Sprintf("%v bytes a token", grows))
		}
	} else if grows := float64(m.KVBytesPerToken(element)); grows != b.Keeps["entries"] {
		diffs = append(diffs, fmt.Sprintf("%v bytes a token in entries", grows))
	}
	slices.Sort(diffs)
	return diffs
}
