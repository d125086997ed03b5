package main

import (
	"context"
	"fmt"

	"github.com/scalebook/scalebook/app/answer"
)

// readArgs is what the tool read is asked.
type readArgs struct {
	Text   string         `json:"text" jsonschema:"what the program printed, as it is"`
	Inputs map[string]any `json:"inputs,omitempty" jsonschema:"by name: a text (16 GiB, tpu.v5p), number, true or false"`
}

// readAnswer is what it answers.
type readAnswer struct {
	answer.Document
	Notes []string `json:"notes,omitempty"`
}

func (box toolbox) read(ctx context.Context, in readArgs) (out readAnswer, err error) {
	const textName = "text"
	args, err := setsOf(in.Inputs)
	if err != nil {
		return out, err
	}
	printed, notes, err := box.run(ctx, texts{textName: in.Text}, "read", append(args, textName)...)
	if err != nil {
		return out, err
	}
	all, err := lines[answer.Document](printed)
	if err != nil || len(all) != 1 {
		return out, fmt.Errorf("the answer can't be read: %v", err)
	}
	return readAnswer{all[0], notes}, nil
}
