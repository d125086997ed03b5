// Package browser brings the sheets of a page to life in the reader's browser, where they stand.
//
// go-app was made for pages that it renders whole. Here the page is complete before any of this runs, so go-app says
// when something happens, and the page is patched by ourselves:
//
//  1. [Run] starts go-app with an element that is in no page (package goapp).
//  2. Each sheet of the page, the nearest first, is compiled from the source it carries; the address and whatever the
//     reader typed already are applied (page.go, pad.go).
//  3. The printed view is kept: it was printed from the same tree of nodes. What the printed menus lack is added, and
//     the events of the sheet are heard (pad.go, hear.go).
//  4. What the reader does comes back as a widget.Act (acts.go). Then the page follows the view, the same way whatever
//     changed: numbers in the text and controls (dom.go), and part by part (island.go) the sheet: what a part shows
//     is compared with what it is to show, and only the difference is written (dom.go). Drawings and tables do so in
//     tasks of their own (island.go). What was printed is known from a view, which builds it anew when a part first
//     changes or is turned to.
//
// A fault in one calculator is shown in its place; the others go on.
//
// The package is empty but for the browser.
package browser
