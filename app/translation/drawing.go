package translation

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"
)

// drawingPieces are the texts of an SVG file: what it is called, how it is described, and what is written in it.
func drawingPieces(src []byte) (all []piece, err error) {
	dec := xml.NewDecoder(bytes.NewReader(src))
	var within []string
	for {
		from := int(dec.InputOffset())
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("a drawing that can't be read: %w", err)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			within = append(within, t.Name.Local)
		case xml.EndElement:
			within = within[:len(within)-1]
		case xml.CharData:
			raw := string(src[from:dec.InputOffset()])
			body := strings.TrimSpace(raw)
			if len(within) == 0 || body == "" {
				continue
			}
			switch role := within[len(within)-1]; role {
			case "title", "desc", "text", "tspan":
				at := from + strings.Index(raw, body)
				text := html.UnescapeString(strings.Join(strings.Fields(body), " "))
				all = append(all, piece{from: at, to: at + len(body), text: text, role: role})
			}
		}
	}
}
