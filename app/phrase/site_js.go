//go:build js

package phrase

// englishSite is empty: in the browser the pages have said it already.
const englishSite = ""
