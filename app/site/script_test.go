package site

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scalebook/scalebook/app/phrase"
)

// Minified scripts do what they did, under the names that others know them by.
func TestMinifiedScripts(t *testing.T) {
	const script = "// a remark\nexport function shown(long) {\n\tconst text = \"// no remark\"; // one\n" +
		"\treturn `a  ${long}  ${text}`;\n}\nself.known = { kept: /[/\"] /g };\n"
	got, err := minified([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{"export function shown(", "// no remark", "`a  ${", "self.known", "kept:",
		`/[/"] /g`} {
		if !strings.Contains(string(got), kept) {
			t.Errorf("%q is missing in %s", kept, got)
		}
	}
	for _, dropped := range []string{"a remark", "one", "long", "\t", "text"} {
		if strings.Contains(string(got), dropped) {
			t.Errorf("%q is still in %s", dropped, got)
		}
	}
}

// A script that is none is named, with the line of the fault.
func TestFaultOfScriptIsNamed(t *testing.T) {
	web := fstest.MapFS{"a.js": {Data: []byte("let a = 1;\nlet = = 2;\n")}}
	_, err := scriptIn(web, "a.js", phrase.Phrases{})
	if err == nil || !strings.Contains(err.Error(), "web/a.js") || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
}

// Whoever gets Go's script gets its licence.
func TestLicenceStays(t *testing.T) {
	const licence = "// Copyright\n// a licence\n"
	if got := string(remarkAtTop([]byte(licence + "\n// of one function\nlet a"))); got != licence {
		t.Errorf("%q", got)
	}
	o := options(t, realBook)
	o.Exec = []byte(licence + "\nlet a = 1\n")
	o.Web = os.DirFS("../../web")
	files, err := gather(o)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files.files {
		if strings.Contains(name, "wasm_exec") && !strings.HasPrefix(string(data), licence) {
			t.Errorf("%s begins with %.60q", name, data)
		}
	}
}
