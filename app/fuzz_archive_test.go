package main

import (
	"bytes"
	"testing"
)

// Nothing panics, whatever an archive holds, and nothing is read of one that is cut.
func FuzzUnarchived(f *testing.F) {
	seeds := []string{"", "PK\x03\x04", "\x1f\x8b"}
	t := &testing.T{}
	seeds = append(seeds, string(zipOf(t, "a.json", recorded("0", "10"), "b.txt", "x")),
		string(tarOf(t, "a.json", recorded("0", "10"))), string(gzipOf(t, tarOf(t, "a.json", recorded("0", "10")))))
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		chosen, says, err := unarchived(data)
		if err == nil && says == "" && !bytes.Equal(chosen, data) {
			t.Error("another file is read, and nothing says so")
		}
	})
}
