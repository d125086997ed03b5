package site

import "strings"

// Loaded lists the files that a page under the given base asks for before anything is done with it: its style sheets
// and the scripts that it names. What scripts fetch later is not among them.
func (f Files) Loaded(base, page string) []string {
	var names []string
	for _, tag := range strings.Split(string(f[page]), "<")[1:] {
		tag, _, _ = strings.Cut(tag, ">")
		var link string
		switch {
		case strings.HasPrefix(tag, "script "):
			_, link, _ = strings.Cut(tag, ` src="`)
		case strings.HasPrefix(tag, `link rel="stylesheet"`):
			_, link, _ = strings.Cut(tag, ` href="`)
		}
		link, _, _ = strings.Cut(link, `"`)
		name, ours := strings.CutPrefix(link, base)
		if _, there := f[name]; ours && there {
			names = append(names, name)
		}
	}
	return names
}
