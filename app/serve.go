package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/scalebook/scalebook/app/site"
)

// look is how often serve looks for changed files.
const look = 500 * time.Millisecond

// serve is the verb that builds and serves the book, and rebuilds it when a file changes.
func serve(args []string, s streams) int {
	flags := newFlags("serve")
	addr := flags.String("addr", "127.0.0.1:8080", "where to listen")
	base := flags.String("base", "/", "the path of the site’s address")
	if status, done := flagsOnly(flags, args, s, base); done {
		return status
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serveUntil(ctx, *addr, &workshop{streams: s, base: *base, compile: compile}); err != nil {
		s.complain("%v", err)
		return failed
	}
	return ok
}

// serveUntil serves until ctx is done.
func serveUntil(ctx context.Context, addr string, w *workshop) error {
	if err := atTop(); err != nil {
		return err
	}
	listener, err := listen(addr)
	if err != nil {
		return err
	}
	pages := site.Watching(site.Watched{FS: os.DirFS("content")}, site.Watched{FS: os.DirFS("web")})
	sources := site.Watching(site.Watched{FS: os.DirFS("wasm"), Endings: []string{".go"}},
		site.Watched{FS: os.DirFS("app"), Endings: []string{".go", ".json", ".tsv", ".txt", ".csv"}})
	w.rebuild(ctx, true)
	fmt.Fprintf(w.out, "http://%s%s\n", listener.Addr(), w.base)
	server := &http.Server{Handler: &w.server, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	go pages.Follow(ctx, look, func() { w.rebuild(ctx, false) })
	go sources.Follow(ctx, look, func() { w.recompile(ctx) })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// listen takes the address, or says what to do about it.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf(
			"%s is in use; stop what is serving there, or choose another port with -addr 127.0.0.1:8081",
			addr,
		)
	}
	if err != nil {
		return nil, fmt.Errorf("can’t listen on %q: %v; -addr is a host and a port, such as 127.0.0.1:8080", addr, err)
	}
	return l, nil
}

// workshop builds the book again and again. The program of the browser is compiled from the sources as they are; the
// pages are made by the running command, whose own sources take effect when it is started anew.
type workshop struct {
	streams
	base    string
	compile func(context.Context) (browserProgram, error)
	server  site.Server
	mu      sync.Mutex // one build at a time
	program browserProgram
}

// rebuild makes the site again, compiling the program first if wanted or never done. It says whether that went well.
func (w *workshop) rebuild(ctx context.Context, compileFirst bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := time.Now()
	if err := w.build(ctx, compileFirst || w.program.exec == nil); err != nil {
		w.complain("%v", err)
		w.server.Fail(w.base, err.Error())
		return false
	}
	fmt.Fprintf(w.out, "built in %v\n", since(began))
	return true
}

func (w *workshop) build(ctx context.Context, compileFirst bool) error {
	if compileFirst {
		p, err := w.compile(ctx)
		if err != nil {
			return err
		}
		w.program = p
	}
	// Who writes must see every change at once: nothing is kept, and what a built site has left at this address goes.
	files, err := render(site.Options{Base: w.base}, w.program)
	if err != nil {
		return err
	}
	w.server.Show(w.base, files)
	return nil
}

// recompile is for changed Go sources.
func (w *workshop) recompile(ctx context.Context) {
	if w.rebuild(ctx, true) {
		fmt.Fprintln(
			w.out,
			"Go sources have changed: the calculators are new, the printed pages are as this command makes them; start serve "+
				"again to renew both",
		)
	}
}
