// This file owns --args-file: the words in the file replace the option that names it.

package cmdline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"

	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/usage"
)

// argsFile is the value of --args-file (TWOPT_ARGSFILE in ROSS). A file is read where the option
// stands: words to its right override it, and it overrides words to its left.
//
// It holds words separated by white space, any number on a line. What stands between two " or two ' of a line belongs
// to a word as it is, without the quotation marks. Any other # begins a comment that lasts to the end of the line. The
// word -- and another --args-file are errors. A byte order mark at the beginning is ignored.
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
	for line := range strings.Lines(strings.TrimPrefix(string(content), "\ufeff")) {
		number++
		words, err := split(line)
		if err != nil {
			return located(path, number, err)
		}
		for _, word := range words {
			if err := a.word(word); err != nil {
				return located(path, number, err)
			}
			block.WriteString(word + "\n")
		}
	}
	*a.text += block.String() + "\n"
	return nil
}

// split returns the words of a line.
func split(line string) (words []string, err error) {
	var word strings.Builder
	in, quote := false, rune(0) // inside a word, inside quotation marks
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			in, quote = true, c
		case c != '#' && !unicode.IsSpace(c):
			in = true
			word.WriteRune(c)
		case in:
			words = append(words, word.String())
			word.Reset()
			in = false
		}
		if quote == 0 && c == '#' {
			return words, nil
		}
	}
	if quote != 0 {
		return nil, usage.Errorf("a quotation mark %c has no other on its line; add one, or write %s around it as text",
			quote, map[rune]string{'"': "'\"'", '\'': "\"'\""}[quote])
	}
	if in {
		words = append(words, word.String())
	}
	return words, nil
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
	return &usage.Error{Text: fmt.Sprintf("%s:%d: %s", Quote(path), line, strings.TrimPrefix(err.Error(), "ross: ")),
		Cause: err}
}

func unreadable(path string, err error) string {
	return fmt.Sprintf("option --args-file=%s: cannot be read: %v; %s", Quote(path), reason(err),
		atomicfile.Remedy(err, "give a file that exists and may be read"))
}

// reason returns an error about a file without its name, which the text around it has.
func reason(err error) error {
	var where *fs.PathError
	if errors.As(err, &where) {
		return where.Err
	}
	return err
}
