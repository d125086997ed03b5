// Package webdriver drives browsers other than Chromium, for tests: WebKit over the W3C's WebDriver protocol, and
// Firefox over Marionette, which carries the same commands. Nothing that readers get imports it.
package webdriver

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// command is one of the protocol's, by its path over HTTP and its name in Marionette.
type command struct{ method, path, name string }

var (
	navigate = command{"POST", "/url", "WebDriver:Navigate"}
	execute  = command{"POST", "/execute/sync", "WebDriver:ExecuteScript"}
	find     = command{"POST", "/element", "WebDriver:FindElement"}
	clearOut = command{"POST", "/element/{id}/clear", "WebDriver:ElementClear"}
	sendKeys = command{"POST", "/element/{id}/value", "WebDriver:ElementSendKeys"}
	setRect  = command{"POST", "/window/rect", "WebDriver:SetWindowRect"}
)

// wire carries commands to a browser and values back.
type wire interface {
	send(c command, params map[string]any, value any) error
	close()
}

// Session is a window of a browser that was started for it. Close it.
type Session struct {
	Browser string // its name and version
	wire    wire
}

// Close ends the browser.
func (s *Session) Close() { s.wire.close() }

// Open opens an address and waits until it has loaded. WebKit's driver takes a change of the address by the page that
// is left, such as a calculator's state, for the arrival, so where the window is decides.
func (s *Session) Open(url string) error {
	if err := s.wire.send(navigate, map[string]any{"url": url}, nil); err != nil {
		return err
	}
	there := fmt.Sprintf(`document.readyState === "complete" &&
		(to => to.origin + to.pathname === location.origin + location.pathname)(new URL(%q))`, url)
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		ok := false
		if err = s.Eval(there, &ok); ok { // an error: the page was left just then
			return nil
		}
	}
	return errors.Join(fmt.Errorf("%s has not loaded", url), err)
}

// Resize gives the window a size.
func (s *Session) Resize(width, height int) error {
	return s.wire.send(setRect, map[string]any{"x": 0, "y": 0, "width": width, "height": height}, nil)
}

// Eval evaluates an expression in the page and puts what it gives into value.
func (s *Session) Eval(expression string, value any) error {
	params := map[string]any{"script": "return (" + expression + ")", "args": []any{}}
	return s.wire.send(execute, params, value)
}

// Wait waits until an expression is true.
func (s *Session) Wait(within time.Duration, expression string) error {
	for end := time.Now().Add(within); ; time.Sleep(30 * time.Millisecond) {
		ok := false
		if err := s.Eval("!!("+expression+")", &ok); err != nil || ok {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("not true within %v: %s", within, expression)
		}
	}
}

// Type replaces what stands in the field that a selector finds, key by key.
func (s *Session) Type(selector, text string) error {
	var found map[string]string
	if err := s.wire.send(find, map[string]any{"using": "css selector", "value": selector}, &found); err != nil {
		return err
	}
	for _, id := range found {
		if err := s.wire.send(clearOut, map[string]any{"id": id}, nil); err != nil {
			return err
		}
		return s.wire.send(sendKeys, map[string]any{"id": id, "text": text}, nil)
	}
	return errors.New("no element for " + selector)
}

// failure is how both protocols tell what went wrong.
type failure struct {
	Name    string `json:"error"`
	Message string `json:"message"`
}

func (f *failure) Error() string { return f.Name + ": " + f.Message }

// decode puts a JSON value where it is wanted, if it is.
func decode(data json.RawMessage, value any) error {
	if value == nil || len(data) == 0 {
		return nil
	}
	return json.Unmarshal(data, value)
}
