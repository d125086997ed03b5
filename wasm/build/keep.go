package build

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// kept is how many files stay in the cache, four of them for a state of the book: enough for a few branches, and for
// builds at the same time.
const kept = 16

// prune removes all but the youngest programs from the folder of the cache. What can't be removed stays: it only takes
// room.
func prune(folder string) {
	names, err := filepath.Glob(filepath.Join(folder, "wasm-*"))
	if err != nil || len(names) <= kept {
		return
	}
	age := map[string]time.Time{}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			age[name] = info.ModTime()
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Or(-age[a].Compare(age[b]), cmp.Compare(a, b)) })
	for _, name := range names[kept:] {
		os.Remove(name)
	}
}
