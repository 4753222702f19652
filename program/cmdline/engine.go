// This file owns what an engine registers in addition to the options of models, what it reads of all options, ErrUsage,
// which every error about a setting wraps, and the handler of warnings for programs.

package cmdline

import (
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/ross-go/ross/internal/sys/usage"
)

// EngineGroup adds a group of the engine's options, which --help prints after the model's.
func (o *Options) EngineGroup(name string) *Group {
	return o.newGroup(&o.kernel, name)
}

// LastGroup adds a group of options that --help prints after the engine's, in the order of the
// calls. It is for options of code that only observes a run: the ranks of a run may differ in them.
func (o *Options) LastGroup(name string) *Group {
	return o.newGroup(&o.last, name)
}

// Var registers an option with a value of the caller's, as flag.FlagSet.Var does. If the value has
// a method IsBoolFlag that returns true, --name alone sets it to "true". label is what --help
// writes after the "=", "" for nothing; the default that it shows is the result of String at this
// call, if it is not empty.
func (g *Group) Var(v flag.Value, name, label, help string) {
	if v == nil {
		g.owner.fail("option --%s: registered in %q with a nil value; give the value that it sets", name, g.name)
		return
	}
	standard := ""
	if v.String() != "" {
		standard = fmt.Sprintf(" (default %s)", v)
	}
	g.add(&option{Value: v, name: name, label: label, help: help, standard: standard})
}

// OnMain registers f, which Main calls before it parses anything, with a logger that writes
// warnings to Main's stderr, each on a line that begins with the program's name.
func (o *Options) OnMain(f func(*slog.Logger)) { o.onMain = append(o.onMain, f) }

// AfterParse registers f, which Parse calls when all words have been read. args is the command line
// with the program's name; Parse returns the error.
func (o *Options) AfterParse(f func(args []string) error) {
	o.checks = append(o.checks, func(args []string) error { return f(slices.Concat([]string{o.program}, args)) })
}

// Idle registers an option that changes nothing, or only a line of the report. An empty value,
// which ROSS's own tests give to --clock-rate, is accepted and changes nothing.
func Idle[T uint | uint64](g *Group, p *T, name, help string) {
	Add(g, p, name, "n", help, func(text string) (T, error) {
		if text == "" {
			return *p, nil
		}
		x, err := parseUnsigned(text, uint64(^T(0)), wholeNumber)
		return T(x), err
	}, formatUnsigned[T])
}

// ArgsFile registers --args-file. The words in the file are read as if they stood in its place.
// text receives what the report prints about the files.
func (g *Group) ArgsFile(text *string, help string) {
	g.add(&option{Value: argsFile{g.owner.apply, text}, name: "args-file", help: help})
}

// KeepModelNames leaves out options of engine groups whose names a group of the model has, which are an error
// otherwise. Call it before the engine's options are registered. It is for models that were written before the engine
// had such an option; the setting of the engine then keeps its default.
func (o *Options) KeepModelNames() { o.keeps = true }

// Former registers an option that --help hides, and that yields its name to any other.
func (g *Group) Former(v flag.Value, name, help string) {
	g.add(&option{Value: v, name: name, help: help, hidden: true})
}

// Action is the value of an option that does something with its text.
type Action func(text string) error

// Set implements flag.Value.
func (s Action) Set(text string) error { return s(text) }

// String implements flag.Value: an action has no text form.
func (Action) String() string { return "" }

// Setting is an option with its current value, as Options.Model and Options.Engine return it.
type Setting struct {
	Name   string // with its dashes
	Value  string
	Group  string
	Help   string
	Hidden bool // --help hides it
	Varies bool // see Group.MayVary
}

// Model returns the options of the model, in the order of their registration.
func (o *Options) Model() iter.Seq[Setting] { return settingsOf(o.model) }

// Engine returns the options of the engine.
func (o *Options) Engine() iter.Seq[Setting] { return settingsOf(o.kernel) }

// Written returns the names of the options that name files which the program will write (Group.File), without dashes.
func (o *Options) Written() (names []string) {
	for _, groups := range [...][]*Group{o.model, o.kernel, o.last} {
		for _, g := range groups {
			for _, opt := range g.options {
				if opt.written {
					names = append(names, opt.name)
				}
			}
		}
	}
	return names
}

// Value returns the present value of an option of any group as text; known is false if no option has the name, which is
// given without dashes.
func (o *Options) Value(name string) (text string, known bool) {
	opt, known := o.byName[name]
	if !known {
		return "", false
	}
	return opt.String(), true
}

func settingsOf(groups []*Group) iter.Seq[Setting] {
	return func(yield func(Setting) bool) {
		for _, g := range groups {
			for _, opt := range g.options {
				if !yield(Setting{"--" + opt.name, opt.String(), g.name, opt.help, opt.hidden, opt.varies}) {
					return
				}
			}
		}
	}
}

// AddTo adds the engine's options to the flags of a program that parses its command line
// with package flag. An arguments file may set every flag of fs.
//
// It is an error (ErrUsage) if fs has a flag of one of the names; no flag has been added then.
func (o *Options) AddTo(fs *flag.FlagSet) error {
	o.lookup = func(name string) flag.Value {
		if f := fs.Lookup(name); f != nil {
			return flagOf{f.Value, fs, name}
		}
		return nil
	}
	var free []*option
	for _, g := range o.kernel {
		for _, opt := range g.options {
			switch {
			case fs.Lookup(opt.name) == nil:
				free = append(free, opt)
			case !opt.hidden:
				return usage.Errorf("flag -%s: already in the flag set; rename the program's", opt.name)
			}
		}
	}
	for _, opt := range free {
		help, remark, _ := strings.Cut(opt.help, "\n")
		if remark != "" { // package flag adds the default at the end
			help = "(" + remark + ") " + help
		}
		fs.Var(opt.Value, opt.name, help)
	}
	return nil
}

// flagOf sets a flag through its set, so that Visit also sees the flags of an arguments file.
type flagOf struct {
	flag.Value
	set  *flag.FlagSet
	name string
}

// Set implements flag.Value.
func (f flagOf) Set(text string) error { return f.set.Set(f.name, text) }

// IsBoolFlag reports to package flag whether the name alone is enough.
func (f flagOf) IsBoolFlag() bool { return isBool(f.Value) }

// ErrUsage matches every error about a setting (errors.Is): a word of the command line that cannot
// be read, a value out of range, settings that contradict each other. Programs then end with exit
// status 2, before anything has run.
var ErrUsage = usage.Err

// Warnings returns a logger that writes the engine's warnings to w. As with errors, each line
// begins with the program's name.
func Warnings(program string, w io.Writer) *slog.Logger {
	return slog.New(onStderr{program, new(sync.Mutex), w})
}

// onStderr is a handler of warnings for programs. As with errors, each line begins with the
// program's name.
type onStderr struct {
	program string
	lock    *sync.Mutex
	w       io.Writer
}

func (h onStderr) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (h onStderr) Handle(_ context.Context, r slog.Record) error {
	h.lock.Lock()
	defer h.lock.Unlock()
	_, err := fmt.Fprintf(h.w, "%s: %s\n", h.program, strings.TrimPrefix(r.Message, "ross: "))
	return err
}

// WarnsTo reports whether a logger of Warnings writes to the same file, terminal or pipe as w, so that a user
// would see there twice what both of them report.
func WarnsTo(log *slog.Logger, w io.Writer) bool {
	if log == nil {
		return false
	}
	h, ok := log.Handler().(onStderr)
	if !ok {
		return false
	}
	a, isFile := h.w.(*os.File)
	b, areFiles := w.(interface{ Stat() (os.FileInfo, error) })
	if !isFile || !areFiles {
		return false
	}
	if a == w {
		return true
	}
	x, err := a.Stat()
	if err != nil {
		return false
	}
	y, err := b.Stat()
	return err == nil && os.SameFile(x, y)
}

// WithAttrs returns the handler as it is: warnings of the engine have no attributes.
func (h onStderr) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h onStderr) WithGroup(string) slog.Handler      { return h }
