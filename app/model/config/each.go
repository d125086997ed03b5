package config

// Sizes that layers have of their own: lists with a number for each.

// each reads a role of which a file may give one number for all layers or a list, under the role's own names or under
// those of its list: the number, or the largest of the list, which goes to what layers have of their own.
func (r *reading) each(name string, own int) int {
	v := r.list(name+"_list", r.Model.Layers)
	if v == nil {
		f := r.find(name).field
		if f == nil || f.kind != list || len(f.items) == 0 || f.same() != f {
			return r.count(name)
		}
		v = r.list(name, r.Model.Layers)
	}
	most := 0
	if x := r.tables.role(name); v != nil {
		for i := range r.Model.Layers {
			n, _ := r.whole(v.items[i], x.label, 1, x.most)
			most = r.owns(i, own, n, most)
		}
	}
	return most
}

// owns says that a layer has a size of its own, and which is the largest so far.
func (r *reading) owns(layer, own, n, most int) int {
	if r.own == nil {
		r.own = make([][4]int, r.Model.Layers)
	}
	r.own[layer][own] = n
	return max(n, most)
}

// What layers may have of their own.
const (
	ownHeads = iota
	ownKVHeads
	ownWidth
	ownTraits
)
