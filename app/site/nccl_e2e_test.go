package site

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// sheetBook is a folder with one page, which has a sheet of the book alone.
func sheetBook(t *testing.T, file, id string) string {
	t.Helper()
	page, err := os.ReadFile("../../content/" + file)
	if err != nil {
		t.Fatal(err)
	}
	_, src, _ := strings.Cut(string(page), "```sheet "+id+"\n")
	src, _, _ = strings.Cut(src, "```\n")
	dir := t.TempDir()
	text := "---\ntitle: One sheet\n---\n\n## A section\n\n```sheet " + id + "\n" + src + "```\n\nAfter.\n"
	if err := os.WriteFile(dir+"/index.md", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

const twoNodes = `# Collective test starting: all_gather_perf
#  Rank  0 Group  0 Pid 100 on node-a device  0 [0x07] NVIDIA H200
#  Rank  1 Group  0 Pid 101 on node-a device  1 [0x0a] NVIDIA H200
#  Rank  2 Group  0 Pid 102 on node-b device  0 [0x07] NVIDIA H200
#  Rank  3 Group  0 Pid 103 on node-b device  1 [0x0a] NVIDIA H200
       65536   4096   float   none   -1    40.0    1.64    1.23   0    41.0    1.60    1.20   0
  1073741824   67108864   float   none   -1   9000.0   119.30   89.48   0   9001.0   119.29   89.47   0
`

// A reader pastes the output of nccl-tests, header and all: collective, devices and nodes are the test's, and each size
// stands beside its law. What is no such output says so, and the last good one stays.
func TestTablesOfNCCLArePasted(t *testing.T) {
	t.Parallel()
	home := serving(t, sheetBook(t, "collectives.md", "nccl"), 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	says := func(name, text string) string {
		return `document.querySelector("#nccl output[data-name=` + name + `]").textContent === ` + strconv.Quote(text)
	}
	p.soon("the example", says("seen", "483 GB/s")+" && "+says("bound", "700 GB/s"))
	p.run(`document.querySelector('#nccl [data-key="document:own"] summary').click()`)
	const area = `document.querySelector("#nccl--own")`
	p.soon("the field", area+`.checkVisibility()`)
	p.run(area + `.focus(); document.execCommand("insertText", false, "make: *** no rule")`)
	p.soon("why it can't be read", `document.querySelector("#nccl--own--note").textContent.includes("nccl-tests")`)
	p.soon("the last good one", says("seen", "483 GB/s"))
	p.run(area + `.select(); document.execCommand("insertText", false, ` + strconv.Quote(twoNodes) + `)`)
	p.soon("its largest size", says("seen", "89.5 GB/s")+" && "+says("at", "1 GiB")+" && "+says("bound", "100 GB/s"))
	p.soon("its set-up", `document.querySelector("#nccl--nodes").value === "2" &&
		document.querySelector("#nccl--n").value === "2" && document.querySelector("#nccl--op").value === "all-gather" &&
		document.querySelector("#nccl--chip").value === "gpu.h200"`)
	p.soon("each size", `document.querySelector("#nccl").textContent.includes("64 KiB")`)
}

// A reader picks a machine and a format and sees size, whether it fits, and the interval of its speed.
func TestFilesOnOneMachine(t *testing.T) {
	t.Parallel()
	home := serving(t, sheetBook(t, "model-card.md", "local"), 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	says := func(name, text string) string {
		return `document.querySelector("#local output[data-name=` + name + `]").textContent.startsWith(` +
			strconv.Quote(text) + `)`
	}
	p.soon("the default", says("size", "4.91 GB")+" && "+says("verdict", "it fits"))
	p.pick("#local--model", "llama3.70b")
	p.soon("too large", says("verdict", "it does not fit"))
	p.pick("#local--machine", "soc.m3_ultra")
	p.soon("on a Mac", says("verdict", "it fits"))
	p.pick("#local--format", "mlx_4")
	p.soon("in MLX’s format", says("bits", "4.5"))
}
