// This file owns how the text of an option becomes a value and back: numbers, sizes, switches; and
// InRange, for values with bounds.
// Errors here say what is wrong and what to give; the caller adds the option's name.

package cmdline

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/sys/usage"
)

// optionValue binds a variable to its text form. It is a flag.Value, so a flag.FlagSet accepts it.
type optionValue[T any] struct {
	p      *T
	parse  func(string) (T, error)
	format func(T) string
}

// Set implements flag.Value. If text cannot be read, the variable keeps its value.
func (v optionValue[T]) Set(text string) error {
	x, err := v.parse(text)
	if err == nil {
		*v.p = x
	}
	return err
}

// String implements flag.Value. Package flag also calls it on zero values.
func (v optionValue[T]) String() string {
	if v.p == nil {
		return ""
	}
	return v.format(*v.p)
}

// boolValue is a value that may stand without "=value".
type boolValue struct{ optionValue[bool] }

// IsBoolFlag reports to package flag and Options.Parse that "--name" alone means true.
func (boolValue) IsBoolFlag() bool { return true }

func isBool(v flag.Value) bool {
	b, ok := v.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// badNumber returns the error about a number that strconv refused.
func badNumber(text string, err error, want string) error {
	problem := "not a number"
	switch {
	case text == "":
		problem = "no value"
	case errors.Is(err, strconv.ErrRange):
		problem = "out of range"
	}
	return fmt.Errorf("%s; give %s", problem, want)
}

// ParseUint64 reads a whole number from 0 to 2^64-1, the value of an option.
func ParseUint64(text string) (uint64, error) {
	return parseUnsigned(text, math.MaxUint64, wholeNumber)
}

// ParseCount reads a whole number of at least 0, the value of an option.
func ParseCount(text string) (int, error) {
	x, err := parseUnsigned(text, math.MaxInt, wholeNumber)
	return int(x), err
}

func parseUint(text string) (uint, error) {
	x, err := parseUnsigned(text, math.MaxUint, wholeNumber)
	return uint(x), err
}

const wholeNumber = "a whole number"

// parseUnsigned reads what C's strtoul reads, except that negative numbers do not wrap around and
// "" is not 0.
func parseUnsigned(text string, limit uint64, want string) (uint64, error) {
	want = fmt.Sprintf("%s, 0 to %d", want, limit)
	digits, minus := strings.CutPrefix(text, "-")
	if !minus {
		digits = strings.TrimPrefix(text, "+")
	}
	x, err := strconv.ParseUint(digits, 10, 64)
	switch {
	case minus && !errors.Is(err, strconv.ErrSyntax):
		return 0, fmt.Errorf("negative; give %s", want)
	case err == nil && x > limit:
		err = strconv.ErrRange
	}
	if err != nil {
		return 0, badNumber(text, err, want)
	}
	return x, nil
}

// ParseInt reads a whole number, the value of an option.
func ParseInt(text string) (int, error) {
	x, err := strconv.Atoi(text)
	if err != nil {
		return 0, badNumber(text, err, fmt.Sprintf("a whole number, %d to %d", math.MinInt, math.MaxInt))
	}
	return x, nil
}

// ParseFloat reads what C's strtod reads, inf and nan with it; a number too large for a float64 is an error.
func ParseFloat(text string) (float64, error) {
	number := text
	if strings.ContainsAny(text, "xX") && !strings.ContainsAny(text, "pP") {
		number += "p0" // the exponent of a hexadecimal number is optional in C, but not in Go
	}
	x, err := strconv.ParseFloat(number, 64)
	if err == nil && strings.Contains(text, "_") {
		err = strconv.ErrSyntax // Go's digit separators are not part of the format
	}
	if err != nil {
		return 0, badNumber(text, err, "a number such as 0.5, 1e9 or inf")
	}
	return x, nil
}

func parseBool(text string) (bool, error) {
	x, err := strconv.ParseBool(text)
	if err != nil {
		return false, errors.New("not a switch; give 1 or 0, or the name alone for 1")
	}
	return x, nil
}

func parseString(text string) (string, error) { return text, nil }

const byteSuffixes = "KMGT"

// ParseBytes reads a size in bytes, or, followed by one of the letters K M G T, in powers of 1024
// bytes.
func ParseBytes(text string) (uint64, error) {
	digits, shift := text, 0
	if n := len(text); n > 0 {
		if i := strings.IndexByte(byteSuffixes, text[n-1]&^0x20); i >= 0 {
			digits, shift = text[:n-1], 10*(i+1)
		}
	}
	x, err := parseUnsigned(digits, math.MaxUint64>>shift, "bytes, or a size such as 64M (K, M, G, T are powers of 1024)")
	return x << shift, err
}

// FormatBytes writes a size with the largest suffix that keeps it exact.
func FormatBytes(x uint64) string {
	if x == 0 {
		return "0"
	}
	suffix := ""
	for i := 0; i < len(byteSuffixes) && x%1024 == 0; i++ {
		x, suffix = x/1024, byteSuffixes[i:i+1]
	}
	return strconv.FormatUint(x, 10) + suffix
}

func formatFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func formatString(s string) string { return s }

func formatUnsigned[T uint | uint64](x T) string { return strconv.FormatUint(uint64(x), 10) }

// Quote quotes a word that would not read as one word on one line.
func Quote(word string) string {
	quoted := strconv.Quote(word)
	if word == "" || len(quoted) != len(word)+2 || strings.Contains(word, " ") {
		return quoted
	}
	return word
}

// InRange returns an error, which is an ErrUsage and names the option, unless low <= value <= high. NaN is in no range.
func InRange[T int | uint64 | float64](name string, value, low, high T) error {
	if value >= low && value <= high {
		return nil
	}
	return fmt.Errorf("option --%s=%v: must be in [%v, %v]: %w", name, value, low, high, usage.Err)
}
