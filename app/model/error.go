package model

// Error says what is wrong with a model or a question to it, and what would be right. It reads as one line.
type Error struct {
	Field  string // of Model, "MoE.PerToken"; empty if the fault is of no single one
	What   string
	Remedy string
}

func (e *Error) Error() string {
	text := e.What
	if e.Field != "" {
		text = e.Field + ": " + text
	}
	if e.Remedy != "" {
		text += "; " + e.Remedy
	}
	return text
}
