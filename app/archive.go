package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/sheet/input"
)

// What an archive may have at the most: bytes of all that is in it, and files.
const (
	mostArchived = 1 << 30
	mostMembers  = 10_000
)

// member is a file of an archive.
type member struct {
	name string
	data []byte
	kind string // what package pasted calls it
}

// errLarge is why an archive isn't read.
var errLarge = fmt.Errorf("an archive of more than %d GiB or %d files: pack only those that are wanted",
	mostArchived>>30, mostMembers)

// unarchived is what is to be read of a file that may be an archive, zip or tar, itself packed by gzip or not: all
// traces of it, one behind the other, as ranks write one each; else the largest of what the book reads. It says which
// these are; "" of a file that is no archive.
func unarchived(data []byte) (chosen []byte, says string, err error) {
	var all []member
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		all, err = zipped(data)
	case isTar(data):
		all, err = tarred(bytes.NewReader(data))
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		var packed *gzip.Reader
		if packed, err = gzip.NewReader(bytes.NewReader(data)); err != nil {
			return nil, "", err
		}
		text := bufio.NewReader(packed)
		if head, _ := text.Peek(tarHead); !isTar(head) {
			return data, "", nil
		}
		all, err = tarred(text)
	default:
		return data, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	return choice(all)
}

// tarHead is how many bytes the head of a file in a tar has.
const tarHead = 512

func isTar(data []byte) bool { return len(data) >= tarHead && string(data[257:262]) == "ustar" }

// wanted tells whether a name is that of a file that somebody put into an archive, not of a folder or of what a system
// adds.
func wanted(name string) bool {
	return !strings.HasSuffix(name, "/") && !strings.HasPrefix(path.Base(name), ".") &&
		!strings.HasPrefix(name, "__MACOSX/")
}

// add adds a file to those of an archive, without what gzip makes of it.
func add(all []member, left *int64, name string, from io.Reader) ([]member, error) {
	data, err := io.ReadAll(io.LimitReader(from, *left+1))
	if err == nil && bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		var text io.Reader
		if text, err = unpacked(data); err == nil {
			data, err = io.ReadAll(io.LimitReader(text, *left+1))
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%s is not whole; copy the archive again", name)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if *left -= int64(len(data)); *left < 0 || len(all) == mostMembers {
		return nil, errLarge
	}
	kind := pasted.Kind(input.Decoded(string(data[:min(len(data), pasted.Head)])))
	return append(all, member{name, data, kind}), nil
}

func zipped(data []byte) (all []member, err error) {
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, errors.New("a zip archive, but not whole; copy it again")
	}
	left, sum := int64(mostArchived), uint64(0)
	for _, f := range files.File {
		if sum += min(f.UncompressedSize64, mostArchived+1); sum > mostArchived { // nothing is unpacked in vain
			return nil, errLarge
		}
	}
	for _, f := range files.File {
		if !wanted(f.Name) {
			continue
		}
		from, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		all, err = add(all, &left, f.Name, from)
		from.Close()
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func tarred(from io.Reader) (all []member, err error) {
	files, left := tar.NewReader(from), int64(mostArchived)
	for {
		head, err := files.Next()
		switch {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, errors.New("a tar archive, but not whole; copy it again")
		case head.Typeflag != tar.TypeReg || !wanted(head.Name):
			continue
		}
		if all, err = add(all, &left, head.Name, files); err != nil {
			return nil, err
		}
	}
}

// choice is what is read of the files of an archive.
func choice(all []member) (chosen []byte, says string, err error) {
	slices.SortFunc(all, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	var traces, names []string
	best := -1
	for i, m := range all {
		if names = append(names, m.name); m.kind == "trace" {
			traces = append(traces, m.name)
			chosen = append(append(chosen, m.data...), '\n')
		}
		known := m.kind != "xla-dump" && readerOfKind(m.kind) != nil
		if known && (best < 0 || len(m.data) > len(all[best].data)) {
			best = i
		}
	}
	of := fmt.Sprintf("; files in this archive: %d", len(all))
	switch {
	case len(traces) > 0:
		return chosen, "read " + few(traces) + of, nil
	case best >= 0:
		return all[best].data, "read " + all[best].name + of, nil
	case len(all) == 1:
		return all[0].data, "read " + all[0].name + of, nil
	case len(all) == 0:
		return nil, "", errors.New("an archive without a file")
	}
	return nil, "", fmt.Errorf("an archive of %d files, of which the book reads none: %s", len(all), few(names))
}
