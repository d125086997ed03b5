// Command shots renders the book and takes the pictures of the README, as a reader's browser shows the pages.
//
//	go run ./app/site/shots
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/scalebook/scalebook/app/site"
	"github.com/scalebook/scalebook/app/site/browser"
)

// folder is where the README finds its pictures.
const folder = ".github/pictures"

// shot is a picture: the first screen of a page, or the one at an anchor.
type shot struct {
	file, at string
	dark     bool
}

// shots are the pictures of the README.
func shots() []shot {
	return []shot{
		{file: "home.png"},
		{file: "planner.png", at: "training-planner/#training", dark: true},
	}
}

func main() {
	if err := take(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// take takes all pictures. Pages are complete without their program, so none is compiled.
func take(ctx context.Context) (err error) {
	files, err := site.Render(site.Options{Content: os.DirFS("content"), Web: os.DirFS("web"), Dir: "content",
		Base: "/"})
	if err != nil {
		return err
	}
	url, stop, err := serve(files)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	b, err := browser.Start(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, s := range shots() {
		if err := s.take(b, url); err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
	}
	return nil
}

// serve serves the site on a port of its own.
func serve(files site.Files) (url string, stop func() error, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	s := &site.Server{}
	s.Show("/", files)
	server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go server.Serve(l) // ends when it is closed
	return "http://" + l.Addr().String() + "/", server.Close, nil
}

// take opens the page in a tab of its own and writes what is seen.
func (s shot) take(b *browser.Browser, url string) error {
	t, err := b.Tab(browser.Options{Width: 1280, Height: 800, Dark: s.dark})
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.Go(url + s.at); err != nil {
		return err
	}
	const loaded = `document.fonts.status === "loaded" && document.readyState === "complete"`
	if err := t.Wait(5*time.Second, loaded); err != nil {
		return err
	}
	picture, err := t.Shot()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, s.file), picture, 0o644)
}
