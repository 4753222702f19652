// This file owns View, which shows a run from its start to its end.

package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/ross-go/ross"
)

// View is what shows a run: a bar, a server, both or neither.
type View struct {
	bar    *bar
	server *server
	once   sync.Once
	err    error
}

// Start begins to show sim. Call it after Define and before Run, and Stop after Run. The
// bar, and lines about the server, go to stderr.
//
// On an error nothing is shown, and the View is nil. The error says what to do: the
// address is not available, or, with ross.ErrUsage, the options are invalid.
func Start(sim *ross.Simulation, o Options, stderr io.Writer) (*View, error) {
	progress, err := parseProgress(cmp.Or(o.Progress, auto))
	if err != nil {
		return nil, fmt.Errorf("ross: option --progress=%s: %w: %w", o.Progress, err, ross.ErrUsage)
	}
	v := &View{}
	if o.HTTP != "" {
		if v.server, err = serve(sim, o.HTTP, stderr); err != nil {
			return nil, err
		}
	}
	if sim.Rank() == 0 && (progress == on || progress == auto && isTerminal(stderr)) {
		v.bar = newBar(sim, stderr)
		v.bar.start()
	}
	return v, nil
}

// Stop ends what Start began, and returns when all of it has ended. The error is that of a
// server that failed before. Stop may be called again, also by other goroutines.
func (v *View) Stop() error {
	v.once.Do(func() {
		if v.bar != nil {
			v.bar.stop()
		}
		if v.server != nil {
			v.err = v.server.stop()
		}
	})
	return v.err
}

// URL returns the server's URL, "" if there is no server.
func (v *View) URL() string {
	if v.server == nil {
		return ""
	}
	return v.server.url
}

// Run runs sim, as its Run does, and shows it meanwhile.
func (o Options) Run(ctx context.Context, sim *ross.Simulation, stderr io.Writer) error {
	v, err := Start(sim, o, stderr)
	if err != nil {
		return err
	}
	defer v.Stop() // even if the model ends the goroutine
	err = sim.Run(ctx)
	return errors.Join(err, v.Stop())
}
