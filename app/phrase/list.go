package phrase

// List is things that are named one after the other.
type List struct {
	Items      []any
	next, last string // the keys of the sentences that add an item, and the last one
}

// And is "a, b and c".
func And[T any](items []T) List { return List{anys(items), "list.comma", "list.and"} }

// Or is "a, b or c".
func Or[T any](items []T) List { return List{anys(items), "list.comma", "list.or"} }

// Commas is "a, b, c".
func Commas[T any](items []T) List { return List{anys(items), "list.comma", "list.comma"} }

// Clauses is "a; b; c".
func Clauses[T any](items []T) List { return List{anys(items), "list.semicolon", "list.semicolon"} }

// Sentences is "A. B. C.", each item a sentence or more with its period; what is empty is left out.
func Sentences(items ...any) List {
	x := List{next: "list.sentence", last: "list.sentence"}
	for _, item := range items {
		if item != nil && item != "" {
			x.Items = append(x.Items, item)
		}
	}
	return x
}

// In is the list in a language.
func (x List) In(l Phrases) string {
	if len(x.Items) == 0 {
		return ""
	}
	last := len(x.Items) - 1
	text := l.Text(x.Items[0])
	for i, item := range x.Items[1:] {
		key := x.next
		if i+1 == last {
			key = x.last
		}
		text = l.Say(key, "list", text, "next", item)
	}
	return text
}

// String is the list in English.
func (x List) String() string { return x.In(Phrases{}) }

func anys[T any](items []T) []any {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = item
	}
	return all
}
