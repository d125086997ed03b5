package site

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// Whatever a server answers, with whatever type, length and status, or whether it answers at all, and however little
// room there is: what the worker keeps is what its list says. See testdata/worker.js.
func FuzzWorker(f *testing.F) {
	if testing.Short() {
		f.Skip("needs a browser")
	}
	for lie := range byte(16) {
		f.Add([]byte{0, lie, 0})
		f.Add([]byte{200, lie, 1, lie, 2, 0, 0, lie, 3})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		script := make([]byte, 80)
		for i := range script {
			script[i] = byte(random.Uint32())
			if i%2 == 1 && random.IntN(3) > 0 {
				script[i] = 0 // most servers tell the truth most of the time
			}
		}
		f.Add(script)
	}
	world, err := os.ReadFile("testdata/worker.js")
	if err != nil {
		f.Fatal(err)
	}
	worker, err := os.ReadFile("../../web/sw.js")
	if err != nil {
		f.Fatal(err)
	}
	blank := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	f.Cleanup(blank.Close)
	x := opened(f, browser.Options{})
	f.Cleanup(x.Close)
	p := (&page{f, x}).open(blank.URL)
	p.run(string(world))
	p.run("window.worker = " + inScript(f, string(worker)))
	f.Fuzz(func(t *testing.T, script []byte) {
		wrong, err := browser.Eval[string](x, "simulate(worker, "+inScript(t, ints(script))+")")
		if err != nil || wrong != "" {
			t.Errorf("%s %v", wrong, err)
		}
	})
}

// inScript is a value as a script writes it.
func inScript(t testing.TB, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func ints(bytes []byte) []int {
	out := make([]int, len(bytes))
	for i, b := range bytes {
		out[i] = int(b)
	}
	return out
}
