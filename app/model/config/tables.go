package config

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
)

// The tables, a fact a line, its cells parted by tabs. Lists within a cell are parted by spaces.
var (
	//go:embed fields.tsv
	fieldTable string // role, kind, what it is if nothing says, least, most, names in files, label, what that means
	//go:embed families.tsv
	// families: see readFamilies; names are those in its files if other than usual, - if they never say
	familyTable string
	//go:embed ignored.tsv
	ignoredTable string // why, names; with *_ in front what a name ends in
	//go:embed doubts.tsv
	doubtTable string // doubt or refuse, names, what
	//go:embed refused.tsv
	refusedTable string // model types, why
)

// role is something a model has, whatever a file calls it.
type role struct {
	name           string
	kind           string // count, flag, word or list
	alwaysReported bool   // an assumption about it is always reported
	fallback       string // what it is if neither file nor family say; needed or essential if something must
	least          float64
	most           float64
	names          []string // in files; the first that is there counts
	label          string   // "query heads"; where it has a #, the number stands there
	meaning        string   // of the fallback: "as many as query heads"
}

// say is the label with a value in it: "query heads: 32", "4 norms a layer".
func (x *role) say(value any) *phrase.Phrase {
	if before, after, ok := strings.Cut(x.label, "#"); ok {
		return asIs(before + phrase.Phrases{}.Text(value) + after)
	}
	return phrase.New("config.set", "role", x.label, "value", value)
}

// setting is what a family says of a role.
type setting struct {
	role, value string
	names       []string // in its files; nil for the usual ones
	fixed       bool     // its files never say
}

// family is a group of architectures whose files are read alike.
type family struct {
	id, title, class string   // "qwen2", "Qwen 2", and what names of its classes begin with, "Qwen2"
	types            []string // values of model_type, without dashes, underscores and "text" at the end
	like             *family  // what it takes the other settings from
	settings         []setting
}

// setting finds what f, or what it is like, says of a role.
func (f *family) setting(role string) (setting, bool) {
	for ; f != nil; f = f.like {
		for _, s := range f.settings {
			if s.role == role {
				return s, true
			}
		}
	}
	return setting{}, false
}

// reads tells whether f, or what it is like, has a name of its own for a role in this field.
func (f *family) reads(field string) bool {
	for ; f != nil; f = f.like {
		for _, s := range f.settings {
			for _, n := range s.names {
				if n, _, _ = strings.Cut(field0(n), "."); n == field {
					return true
				}
			}
		}
	}
	return false
}

// field0 is the field that a name of a table is about: "~swiglu" says the contrary of swiglu, "act=relu|gelu" whether
// act is one of these.
func field0(name string) string {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "~"), "=")
	return name
}

// tables are all of them, read.
type tables struct {
	roles    []role
	families []*family
	formats  []*family // other than Hugging Face's
	unknown  *family   // what a file of an unknown architecture is read as
	owners   map[string]owner
}

// known reads the tables at the first call.
var known = sync.OnceValue(func() *tables {
	t := &tables{roles: readRoles(fieldTable), families: readFamilies(familyTable),
		formats: readFamilies(formatTable), unknown: &family{title: "Llama"}, owners: map[string]owner{}}
	t.own()
	return t
})

// owner is the role that a name is about in every table, and the name with its signs. A name that is about several
// roles has no owner.
type owner struct{ role, name string }

// own finds the owners of all names.
func (t *tables) own() {
	add := func(role string, names []string) {
		for _, n := range names {
			field := field0(n)
			if was, has := t.owners[field]; has && was.role != role {
				role = "" // of none
			}
			t.owners[field] = owner{role, n}
		}
	}
	for _, x := range t.roles {
		add(x.name, x.names)
	}
	for _, list := range [][]*family{t.families, t.formats} {
		for _, f := range list {
			for _, s := range f.settings {
				add(s.role, s.names)
			}
		}
	}
}

func readRoles(table string) []role {
	var all []role
	for table != "" {
		var c []string
		c, table = cells(table)
		r := role{name: c[0], kind: strings.TrimSuffix(c[1], "*"), fallback: c[2], label: c[6], meaning: c[7]}
		r.alwaysReported = r.kind != c[1]
		r.least, _ = strconv.ParseFloat(c[3], 64)
		r.most, _ = strconv.ParseFloat(c[4], 64)
		if c[5] != "-" {
			r.names = strings.Fields(c[5])
		}
		all = append(all, r)
	}
	return all
}

// readFamilies reads families or formats, parted by empty lines: in the first line of each its id, title, the name that
// its classes begin with, and its types; in the others a role, its value, and the names that it has.
func readFamilies(table string) []*family {
	var all []*family
	var f *family
	for table != "" {
		var c []string
		switch c, table = cells(table); {
		case c[0] == "":
			f = nil
		case f == nil:
			f = &family{id: c[0], title: c[1]}
			if len(c) > 2 {
				f.class, f.types = c[2], strings.Fields(c[3])
			}
			all = append(all, f)
		case c[0] == "like":
			for _, other := range all { // a family stands behind the one it is like; a test keeps the table so
				if other.id == c[1] {
					f.like = other
				}
			}
		default:
			c = append(c, "", "")
			s := setting{role: c[0], value: c[1], fixed: c[2] == "-"}
			if c[2] != "" && !s.fixed {
				s.names = strings.Fields(c[2])
			}
			f.settings = append(f.settings, s)
		}
	}
	return all
}

// role finds a role by its name, which a test keeps right.
func (t *tables) role(name string) *role {
	for i := range t.roles {
		if t.roles[i].name == name {
			return &t.roles[i]
		}
	}
	return &role{}
}

// formatNamed is a format by its name, which a test keeps right.
func (t *tables) formatNamed(id string) *family {
	for _, f := range t.formats {
		if f.id == id {
			return f
		}
	}
	return nil
}

// familyOf is the family of a model_type, or of an architecture's name; nil if none is known.
func (t *tables) familyOf(modelType, architecture string) *family {
	plain := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(modelType, "_", ""), "-", ""))
	for _, kind := range []string{modelType, strings.TrimSuffix(plain, "text")} {
		for _, f := range t.families {
			if slices.Contains(f.types, kind) {
				return f
			}
		}
	}
	for _, f := range t.families {
		if rest, ok := strings.CutPrefix(architecture, f.class); ok && f.class != "" &&
			(strings.HasPrefix(rest, "For") || rest == "ModelLM") {
			return f
		}
	}
	return nil
}

// row finds the line of a table that has a name in its list of names, in the given cell; nil if there is none.
func row(table string, cell int, name string) []string {
	for table != "" {
		var line string
		if line, table, _ = strings.Cut(table, "\n"); !strings.Contains(line, name) {
			continue
		}
		if c, _ := cells(line); slices.Contains(strings.Fields(c[cell]), name) {
			return c
		}
	}
	return nil
}

// cells splits the first line of a table at its tabs, and returns the rest of the table.
func cells(table string) (c []string, rest string) {
	line, rest, _ := strings.Cut(table, "\n")
	return strings.Split(line, "\t"), rest
}
