package site

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each module that the browser's program and that of the npm package contain, and Go itself, is published with its
// licence, word for word.
func TestLicences(t *testing.T) {
	t.Parallel()
	published, err := os.ReadFile("../../web/" + licencesName)
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Dir}}{{end}}", "../../wasm",
		"../../wasm/npm")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{"Go": strings.TrimSpace(string(goroot))}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if module, dir, ok := strings.Cut(line, " "); ok {
			folders[module] = dir
		}
	}
	if len(folders) < 4 {
		t.Errorf("the program contains only %v", folders)
	}
	for module, dir := range folders {
		text, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		if err != nil && module == "Go" {
			t.Logf("this Go comes without its licence: %v", err)
			continue
		}
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(published), "\n--- "+module+"\n\n"+strings.Trim(string(text), "\n")+"\n") {
			t.Errorf("web/%s lacks the licence of %s as it is in %s", licencesName, module, dir)
		}
	}
}
