package main

import (
	"io"
	"os"

	"github.com/scalebook/scalebook/app/measured"
)

// predict is the verb that predicts measurements: set-ups in, intervals by metric out.
func predict(args []string, s streams) int {
	flags := newFlags("predict")
	errors := flags.Bool("errors", false, "print how far predictions of training lie from what was measured, instead")
	files, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if *errors && len(files) == 0 {
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
		f, err := os.Open(files[0])
		if err != nil {
			s.complain("%s: %s; name a file with a set-up on each line, or - for stdin", files[0], reason(err))
			return failed
		}
		defer f.Close()
		in = io.Reader(f)
	}
	if err := measured.Predict(in, s.out); err != nil {
		s.complain("%s: %v", files[0], err)
		return failed
	}
	return ok
}
