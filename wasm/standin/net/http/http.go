// Package http stands in for net/http in the browser's program, which serves nothing and fetches nothing through it.
package http

import (
	"errors"
	"io"
	"net/url"
)

// The methods and statuses that are mentioned.
const (
	MethodGet                 = "GET"
	StatusOK                  = 200
	StatusNotModified         = 304
	StatusNotFound            = 404
	StatusInternalServerError = 500
)

// Header is a set of header fields.
type Header map[string][]string

// Get returns nothing: there are no messages.
func (Header) Get(string) string { return "" }

// Set does nothing.
func (Header) Set(string, string) {}

// Handler answers requests.
type Handler interface {
	ServeHTTP(ResponseWriter, *Request)
}

// ResponseWriter takes an answer.
type ResponseWriter interface {
	Header() Header
	Write([]byte) (int, error)
	WriteHeader(int)
}

// Request is a request.
type Request struct {
	URL    *url.URL
	Header Header
	Host   string
	TLS    *struct{}
}

// Response is an answer.
type Response struct {
	StatusCode int
	Header     Header
	Body       io.ReadCloser
}

// Dir is a folder to serve.
type Dir string

// Get fails: the browser's program makes no requests.
func Get(string) (*Response, error) { return nil, errors.New("there is no HTTP in this program") }

// FileServer serves nothing.
func FileServer(Dir) Handler { return nil }

// NotFound does nothing.
func NotFound(ResponseWriter, *Request) {}
