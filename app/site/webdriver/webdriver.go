// Package webdriver drives browsers other than Chromium, for tests: WebKit over the W3C's WebDriver protocol, and
// Firefox over Marionette, which carries the same commands. Nothing that readers get imports it.
package webdriver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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

// transport carries commands to a browser and values back.
type transport interface {
	send(c command, params map[string]any, value any) error
	close()
}

// Session is a window of a browser that was started for it. Close it.
type Session struct {
	Browser   string // its name and version
	transport transport
}

// Close ends the browser.
func (s *Session) Close() { s.transport.close() }

// Open opens an address and waits until it has loaded. WebKit's driver takes a change of the address by the page that
// is left, such as a calculator's state, for the arrival, so where the window is decides.
func (s *Session) Open(url string) error {
	if err := s.transport.send(navigate, map[string]any{"url": url}, nil); err != nil {
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
	return s.transport.send(setRect, map[string]any{"x": 0, "y": 0, "width": width, "height": height}, nil)
}

// Eval evaluates an expression in the page and puts what it gives into value.
func (s *Session) Eval(expression string, value any) error {
	params := map[string]any{"script": "return (" + expression + ")", "args": []any{}}
	return s.transport.send(execute, params, value)
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

// Type replaces what stands in the field that a selector finds, key by key. The field is brought to the middle of the
// window first: WebKit's driver doesn't scroll to one that begins less than a pixel below it, and then refuses.
func (s *Session) Type(selector, text string) error {
	var found map[string]string
	if err := s.transport.send(find, map[string]any{"using": "css selector", "value": selector}, &found); err != nil {
		return err
	}
	scroll := fmt.Sprintf(`document.querySelector(%q).scrollIntoView({block: "center", behavior: "instant"})`, selector)
	if err := s.Eval("("+scroll+", 0)", nil); err != nil {
		return err
	}
	for _, id := range found {
		if err := s.transport.send(clearOut, map[string]any{"id": id}, nil); err != nil {
			return err
		}
		return s.transport.send(sendKeys, map[string]any{"id": id, "text": text}, nil)
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

// WebKit starts WebKitGTK's small browser. It needs WebKitWebDriver in PATH, and a display.
func WebKit(ctx context.Context) (*Session, error) {
	path, err := exec.LookPath("WebKitWebDriver")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	driver := exec.CommandContext(ctx, path, "--port="+strconv.Itoa(port))
	if err := driver.Start(); err != nil {
		return nil, err
	}
	w := &overHTTP{driver: driver, base: fmt.Sprintf("http://127.0.0.1:%d/session", port)}
	name, err := w.begin()
	if err != nil {
		w.close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Session{Browser: name, transport: w}, nil
}

// overHTTP is the transport of the W3C's protocol.
type overHTTP struct {
	driver  *exec.Cmd
	base    string // the address of the session, once there is one
	started bool
	client  http.Client
}

// begin begins a session, once the driver listens, and returns the browser's name.
func (w *overHTTP) begin() (string, error) {
	// The driver may end a connection that rests, just when the next command is on its way.
	w.client = http.Client{Timeout: 3 * time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	var started struct {
		ID           string `json:"sessionId"`
		Capabilities struct {
			Name    string `json:"browserName"`
			Version string `json:"browserVersion"`
		} `json:"capabilities"`
	}
	params := map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{}}}
	var err error
	for range 100 {
		if err = w.send(command{method: "POST"}, params, &started); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		return "", err
	}
	w.base, w.started = w.base+"/"+started.ID, true
	return started.Capabilities.Name + " " + started.Capabilities.Version, nil
}

func (w *overHTTP) send(c command, params map[string]any, value any) error {
	path := c.path
	if id, ok := params["id"].(string); ok {
		path = strings.Replace(path, "{id}", id, 1)
	}
	body, err := json.Marshal(params)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(c.method, w.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := w.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		fault := &failure{}
		if err := json.Unmarshal(answer.Value, fault); err != nil {
			return err
		}
		return fault
	}
	return decode(answer.Value, value)
}

// close ends the session, and with it the browser, and then the driver.
func (w *overHTTP) close() {
	if w.started {
		w.client.Timeout = 5 * time.Second
		w.send(command{method: "DELETE"}, nil, nil) // a browser that has crashed has nothing left to end
	}
	w.driver.Process.Kill()
	w.driver.Wait()
}

// freePort is a port of this machine that nobody listens on.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// firefoxNames are what Firefox is called, the long-term release first.
var firefoxNames = []string{"firefox-esr", "firefox"}

// Firefox starts Firefox without a window, with a profile of its own that goes away with it.
func Firefox(ctx context.Context) (*Session, error) {
	path, err := "", error(nil)
	for _, name := range firefoxNames {
		if path, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	m := &marionette{}
	if m.profile, err = os.MkdirTemp("", "scalebook-firefox-"); err != nil {
		return nil, err
	}
	name, err := m.start(ctx, path)
	if err != nil {
		m.close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Session{Browser: name, transport: m}, nil
}

// marionette is the transport of Firefox's own protocol: JSON behind its length and a colon, over TCP.
type marionette struct {
	firefox *exec.Cmd
	profile string
	conn    net.Conn
	in      *bufio.Reader
	last    int // the number of the last command
}

// start starts the browser on a free port and returns its name.
func (m *marionette) start(ctx context.Context, path string) (string, error) {
	port, err := freePort()
	if err != nil {
		return "", err
	}
	prefs := fmt.Sprintf("user_pref(%q, %d);\nuser_pref(%q, false);\n", "marionette.port", port,
		"datareporting.policy.dataSubmissionEnabled")
	if err := os.WriteFile(filepath.Join(m.profile, "user.js"), []byte(prefs), 0o600); err != nil {
		return "", err
	}
	m.firefox = exec.CommandContext(ctx, path, "--headless", "--marionette", "--no-remote", "--profile", m.profile)
	if err := m.firefox.Start(); err != nil {
		return "", err
	}
	if err := m.connect("127.0.0.1:" + strconv.Itoa(port)); err != nil {
		return "", err
	}
	var started struct {
		Capabilities struct {
			Name    string `json:"browserName"`
			Version string `json:"browserVersion"`
		} `json:"capabilities"`
	}
	err = m.send(command{name: "WebDriver:NewSession"}, map[string]any{}, &started)
	return started.Capabilities.Name + " " + started.Capabilities.Version, err
}

// connect waits until the browser listens, and reads its greeting.
func (m *marionette) connect(address string) (err error) {
	for range 300 {
		if m.conn, err = net.Dial("tcp", address); err == nil {
			m.in = bufio.NewReader(m.conn)
			_, err = m.receive()
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

func (m *marionette) send(c command, params map[string]any, value any) error {
	m.last++
	message, err := json.Marshal([]any{0, m.last, c.name, params})
	if err != nil {
		return err
	}
	m.conn.SetDeadline(time.Now().Add(3 * time.Minute))
	if _, err := fmt.Fprintf(m.conn, "%d:%s", len(message), message); err != nil {
		return err
	}
	data, err := m.receive()
	if err != nil {
		return err
	}
	var answer [4]json.RawMessage // 1, the number, the fault, the value
	if err := json.Unmarshal(data, &answer); err != nil {
		return err
	}
	if string(answer[2]) != "null" {
		fault := &failure{}
		if err := json.Unmarshal(answer[2], fault); err != nil {
			return err
		}
		return fault
	}
	var inner struct{ Value json.RawMessage }
	if json.Unmarshal(answer[3], &inner) == nil && inner.Value != nil {
		return decode(inner.Value, value)
	}
	return decode(answer[3], value)
}

// receive reads one message.
func (m *marionette) receive() ([]byte, error) {
	length, err := m.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(length[:len(length)-1])
	if err != nil {
		return nil, err
	}
	data := make([]byte, n)
	_, err = io.ReadFull(m.in, data)
	return data, err
}

func (m *marionette) close() {
	if m.conn != nil {
		m.conn.Close()
	}
	if m.firefox != nil && m.firefox.Process != nil {
		m.firefox.Process.Kill()
		m.firefox.Wait()
	}
	for range 20 { // its processes may still write for a moment
		if os.RemoveAll(m.profile) == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}
