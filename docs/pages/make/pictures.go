// This file owns the pictures of what `rossreader` draws of runs: it runs the commands of a page, and looks at what they
// make.

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/testing/browsertest"
)

// drawing is a picture of a page, with the commands that make what it shows.
type drawing struct {
	page     string // what they make, with what is chosen after #
	high     int    // of the picture, in pixels
	small    string // options that make the run small, for the test of the page
	commands []string
	name     string // of the picture
}

// drawingText is a picture on a page: what it shows, the commands, and the picture.
var drawingText = regexp.MustCompile(
	`(?m)^<!-- shows (\S+), (\d+) pixels high, tested with (.+) -->\n\n((?:    .+\n)+)\n!\[[^\]]+\]\(([\w-]+\.png)\)$`)

// drawings returns the pictures on a page.
func drawings(page string) (all []drawing, err error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	for _, m := range drawingText.FindAllStringSubmatch(string(text), -1) {
		high, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", page, err)
		}
		d := drawing{page: m[1], high: high, small: m[3], name: m[5]}
		for line := range strings.Lines(m[4]) {
			d.commands = append(d.commands, strings.TrimSpace(line))
		}
		all = append(all, d)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no picture: it has to be %s", page, drawingText)
	}
	return all, nil
}

// goRun is a program of this repository in a command.
var goRun = regexp.MustCompile(`go run \./(?:models|cmd)/(\S+)`)

// make runs the commands in a folder, with programs of another folder. The first is that of the model, and gets more
// options.
func (d *drawing) make(programs, folder, more string) error {
	for i, line := range d.commands {
		line = goRun.ReplaceAllString(line, `"$$0"/$1`)
		if i == 0 && more != "" {
			line = insertOptions(line, more)
		}
		cmd := exec.Command("sh", "-c", line, programs)
		cmd.Dir, cmd.Stdout, cmd.Stderr = folder, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	return nil
}

// insertOptions puts options before what a command does with its output.
func insertOptions(line, more string) string {
	if at := strings.Index(line, " > "); at >= 0 {
		return line[:at] + " " + more + line[at:]
	}
	return line + " " + more
}

// drawingPictures stores the pictures of a page in a folder, with programs of another one.
func drawingPictures(programs, page, folder string) (err error) {
	all, err := drawings(page)
	if err == nil {
		programs, err = filepath.Abs(programs)
	}
	if err != nil {
		return err
	}
	b, err := browsertest.Start()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	for _, d := range all {
		if err := d.picture(b, programs, folder); err != nil {
			return err
		}
	}
	return nil
}

// picture stores the picture in a folder.
func (d *drawing) picture(b *browsertest.Browser, programs, folder string) error {
	temporary, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if err := d.make(programs, temporary, ""); err != nil {
		return err
	}
	tab, err := b.Open("file://"+temporary+"/"+d.page, looks[0].look)
	if err != nil {
		return err
	}
	return picture(tab, looks[0].look, filepath.Join(folder, d.name), settleReport, d.high)
}
