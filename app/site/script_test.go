package site

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

func TestTightScript(t *testing.T) {
	for js, want := range map[string]string{
		"// a\n  b(\"; // c\");\n\n\t// d\ne // f's\ng; // h\n": "b(\"; // c\");e\ng;\n",
		"a = b + +c - -d + e;\n":                                "a=b+ +c- -d+e;\n",
		"const f = () => 1\n  const g = 2":                      "const f=()=>1\nconst g=2\n",
		"if (a) {\n\tb;\n}\nc":                                  "if(a){b;}\nc\n",
		"return `a  ${b ? `c  ${ { d: \"}\" } }` : 1}  e`":      "return`a  ${b ? `c  ${ { d: \"}\" } }` : 1}  e`\n",
		"x = /[/\"] \\/ '/g in y, 4 / 2 / 1":                    "x=/[/\"] \\/ '/g in y,4 / 2 / 1\n",
		"return / \"/ in y":                                     "return / \"/ in y\n",
		"a /* b\n */ c":                                         "a c\n",
		"a // the end":                                          "a\n", "": "\n", "'": "'\n", "`${": "`${\n", "=/[": "=/[\n",
		"a = /* b": "a=\n",
	} {
		got := string(tightScript([]byte(js)))
		if got != want {
			t.Errorf("%q\n got %q\nwant %q", js, got, want)
		}
		if again := string(tightScript([]byte(got))); again != got {
			t.Errorf("%q became %q", got, again)
		}
	}
}

// What is dropped from the book's scripts changes nothing of them: another reader of the language finds the same words
// in the same order.
func TestScriptsStayTheSame(t *testing.T) {
	names, err := filepath.Glob("../../web/*.js")
	if err != nil || len(names) < 4 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before, after := scriptWords(t, string(data)), scriptWords(t, string(tightScript(data)))
		for i := range min(len(before), len(after)) {
			if before[i] != after[i] {
				t.Errorf("%s: %q became %q", name, before[max(0, i-5):i+1], after[max(0, i-5):i+1])
				break
			}
		}
		if len(before) != len(after) || len(before) < 50 {
			t.Errorf("%s: %d words became %d", name, len(before), len(after))
		}
	}
}

// scriptWords are the words and signs of a script without its comments and the spaces between them.
func scriptWords(t *testing.T, js string) (words []string) {
	t.Helper()
	tokens, err := chroma.Tokenise(lexers.Get("javascript"), nil, js)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range tokens {
		if token.Type.InCategory(chroma.Comment) {
			continue
		}
		words = append(words, strings.Fields(token.Value)...)
	}
	return slices.Clip(words)
}
