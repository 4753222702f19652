// This file owns verify: whether checkpoints are whole, and which one a restart would use.

package checkpoint

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/rio"
)

const aboutVerify = `Reads everything of each checkpoint, and prints a line for each: NAME: ok, or the first thing
wrong.

It checks the checksums of all files, the sizes, that each LP occurs once and where the index has
it, that events are with their LPs, and that times, priorities and states of random streams are
possible. Checkpoints of ROSS itself have no checksums. The .txt is not read.

With --latest it also prints which of the checkpoints PREFIX-000000, PREFIX-000001, ... a run with
--io-restart=latest would use, and why not a newer one.

Exit status: 0 all are whole, 1 some are not, or there are no checkpoints, 2 wrong usage.`

func verifyCommand() *cobra.Command {
	f := cli.NoFlags("verify", "NAME...", "read everything, and find damage", aboutVerify)
	latest := f.String("latest", "", "the newest whole checkpoint of `PREFIX`, and what is wrong with newer ones")
	return f.Command(func(names []string, stdout, _ io.Writer) error {
		if len(names) == 0 && *latest == "" {
			return cli.Usagef("no checkpoint: name at least one, or give --latest=PREFIX")
		}
		good := true
		for _, name := range names {
			name = nameOf(name)
			line := name + ": ok"
			if err := rio.Verify(name); err != nil {
				good, line = false, oneLine(err)
			}
			// Verifying takes time, so each line is printed when it is known.
			if err := printLine(stdout, line); err != nil {
				return err
			}
		}
		if *latest != "" {
			whole, err := printLatest(*latest, stdout)
			if err != nil {
				return err
			}
			good = good && whole
		}
		if !good {
			return cli.ErrBad
		}
		return nil
	})
}

// printLatest prints which checkpoint is the latest, after those that are refused. It
// reports whether there is one and none was refused.
func printLatest(prefix string, stdout io.Writer) (good bool, err error) {
	name, refused, err := rio.Newest(prefix)
	if err != nil && !errors.Is(err, rio.ErrNone) {
		return false, err
	}
	for _, why := range refused {
		if err := printLine(stdout, "refused: "+oneLine(why)); err != nil {
			return false, err
		}
	}
	if err != nil {
		none := "a run would start from the beginning"
		if errors.Is(err, rio.ErrDamaged) || errors.Is(err, rio.ErrForeign) || errors.Is(err, rio.ErrVersion) {
			none = "a run would refuse to start"
		}
		return false, printLine(stdout, prefix+"-*: latest: none, "+none)
	}
	return len(refused) == 0, printLine(stdout, name+": latest")
}

func printLine(stdout io.Writer, line string) error {
	out, err := cli.Create("", stdout)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, line)
	return out.Close()
}
