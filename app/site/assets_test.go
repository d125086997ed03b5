package site

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scalebook/scalebook/app/phrase"
)

func TestStyleSheetOrderAndComments(t *testing.T) {
	web := fstest.MapFS{}
	for name, text := range map[string]string{
		"chart.css": "c{}", "tokens.css": "/* t */ t{}", "book.css": `b{content:"/* kept */"}` + "\n\n  /* a\n b */\n  d{}",
		"unended.css": "u{} /* no end",
	} {
		web[name] = &fstest.MapFile{Data: []byte(text)}
	}
	got, err := styleSheet(web, phrase.Phrases{})
	want := "t{}" + `b{content:"/* kept */"}` + "d{}c{}u{}"
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
}

// What is dropped from a style sheet changes nothing of it.
func TestTightStyle(t *testing.T) {
	for css, want := range map[string]string{
		"a  :hover > b ,\n c:is( d, e ) { color : red ; margin: 0 auto; }\n": "a :hover > b,c:is( d,e ){color " +
			":red;margin:0 auto}",
		"@media (min-width: 40rem) and (hover: hover) { a { width: calc(1px + 2px); } }": "@media (min-width:40rem) and " +
			"(hover:hover){a{width:calc(1px + 2px)}}",
		`a::before { content: " { /* x */ ; } \" " ; }`: `a::before{content:" { /* x */ ; } \" "}`,
		"a/* x */b{}": "ab{}", "a /**/ b{}": "a b{}", ":root{--a: 1px;--b:var(--a , 2px)}": ":root{--a:1px;--b:var(--a,2px)}",
		"a{b:'": "a{b:'", "/* x": "",
	} {
		if got := string(tight([]byte(css))); got != want {
			t.Errorf("%s\n got %s\nwant %s", css, got, want)
		}
		if again := string(tight([]byte(want))); again != want {
			t.Errorf("%s became %s", want, again)
		}
	}
}

func TestAssetNamesFollowTheirContent(t *testing.T) {
	a := &assets{files: Files{}, urls: map[string]string{}, base: "/b/"}
	a.add("book.js", []byte("one"))
	one := a.urls["book.js"]
	a.add("book.js", []byte("two"))
	two := a.urls["book.js"]
	if one == two || !strings.HasPrefix(one, "/b/assets/book.") || !strings.HasSuffix(one, ".js") {
		t.Errorf("%s and %s", one, two)
	}
	if string(a.files[strings.TrimPrefix(two, "/b/")]) != "two" {
		t.Error("the address doesn't lead to the file")
	}
}

func TestWatchSeesChanges(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	write := func(text string, at time.Time) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now().Add(-time.Hour)
	write("one", start)
	folders := []Watched{{FS: os.DirFS(dir), Endings: []string{".go"}}}
	first := stamps(folders)
	if stamps(folders) != first {
		t.Error("nothing has changed, but the stamps have")
	}
	if err := os.WriteFile(filepath.Join(dir, "note.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if stamps(folders) != first {
		t.Error("a file that doesn't count was counted")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	seen := make(chan bool, 10)
	watcher := Watching(folders...)
	write("two", start.Add(time.Minute)) // before it is followed, as when a file changes during the first build
	go watcher.Follow(ctx, time.Millisecond, func() { seen <- true })
	select {
	case <-seen:
	case <-ctx.Done():
		t.Error("the change was not seen")
	}
}

// Scripts lose their comments, and nothing else as long as no text of theirs goes over lines.
func TestScriptsHaveNoTextsOfSeveralLines(t *testing.T) {
	const script, kept = "// a\n  b(\"; // c\");\n\n\t// d\ne // f\ng; // h\n", "b(\"; // c\");\ne // f\ng;\n"
	if got := string(withoutRemarks([]byte(script))); got != kept {
		t.Errorf("got %q", got)
	}
	names, err := filepath.Glob("../../web/*.js")
	if err != nil || len(names) < 4 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if strings.Count(line, "`")%2 != 0 || strings.HasSuffix(line, `\`) {
				t.Errorf("%s:%d: a text goes over the end of this line", name, i+1)
			}
		}
	}
}
