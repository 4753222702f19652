// This file owns Browser: Chromium, and the messages to and from it.

// Package browsertest lets tests and makers of pictures look at pages in Chromium, as a user does: they
// open a page, wait for what it shows, press keys and take pictures. It uses the DevTools protocol
// over a pipe, so nothing listens on a port. Libraries for the whole protocol would be compiled for each build of the
// tests, for the dozen of its calls that these need.
package browsertest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// Browser is a running Chromium without a window, or a part of one that shares no storage with the others.
type Browser struct {
	*process
	context string // of the part, or ""
}

// process is the program, with what is under way.
type process struct {
	cmd    *exec.Cmd
	to     *os.File
	folder string
	gone   chan struct{} // closed when it has ended

	lock    sync.Mutex // guards the following fields
	last    int
	waiting map[int]chan message
	pages   map[string]*Page
}

// message is a command, its answer or an event.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start starts a browser, which Close ends. The error says how to install one.
func Start() (*Browser, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, fmt.Errorf("browsertest: %w: install Chromium (apt-get install chromium)", err)
	}
	folder, err := os.MkdirTemp("", "browsertest")
	if err != nil {
		return nil, fmt.Errorf("browsertest: %w", err)
	}
	readOurs, writeOurs, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("browsertest: %w", err)
	}
	readIts, writeIts, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("browsertest: %w", err)
	}
	b := &Browser{process: &process{to: writeOurs, folder: folder, gone: make(chan struct{}),
		waiting: map[int]chan message{}, pages: map[string]*Page{}}}
	b.cmd = exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
		"--disable-extensions",
		"--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--no-proxy-server",
		"--user-data-dir="+folder, "--remote-debugging-pipe")
	b.cmd.ExtraFiles = []*os.File{readOurs, writeIts} // its descriptors 3 and 4
	err = b.cmd.Start()
	_ = readOurs.Close()
	_ = writeIts.Close()
	if err != nil {
		return nil, fmt.Errorf("browsertest: %w", err)
	}
	go b.listen(readIts)
	return b, nil
}

// Part returns a part of the browser, with no tabs and nothing in storage, as if it had just been started. Close closes
// its tabs, and the browser goes on.
func (b *Browser) Part() (*Browser, error) {
	var part struct {
		ID string `json:"browserContextId"`
	}
	err := b.call("", "Target.createBrowserContext", nil, &part)
	return &Browser{b.process, part.ID}, err
}

// Close ends the browser.
func (b *Browser) Close() error {
	if b.context != "" {
		return b.call("", "Target.disposeBrowserContext", map[string]any{"browserContextId": b.context}, nil)
	}
	if b.call("", "Browser.close", nil, nil) != nil {
		_ = b.cmd.Process.Kill()
	}
	_ = b.to.Close()
	<-b.gone
	_ = b.cmd.Wait() // Chromium may say that it was ended
	return os.RemoveAll(b.folder)
}

// listen hands over what comes from the browser.
func (b *process) listen(from *os.File) {
	defer close(b.gone)
	defer from.Close()
	r := bufio.NewReaderSize(from, 1<<20)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) != nil {
			continue
		}
		b.lock.Lock()
		answer, page := b.waiting[m.ID], b.pages[m.Session]
		delete(b.waiting, m.ID)
		b.lock.Unlock()
		switch {
		case m.ID != 0 && answer != nil:
			answer <- m
		case page != nil:
			page.take(m)
		}
	}
}

// call sends a command to the browser, or to a page, and waits for its answer.
func (b *process) call(session, method string, params, result any) error {
	if params == nil {
		params = struct{}{}
	}
	text, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("browsertest: %s: %w", method, err)
	}
	answer := make(chan message, 1)
	b.lock.Lock()
	b.last++
	m := message{ID: b.last, Session: session, Method: method, Params: text}
	b.waiting[m.ID] = answer
	all, err := json.Marshal(m)
	if err == nil {
		_, err = b.to.Write(append(all, 0))
	}
	b.lock.Unlock()
	if err != nil {
		return fmt.Errorf("browsertest: %s: %w", method, err)
	}
	select {
	case m = <-answer:
	case <-b.gone:
		return fmt.Errorf("browsertest: %s: the browser has ended: %w", method, io.ErrUnexpectedEOF)
	}
	if m.Error != nil {
		return fmt.Errorf("browsertest: %s: %w", method, errors.New(m.Error.Message))
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(m.Result, result)
}
