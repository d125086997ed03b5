package phrase

// Fault is what is wrong, and what would be right if that is known.
type Fault struct{ What, Remedy *Phrase }

// In is the fault in a language: "what; remedy".
func (f Fault) In(l Phrases) string {
	if f.Remedy == nil {
		return f.What.In(l)
	}
	return l.Text(Clauses([]*Phrase{f.What, f.Remedy}))
}

// Error is the fault in English.
func (f Fault) Error() string { return f.In(Phrases{}) }
