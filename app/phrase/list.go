package phrase

// List is things that are named one after the other, the last two joined by a word.
type List struct {
	Items []any
	key   string
}

// And is "a, b and c".
func And[T any](items []T) List { return List{anys(items), "list.and"} }

// Or is "a, b or c".
func Or[T any](items []T) List { return List{anys(items), "list.or"} }

// In is the list in a language.
func (x List) In(l Phrases) string {
	if len(x.Items) == 0 {
		return ""
	}
	last := len(x.Items) - 1
	text := l.Text(x.Items[0])
	for i, item := range x.Items[1:] {
		key := "list.comma"
		if i+1 == last {
			key = x.key
		}
		text = l.Say(key, "list", text, "next", item)
	}
	return text
}

func anys[T any](items []T) []any {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = item
	}
	return all
}
