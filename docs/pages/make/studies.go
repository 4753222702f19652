// This file owns the pictures of studies: it makes those whose commands are on a page, and looks at what they show.

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ross-go/ross/internal/testing/browsertest"
)

// upperHigh is how much of the page of a study is in its picture, in pixels: the charts of the first row.
const upperHigh = 690

// study is a study of models/processes.
type study struct {
	small   string // options that make it small, for the test of the page
	options string // for a shell
	name    string // of its page, without .html
}

// studyCommand is a command of a study on a page, whose last option names the page of the study.
var studyCommand = regexp.MustCompile(
	`(?m)^<!-- tested with (.+) -->\n\n    go run \./models/processes (.+ --page=([\w-]+)\.html)$`)

// studies returns the studies on a page.
func studies(page string) (all []study, err error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	for _, c := range studyCommand.FindAllStringSubmatch(string(text), -1) {
		all = append(all, study{small: c[1], options: c[2], name: c[3]})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no study: a line has to be %s", page, studyCommand)
	}
	return all, nil
}

// make makes the study with a program of models/processes, and stores its page in a folder. more are further options.
func (s study) make(program, folder string, more ...string) (page string, err error) {
	if program, err = filepath.Abs(program); err != nil {
		return "", err
	}
	cmd := exec.Command("sh", "-c", `"$0" `+s.options+` "$@"`, program)
	cmd.Args = append(cmd.Args, more...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w", program, strings.Join(append([]string{s.options}, more...), " "), err)
	}
	return filepath.Join(folder, s.name+".html"), nil
}

// studyPictures stores the pictures of all studies of a page in a folder.
func studyPictures(program, page, folder string) (err error) {
	all, err := studies(page)
	if err != nil {
		return err
	}
	b, err := browsertest.Start()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	temporary, err := os.MkdirTemp("", "studies")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	for _, s := range all {
		html, err := s.make(program, temporary)
		if err != nil {
			return err
		}
		tab, err := b.Open("file://"+html, looks[0].look)
		if err != nil {
			return err
		}
		file := filepath.Join(folder, s.name+".png")
		if err = picture(tab, looks[0].look, file, settleReport, upperHigh); err != nil {
			return err
		}
	}
	return nil
}
