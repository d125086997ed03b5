package translation

import (
	"slices"
	"strings"
	"testing"
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
