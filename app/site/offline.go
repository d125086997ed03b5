package site

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/scalebook/scalebook/app/site/data"
)

// The names at which browsers look for the app; they never change.
const (
	workerName   = "sw.js"
	manifestName = "manifest.webmanifest"
)

// offline completes a site: the manifest, which lets readers install the book, and the worker, which keeps all of the
// other files for when there is no network. It is the last step, because the worker holds the hashes of everything
// else. Without o.Offline the worker is the one that takes an earlier one back.
func offline(files Files, a *assets, o Options) error {
	manifest, err := manifest(a, o)
	if err != nil {
		return err
	}
	files[manifestName] = manifest
	source := "sw.js"
	if !o.Offline {
		source = "kill-sw.js"
	}
	worker, err := fs.ReadFile(o.Web, source)
	if err != nil {
		return fmt.Errorf("web: no %s in it; every site needs it: %w", source, err)
	}
	if o.Offline {
		worker = append(listOf(files).line(), worker...)
	}
	files[workerName] = worker
	return nil
}

// list is what the worker keeps: the hash of each file by its name, in the notation of Subresource Integrity, and a
// version that stands for all of them. The feed carries the day, and a day alone makes no new edition: it has no hash.
type list struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"`
	Sizes   []int             `json:"sizes"` // in bytes, in the order of the names
}

// feedName is the file that readers may ask for and that changes from day to day.
const feedName = "feed.xml"

// listOf lists what readers may ask for.
func listOf(files Files) list {
	l := list{Files: map[string]string{}}
	all := Files{}
	for _, name := range files.Names() {
		data := files[name]
		switch {
		case name == feedName:
			l.Files[name], data = "", nil
		case forReaders(name):
			sum := sha256.Sum256(data)
			l.Files[name] = "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
			all[name] = data
		default:
			continue
		}
		l.Sizes = append(l.Sizes, len(data))
	}
	l.Version = stamp(all)
	return l
}

// forReaders is false for the worker itself, for names with a dot in front, which hosts hide, and for feeds and maps,
// which carry the day. What is large, and read by programs only or taken along as a whole, is fetched where it is.
func forReaders(name string) bool {
	switch name {
	case workerName, "robots.txt", wholeName, data.ResultsName, data.FactsName, PDFName, EPUBName:
		return false
	}
	return path.Ext(name) != ".xml" &&
		!strings.HasPrefix(path.Base(name), ".")
}

// line is the list as the worker's first line.
func (l list) line() []byte {
	text, err := json.Marshal(l) // with its keys in order
	if err != nil {
		panic(err) // texts only: can't fail
	}
	return fmt.Appendf(nil, "const edition = %s;\n", text)
}

// manifest is web/manifest.json with what depends on the address: where the app begins and ends, and its icons.
func manifest(a *assets, o Options) ([]byte, error) {
	const from = "web/manifest.json"
	text, err := fs.ReadFile(o.Web, path.Base(from))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: missing; it names the book and its icons for those who install it", from)
	}
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	icons, _ := m["icons"].([]any)
	for _, icon := range icons {
		icon, ok := icon.(map[string]any)
		if !ok {
			return nil, fmt.Errorf(`%s: an icon must be an object with "src", "type", "sizes" and "purpose"`, from)
		}
		name, _ := icon["src"].(string)
		url := a.urls[name]
		if url == "" {
			return nil, fmt.Errorf("%s: there is no icon %q in web/icons", from, name)
		}
		icon["src"] = url
	}
	if o.lang != "" {
		m["lang"] = o.lang
	}
	for _, key := range []string{"id", "start_url", "scope"} {
		m[key] = o.Base
	}
	return json.MarshalIndent(m, "", "  ")
}
