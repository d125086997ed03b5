package translation

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestATranslationKeepsWhatIsNoWord(t *testing.T) {
	for _, c := range []struct {
		id, str string
		kind    kind
		want    string // of what is wrong; "" if nothing
	}{
		{"At $C$ it takes {{T}}, 40 bytes.", "Это {{T}} при $C$: 40 байт.", markdown, ""},
		{"At $C$ it takes {{T}}.", "Это {{T}}.", markdown, "lacks `$C$`"},
		{"It takes {{T}}.", "Это {{T_math}}.", markdown, "lacks `{{T}}` and has `{{T_math}}`"},
		{"It takes [[T = 5]].", "Это [[T = 6]].", markdown, "lacks `[[T = 5]]`"},
		{"Run `make test`.", "Запустите `make тест`.", markdown, "lacks `make test`"},
		{"See [the next](/training/).", "См. [следующую](/training/).", markdown, ""},
		{"See [the next](/training/).", "См. [следующую](/rooflines/).", markdown, "lacks `[](/training/)`"},
		{"[Overlap](?) helps.", "[Перекрытие](?overlap) помогает.", markdown, ""},
		{"[GPUs](?) help.", "[GPU](?gpu) помогают.", markdown, ""},
		{"[Overlap](?) helps.", "[Перекрытие](?) помогает.", markdown, "lacks `[](?overlap)`"},
		{"So it is.[^a]", "Так и есть.", markdown, "lacks `[^a]`"},
		{"So it is [@jones2024].", "Так и есть.", markdown, "lacks `[@jones2024]`"},
		{"At 1.5 s, so 65,536 of them.", "ж 1.5 65,536", markdown, ""},
		{"512 chips of 4", "512 чипов по 8", markdown, "lacks `4` and has `8`"},
		{"A list", "1. Список", markdown, "is List ListItem"},
		{"A list", "- Список", markdown, "is List"},
		{"A cell", "Ячейка | ещё", markdown, "number of |"},
		{"Two", "Два\n\nТри", markdown, "more than one line"},
		{"Peak of {a}", "Пик {a}", label, ""},
		{"Peak of {a}", "Пик {b}", label, "lacks `{a}` and has `{b}`"},
		{"{n} of {all} rows", "строки {all}, {n} из них", sentence, ""},
		{"Layer | Compute", "Слой, счёт", sentence, "number of |"},
		{"{n} rows", "строки", sentence, "lacks `{n}`"},
	} {
		what, remedy := check(c.id, c.str, c.kind)
		if c.want == "" && what != "" || !strings.Contains(what, c.want) || what != "" && remedy == "" {
			t.Errorf("%q as %q: %q; %q, want %q", c.id, c.str, what, remedy, c.want)
		}
	}
}

// What a text keeps, it keeps of itself; nothing panics.
func FuzzCheck(f *testing.F) {
	f.Add("At $C$ it takes {{T}}, `x` [a](?) [^n] [@k] | 40", "[[T = 5]] \\| $$x$$ <b>", byte(0))
	f.Add("{n} of {m}", "{n", byte(3))
	f.Fuzz(func(t *testing.T, id, str string, k byte) {
		of := kind(k % 4)
		check(id, str, of)
		if what, _ := check(id, id, of); what != "" && !strings.Contains(id, "\n") {
			t.Errorf("%q is no translation of itself: %s", id, what)
		}
		keep, _ := keeps(id, of)
		if !slices.IsSorted(keep) {
			t.Errorf("%q isn't in order", keep)
		}
	})
}

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
