package measured

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// spellingTable is how people call what rows call otherwise: names of rows, the first of which is given, and the
// others.
//
//go:embed spellings.tsv
var spellingTable string

// spellings are the names of rows by what people call them.
var spellings = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(spellingTable) {
		ours, others, _ := strings.Cut(strings.TrimSpace(line), "\t")
		names := strings.Fields(ours)
		all[names[0]] = names // in another case
		for name := range strings.FieldsSeq(others) {
			all[name] = names
		}
	}
	return all
})

// respelled gives values that stand under other names the names that rows have, unless one of these says something.
func (r *Row) respelled() {
	var theirs []string
	for name := range r.Setup {
		if names := spellingsOf(name); names != nil && names[0] != name {
			theirs = append(theirs, name)
		}
	}
	slices.Sort(theirs)
	for _, name := range theirs {
		names := spellingsOf(name)
		own := names[0] == "recompute" && r.Kind == "finetuning" // it has words of its own for these
		if !own && r.Setup.Has(name) && !r.Setup.Has(names...) {
			r.Setup[names[0]] = r.Setup[name]
			delete(r.Setup, name)
		}
	}
	if text, _ := r.Setup["request_per_s"].(string); strings.HasPrefix(strings.ToLower(text), "inf") { // all come at once
		delete(r.Setup, "request_per_s")
		if !r.Setup.Has("load", "concurrency") {
			r.Setup["load"] = "offline"
		}
	}
	r.counted()
}

// spellingsOf are the names of rows for a name in whatever case, with dashes or underscores.
func spellingsOf(name string) []string {
	return spellings()[strings.ReplaceAll(strings.ToLower(name), "-", "_")]
}

// countWords find how many devices a text says: "8xH100", "8 x H100 SXM", "2× RTX 3090", "H100 x8".
var countWords = regexp.MustCompile(`^(\d{1,6})\s*[x×*]\s*([A-Za-z].*)$|^(.*\S)\s*[x×*]\s*(\d{1,6})$`)

// counted takes the number of devices out of their name, or else from the layout, where nothing else says it.
func (r *Row) counted() {
	text, _ := r.Setup["device"].(string)
	if m := countWords.FindStringSubmatch(strings.TrimSpace(text)); m != nil && r.Kind != "local_decode" {
		if _, err := deviceNamed(m[2] + m[3]); err == nil {
			r.Setup["device"] = m[2] + m[3]
			if n, _ := strconv.ParseFloat(m[1]+m[4], 64); n > 0 && !r.Setup.Has(deviceCounts...) {
				r.Setup["n_devices"] = n
			}
		}
	}
	layout := []string{"tp", "pp", "cp", "dp"}
	if r.Kind == "inference" || r.Kind == "kv_capacity" || r.Setup.Has(deviceCounts...) || !r.Setup.Has("dp") {
		return
	}
	all := 1.0
	for _, name := range layout {
		if n, err := r.Setup.Count(mostDevices, name); err == nil && n > 0 {
			all = min(all*n, mostDevices)
		}
	}
	r.Setup["n_devices"] = all
}

// deviceCounts are the names under which rows say how many devices there are.
var deviceCounts = []string{"n_devices", "gpus", "chips", "implied_chips", "n_ranks", "nranks", "slices",
	"chips_per_slice"}
