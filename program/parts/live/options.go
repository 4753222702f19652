// This file owns the options: their values, and how the command line sets them.

package live

import (
	"cmp"
	"errors"
	"strconv"
	"time"

	"github.com/ross-go/ross"
)

// Options select what is shown of a run. The zero value is that of a command line
// without these options: a bar if standard error is a terminal.
type Options struct {
	Progress string // "on", "off", or "auto" or "": a bar if it goes to a terminal [--progress]
	HTTP     string // address of the server: a port, :port or host:port; "" for none [--http]
	// HTTPLinger is how long the server still shows the last figures after the run; a signal ends it.
	// 0: until the pages that are open have them, at most two seconds. [--http-linger]
	HTTPLinger time.Duration
}

// Register adds the options to those of a program, which --help prints last.
func (o *Options) Register(all *ross.Options) {
	g := all.LastGroup("ROSS Live")
	g.Var(progressValue{&o.Progress}, "progress", "when",
		"progress bar on standard error, instead of lines: on, off, or auto (if it is a terminal)")
	g.Var(addressValue{&o.HTTP}, "http", "addr",
		"serve a page, figures, metrics and profiles during the run, at a port of this machine, or at host:port")
	g.Var(lingerValue{&o.HTTPLinger}, "http-linger", "time",
		"how long --http goes on after the run, such as 30s or 10m; 0: until open pages have the last figures")
}

const (
	auto = "auto"
	on   = "on"
	off  = "off"
)

// progressValue is --progress. The name alone means on.
type progressValue struct{ p *string }

// IsBoolFlag makes --progress without a value --progress=true.
func (progressValue) IsBoolFlag() bool { return true }

// Set implements flag.Value.
func (v progressValue) Set(text string) error {
	x, err := parseProgress(text)
	if err == nil {
		*v.p = x
	}
	return err
}

// String implements flag.Value. Package flag asks zero values too.
func (v progressValue) String() string {
	if v.p == nil {
		return auto
	}
	return cmp.Or(*v.p, auto)
}

func parseProgress(text string) (string, error) {
	if text == auto || text == on || text == off {
		return text, nil
	}
	switch x, err := strconv.ParseBool(text); {
	case err != nil:
		return "", errors.New("unknown value; give on, off or auto, or the name alone for on")
	case x:
		return on, nil
	}
	return off, nil
}

// addressValue is --http.
type addressValue struct{ p *string }

// Set implements flag.Value.
func (v addressValue) Set(text string) error {
	if text != "" {
		if _, err := parseAddress(text, 0); err != nil {
			return err
		}
	}
	*v.p = text
	return nil
}

// String implements flag.Value. Package flag asks zero values too.
func (v addressValue) String() string {
	if v.p == nil {
		return ""
	}
	return *v.p
}

// lingerValue is --http-linger.
type lingerValue struct{ p *time.Duration }

// Set implements flag.Value.
func (v lingerValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return errors.New("no duration; give one such as 30s, 10m or 0")
	}
	*v.p = d
	return nil
}

// String implements flag.Value. Package flag asks zero values too.
func (v lingerValue) String() string {
	if v.p == nil {
		return "0s"
	}
	return v.p.String()
}
