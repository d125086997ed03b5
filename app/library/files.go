package library

import (
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving/startlog"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/trace"
	"github.com/scalebook/scalebook/app/training"
)

// addFiles offers what tells files of other programs apart.
func addFiles(env *value.Env) {
	register(env, law.RecognizedWords, []funcDecl{
		{Name: "file_head", Takes: "text text", Gives: "text", Begin: beginHead,
			Stream: func() value.Fed { return &headTask{} },
			Doc:    "The first 64 KiB of a file, in which it says what it is."},
		{Name: "file_kind", Takes: "text text", Gives: "text", Work: 1 << 18,
			Call: func(a []value.Value) (value.Value, error) { return spoken(FileKind(a[0].Text)), nil },
			Doc:  "What the file of another program is, by how it begins, and which page reads it."},
	})
}

// headTask keeps how a file begins.
type headTask struct{ head strings.Builder }

func beginHead(a []value.Value) value.Task {
	t := &headTask{}
	t.Feed(a[0].Text)
	return t
}

// Feed takes the next piece of the file.
func (t *headTask) Feed(piece string) {
	t.head.WriteString(piece[:min(len(piece), pasted.Head-t.head.Len())])
}

// Close says that the file is whole.
func (t *headTask) Close() {}

// Enough tells whether nothing that is still to come counts.
func (t *headTask) Enough() bool { return t.head.Len() == pasted.Head }

// Step does nothing: to keep a piece takes no time.
func (t *headTask) Step() bool { return false }

// Progress is 1: what has come is kept.
func (t *headTask) Progress() float64 { return 1 }

// Value is how the file begins.
func (t *headTask) Value() (value.Value, error) { return words(input.Decoded(t.head.String())), nil }

// FileKind says what a file is, by how its text begins. Words that only one program prints decide first; then whoever
// reads it, the most particular first.
func FileKind(text string) error {
	if what := pasted.Other(text, "python", "binary"); what != nil { // settings may be written in Python
		switch what.Key {
		case "pasted.stablehlo", "pasted.jaxpr":
			return phrase.Fault{What: what, Remedy: phrase.New("hlo.paste")}
		case "pasted.nccl-log":
			return phrase.Fault{What: what, Remedy: phrase.New("nccl.paste-table")}
		}
		return what
	}
	for _, reads := range []struct {
		can func(string) bool
		key string
	}{{startsEngine, "pasted.startup-log"}, {setsTraining, "pasted.settings"}, {describesModel, "pasted.config"}} {
		if reads.can(text) {
			return phrase.New(reads.key)
		}
	}
	if pasted.Kind(text) == "binary" {
		return binaryKind(text)
	}
	if what := pasted.Other(text); what != nil {
		return what
	}
	return phrase.New("pasted.unknown")
}

// binaryKind says what a file is that is no text. The reader of traces knows those of profilers.
func binaryKind(text string) error {
	r := trace.NewStream()
	r.Feed(text)
	for r.Close(); r.Step(); {
	}
	switch err := r.Err(); {
	case err == nil:
		return phrase.New("pasted.trace")
	case r.Foreign():
		return phrase.New("pasted.unknown")
	default:
		return err
	}
}

func startsEngine(text string) bool {
	l, err := startlog.Read(text)
	return err == nil && l.Names()
}

func setsTraining(text string) bool {
	s, err := training.ReadFlags(text, mostChips)
	return err == nil && s.Tool != ""
}

func describesModel(text string) bool {
	_, err := config.Read([]byte(text))
	return err == nil
}
