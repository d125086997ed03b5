// Package browser brings the sheets of a page to life in the reader's browser, through go-app.
//
// go-app was made for pages that it renders whole. Here the page is complete before any of this runs, so:
//
//  1. [Run] lets go-app own the hidden first child of the body, and nothing else; it takes back the handlers that
//     go-app puts on the window (run.go).
//  2. Each sheet of the page, the nearest first, is compiled from the source it carries; the address and whatever the
//     reader typed already are applied (page.go, takeover.go).
//  3. go-app renders its view into the hidden element, and within the same task of the browser the result takes the
//     place of the static one, with focus and selection (takeover.go).
//  4. What the reader does comes back as a widget.Act (acts.go). Values are written at once (write.go), the rest of the
//     view follows with go-app's next update, part by part (mount.go).
//
// A fault in one calculator is shown in its place; the others go on.
//
// The package is empty but for the browser.
package browser
