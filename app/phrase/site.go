//go:build !js

package phrase

import _ "embed" // the sentences in English

// englishSite is what only the site and the command say: it is put into pages and scripts when the site is built, and
// no program for the browser carries it.
//
//go:embed en.site.txt
var englishSite string
