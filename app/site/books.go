package site

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
)

// booksFrom are the printed book and that for e-readers, as app/print wrote them, in the language of the site; none
// where they weren't written.
func (o Options) booksFrom() (Files, error) {
	files := Files{}
	if o.Books == nil {
		return files, nil
	}
	for _, name := range []string{PDFName, EPUBName} {
		data, err := fs.ReadFile(o.Books, path.Join(o.lang, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files[name] = data
	}
	return files, nil
}

// Books are links to the printed book and that for e-readers, with their sizes; "" if there are none.
func (s *shell) Books() template.HTML {
	var links []string
	for _, name := range []string{PDFName, EPUBName} {
		if data := s.books[name]; data != nil {
			links = append(links, fmt.Sprintf(`<a href="%s">%s</a>, %.1f MB`, template.HTMLEscapeString(s.base+name),
				strings.ToUpper(strings.TrimPrefix(path.Ext(name), ".")), float64(len(data))/1e6))
		}
	}
	if len(links) == 0 {
		return ""
	}
	return s.Say("site.take-along", "files", template.HTML(strings.Join(links, " · ")))
}
