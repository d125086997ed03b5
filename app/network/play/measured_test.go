package play

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/network"
)

// The measurements here are those that package network holds its laws to, each once.
func TestMeasuredAreTheFacts(t *testing.T) {
	want := map[string]bool{}
	for _, name := range []string{"switch", "torus"} {
		text, err := os.ReadFile("../testdata/" + name + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			switch {
			case strings.HasPrefix(line, "#"):
			case name == "switch":
				links := map[string]string{"yes": "adds", "no": "switch"}[c[5]]
				want[strings.Join([]string{c[1], c[2], c[3], links, c[4], c[6] + " GB/s"}, "\t")] = true
			default:
				want[strings.Join([]string{"all-gather", c[1], c[2], c[3], c[4], c[5] + " us"}, "\t")] = true
			}
		}
	}
	got := map[string]bool{}
	for line := range strings.Lines(measuredTable) {
		i := strings.LastIndexByte(line, '\t')
		got[line[:i]] = true
		if sourceOf(strings.TrimSpace(line[i:])) == "" {
			t.Errorf("no source: %s", line)
		}
	}
	for row := range want {
		if !got[row] {
			t.Errorf("lacks %s", row)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d measurements, want %d", len(got), len(want))
	}
}

// Measured points are found where they belong; they never lie below the exact law; and the fitted line of the H200 has
// the constants that its table gives.
func TestMeasuredBesideTheLaw(t *testing.T) {
	for source, want := range map[string]int{
		"n=16": 4, "fabric=line n=4": 2, "fabric=node op=all-reduce adds=on": 5,
		"fabric=node op=all-reduce adds=off": 1, "fabric=node op=all-gather": 1,
		"fabric=node chip=gpu.b200 op=all-reduce adds=on": 7, "fabric=tree chip=gpu.b200 op=all-reduce": 6,
		"fabric=tree chip=gpu.b200 op=all-reduce n=4 nodes=8": 0, "fabric=node chip=gpu.h100 op=all-reduce": 3,
		"n=4": 0,
	} {
		x := setting(t, source)
		points := x.Measured().Points
		if len(points) != want {
			t.Errorf("%s: %d points, want %d", source, len(points), want)
		}
		for _, p := range points {
			if law, _ := x.Times(float64(p.Bytes)); law > float64(p.Time) || law <= 0 {
				t.Errorf("%s: %v bytes took %v, the law's bound is %v", source, p.Bytes, p.Time, law)
			}
		}
	}
	points := setting(t, "fabric=node op=all-reduce adds=on").Measured().Points
	// 16 MiB at 219.89 GB/s of bus bandwidth, 7/4 of what the array had: by hand.
	if i := slices.IndexFunc(points, func(p network.Point) bool { return p.Bytes == 16<<20 }); i < 0 ||
		!near(float64(points[i].Time), 1.75*16*(1<<20)/219.89e9) {
		t.Error(points)
	}
	fit, err := network.FitAlphaBeta(points)
	if err != nil || fit.Alpha < 35e-6 || fit.Alpha > 45e-6 || fit.Worst > 0.12 {
		t.Error(fit, err)
	}
	if got := rounding("0.01 GB/s"); !near(got, 0.5) {
		t.Error(got)
	}
}
