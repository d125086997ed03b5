package search

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball"
)

// inflected are the languages whose words end differently from sentence to sentence, with what Snowball calls them. In
// English, what begins alike is found without.
var inflected = map[string]string{
	"es": "spanish", "fr": "french", "hu": "hungarian", "no": "norwegian", "ru": "russian", "sv": "swedish",
}

// Inflect adds the stems of all words of the index, if its language has endings: the browser looks for words that begin
// with the stem of what was asked for.
func (x *Index) Inflect(language string) {
	name := inflected[language]
	if name == "" {
		return
	}
	seen := map[string]bool{}
	for _, e := range x.Entries {
		for word := range strings.FieldsFuncSeq(e.Heading+" "+e.Text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if word[0] < 0x80 && language == "ru" {
				continue // a name, which has no endings
			}
			stem, err := snowball.Stem(word, name, true)
			if err == nil && len([]rune(stem)) >= shortest {
				seen[folded.Replace(stem)] = true
			}
		}
	}
	for stem := range seen {
		x.Stems = append(x.Stems, stem)
	}
	slices.Sort(x.Stems)
}

// shortest is the least number of letters of a stem that is looked for in the place of a word.
const shortest = 3

// folded makes letters with marks equal to those without, and z to s, as web/search.js does.
var folded = strings.NewReplacer("ё", "е", "й", "и", "z", "s")
