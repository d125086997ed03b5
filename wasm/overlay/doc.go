// Package overlay explains the folders beside it: stand-ins for packages of Go's standard library that the browser's
// program would carry along without ever calling them.
//
// The go-app module compiles its web server, its ciphers and its random identifiers into every program. The linker
// can't leave them out, because their packages are initialised when the program starts: half a megabyte, compressed,
// for each reader. The browser build therefore sees, through `go build -overlay`, the files here in the places of the
// real ones. Each declares only what go-app and its uuid module mention, and panics or fails when it is called. Package
// wasm/build refuses to build when anything else imports one of them. A file whose name begins with instead_ takes the
// place of that file alone: the rest of package time is the real one.
package overlay
