package site

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

func TestZZPeople(t *testing.T) {
	home := serving(t, realBook, 0)
	cache, _ := filepath.Abs("../../.cache")
	n := 0
	shot := func(p *page, name string) {
		n++
		b, err := p.Shot()
		if err == nil {
			os.WriteFile(fmt.Sprintf("%s/shots/%02d_%s.png", cache, n, name), b, 0o644)
		}
	}
	for _, c := range []struct{ path, sheet, doc, file, out string }{
		{"startup-log/", "startup", "log", "logs/01_vllm11_tp4.log", "#startup"},
		{"startup-log/", "startup", "log", "logs/26_list.yaml", ""},
		{"startup-log/", "startup", "log", "logs/09_llamacpp.log", ""},
		{"startup-log/", "startup", "log", "logs/08_trt.log", ""},
		{"collectives/", "nccl", "own", "nc/01_std.txt", ""},
		{"collectives/", "nccl", "own", "nc/08_failall.txt", ""},
		{"collectives/", "nccl", "own", "nc/25_gb200.txt", ""},
		{"profiling/", "pasted", "own", "gpu/a_async_pairs.hlo", ""},
		{"profiling/", "pasted", "own", "gpu/i_stablehlo.mlir", ""},
		{"profiling/", "dropped", "own", "tr/a_cuda.json", ""},
		{"profiling/", "dropped", "own", "tr/g_cut.json.gz", ""},
	} {
		p := tab(t, browser.Options{})
		p.open(home + c.path)
		time.Sleep(300 * time.Millisecond)
		p.wake().run(shared)
		text, _ := os.ReadFile(cache + "/" + c.file)
		ints := make([]int, len(text))
		for i, b := range text {
			ints[i] = int(b)
		}
		enc, _ := json.Marshal(ints)
		p.run(fmt.Sprintf(`document.querySelector("#%s").scrollIntoView()`, c.sheet))
		start := time.Now()
		p.run(fmt.Sprintf(`dropped("#%s .input-document", %q, new Uint8Array(%s))`, c.sheet, filepath.Base(c.file), enc))
		time.Sleep(1500 * time.Millisecond)
		_ = start
		fmt.Println("==", c.path, c.file)
		fmt.Println("  note:", p.text(fmt.Sprintf(`document.querySelector("#%s--%s--note")?.textContent || ""`, c.sheet, c.doc)))
		fmt.Println("  msgs:", p.text(fmt.Sprintf(`[...document.querySelectorAll("#%s .message, #%s .error, #%s [role=alert]")].map(e=>e.textContent).join(" | ")`, c.sheet, c.sheet, c.sheet)))
		fmt.Println("  prose:", p.text(`[...document.querySelectorAll("p")].filter(x=>x.querySelector("data")).slice(0,3).map(x=>x.textContent).join(" || ").slice(0,700)`))
		shot(p, filepath.Base(c.file))
	}
	p := tab(t, browser.Options{})
	p.open(home + "serving-planner/").wake()
	p.run(`document.querySelector("#serving").scrollIntoView()`)
	time.Sleep(3 * time.Second)
	shot(p, "planner")
	fmt.Println(p.text(`[...document.querySelectorAll("#serving input[type=search]")].map(e=>e.id).join(" ")`))
	p.run(`const e=document.querySelector("#serving input[type=search]"); e.scrollIntoView(); e.focus(); e.value="tp=4"; e.dispatchEvent(new InputEvent("input",{bubbles:true}))`)
	time.Sleep(time.Second)
	fmt.Println(p.text(`document.querySelector("#serving .list")?.textContent.slice(0,600) || ""`))
	shot(p, "filtered")
}
