package site

import (
	"bytes"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// WebKit's process ends at some paragraphs that are to be wrapped prettily, at some widths.
func TestNoPrettyWrap(t *testing.T) {
	web := os.DirFS("../../web")
	names, err := fs.Glob(web, "*.css")
	if err != nil || len(names) == 0 {
		t.Fatal("no style sheets", err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(web, name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("text-wrap: pretty")) {
			t.Errorf("%s: text-wrap: pretty; leave it out", name)
		}
	}
}

// The names of the pages stand below each other where somebody has come to a page that isn't there.
func TestMissingPageLinesUp(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "404.html")
	for _, width := range []int64{1280, 390} {
		p.check(p.See(browser.Options{Width: width, Height: 800}))
		ragged := value[[]string](p, `(() => {
			const left = (a) => { const r = document.createRange(); r.selectNodeContents(a.lastChild);
				return Math.round(r.getClientRects()[0].left) };
			const links = [...document.querySelectorAll(".home-chapters a")], first = left(links[0]);
			return links.filter(a => left(a) !== first).map(a => a.textContent + " at " + left(a) + ", not " + first);
		})()`)
		if len(ragged) > 0 {
			t.Errorf("at %d: %s", width, strings.Join(ragged, "; "))
		}
	}
}

// What stands above and below the line of a fraction keeps off it, also where no font for mathematics is at hand.
func TestFractionsAreOpen(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "training/")
	close := value[[]string](p, `[...document.querySelectorAll("mfrac")].filter(e => e.checkVisibility()).filter(e => {
		const [over, under] = [...e.children], px = (e, side) => parseFloat(getComputedStyle(e)["padding" + side]);
		const gap = under.getBoundingClientRect().top + px(under, "Top") - over.getBoundingClientRect().bottom
			+ px(over, "Bottom");
		return gap < 0.25 * parseFloat(getComputedStyle(e).fontSize) }).map(e => e.textContent)`)
	if len(close) > 0 {
		t.Errorf("%d fractions touch their lines: %s", len(close), strings.Join(close, "; "))
	}
}

// A note's mark stands on the line of the word that it belongs to, at every width.
func TestNoteMarksNeverBeginALine(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "rooflines/")
	marks := 0
	for width := int64(320); width <= 800; width += 20 {
		p.check(p.See(browser.Options{Width: width, Height: 800}))
		marks = int(p.number(`document.querySelectorAll("main .note-ref").length`))
		alone := value[[]string](p, `[...document.querySelectorAll("main .note-ref")].filter(e => e.checkVisibility())
			.filter(mark => {
			let before = mark.previousSibling;
			while (before?.lastChild) before = before.lastChild;
			if (before?.nodeType !== Node.TEXT_NODE || !before.data.trim()) return false;
			const r = document.createRange(); r.setStart(before, before.length - 1); r.setEnd(before, before.length);
			const word = [...r.getClientRects()].at(-1), own = mark.querySelector("a").getClientRects()[0];
			return own.top > word.bottom;
		}).map(e => e.textContent)`)
		if len(alone) > 0 {
			t.Errorf("at %d: marks %s begin a line", width, strings.Join(alone, ", "))
		}
	}
	if marks == 0 {
		t.Error("the page has no notes; take one that has")
	}
}

// said is a live number of a sentence, its unit, and the words behind it.
var said = regexp.MustCompile(`<data class="live"[^>]*>` +
	`[-$]?[\d.,]+(?: [kMBT])?(?:&nbsp;|\x{a0}| )?([^<]*)</data>((?: [a-z-]+){1,3})`)

// No sentence says a unit that its number has already said: "2048 chips chips", "4.42/s prompts a second".
func TestNoUnitIsSaidTwice(t *testing.T) {
	t.Parallel()
	rate := regexp.MustCompile(`^ (\S+ )?(a|an|per|each) (second|hour|chip|token|way|request)\b`)
	seen := 0
	files := render(t, realBook)
	for _, path := range paths(files) {
		for _, m := range said.FindAllStringSubmatch(string(files[path+"index.html"]), -1) {
			seen++
			unit, behind := strings.TrimSpace(m[1]), m[2]
			word := strings.Fields(behind)[0]
			noun, _, _ := strings.Cut(unit, "/")
			same := len(noun) > 3 && strings.TrimSuffix(word, "s") == strings.TrimSuffix(noun, "s")
			times := unit != "" && strings.HasPrefix(behind, " times ") // "323 tokens times as large"
			if same || times || strings.Contains(unit, "/") && rate.MatchString(behind) {
				t.Errorf("/%s: %q", path, strings.TrimSpace(unit+behind))
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d numbers in sentences were found", seen)
	}
}
