package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/edition"
	"github.com/scalebook/scalebook/app/site/data"
)

// diffEditions is the verb that compares the results of two built sites.
func diffEditions(args []string, s streams) int {
	flags := newFlags("diff")
	asJSON := flags.Bool("json", false, "print JSON, values in base units")
	asMarkdown := flags.Bool("markdown", false, "print a table for the changelog")
	sites, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(sites) != 2 || *asJSON && *asMarkdown {
		s.complain("scalebook diff: name two built sites, OLD and NEW, each a folder or an https address, and " +
			"-json or -markdown at the most")
		return misuse
	}
	var both [2]*data.Results
	for i, name := range sites {
		text, err := resultsIn(name)
		if err == nil {
			both[i], err = edition.ReadResults(text)
		}
		if err != nil {
			s.complain("scalebook diff: %s: %v", name, err)
			return failed
		}
	}
	d := edition.Compare(both[0], both[1])
	var err error
	switch {
	case *asJSON:
		err = writeJSON(s.out, []edition.Diff{d})
	case *asMarkdown:
		err = d.WriteMarkdown(s.out)
	default:
		err = d.Write(s.out)
	}
	if err != nil {
		s.complain("scalebook diff: %v", err)
		return failed
	}
	return ok
}

// mostResults is more than the results of any edition take, in bytes.
const mostResults = 64 << 20

// resultsIn reads the results of a site: a folder, an address, or the file itself.
func resultsIn(name string) ([]byte, error) {
	isFile := path.Ext(name) == ".json"
	if !strings.HasPrefix(name, "https://") && !strings.HasPrefix(name, "http://") {
		if !isFile {
			name = filepath.Join(name, filepath.FromSlash(data.ResultsName))
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %s; name a built site of an edition that publishes its results", name,
				reason(err))
		}
		return text, nil
	}
	if !isFile {
		name = strings.TrimSuffix(name, "/") + "/" + data.ResultsName
	}
	client := http.Client{Timeout: time.Minute}
	response, err := client.Get(name)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s; name the home page of a built site", name, response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, mostResults))
}
