// Package csvtext makes texts of models safe as cells of CSV files, which people open with spreadsheets and print in
// terminals: labels of LPs, names of statistics. A spreadsheet computes a cell that begins with =, +, - or @, so a '
// stands before it, and control characters are escaped as in Go ("\x1b", "\n", "\u202e"). [Parse] gives the text back.
//
//	=SUM(A1:A9)   '=SUM(A1:A9)
//	two<LF>lines  two\nlines
//	C:\data       C:\data
package csvtext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cell returns a text as a cell. Quotes around cells with commas are left to the writer of the file.
func Cell(s string) string {
	if strings.ContainsFunc(s, isUnsafe) || !utf8.ValidString(s) || looksEscaped(s) {
		var b strings.Builder
		for i, r := range s {
			switch {
			case r == '\\':
				b.WriteString(`\\`)
			case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(r)): // a byte that is no UTF-8
				b.WriteString(`\x` + strconv.FormatUint(0x100|uint64(s[i]), 16)[1:])
			case isUnsafe(r):
				quoted := strconv.QuoteRuneToASCII(r)
				b.WriteString(quoted[1 : len(quoted)-1])
			default:
				b.WriteRune(r)
			}
		}
		s = b.String()
	}
	if s != "" && isFormula(s[0]) {
		return "'" + s
	}
	return s
}

// Parse returns the text of a cell.
func Parse(s string) string {
	if len(s) > 1 && s[0] == '\'' && isFormula(s[1]) {
		s = s[1:]
	}
	if !looksEscaped(s) {
		return s
	}
	var b strings.Builder
	for s != "" {
		r, isRune, rest, err := strconv.UnquoteChar(s, 0)
		if err != nil { // no escape
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		if isRune {
			b.WriteRune(r)
		} else {
			b.WriteByte(byte(r))
		}
		s = rest
	}
	return b.String()
}

// isUnsafe reports whether a character may move what is around it: control characters, and those that turn the
// direction of writing.
func isUnsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// isFormula reports whether a cell that begins with c is computed, or is one that begins with what Cell has put there.
func isFormula(c byte) bool { return strings.IndexByte("=+-@'", c) >= 0 }

// looksEscaped reports whether a text has what Parse would take for an escape.
func looksEscaped(s string) bool {
	for i := strings.IndexByte(s, '\\'); i >= 0; {
		if _, _, _, err := strconv.UnquoteChar(s[i:], 0); err == nil {
			return true
		}
		next := strings.IndexByte(s[i+1:], '\\')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}
