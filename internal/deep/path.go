// Paths: chains of steps while comparing, Go expressions when printed.
package deep

import (
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// stepKind is the kind of a step from a value to a part of it.
type stepKind uint8

const (
	stepRoot stepKind = iota
	stepField
	stepIndex
	stepKey
	stepOfKey // to the key itself: what the pointer in a key points to
	stepAssert
)

// step is the last step of a path. A nil step means no path, and so do steps after it,
// so that comparing without paths is the same code.
//
// There may be one for each node of a list: they are small.
type step struct {
	up    *step
	label string         // stepRoot, stepField; none if behind a value that is a pointer
	plan  *plan          // stepKey, stepOfKey, stepAssert
	at    unsafe.Pointer // stepKey, stepOfKey: the key
	n     uint32         // stepIndex
	kind  stepKind
	deref bool // then to what the pointer points to
}

func (s *step) field(label string) *step {
	if s == nil || label == "" {
		return s
	}
	return &step{up: s, kind: stepField, label: label}
}

func (s *step) index(i int) *step {
	if s == nil {
		return nil
	}
	return &step{up: s, kind: stepIndex, n: uint32(i)}
}

func (s *step) key(pl *plan, key unsafe.Pointer) *step {
	if s == nil {
		return nil
	}
	return &step{up: s, kind: stepKey, plan: pl, at: key}
}

func (s *step) ofKey() *step {
	if s == nil {
		return nil
	}
	return &step{up: s.up, kind: stepOfKey, plan: s.plan, at: s.at}
}

func (s *step) assert(pl *plan) *step {
	if s == nil {
		return nil
	}
	return &step{up: s, kind: stepAssert, plan: pl}
}

// behind returns the step to what the pointer in a field points to.
func (s *step) behind(label string) *step {
	if s == nil {
		return nil
	}
	return &step{up: s, kind: stepField, label: label, deref: true}
}

// pointer returns the path of the pointer that led to s.
func (s *step) pointer() *step {
	if !s.deref {
		return s
	}
	p := *s
	p.deref = false
	return &p
}

// token is a printed step, or a run of equal steps.
type token struct {
	text   string
	stars  int // number of dereferences before it
	count  int
	field  bool
	assert bool
}

const (
	shortRun  = 3  // equal steps that are written out
	endTokens = 12 // how much of both ends of a long path is kept
)

// expression prints a path.
func (d *differ) expression(s *step) string {
	var tokens []token
	cur := token{count: 1}
	for ; s != nil; s = s.up {
		if s.deref {
			cur.stars++
		}
		if s.kind == stepField && s.label == "" {
			continue
		}
		if cur.field && cur.stars > 0 {
			cur.stars-- // a pointer's fields need no star
		}
		tokens = push(tokens, cur)
		cur = token{text: d.stepText(s), count: 1, field: s.kind == stepField, assert: s.kind == stepAssert}
	}
	tokens = append(tokens, cur)
	slices.Reverse(tokens)
	if len(tokens) > 2*endTokens {
		tokens[endTokens] = token{text: "…", count: 1}
		tokens = slices.Delete(tokens, endTokens+1, len(tokens)-endTokens)
	}
	expr := ""
	for i, t := range tokens {
		expr = t.appendTo(expr, i == len(tokens)-1)
	}
	return expr
}

// push appends the next token, going up, to a path, or counts it as one more of a run.
// A type assertion joins the step it is on, so that lists of interfaces are runs too.
func push(tokens []token, t token) []token {
	if last := len(tokens) - 1; last >= 0 && tokens[last].assert && tokens[last].stars == 0 {
		t.text += tokens[last].text
		tokens = tokens[:last]
	}
	if last := len(tokens) - 1; last >= 0 && t.text != "" && t.stars == 0 {
		if prev := &tokens[last]; prev.stars == 0 && prev.text == t.text {
			prev.count++
			return tokens
		}
	}
	return append(tokens, t)
}

// appendTo applies the token to the expression before it.
func (t token) appendTo(expr string, last bool) string {
	if t.stars > 0 {
		expr = strings.Repeat("*", t.stars) + expr
		if !last {
			expr = "(" + expr + ")"
		}
	}
	if t.count > shortRun {
		return expr + "(" + t.text + "){" + strconv.Itoa(t.count) + "}"
	}
	return expr + strings.Repeat(t.text, t.count)
}

// stepText prints one step.
func (d *differ) stepText(s *step) string {
	switch s.kind {
	case stepIndex:
		return "[" + strconv.Itoa(int(s.n)) + "]"
	case stepKey:
		return "[" + clip(d.text(d.g, s.plan.typ, s.at)) + "]"
	case stepOfKey:
		return "[key " + clip(d.text(d.g, s.plan.typ, s.at)) + "]"
	case stepAssert:
		return ".(" + s.plan.typ.String() + ")"
	}
	return s.label
}
