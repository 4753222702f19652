// Package usage has Err, which every error about a setting matches, Within, which lets the text of an error stand in
// that of another one, Distance, which finds the name that was meant, and Wrap, which breaks the texts of --help into
// lines. It imports no other package of the engine, so that all of them can use it. Models know Err as ross.ErrUsage
// and cmdline.ErrUsage.
package usage

import (
	"errors"
	"fmt"
	"strings"
)

// Err is matched (errors.Is) by every error about a setting: a word of the command line
// that cannot be read, a value out of range, settings that contradict each other. Programs
// then exit with status 2 before anything has run.
var Err = errors.New("unusable settings: see --help")

// Error is an error that matches Err.
type Error struct {
	Text  string // without the prefix "ross: "
	Cause error  // nil, or an error such as that of a file that cannot be opened
}

// Errorf returns an Error with a formatted text.
func Errorf(format string, args ...any) error { return &Error{Text: fmt.Sprintf(format, args...)} }

// Error implements error.
func (e *Error) Error() string { return prefix + e.Text }

// Is reports whether target is Err.
func (e *Error) Is(target error) bool { return target == Err }

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }

// Within returns an error for use within the text of another one, which begins with "ross: " itself: what it says does
// not.
func Within(err error) error { return &within{err} }

type within struct{ error }

// Error implements error.
func (w *within) Error() string { return strings.TrimPrefix(w.error.Error(), prefix) }

// Unwrap returns the error.
func (w *within) Unwrap() error { return w.error }

const prefix = "ross: "

// The breaking of texts of --help into lines.

// HelpWidth is the length of the longest line of --help, in columns.
const HelpWidth = 99

// Wrap breaks a text into lines of at most width bytes, at spaces where there are any, but not within
// the default at its end.
func Wrap(text string, width int) (lines []string) {
	for len(text) > width {
		at := strings.LastIndexByte(text[:width+1], ' ')
		if start := strings.LastIndex(text, " (default "); start > 0 && start < at {
			at = start
		}
		if at <= 0 {
			if at = strings.IndexByte(text, ' '); at < 0 {
				break
			}
		}
		lines, text = append(lines, text[:at]), text[at+1:]
	}
	if text != "" {
		lines = append(lines, text)
	}
	return lines
}

// Distance returns the number of bytes to insert, remove or replace that make b of a (Levenshtein 1966), or some number
// that is not below limit if it is not.
func Distance(a, b string, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
