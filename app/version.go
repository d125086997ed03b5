package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
)

// printVersion prints the version of the module, the commit, and the Go that built the command.
func printVersion(args []string, s streams) int {
	others, status, done := parse(newFlags("version"), args, s)
	if done {
		return status
	}
	if len(others) > 0 {
		s.complain("scalebook version: unexpected argument %q; it takes none", others[0])
		return misuse
	}
	version, commit := ownVersion()
	if commit == "" {
		commit = checkedOut()
	}
	fmt.Fprintf(s.out, "scalebook %s, commit %s, %s %s/%s\n",
		version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return ok
}

// ownVersion is the version and the commit of this binary, as far as it knows them.
func ownVersion() (version, commit string) {
	if info, ok := debug.ReadBuildInfo(); ok {
		return built(info)
	}
	return "development", ""
}

// built is what a binary knows of its source: its version, and its commit if it was built in a repository.
func built(info *debug.BuildInfo) (version, commit string) {
	version = "development"
	if v := info.Main.Version; v != "" && v != "(devel)" {
		version = v
	}
	changed := ""
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			commit = setting.Value
		case "vcs.modified":
			if setting.Value == "true" {
				changed = " with changes"
			}
		}
	}
	if commit != "" {
		commit += changed
	}
	return version, commit
}

// checkedOut is the commit of the working folder, for `go run`, which notes none.
func checkedOut() string {
	out, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	commit := strings.TrimSpace(string(out))
	if out, err := exec.Command("git", "status", "--porcelain", "-uno").Output(); err == nil && len(out) > 0 {
		commit += " with changes"
	}
	return commit
}
