package phrase

import "strings"

// Lines is a file of sentences with its name.
type Lines struct{ Name, Lines string }

// English is all that is said in English, for translators.
func English() []Lines {
	return []Lines{{"app/phrase/en.txt", english}, {"app/phrase/en.site.txt", englishSite}}
}

// Counted says whether a key is a sentence for a number of things: key.one or key.other, of which there are both.
func Counted(key string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(key, ".one"), ".other")
	if base == key {
		return false
	}
	_, one := find(english, base+".one")
	_, other := find(english, base+".other")
	if !one {
		_, one = find(englishSite, base+".one")
		_, other = find(englishSite, base+".other")
	}
	return one && other
}
