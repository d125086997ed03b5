package config

import "strings"

// account says of every field that did not go into the model why not, and what that puts in doubt.
func (r *reading) account() {
	r.suspect(r.inner, r.prefix)
	r.rest(r.inner, r.prefix)
	if r.prefix != "" {
		note(&r.Understood, strings.TrimSuffix(r.prefix, "."), "describes the language model")
		r.suspect(r.outer, "")
		r.rest(r.outer, "")
	}
}

// suspect looks for fields of which it is known that they change what is counted here.
func (r *reading) suspect(v *value, prefix string) {
	for line := range strings.Lines(doubtTable) {
		c := cells(line)
		said := false
		for _, n := range strings.Fields(c[1]) {
			f := v.field(n)
			if f == nil || f.off() || r.used[prefix+n] || r.harmless(n, f) {
				continue
			}
			if c[0] == "refuse" {
				r.fail(f, n+" says what is not counted here: "+c[2], "give a Transformer of attention and MLPs alone")
			}
			r.used[prefix+n] = true
			if !said {
				note(&r.Doubts, prefix+n, c[2])
				said = true
			}
		}
	}
}

// harmless tells whether a suspicious field changes nothing after all.
func (r *reading) harmless(n string, f *value) bool {
	if n != "word_embed_proj_dim" && n != "embedding_size" || f.kind != number {
		return false
	}
	width, ok := r.whole(f, n, 1, r.tables.role("width").most)
	return ok && width == r.Model.Width
}

// off tells whether a field says that the model does not have what it is about.
func (v *value) off() bool {
	switch v.kind {
	case null:
		return true
	case boolean:
		return v.text == "false"
	case number:
		return strings.Trim(v.text, "-0.") == ""
	case text:
		return v.text == "" || v.text == "none"
	}
	return len(v.items) == 0
}

// rest says why the other fields are ignored, as many as fit the list.
func (r *reading) rest(v *value, prefix string) {
	for i := range v.names {
		n, f := v.names[i].text, &v.items[i]
		path := prefix + n
		if r.used[path] || len(r.Ignored) == maxNotes {
			continue
		}
		if f.kind == object && r.uses(path+".") {
			r.rest(f, path+".")
			continue
		}
		note(&r.Ignored, path, r.why(n, f))
	}
}

// uses tells whether a field within an object counts.
func (r *reading) uses(prefix string) bool {
	for path := range r.used {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// why says why a field is ignored.
func (r *reading) why(n string, f *value) string {
	if f.kind == strange {
		return "its value, " + f.text + ", is no number; not known here"
	}
	if c, ok := row(ignoredTable, 1, n); ok {
		return c[0]
	}
	for i := range r.tables.roles {
		x := &r.tables.roles[i]
		for _, known := range x.names {
			if known == n {
				return "about " + x.label + ", which the model has not, or has from elsewhere"
			}
		}
	}
	if f.off() {
		return "not known here, and not in use: " + f.shown()
	}
	return "not known here: if it changes the model's shape, the counts miss that"
}
