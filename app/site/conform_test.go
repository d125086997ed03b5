package site

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/conform"
)

// Every page keeps to what the public checkers do not report.
func TestPagesConform(t *testing.T) {
	t.Parallel()
	files := render(t, realBook)
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".html") {
			for _, fault := range conform.Check(files[name]) {
				t.Errorf("/%s: %s", name, fault)
			}
		}
	}
}

// Every page conforms to the HTML standard, as the standard's own checker sees it. It is under the MIT licence, and
// runs where there are Java and npm.
func TestCheckerOfTheStandardFindsNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a while")
	}
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("skipped, there is no java to run the checker of the HTML standard with; TestPagesConform has run")
	}
	checker, err := npmFile(
		"vnu-jar",
		"26.9.27",
		"package/build/dist/vnu.jar",
		"22f15dd39a33bed929d2a5c0cddf5946849a647eca9272bf4d5d00bc7e7a4d47",
	)
	if err != nil {
		t.Skipf("skipped, there is no checker of the HTML standard: %v; TestPagesConform has run", err)
	}
	out := filepath.Join(t.TempDir(), "dist")
	if err := render(t, realBook).Write(out); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(java, "-Xss8m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", // a short run: half the work
		"-jar", checker, "--format", "json", "--skip-non-html", out)
	var report bytes.Buffer
	run.Stderr = &report // that is where it writes; it fails when it finds something
	failed := run.Run()
	var said struct {
		Messages []struct {
			Type, URL, Message, Extract string
			LastLine                    int
		}
	}
	if err := json.Unmarshal(report.Bytes(), &said); err != nil {
		t.Fatalf("the checker: %v: %.300s", failed, report.String())
	}
	for _, m := range said.Messages {
		if m.Type == "error" {
			_, page, _ := strings.Cut(m.URL, "/dist/")
			t.Errorf("/%s:%d: %s: %.200s", page, m.LastLine, m.Message, m.Extract)
		}
	}
	if failed != nil && len(said.Messages) == 0 {
		t.Fatalf("the checker: %v: %.300s", failed, report.String())
	}
}
