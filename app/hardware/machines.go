package hardware

import (
	_ "embed"
	"strconv"
	"strings"
)

// machineTable is machines that clouds rent, by how their names begin: the accelerator, and how many a machine has.
// Behind a slash stands what the number at the end of the name is divided by: 1 where it counts accelerators, and 2
// where it counts cores of TPUs that have two. The first line that suits a name counts.
//
//go:embed machines.tsv
var machineTable string

// Machine is the accelerator of a machine or a slice that a cloud calls so, and how many it has: p5.48xlarge,
// a3-highgpu-8g, v5p-1024, v5p-4x4x8, h100-mega-80gb-8. A name that tells no number has none that is known.
func Machine(name string) (id string, devices int) {
	name = strings.TrimPrefix(strings.ToLower(name), "ml.") // of SageMaker
	for row := range strings.Lines(machineTable) {
		c := strings.Split(strings.TrimSpace(row), "\t")
		rest, is := strings.CutPrefix(name, c[0])
		if !is {
			continue
		}
		of, atEnd := strings.CutPrefix(c[2], "/")
		each, _ := strconv.Atoi(of)
		if !atEnd {
			return c[1], each
		}
		rest, _, _ = strings.Cut(rest, "-")
		devices = 1
		for side := range strings.SplitSeq(strings.TrimSuffix(rest, "g"), "x") {
			n, err := strconv.Atoi(side)
			if err != nil || n < 1 || n > 1<<16 {
				return "", 0
			}
			devices = min(devices*n, 1<<16)
		}
		if strings.Contains(rest, "x") { // the sides of a torus of chips
			each = 1
		}
		return c[1], max(1, devices/each)
	}
	return "", 0
}
