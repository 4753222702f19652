// This file owns points, the values of the parameters of a model, and Trial: one replication at one point, as the
// model's Run sees it.

package experiment

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ross-go/ross"
)

// Param is the value of one parameter: a float64, int, string or bool.
type Param struct {
	Name  string
	Value any
}

// Point is one setting of the parameters of a model. [Grid], [List] and [LatinHypercube] make many.
type Point []Param

// String returns the names and values, such as "load=0.5 servers=2", or "(no parameters)". Texts with
// blanks or quotes are quoted. The journal names points in this way.
func (p Point) String() string {
	if len(p) == 0 {
		return "(no parameters)"
	}
	var words []string
	for _, param := range p {
		words = append(words, quote(param.Name)+"="+valueText(param.Value))
	}
	return strings.Join(words, " ")
}

// Values returns the values of a parameter that words stand for: ints, if all are, or finite numbers, if all are, and
// otherwise the words.
func Values(words []string) []any {
	all := make([]any, len(words))
	read := func(parse func(string) (any, error)) bool {
		for i, w := range words {
			v, err := parse(w)
			if err != nil {
				return false
			}
			all[i] = v
		}
		return true
	}
	ints := func(w string) (any, error) { return strconv.Atoi(w) }
	floats := func(w string) (any, error) {
		x, err := strconv.ParseFloat(w, 64)
		if err == nil && x-x != 0 {
			err = strconv.ErrRange // inf is a text
		}
		return x, err
	}
	texts := func(w string) (any, error) { return w, nil }
	_ = read(ints) || read(floats) || read(texts)
	return all
}

// valueText returns a value as text. The text of a float64 gives back the same number.
func valueText(value any) string {
	switch v := value.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return quote(v)
	}
	return fmt.Sprint(value)
}

func quote(text string) string {
	if quoted := strconv.Quote(text); text == "" || len(quoted) > len(text)+2 || strings.ContainsAny(text, " =()") {
		return quoted
	}
	return text
}

// check returns an error for values of other types and numbers that are not finite, and for names that
// are empty, are no text or occur twice.
func (p Point) check() error {
	for i, param := range p {
		switch v := param.Value.(type) {
		case int, string, bool:
		case float64:
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("parameter %q is %g: give finite numbers", param.Name, v)
			}
		default:
			return fmt.Errorf("parameter %q is of type %T: give a float64, int, string or bool", param.Name, v)
		}
		if param.Name == "" {
			return fmt.Errorf("parameter %d has no name: give it one", i)
		}
		if !utf8.ValidString(param.Name) {
			return fmt.Errorf("parameter %q: give names in UTF-8", param.Name)
		}
		for _, other := range p[:i] {
			if other.Name == param.Name {
				return fmt.Errorf("parameter %q is given twice: give each one value", param.Name)
			}
		}
	}
	return nil
}

func (p Point) names() []string {
	names := []string{}
	for _, param := range p {
		names = append(names, param.Name)
	}
	return names
}

// find returns the value of a parameter, as type T.
func find[T any](p Point, name string) (value T, err error) {
	for _, param := range p {
		if param.Name == name {
			value, ok := param.Value.(T)
			if !ok {
				return value, fmt.Errorf("parameter %q is of type %T: ask for that type", name, param.Value)
			}
			return value, nil
		}
	}
	return value, fmt.Errorf("parameter %q does not exist: the point is %s", name, p)
}

// Trial is one replication at one point.
type Trial struct {
	Point       Point
	Replication uint64 // from 0
	Seed        uint64 // of the experiment
	// SideBySide is true if other replications run at the same time, so that this one should be
	// sequential.
	SideBySide bool
	// Comm is the communicator of this rank alone in an experiment over ranks (Experiment.OverRanks), for
	// ross.Config.Comm; otherwise nil.
	Comm *int32

	alone bool // the run is one of this process alone
	lock  sync.Mutex
	err   error // the first wrong use of Float, Int, Text, Bool or Keep
	extras
}

// Configure sets the seeds, Replication and Comm in the configuration of a simulation. If other replications
// run at the same time, it also makes the simulation sequential, with all LPs on one PE.
func (t *Trial) Configure(cfg *ross.Config) {
	cfg.Seed, cfg.Replication = t.Seed, t.Replication
	cfg.Streams.Seeds, cfg.Streams.CoreSeeds = [4]uint64{}, [4]uint64{}
	if t.Comm != nil {
		cfg.Comm = t.Comm
	}
	if t.alone {
		cfg.Ranks = 1
	}
	if t.SideBySide {
		if cfg.LPs == 0 && cfg.PEs > 1 {
			cfg.NLP *= int(cfg.PEs)
		}
		cfg.Synch, cfg.PEs = ross.Sequential, 1
	}
}

// Float returns the value of a parameter that is a float64. A parameter that does not exist, or is of
// another type, is 0, and the replication then fails with an error that names it. Handlers should use
// variables that were set before the run, because Float searches the point.
func (t *Trial) Float(name string) float64 { return value[float64](t, name) }

// Int returns the value of a parameter that is an int, with the same rules as Float.
func (t *Trial) Int(name string) int { return value[int](t, name) }

// Text returns the value of a parameter that is a string, with the same rules as Float.
func (t *Trial) Text(name string) string { return value[string](t, name) }

// Bool returns the value of a parameter that is a bool, with the same rules as Float.
func (t *Trial) Bool(name string) bool { return value[bool](t, name) }

func value[T any](t *Trial, name string) T {
	v, err := find[T](t.Point, name)
	if err != nil {
		t.lock.Lock() // handlers on several PEs may call it
		defer t.lock.Unlock()
		if t.err == nil {
			t.err = err
		}
	}
	return v
}

// failure returns the error of a replication whose Run returned err.
func (t *Trial) failure(err error) error {
	t.lock.Lock()
	defer t.lock.Unlock()
	return errors.Join(t.err, err)
}
