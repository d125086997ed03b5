package serving

import "github.com/scalebook/scalebook/app/phrase"

// TooLong says that a load's sequences are longer than the model is published for, where that is known: engines refuse
// them. Their price is right all the same if the positions are stretched. It is nil where nothing is to be said.
func (s *Shape) TooLong(l Load) *Error {
	most := float64(s.Model.Context)
	if most == 0 || l.In+l.Out <= most {
		return nil
	}
	return fault(phrase.New("serving.too-long", "tokens", int(l.In+l.Out), "model", s.Model.Name, "context",
		s.Model.Context), "serving.shorten")
}
