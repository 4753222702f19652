// This file owns --args-file: the words in the file replace the option that names it.

package cmdline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/ross-go/ross/internal/usage"
)

// argsFile is the value of --args-file (TWOPT_ARGSFILE in ROSS). A file is read where the option
// stands: words to its right override it, and it overrides words to its left.
//
// It holds words separated by white space, any number on a line. A # anywhere begins a comment that
// lasts to the end of the line, and there is no quoting. The word -- and another --args-file are
// errors.
type argsFile struct {
	apply func(word string) error
	text  *string // receives the block that the report prints
}

// String implements flag.Value.
func (argsFile) String() string { return "" }

// Set implements flag.Value: it reads the file and applies its words. Errors in the file name it and the line.
func (a argsFile) Set(path string) error {
	if path == "" {
		return errors.New("no value; give the name of a file")
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return &usage.Error{Text: unreadable(path, err), Cause: err}
	}
	var block strings.Builder
	block.WriteString("Arguments passed through --args-file:\n")
	number := 0
	for line := range strings.Lines(string(content)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		for word := range strings.FieldsSeq(line) {
			if err := a.word(word); err != nil {
				return located(path, number, err)
			}
			block.WriteString(word + "\n")
		}
	}
	*a.text += block.String() + "\n"
	return nil
}

func (a argsFile) word(word string) error {
	switch name, _, _ := strings.Cut(word, "="); name {
	case "--":
		return usage.Errorf("word --: not allowed in an arguments file; put it on the command line")
	case "--args-file":
		return usage.Errorf("option %s: not allowed in an arguments file; name each file on the command line", Quote(word))
	}
	return a.apply(word)
}

// located puts file and line in front of an error of one of the file's words.
func located(path string, line int, err error) error {
	if errors.Is(err, ErrHelp) {
		return err
	}
	return &usage.Error{Text: fmt.Sprintf("%s:%d: %s", Quote(path), line, strings.TrimPrefix(err.Error(), "ross: ")), Cause: err}
}

func unreadable(path string, err error) string {
	var where *fs.PathError
	if errors.As(err, &where) {
		err = where.Err // the text already has the path
	}
	return fmt.Sprintf("option --args-file=%s: cannot be read: %v; give a file that exists and may be read", Quote(path), err)
}
