package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget"
)

// countModel is the verb that counts a model: one of the catalog, or one that a config.json describes.
func countModel(args []string, s streams) int {
	flags := newFlags("model")
	asJSON := flags.Bool("json", false, "print JSON, plain numbers")
	context := flags.Int("context", 4096, "tokens of a sequence, for what depends on them")
	dtype := flags.String("dtype", "bf16", "dtype of the KV cache")
	files, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(files) != 1 {
		s.complain(
			"scalebook model: got %d files; name one: a config.json, - for stdin, or a model of the catalog such as llama3.70b",
			len(files),
		)
		return misuse
	}
	q := question{context: *context, dtype: *dtype}
	if err := q.check(); err != nil {
		s.complain("scalebook model: %v", err)
		return misuse
	}
	im, err := findModel(files[0], s)
	if err != nil {
		s.complain("%v", err)
		return failed
	}
	if *asJSON {
		err = writeJSON(s.out, []answer.Model{answer.ModelOf(im, q.context, q.dtype, q.element)})
	} else {
		err = writeModel(s.out, im, q)
	}
	if err != nil {
		s.complain("scalebook model: %v", err)
		return failed
	}
	return ok
}

// question is what counts depend on besides the model.
type question struct {
	context int // tokens of a sequence
	dtype   string
	element quantity.Bytes // of an element of the KV cache
}

// check fills in the size of an element.
func (q *question) check() error {
	const longest = 1_000_000_000
	if q.context < 1 || q.context > longest {
		return fmt.Errorf("-context %d is out of range; write a whole number of tokens from 1 to %d", q.context, longest)
	}
	var names []string
	for _, d := range widget.Env().DTypes {
		if names = append(names, d.Text); d.Text == q.dtype {
			q.element = quantity.Bytes(d.Bits / 8)
			return nil
		}
	}
	return fmt.Errorf("unknown dtype %q; the dtypes are %s", q.dtype, strings.Join(names, ", "))
}

// findModel reads a config.json, stdin's for -, or takes a model of the catalog. A file comes first.
func findModel(arg string, s streams) (config.Import, error) {
	if arg == "-" {
		return readModel(s.in, "stdin")
	}
	f, err := s.file(arg)
	if err == nil {
		defer f.Close()
		return readModel(f, arg)
	}
	known, unknown := model.Catalog().Get(arg)
	if unknown == nil {
		return config.Import{Model: known.Model}, nil
	}
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(arg, `/\`) && !strings.HasSuffix(arg, ".json") {
		return config.Import{}, fmt.Errorf("%s: no such file, and %v", arg, unknown)
	}
	return config.Import{}, failure{fmt.Errorf(
		"%s: %s; name a config.json, - for stdin, or a model of the catalog such as llama3.70b", arg, reason(err))}
}

// readModel reads the text of a config.json. No more of it is read than it takes to see that it is too long.
func readModel(r io.Reader, shown string) (config.Import, error) {
	text, err := io.ReadAll(io.LimitReader(r, config.MaxBytes+1))
	if err != nil {
		return config.Import{}, failure{fmt.Errorf("%s: %s; name a config.json", shown, reason(err))}
	}
	if err := asText(text, shown); err != nil {
		return config.Import{}, failure{err}
	}
	im, err := config.Read(text)
	if err != nil {
		return im, failure{fmt.Errorf("%s:%w", shown, err)}
	}
	return im, nil
}
