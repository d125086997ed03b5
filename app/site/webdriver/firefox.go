package webdriver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

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
	return &Session{Browser: name, wire: m}, nil
}

// marionette is the wire of Firefox's own protocol: JSON behind its length and a colon, over TCP.
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
	var begun struct {
		Capabilities struct {
			Name    string `json:"browserName"`
			Version string `json:"browserVersion"`
		} `json:"capabilities"`
	}
	err = m.send(command{name: "WebDriver:NewSession"}, map[string]any{}, &begun)
	return begun.Capabilities.Name + " " + begun.Capabilities.Version, err
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
