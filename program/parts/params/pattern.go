// This file owns patterns.

package params

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// kind is the kind of a part of a pattern.
type kind uint8

const (
	literal kind = iota
	anyText      // **
	anyPart      // *
	anyRune      // ?
	number       // {a..b}, and [a..b] with brackets around it as literals
)

// part is a part of a pattern.
type part struct {
	kind        kind
	text        string // of a literal
	first, last uint64 // of numbers
}

// pattern is a pattern for names. Its parts alternate so that no literal is next to another one.
type pattern []part

// literally adds text to the pattern.
func (p *pattern) literally(text string) {
	if n := len(*p); n > 0 && (*p)[n-1].kind == literal {
		(*p)[n-1].text += text
		return
	}
	*p = append(*p, part{kind: literal, text: text})
}

// errBraces says what braces are for.
var errBraces = errors.New(`braces are for numbers: write {2..5}, {2..} or {..5}, or \{ for a brace`)

// parsePattern reads a pattern.
func parsePattern(text string) (p pattern, err error) {
	for i := 0; i < len(text); {
		rest := text[i:]
		switch c := rest[0]; {
		case c == '\\':
			if len(rest) == 1 {
				return nil, errors.New(`it ends with \: give the character after it, or \\ for a backslash`)
			}
			p.literally(rest[1:2])
			i += 2
		case strings.HasPrefix(rest, "**"):
			p = append(p, part{kind: anyText})
			i += len(rest) - len(strings.TrimLeft(rest, "*"))
		case c == '*':
			p = append(p, part{kind: anyPart})
			i++
		case c == '?':
			p = append(p, part{kind: anyRune})
			i++
		case c == '{' || c == '[':
			closing := map[byte]string{'{': "}", '[': "]"}[c]
			inside, _, closed := strings.Cut(rest[1:], closing)
			n, is, err := part{}, false, error(nil)
			if closed && !strings.ContainsAny(inside, "[]{}*?") {
				n, is, err = parseRange(inside)
			}
			switch {
			case err != nil:
				return nil, err
			case is && c == '[':
				p.literally("[")
				p = append(p, n)
				p.literally("]")
			case is:
				p = append(p, n)
			case c == '{':
				return nil, errBraces
			default:
				p.literally("[")
				i++
				continue
			}
			i += len(inside) + 2
		default:
			p.literally(rest[:1])
			i++
		}
	}
	return p, nil
}

// parseRange reads what is in braces or brackets; is says that it is a range.
func parseRange(text string) (p part, is bool, err error) {
	a, b, is := strings.Cut(text, "..")
	if !is {
		return p, false, nil
	}
	p = part{kind: number, last: 1<<64 - 1}
	for _, end := range []struct {
		text string
		to   *uint64
	}{{a, &p.first}, {b, &p.last}} {
		if end.text == "" {
			continue
		}
		if *end.to, err = strconv.ParseUint(end.text, 10, 64); err != nil {
			return p, false, fmt.Errorf("%q is not a range of numbers: write 2..5, 2.. or ..5", text)
		}
	}
	if p.first > p.last {
		return p, false, fmt.Errorf("the range %q has no numbers: write the lower one first", text)
	}
	return p, true, nil
}

// ends returns whether a name may match, judged by the literals at both ends.
func (p pattern) ends(name string) bool {
	if len(p) == 0 {
		return name == ""
	}
	first, last := &p[0], &p[len(p)-1]
	return (first.kind != literal || strings.HasPrefix(name, first.text)) &&
		(last.kind != literal || strings.HasSuffix(name, last.text))
}

// match reports whether a name matches. It keeps the set of places in the name up to which the parts so far can match,
// so it takes time in proportion to the length of both.
func (p pattern) match(name string, now, next []bool) bool {
	if !p.ends(name) {
		return false
	}
	n := len(name)
	now, next = now[:n+1], next[:n+1]
	clear(now)
	now[0] = true
	for i := range p {
		clear(next)
		p[i].step(name, now, next)
		now, next = next, now
	}
	return now[n]
}

// step finds the places up to which a part matches, from those in now.
func (p *part) step(name string, now, next []bool) {
	n := len(name)
	switch p.kind {
	case literal:
		for i := 0; i+len(p.text) <= n; i++ {
			next[i+len(p.text)] = now[i] && name[i:i+len(p.text)] == p.text
		}
	case anyText, anyPart:
		open := false
		for i := 0; i <= n; i++ {
			open = open || now[i]
			next[i] = open
			if p.kind == anyPart && i < n && name[i] == '.' {
				open = false
			}
		}
	case anyRune:
		for i, r := range name {
			if now[i] && r != '.' {
				next[i+len(string(r))] = true
			}
		}
	case number: // all of the digits there are
		for i := 0; i < n; i++ {
			if !now[i] || i > 0 && isDigit(name[i-1]) {
				continue
			}
			end := i
			for end < n && isDigit(name[end]) {
				end++
			}
			if x, err := strconv.ParseUint(name[i:end], 10, 64); err == nil && x >= p.first && x <= p.last {
				next[end] = true
			}
		}
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
