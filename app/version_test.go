package main

import (
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	var out, complaint strings.Builder
	if status := run([]string{"version"}, nil, &out, &complaint); status != ok || complaint.Len() > 0 {
		t.Fatalf("%d %s", status, &complaint)
	}
	line := regexp.MustCompile(`^scalebook \S+, commit ([0-9a-f]{40}( with changes)?|unknown), (\S+) \w+/\w+\n$`)
	if m := line.FindStringSubmatch(out.String()); m == nil || m[3] != runtime.Version() {
		t.Errorf("it says %q", &out)
	}
	if status := run([]string{"version", "now"}, nil, &out, &complaint); status != misuse {
		t.Errorf("with an argument it exits with %d", status)
	}
}

// A binary says which source it was built from.
func TestBuilt(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"},
	}}
	if version, commit := built(info); version != "v1.2.3" || commit != "abc with changes" {
		t.Errorf("%q %q", version, commit)
	}
	if version, commit := built(&debug.BuildInfo{}); version != "development" || commit != "" {
		t.Errorf("%q %q", version, commit)
	}
}
