package site

import (
	"net/http/httptest"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// The way to another language leads to the section that is being read, with the numbers of the reader; from the top of
// a page, to its top.
func TestLanguageSwitchKeepsThePlace(t *testing.T) {
	t.Parallel()
	s := &Server{}
	s.Show("/b/", stub(t, "en", "zh"))
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	home := server.URL + "/b/"
	p := tab(t, browser.Options{Width: 390, Height: 700})
	there := func(what, address string) {
		t.Helper()
		p.run(`document.querySelector(".page-language").click()`)
		p.soon(what, `document.documentElement.lang === "en" && location.href === "`+home+address+`"`)
	}
	p.open(home + "zh/clocks/?clock.n=5")
	there("the top", "clocks/?clock.n=5")
	p.open(home + "zh/clocks/?clock.n=5")
	p.run(`document.body.style.paddingBottom = "2000px"; document.getElementById("clock").scrollIntoView()`)
	there("the calculator", "clocks/?clock.n=5#clock")
	p.open(home + "zh/clocks/?clock.n=5")
	p.run(`document.getElementById("clock").style.marginTop = "2000px"
		document.getElementById("not-yet").scrollIntoView()`)
	there("the section", "clocks/?clock.n=5#not-yet")
}
