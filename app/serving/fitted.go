package serving

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// constantTable is the fitted constants: those of all engines, and of each engine those that are its own.
//
//go:embed constants.tsv
var constantTable string

var fitted = sync.OnceValue(func() map[string]Constants { return readConstants(constantTable) })

// Fitted are the constants of an engine, "vllm", "sglang" or "trtllm"; of any other those of all together.
func Fitted(engine string) Constants {
	if k, found := fitted()[engine]; found {
		return k
	}
	return fitted()["all"]
}

// readConstants reads the table: a constant a line, a column an engine; what an engine leaves out is as for all.
func readConstants(table string) map[string]Constants {
	out := map[string]Constants{}
	var engines []string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if engines == nil {
			engines = cells[1:]
			continue
		}
		for i, engine := range engines {
			text := cells[1]
			if i+1 < len(cells) && cells[i+1] != "" {
				text = cells[i+1]
			}
			k := out[engine]
			for _, named := range k.All() {
				if named.Name == cells[0] {
					*named.Value, _ = strconv.ParseFloat(text, 64)
				}
			}
			out[engine] = k
		}
	}
	return out
}
