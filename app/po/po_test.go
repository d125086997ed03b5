package po

import (
	"strings"
	"testing"
)

const sample = `# Scalebook in Russian.
msgid ""
msgstr ""
"Language: ru\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

# A remark.
#. rooflines, heading
#: content/rooflines.md:12 content/training.md:7
#, fuzzy, no-wrap
#| msgid "Rate"
msgctxt "of money"
msgid "Rate of \"$x\"\\y"
msgstr "Ставка"

#: app/phrase/en.txt:3
msgid "1 block"
msgid_plural "{n} blocks"
msgstr[0] "{n} блок"
msgstr[1] "{n} блока"
msgstr[2] "{n} блоков"

#~ msgid "Gone"
#~ msgstr "Ушло"
`

func TestParse(t *testing.T) {
	f, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	if f.Field("language") != "ru" || len(f.Messages) != 3 || f.Comments[0] != "Scalebook in Russian." {
		t.Fatalf("%+v", f)
	}
	m := f.Messages[0]
	if m.Key() != "of money\x04Rate of \"$x\"\\y" || !m.Fuzzy() || m.Translated() || m.Line != 13 || len(m.Refs) != 2 ||
		m.Notes[0] != "rooflines, heading" || m.Comments[0] != "A remark." {
		t.Errorf("%+v", m)
	}
	if m := f.Messages[1]; m.Plural != "{n} blocks" || len(m.Str) != 3 || !m.Translated() {
		t.Errorf("%+v", m)
	}
	if !f.Messages[2].Obsolete {
		t.Error("what is no longer used counts")
	}
	again := written(t, f)
	g, err := Parse(again)
	if err != nil || written(t, g) != again {
		t.Errorf("written and read: %v\n%s", err, again)
	}
}

func written(t *testing.T, f *File) string {
	t.Helper()
	var b strings.Builder
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFaultsHavePlaces(t *testing.T) {
	for src, want := range map[string]string{
		"msgid \"a\"\n":                  "2: a message without a msgstr",
		"msgid \"a\"\nmsgstr \"b\n":      "2: a text that isn't in quotation marks",
		"msgid \"a\"\nmsgstr \"b\\q\"\n": "2: an escape that isn't one",
		"\"a\"\n":                        "1: a string that continues nothing",
		"msgstr \"a\"\n":                 "1: `msgstr` can't stand here",
		"msgid \"a\"\nmsgstr \"\"\n\nmsgid \"a\"\nmsgstr \"\"\n": "4: the message of line 1 again",
		"msgid \"a\"\nmsgstr[1] \"\"\n":                          "2: `msgstr[1]` can't stand here",
		"msgid \"a\"b\"\nmsgstr \"\"\n":                          "1: a quotation mark inside a text",
	} {
		if _, err := Parse(src); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

func TestPlurals(t *testing.T) {
	f, _ := Parse(sample)
	p, err := ReadPlurals(f.Field("Plural-Forms"))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]int{0: 2, 1: 0, 2: 1, 4: 1, 5: 2, 11: 2, 12: 2, 21: 0, 22: 1, 111: 2, 121: 0} {
		if got := p.Form(n); got != want {
			t.Errorf("%d takes form %d, want %d", n, got, want)
		}
	}
	if p, err := ReadPlurals("nplurals=1; plural=0;"); err != nil || p.Form(7) != 0 {
		t.Error("Chinese has one form:", err)
	}
	for _, bad := range []string{"", "nplurals=2;", "nplurals=99; plural=0", "nplurals=2; plural=n ?",
		"nplurals=2; plural=n % (", "nplurals=2; plural=m"} {
		if _, err := ReadPlurals(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if p, err := ReadPlurals("nplurals=2; plural=n/0;"); err != nil || p.Form(3) != 0 {
		t.Error("a division by nothing:", err)
	}
}

// Nothing panics, and what was read and written is read as the same.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n != 1;\\n\"\n")
	f.Fuzz(func(t *testing.T, src string) {
		file, err := Parse(src)
		if err != nil {
			return
		}
		ReadPlurals(file.Field("Plural-Forms"))
		for _, m := range file.Messages {
			m.Comments, m.Notes, m.Refs, m.Flags = nil, nil, nil, nil // free texts
		}
		file.Comments = nil
		var b strings.Builder
		file.Write(&b)
		again, err := Parse(b.String())
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if len(again.Messages) != len(file.Messages) {
			t.Fatalf("%d messages became %d", len(file.Messages), len(again.Messages))
		}
		for i, m := range file.Messages {
			if n := again.Messages[i]; n.Key() != m.Key() ||
				strings.Join(n.Str, "\x00") != strings.Join(m.Str, "\x00") {
				t.Errorf("%+v became %+v", m, n)
			}
		}
	})
}
