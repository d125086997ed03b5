package webdriver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

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
	return &Session{Browser: name, wire: w}, nil
}

// overHTTP is the wire of the W3C's protocol.
type overHTTP struct {
	driver *exec.Cmd
	base   string // the address of the session, once there is one
	begun  bool
	client http.Client
}

// begin begins a session, once the driver listens, and returns the browser's name.
func (w *overHTTP) begin() (string, error) {
	// The driver may end a connection that rests, just when the next command is on its way.
	w.client = http.Client{Timeout: 3 * time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	var begun struct {
		ID           string `json:"sessionId"`
		Capabilities struct {
			Name    string `json:"browserName"`
			Version string `json:"browserVersion"`
		} `json:"capabilities"`
	}
	params := map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{}}}
	var err error
	for range 100 {
		if err = w.send(command{method: "POST"}, params, &begun); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		return "", err
	}
	w.base, w.begun = w.base+"/"+begun.ID, true
	return begun.Capabilities.Name + " " + begun.Capabilities.Version, nil
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
	if w.begun {
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
