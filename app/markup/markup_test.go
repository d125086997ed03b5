package markup_test

import (
	"math"
	"strings"
	"testing"

	. "github.com/scalebook/scalebook/app/markup"
)

func TestHTML(t *testing.T) {
	n := El("p", Class("a"), Attr("title", `"<&>"`), Flag("hidden", true), Flag("open", false), Optional("id", ""),
		`"<&>"`, (*Node)(nil), []*Node{El("br"), nil, Raw("<b>trusted</b>")}, nil, On("click", "reset", "B"))
	want := `<p class="a" title="&quot;&lt;&amp;&gt;&quot;" hidden>"&lt;&amp;&gt;"<br><b>trusted</b></p>`
	if got := HTML(n); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if len(n.Events) != 1 || n.Events[0].Act != (Act{Do: "reset", On: "B"}) || n.TextContent() != `"<&>"` {
		t.Errorf("%+v, %q", n.Events, n.TextContent())
	}
}

func TestElRefusesWhatItDoesNotKnow(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("El took a number")
		}
	}()
	El("p", 1)
}

// No text ends an attribute or begins an element, and none holds what XML forbids.
func FuzzEscape(f *testing.F) {
	f.Add("a<b>&\"'")
	f.Add("\x00\x1f\x7f\ufffe\uffff\xff\r\n\t")
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s)
		if strings.ContainsAny(got, "<>\"\x00\r\x7f\ufffe\uffff") ||
			strings.ContainsRune(strings.NewReplacer("&amp;", "", "&lt;", "", "&gt;", "", "&quot;", "").Replace(got),
				'&') {
			t.Errorf("%q becomes %q", s, got)
		}
	})
}

func TestPen(t *testing.T) {
	var p Pen
	p.Move(-0.04, 0.05).Line(12, -3.25).Put("h").Number(math.NaN()).Put(" ").Number(math.Inf(1))
	if got, want := p.String(), "M0 .1L12 -3.3h0 10000000"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p = Pen{}
	p.Rect(`class="a"`, 1, 2, 3, 4).Label("mid", 5, 6, "a<b").Path("line", "M0 0").ViewBox(0, -2, 300, 40.5)
	want := `<rect class="a" x="1" y="2" width="3" height="4"/><text class="mid" x="5" y="6">a&lt;b</text>` +
		`<path class="line" d="M0 0"/> viewBox="0 -2 300 40.5"`
	if got := p.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestShape(t *testing.T) {
	n := El("p", "a", (*Node)(nil), "", "b", El("b"), "", Raw("<i>c</i>"), "d")
	n.Kids = append(n.Kids, nil)
	got := Shape(nil, n)
	if len(got) != 1 || len(got[0].Kids) != 4 || got[0].Kids[0].Text != "ab" || HTML(got...) != HTML(n) {
		t.Errorf("%d nodes, %s", len(got), HTML(got...))
	}
	if len(n.Kids) != 8 {
		t.Errorf("the tree itself has changed: %d", len(n.Kids))
	}
}
