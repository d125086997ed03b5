//go:build !lean

package phrase

import _ "embed" // the sentences in English

// englishApart is what only figures and functions marked Apart say: the lean program carries none of it.
//
//go:embed en.apart.txt
var englishApart string
