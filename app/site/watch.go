package site

import (
	"context"
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

// Watch calls changed whenever a file of the folders has appeared, gone or been written, looking every interval.
// It returns when ctx is done.
func Watch(ctx context.Context, interval time.Duration, folders []Watched, changed func()) {
	last := stamps(folders)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := stamps(folders); now != last {
			last = now
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
				b.WriteString(name + "\x00" + info.ModTime().Format(time.RFC3339Nano) + "\x00")
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
