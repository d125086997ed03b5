package book

import (
	"fmt"
	"strings"

	"github.com/wyatt915/treeblood"
)

type mathKey struct {
	tex     string
	display bool
}

type mathResult struct {
	html string
	err  error
}

// mathML translates TeX once per book.
func (b *builder) mathML(tex string, display bool) (string, error) {
	key := mathKey{tex, display}
	r, ok := b.math[key]
	if !ok {
		r.html, r.err = translate(tex, display)
		b.math[key] = r
	}
	return r.html, r.err
}

func translate(tex string, display bool) (out string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot be set: %v", r)
		}
	}()
	out, err = treeblood.TexToMML(tex, nil, display, false)
	if err == nil && strings.Contains(out, "merror") {
		err = fmt.Errorf("holds a command that is not known")
	}
	return strings.Replace(out, ` style="font-feature-settings: 'dtls' off;"`, "", 1), err
}
