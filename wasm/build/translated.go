package build

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Translated is a file of sentences in another language as the compiled program reads it: with the short keys of the
// English sentences, in their order, and without those that only the site says.
func Translated(file string) string {
	short := shortKeys(slices.Collect(strings.Lines(phrase.English()[0].Lines)))
	var out []string
	for line := range strings.Lines(file) {
		key, form, sentence := keyOf(line)
		if key != phrase.FormsKey {
			key = short[key]
		}
		if key != "" {
			out = append(out, key+form+"\t"+strings.TrimSuffix(sentence, "\n")+"\n")
		}
	}
	slices.Sort(out)
	return strings.Join(out, "")
}
