// This file owns the pictures of the live page: it runs a model and looks at the page.

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/ross-go/ross/internal/testing/browsertest"
)

// longest is more than a run takes.
const longest = 4 * time.Minute

// livePages runs a program of models/phold, and stores the pictures of its page during the run and after it.
func livePages(program, prefix string) (err error) {
	b, err := browsertest.Start()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	folder, err := os.MkdirTemp("", "pages")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	cmd := exec.Command(program, "--synch=3", "--pes=4", "--nlp=256", "--start-events=16", "--lookahead=0.1", "--end=4000",
		"--max-memory=256M", "--http=0")
	cmd.Dir = folder
	lines, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	ended := false
	defer func() {
		if !ended {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}()
	r := bufio.NewReader(lines)
	line, err := r.ReadString('\n')
	url, found := strings.CutPrefix(strings.TrimSpace(line), "ross: live figures at ")
	if err != nil || !found {
		return errors.Join(fmt.Errorf("%s: says %q, not where its page is", program, line), err)
	}
	rest := make(chan error)
	go func() {
		_, err := io.Copy(os.Stderr, r)
		rest <- err
	}()
	page, err := b.Open(url, looks[0].look)
	if err != nil {
		return err
	}
	const half = "document.getElementById('bar').value > 0.5 * document.getElementById('bar').max"
	if err = page.Wait(half, longest); err != nil {
		return err
	}
	if err = pictures(page, prefix+"-run", settleLive); err != nil {
		return err
	}
	err = errors.Join(<-rest, cmd.Wait())
	ended = true
	if err != nil {
		return err
	}
	if err = page.Wait("/over/.test(document.getElementById('note').innerText)", longest); err != nil {
		return err
	}
	return pictures(page, prefix+"-end", settleLive)
}
