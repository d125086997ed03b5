package phrase

// later finds a sentence that is not in english: natively one of the site. In the browser's program, wasm/build puts a
// file in the place of this one whose sentences come with later modules of the program.
func later(key string) (string, bool) { return find(englishSite, key) }
