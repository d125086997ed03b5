package main

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/measured"
)

// predict is the verb that predicts measurements: set-ups in, intervals by metric out.
func predict(args []string, s streams) int {
	flags := newFlags("predict")
	compare := flags.Bool("errors", false,
		"print how far predictions lie from what was measured, and what other tools reach, instead")
	files, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if *compare && len(files) > 0 {
		s.complain("scalebook predict: -errors takes no file: it holds the rows of the program against what was "+
			"measured; "+
			"leave out -errors or %s", files[0])
		return misuse
	}
	if *compare {
		if err := measured.WriteErrors(s.out); err != nil {
			s.complain("scalebook predict: %v", err)
			return failed
		}
		return ok
	}
	if len(files) != 1 {
		s.complain(
			"scalebook predict: got %d files; name one: FILE.jsonl with a set-up on each line, or - for stdin",
			len(files),
		)
		return misuse
	}
	in := s.in
	if files[0] != "-" {
		f, err := s.file(files[0])
		if err != nil {
			s.complain("%s: %s; name a file with a set-up on each line, or - for stdin", files[0], reason(err))
			return failed
		}
		defer f.Close()
		in = io.Reader(f)
	}
	buffered := bufio.NewReader(in)
	begins, err := buffered.Peek(512)
	if at := (*os.PathError)(nil); errors.As(err, &at) { // a folder, or a disk that fails
		s.complain("%s: %s; name a file with a set-up on each line, or - for stdin", files[0], reason(err))
		return failed
	}
	if name := book.Encoding(begins); name != "" {
		s.complain("%s:1:1: this file is in %s; save it as UTF-8", files[0], name)
		return failed
	}
	rows, err := measured.Predict(buffered, s.out)
	if err == nil && rows == 0 {
		err = errors.New("there is no row in it that can be read; " +
			`write {"id": "...", "kind": "...", "setup": {...}} on each line`)
	}
	if err != nil {
		s.complain("%s: %v", files[0], err)
		return failed
	}
	return ok
}
