package site

import (
	"bytes"
	"fmt"
	"io/fs"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/js"
)

// scriptIn is a script as browsers get it, with the sentences of a language.
func scriptIn(web fs.FS, name string, l phrase.Phrases) ([]byte, error) {
	data, err := fs.ReadFile(web, name)
	if err != nil {
		return nil, err
	}
	if data, err = spoken(data, l); err == nil {
		data, err = minified(data)
	}
	if err != nil {
		return nil, fmt.Errorf("web/%s: %w", name, err)
	}
	return data, nil
}

// minified is a script without what only its authors need: comments, spaces, long names of local variables.
func minified(script []byte) ([]byte, error) {
	var out bytes.Buffer
	err := (&js.Minifier{}).Minify(minify.New(), &out, bytes.NewReader(script), nil)
	return append(bytes.TrimSpace(out.Bytes()), '\n'), err
}

// remarkAtTop is the comment that a script begins with, such as its licence.
func remarkAtTop(script []byte) []byte {
	n := 0
	for line := range bytes.Lines(script) {
		if !bytes.HasPrefix(line, []byte("//")) {
			break
		}
		n += len(line)
	}
	return script[:n]
}
