package translation

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTermsAreCalledAsDecided(t *testing.T) {
	l := language(t, `msgid "The bandwidth of accelerators"
msgstr "Пропускная способность ускорителей"

msgid "Bus bandwidth"
msgstr "Ширина шины"

msgid "An accelerator"
msgstr "Акселератор"
`)
	folder := fstest.MapFS{"ru.terms.tsv": {Data: []byte("# terms\naccelerator\tускорител\t\nbandwidth\tпропускн " +
		"способност|ПСП\t\nbus bandwidth\tшин\t\n")}}
	problems, err := l.Terms(folder, "ru.terms.tsv")
	if err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0].String(),
		"content/po/ru.po:12:1: “accelerator” is not called as ru.terms.tsv calls it; say it with “ускорител…”") {
		t.Error(problems, err)
	}
	if _, err := l.Terms(fstest.MapFS{"x.tsv": {Data: []byte("\nbandwidth\n")}}, "x.tsv"); err == nil ||
		!strings.HasPrefix(err.Error(), "content/po/x.tsv:2: no term") {
		t.Error(err)
	}
}

// The languages of the book call terms as their files say.
func TestTermsOfTheBook(t *testing.T) {
	folder := os.DirFS("../../content/po")
	l, err := Read(folder, "ru.po", "content/po")
	if err != nil {
		t.Fatal(err)
	}
	problems, err := l.Terms(folder, "ru.terms.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}
