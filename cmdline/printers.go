// This file owns options that print something instead of a run, such as --version.

package cmdline

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ross-go/ross/internal/ranks"
)

// Printer registers an option of every program: Main calls print with its value, and the program ends. label
// is what --help writes after the "=", "" for an option without a value. Any other option may take its name.
func (o *Options) Printer(name, label, help string, print func(w io.Writer, value string) error) {
	if _, taken := o.byName[name]; taken {
		return
	}
	opt := &option{name: name, label: label, help: help, group: "every program", yields: true}
	asked := func(value string) error {
		return &request{"--" + name, func(w io.Writer) error { return print(w, value) }}
	}
	if label == "" {
		opt.Value = boolValue{optionValue[bool]{new(bool), func(string) (bool, error) { return false, asked("") }, func(bool) string { return "" }}}
	} else {
		opt.Value = Action(asked)
	}
	o.byName[name] = opt
	o.printers = append(o.printers, opt)
}

// request is the error of Parse for an option of Printer.
type request struct {
	option string
	print  func(w io.Writer) error
}

func (r *request) Error() string { return "ross: " + r.option + ": requested: Options.Main prints it" }

func isRequest(err error) bool {
	var r *request
	return errors.As(err, &r)
}

// answer prints what was asked for, on the first rank, and returns the exit status: 2 for a value that is of no use.
func (o *Options) answer(r *request, stdout, stderr io.Writer) int {
	if !ranks.First() {
		return 0
	}
	err := r.print(stdout)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrUsage):
		fmt.Fprintf(stderr, "%s: %s\n", o.program, strings.TrimPrefix(err.Error(), "ross: "))
		return 2
	}
	fmt.Fprintf(stderr, "%s: %s: %v\n", o.program, r.option, err)
	return 1
}
