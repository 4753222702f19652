// This file owns the command line: groups of options, their registration and their parsing.

package cmdline

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/buildinfo"
	"github.com/ross-go/ross/internal/sys/usage"
)

// ErrHelp is returned by Options.Parse for --help: print Options.WriteHelp to standard output and exit with status 0.
var ErrHelp = errors.New("ross: --help: requested: print Options.WriteHelp")

// Options is what a program accepts on its command line: groups of options (tw_optdef in ROSS). A
// model registers its own groups with Group, and those of the engine with Config.Register.
//
// An option is written --name=value, a switch --name; names are exact. The word -- ends the options. Options are read
// from left to right, and the last one of a name wins. Any other word, an unknown name or a value that cannot be read
// is an error.
type Options struct {
	program  string
	model    []*Group
	kernel   []*Group
	last     []*Group
	byName   map[string]*option
	lookup   func(name string) flag.Value // nil result: no such option
	checks   []func(args []string) error
	rest     []string
	onMain   []func(*slog.Logger)
	keeps    bool      // KeepModelNames was called
	printers []*option // options of every program that print something instead of a run
	err      error     // the first mistake of a registration: Parse returns it
}

// Group is a set of options that --help prints together under a heading (TWOPT_GROUP in ROSS).
//
// Each of its methods registers an option that writes to *p. The value of *p at registration is the
// default that --help shows. The option's name is given without dashes. A line break in help begins
// a remark on a separate line. A name that is taken or cannot be typed is an error, which
// Options.Parse returns.
type Group struct {
	name    string
	options []*option
	owner   *Options
}

type option struct {
	flag.Value
	name     string
	label    string // what --help writes after the "="; "" for a switch
	help     string
	standard string // the default as --help shows it, with the parentheses
	group    string
	choices  []string // values, if they are few
	written  bool     // it names a file that is written
	hidden   bool     // not in --help; any other option may take its name
	yields   bool     // any other option may take its name
	varies   bool     // it may differ from that of a checkpoint
}

// NewOptions returns the options of a program, at first only --help and --version. The program's name appears in
// --help and in front of error messages.
func NewOptions(program string) *Options {
	o := &Options{program: program, byName: map[string]*option{}}
	o.lookup = func(name string) flag.Value {
		if opt, ok := o.byName[name]; ok {
			return opt.Value
		}
		return nil
	}
	help := &option{name: "help", help: "show this message", group: "every program"}
	asked := func(string) (bool, error) { return false, ErrHelp }
	help.Value = boolValue{optionValue[bool]{new(bool), asked, strconv.FormatBool}}
	o.byName[help.name] = help
	o.Printer("version", "", "show the versions of program, library and Go", func(w io.Writer, _ string) error {
		_, err := io.WriteString(w, buildinfo.Text(program))
		return err
	})
	return o
}

// Group adds a group of the model's options (tw_opt_add in ROSS). They are printed before the engine's, in the order
// in which they were added. There may be any number of groups.
func (o *Options) Group(name string) *Group {
	return o.newGroup(&o.model, name)
}

func (o *Options) newGroup(in *[]*Group, name string) *Group {
	g := &Group{name: name, owner: o}
	*in = append(*in, g)
	return g
}

func (o *Options) fail(format string, args ...any) {
	if o.err == nil {
		o.err = usage.Errorf(format, args...)
	}
}

// Float64 registers an option for a real number, including inf and nan (TWOPT_DOUBLE in ROSS).
// --help shows its default with two decimals, or as many as it has.
func (g *Group) Float64(p *float64, name, help string) {
	Add(g, p, name, "dbl", help, ParseFloat, formatFloat)
}

// Uint64 registers an option for a whole number from 0 to 2^64-1 (TWOPT_ULONGLONG in ROSS).
func (g *Group) Uint64(p *uint64, name, help string) {
	Add(g, p, name, "n", help, ParseUint64, formatUnsigned[uint64])
}

// Uint registers an option for a whole number of at least 0 (TWOPT_UINT in ROSS).
func (g *Group) Uint(p *uint, name, help string) {
	Add(g, p, name, "n", help, parseUint, formatUnsigned[uint])
}

// Count registers an option for a whole number of at least 0.
func (g *Group) Count(p *int, name, help string) {
	Add(g, p, name, "n", help, ParseCount, strconv.Itoa)
}

// Int registers an option for a whole number.
func (g *Group) Int(p *int, name, help string) {
	Add(g, p, name, "n", help, ParseInt, strconv.Itoa)
}

// Bytes registers an option for a size in bytes: digits, and a letter K, M, G or T for powers of 1024 (64M = 64 MiB).
func (g *Group) Bytes(p *uint64, name, help string) {
	Add(g, p, name, "size", help, ParseBytes, FormatBytes)
}

// String registers an option for text of any length (TWOPT_CHAR in ROSS). "--name=" gives it the empty text.
func (g *Group) String(p *string, name, help string) {
	Add(g, p, name, "str", help, parseString, formatString)
}

// File registers an option for the name of a file that the program will write; "" means none. Parse returns an
// error if no file of that name can be made or replaced, so that it is known before anything has run.
func (g *Group) File(p *string, name, help string) {
	Add(g, p, name, "file", help, parseString, formatString)
	if opt := g.owner.byName[name]; opt != nil {
		opt.written = true
	}
}

// Bool registers a switch (TWOPT_FLAG in ROSS): --name turns it on, --name=0 off.
func (g *Group) Bool(p *bool, name, help string) {
	Add(g, p, name, "", help, parseBool, strconv.FormatBool)
}

// MayVary declares that the named options of the group do not change what is simulated: names of
// files, sizes of pools, what is printed. A run may then start from a checkpoint that was stored
// with other values of these options. Names are given as in the registration.
//
// The options nlp and lps, which set the number of LPs (Config.RegisterLPs), may always differ,
// because the number of LPs on all PEs is compared.
func (g *Group) MayVary(names ...string) {
	for _, name := range names {
		at := slices.IndexFunc(g.options, func(o *option) bool { return o.name == name })
		if at < 0 {
			g.owner.fail("option --%s: declared to vary in %q, but not registered there; register it first", name, g.name)
			continue
		}
		g.options[at].varies = true
	}
}

// Choices declares the values that a registered option may have, which shells offer.
func (g *Group) Choices(name string, values ...string) {
	at := slices.IndexFunc(g.options, func(o *option) bool { return o.name == name })
	if at < 0 {
		g.owner.fail("option --%s: has choices in %q, but is not registered there; register it first", name, g.name)
		return
	}
	g.options[at].choices = values
}

// Add registers an option with its own functions to read and to write a value. label is what --help
// writes after the "=".
func Add[T any](g *Group, p *T, name, label, help string, parse func(string) (T, error), format func(T) string) {
	if p == nil {
		g.owner.fail("option --%s: registered in %q with a nil pointer; give the variable that it sets", name, g.name)
		return
	}
	v := optionValue[T]{p, parse, format}
	opt := &option{Value: v, name: name, label: label, help: help}
	switch x := any(*p).(type) {
	case bool:
		opt.Value = boolValue{any(v).(optionValue[bool])}
		opt.standard = fmt.Sprintf(" (default %s)", map[bool]string{false: "off", true: "on"}[x])
	case float64:
		opt.standard = fmt.Sprintf(" (default %s)", hundredths(x))
	case string:
		if x != "" {
			opt.standard = fmt.Sprintf(" (default %s)", v)
		}
	default:
		if v.String() != "" {
			opt.standard = fmt.Sprintf(" (default %s)", v)
		}
	}
	g.add(opt)
}

func (g *Group) add(opt *option) {
	o := g.owner
	if opt.name == "" || strings.HasPrefix(opt.name, "-") || strings.ContainsAny(opt.name, "=#") ||
		Quote(opt.name) != opt.name {
		o.fail("option --%s: registered in %q: cannot be typed; give a name without =, # and spaces", opt.name, g.name)
		return
	}
	other, taken := o.byName[opt.name]
	switch {
	case taken && (opt.hidden || o.keeps && slices.Contains(o.kernel, g)):
		return
	case taken && !other.hidden && !other.yields:
		o.fail("option --%s: registered in %q, but already in %q; rename one of them", opt.name, g.name, other.group)
		return
	}
	opt.group = g.name
	o.printers = slices.DeleteFunc(o.printers, func(p *option) bool { return p == other })
	o.byName[opt.name] = opt
	g.options = append(g.options, opt)
}

// Parse reads the words of a command line, without the program's name, into the registered
// variables (tw_opt_parse in ROSS). It returns the words after "--". If Config.Register was called,
// Parse sets Config.Args, and then checks the configuration with Config.Validate.
//
// The error is ErrHelp for --help, -help and -h, otherwise ErrUsage, with one line of text that names the word
// and the remedy. The variables of the words before it are then already set: do not run with them.
func (o *Options) Parse(args []string) (rest []string, err error) {
	if o.err != nil {
		return nil, o.err
	}
	words := args
	o.rest = nil
	if i := slices.Index(args, "--"); i >= 0 {
		words, o.rest = args[:i], slices.Clone(args[i+1:])
	}
	for _, word := range words {
		if err := o.apply(word); err != nil {
			return nil, err
		}
	}
	for _, check := range o.checks {
		if err := check(args); err != nil {
			return nil, err
		}
	}
	if err := o.checkFiles(); err != nil {
		return nil, err
	}
	return o.rest, nil
}

// checkFiles returns an error about the first file that is to be written and cannot be.
func (o *Options) checkFiles() error {
	for _, groups := range [...][]*Group{o.model, o.kernel, o.last} {
		for _, g := range groups {
			for _, opt := range g.options {
				path := opt.String()
				if !opt.written || path == "" {
					continue
				}
				if err := atomicfile.Check(path); err != nil {
					return &usage.Error{Text: fmt.Sprintf("option --%s=%s: %v: %s", opt.name, Quote(path), reason(err),
						atomicfile.Remedy(err, "name a file in a folder that exists")), Cause: err}
				}
			}
		}
	}
	return nil
}

// Rest returns the words after "--" of the last Parse or Main.
func (o *Options) Rest() []string { return o.rest }

// apply reads one word, of the command line or of an arguments file.
func (o *Options) apply(word string) error {
	if word == "-h" || word == "-help" { // as other programs have it
		return ErrHelp
	}
	body, dashes := strings.CutPrefix(word, "--")
	if !dashes {
		return usage.Errorf("word %s: not an option; write options as --name=value, and words for the model after --",
			Quote(word))
	}
	name, text, given := strings.Cut(body, "=")
	v := o.lookup(name)
	if v == nil {
		return usage.Errorf("option %s: unknown; %ssee --help", Quote(word), o.suggestion(name))
	}
	if !given {
		if !isBool(v) {
			return usage.Errorf("option --%s: no value; write --%s=value", name, name)
		}
		text = "true"
	}
	err := v.Set(text)
	if err == nil || errors.Is(err, ErrHelp) || isRequest(err) || errors.Is(err, ErrUsage) {
		return err
	}
	return usage.Errorf("option %s: %v", Quote(word), err)
}

// Main handles the command line for a program's main function. If ok is true, continue. If it is
// false, exit with code: 0 after --help, which was printed to stdout; 2 after an error, which was
// printed to stderr on one line that begins with the program's name; 1 if stdout cannot be written.
//
// Warnings of the engine also go to stderr, unless Config.Log was set before.
func (o *Options) Main(args []string, stdout, stderr io.Writer) (code int, ok bool) {
	for _, f := range o.onMain {
		f(Warnings(o.program, stderr))
	}
	_, err := o.Parse(args)
	var asked *request
	switch {
	case err == nil:
		return 0, true
	case errors.As(err, &asked):
		return o.answer(asked, stdout, stderr), false
	case !errors.Is(err, ErrHelp):
		if err = ranks.AgreeOnUsage(err, 2); !ranks.ShouldPrint(err) {
			ranks.YieldToReporter(err)
			return 2, false
		}
		fmt.Fprintf(stderr, "%s: %s\n", o.program, strings.TrimPrefix(err.Error(), "ross: "))
		return 2, false
	case !ranks.First():
		return 0, false
	}
	if err := o.WriteHelp(stdout); err != nil {
		fmt.Fprintf(stderr, "%s: --help: %v\n", o.program, err)
		return 1, false
	}
	return 0, false
}
