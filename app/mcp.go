package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveTools is the verb that answers an assistant's program: a server of the Model Context Protocol on stdin and
// stdout. Its tools are verbs of the command. They see no file but the pages of the book; what a person names a file
// for, a program gives as text.
func serveTools(args []string, s streams) int {
	flags := newFlags("mcp")
	content := flags.String("content", "content", "the `folder` of pages whose sheets can be evaluated by name")
	limit := flags.Duration("limit", usualToolLimit, "how long a call may take")
	others, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(others) > 0 || *limit <= 0 {
		s.complain("scalebook mcp: write it without arguments, or with -content FOLDER and -limit 30s")
		return misuse
	}
	server := newToolServer(toolbox{pages: os.DirFS(*content), limit: *limit})
	err := server.Run(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(s.in), Writer: unclosed{s.out}})
	if err != nil && !errors.Is(err, io.EOF) {
		s.complain("scalebook mcp: %v", err)
		return failed
	}
	return ok
}

// usualToolLimit is how long a call may take if nobody says otherwise: clients wait for a minute, most of them.
const usualToolLimit = 30 * time.Second

// unclosed is a stream that somebody else closes.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// toolbox is what tools work with.
type toolbox struct {
	pages fs.FS         // the pages of the book
	limit time.Duration // of a call
}

// toolInstructions tell an assistant what the tools are for.
const toolInstructions = "Scalebook estimates what language models need: memory, time and cost of training and " +
	"serving on accelerators. Numbers come from published constants and laws with known errors; quote them with their " +
	"units, and say what was assumed (notes, doubts, missing). All values are plain numbers in base units (FLOP, byte, " +
	"s, USD, J) unless the name of a field says otherwise. No tool reads files: give texts inline."

// newToolServer has all tools.
func newToolServer(box toolbox) *mcp.Server {
	version, _ := ownVersion()
	server := mcp.NewServer(&mcp.Implementation{Name: "scalebook", Title: "Scalebook", Version: version},
		&mcp.ServerOptions{Instructions: toolInstructions})
	addTool(server, "evaluate", "Evaluate a calculator",
		"Evaluates a sheet, the book's language for worked estimates, and returns its inputs and results with units. Give "+
			"`sheet`, its text, such as \"let B = 240 token\\nops = 2 FLOP * B * 4096 * 16384\"; or `name`, a calculator of "+
			"the book as page#id, such as rooflines#matmul (a page alone lists its ids). `inputs` changes inputs, as a "+
			"reader types them: {\"B\": \"1k\", \"chip\": \"tpu.v5p\"}.", box.evaluate)
	addTool(server, "model", "Count a model",
		"Counts a Transformer: parameters by part, KV cache, operations for each token, and what of its configuration was "+
			"understood, assumed or ignored. `model` is a name of the catalog, or the text of a config.json, params.json, "+
			"arguments of Megatron-LM or NeMo, or metadata of GGUF.", box.model)
	addTool(server, "plan", "Plan training",
		"Finds the best ways to divide the training of a model over chips (data, tensor, pipeline, context and expert "+
			"parallelism, ZeRO, recomputation), exactly, or judges one `plan` or the `settings` of a training tool: flags of "+
			"Megatron-LM or MaxText, YAML of axolotl or NeMo, TOML of TorchTitan, JSON of DeepSpeed. `state` says what "+
			"learns and how its state is kept. Steps come as low, middle and high.", box.plan)
	addTool(server, "serve_plan", "Plan serving",
		"Prices every way to serve a model on so many chips, and returns those that no other beats in tokens per chip and "+
			"per user, with latencies, cost and flags of the engine.", box.servePlan)
	addTool(server, "chips", "Look up accelerators",
		"Without `chip` lists all accelerators that are known; with it returns every constant of one (peak rates, memory, "+
			"bandwidths, power, price) as each source has it, with its date and any doubt.", box.chips)
	return server
}

// addTool adds a tool that only reads. Its whole numbers are counts: 0 is refused, and not taken for one left out.
func addTool[In, Out any](server *mcp.Server, name, title, does string, f func(context.Context, In) (Out, error)) {
	closed, least := false, 1.0
	takes, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // a type of ours that JSON can't have
	}
	for _, p := range takes.Properties {
		if p.Type == "integer" {
			p.Minimum = &least
		}
	}
	mcp.AddTool(server, &mcp.Tool{Name: name, Title: title, Description: does, InputSchema: takes,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}},
		func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
			out, err := f(ctx, in)
			return nil, out, err
		})
}

// texts are the files that a call gives, by name.
type texts map[string]string

// run runs a verb, and returns what it prints and what it remarks. All that is remarked is the error if nothing is
// printed.
func (box toolbox) run(ctx context.Context, given texts, verb string, args ...string) (printed []byte, notes []string,
	err error) {
	until := time.Now().Add(box.limit)
	var out, remarks bytes.Buffer
	s := streams{
		in: noFile{}, out: &out, err: &remarks, open: given.open(box.pages),
		over: func() error {
			if ctx.Err() != nil {
				return errors.New("the call was cancelled")
			}
			if !time.Now().Before(until) {
				return fmt.Errorf("this takes longer than %v; ask for less: fewer chips, a plan of your own, or -limit with "+
					"more time where the server is started", box.limit)
			}
			return nil
		},
	}
	status := s.run(append([]string{verb, "-json"}, args...))
	for line := range strings.Lines(remarks.String()) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "scalebook "+verb+": ")
		notes = append(notes, strings.TrimPrefix(line, "note: "))
	}
	if status != ok && out.Len() == 0 {
		return nil, nil, errors.New(strings.Join(notes, "\n"))
	}
	return out.Bytes(), notes, nil
}

// errNoFiles is said of a file of the machine.
var errNoFiles = errors.New("this server reads no files; give the text itself")

// noFile is what stands for stdin, which is the client's.
type noFile struct{}

func (noFile) Read([]byte) (int, error) { return 0, errNoFiles }

// pageName is the name of a file with a page of the book.
var pageName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*\.md$`)

// open opens what a call gives, or a page of the book, and no file of the machine.
func (given texts) open(pages fs.FS) func(name string) (io.ReadCloser, error) {
	return func(name string) (io.ReadCloser, error) {
		if text, found := given[name]; found {
			return io.NopCloser(strings.NewReader(text)), nil
		}
		if pageName.MatchString(name) {
			return pages.Open(name)
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNoFiles}
	}
}

// lines reads an object a line.
func lines[T any](printed []byte) ([]T, error) {
	all := []T{}
	for d := json.NewDecoder(bytes.NewReader(printed)); ; {
		var x T
		if err := d.Decode(&x); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
}

// pageNames are the pages that have a sheet, for those who ask for one that isn't there.
func (box toolbox) pageNames() string {
	files, _ := fs.Glob(box.pages, "*.md")
	var names []string
	for _, name := range files {
		if text, err := fs.ReadFile(box.pages, name); err == nil && bytes.Contains(text, []byte("```sheet ")) {
			names = append(names, strings.TrimSuffix(filepath.Base(name), ".md"))
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "there are none here: start the server in the folder of the book, or with -content FOLDER"
	}
	return "they are " + strings.Join(names, ", ")
}
