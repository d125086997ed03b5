package site

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"
)

// Watched is a folder whose changes matter, and the endings of the names that count ("" for all).
type Watched struct {
	FS      fs.FS
	Endings []string
}

// Watcher knows what folders held when it looked last.
type Watcher struct {
	folders []Watched
	last    string
}

// Watching looks at folders for the first time. Who builds from them looks before, so that what changes meanwhile
// counts.
func Watching(folders ...Watched) *Watcher { return &Watcher{folders, stamps(folders)} }

// Follow calls changed whenever a file of the folders has appeared, gone or been written since the last look, looking
// every interval. It returns when ctx is done.
func (w *Watcher) Follow(ctx context.Context, interval time.Duration, changed func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := stamps(w.folders); now != w.last {
			w.last = now
			changed()
		}
	}
}

// stamps is a text that changes whenever a watched file does.
func stamps(folders []Watched) string {
	var b strings.Builder
	for _, folder := range folders {
		fs.WalkDir(folder.FS, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !folder.counts(name) {
				return nil // a file that has just gone is a change all the same: its line is missing
			}
			if info, err := d.Info(); err == nil {
				fmt.Fprintf(&b, "%s\x00%s\x00%d\x00", name, info.ModTime().Format(time.RFC3339Nano), info.Size())
			}
			return nil
		})
		b.WriteByte('\n')
	}
	return b.String()
}

func (w Watched) counts(name string) bool {
	if strings.HasPrefix(path.Base(name), ".") || strings.HasSuffix(name, "~") {
		return false // an editor's own files
	}
	for _, ending := range w.Endings {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return len(w.Endings) == 0
}
