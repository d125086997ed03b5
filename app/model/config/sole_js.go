package config

// sole is the text itself: the browser's program is spared the search for one file among several, which it refuses.
func sole(src string) string { return src }
