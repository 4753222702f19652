// This file owns the subcommand: its options, the runs that it makes, and what it says.

package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
)

const about = `Checks a result that was recorded: a run with --record, or a study with --journal. A RECORD is the
folder of the run (with its run.json), or the journal.

First the seal: each member of run.json, each file of the folder, and each line of the journal
must be as it was written. Then the program runs again, in other ways than the recorded one:
sequentially, optimistically on 2 PEs and on 2 ranks, and with each event undone and handled again
(--synch=6). All of them must give the recorded digests, statistics and tables. If one does not,
further runs find what differs first: LP, virtual time and field. Runs are made in a temporary
folder.

Of a study, replications that are chosen at random run again: 5, or as many as --sample says. Their
results must be equal in each bit.

Verify runs the program that the record names, if it is there and has the recorded hash: do that
only with programs that you would run yourself.

Exit status: 0 equal, 1 different, 2 it cannot be checked.`

// options are the command line.
type options struct {
	program, folder, exec string
	with                  []string
	otherVersion          bool
	sealOnly, json        bool
	sample                string
	seed                  uint64
	seeded                bool
}

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NoFlags("verify", "RECORD", "check a recorded run, or a study, by running it again", about)
	o := &options{}
	f.StringVar(&o.program, "program", "", "`FILE` of the program, if it is not where it ran")
	f.BoolVar(&o.otherVersion, "other-version", false,
		"the program may be another version, or that of another processor")
	f.StringVar(&o.exec, "exec", "", "`WORDS` that start the program, such as qemu-aarch64")
	f.StringVar(&o.folder, "folder", "", "`FOLDER` in which the names of input files begin")
	f.StringArrayVar(&o.with, "with", nil,
		"run again with these `OPTIONS` alone, such as '--synch=3 --pes=4'; may be repeated")
	f.BoolVar(&o.sealOnly, "seal", false, "check only the seal, and run nothing")
	f.StringVar(&o.sample, "sample", "5", "`NUMBER` of replications of a study that run again, or all")
	f.Uint64Var(&o.seed, "seed", 0, "`NUMBER` that chooses these replications; without it another one each time")
	f.BoolVar(&o.json, "json", false, "print what was found as JSON")
	return f.Command(func(names []string, stdout, _ io.Writer) error {
		if len(names) != 1 {
			return cli.Usagef("%d records: name one, the folder of a run or the journal of a study",
				len(names))
		}
		o.seeded = f.Changed("seed")
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		v, err := o.verify(ctx, names[0])
		if err != nil {
			return cli.Trouble(err)
		}
		if err := v.print(stdout, o.json); err != nil {
			return cli.Trouble(err)
		}
		if v.Status != equal {
			return cli.ErrBad
		}
		return nil
	})
}

// What a check comes to.
const (
	equal     = "equal"
	different = "different"
)

// verdict is what a check has found.
type verdict struct {
	Status   string   `json:"status"`
	Record   string   `json:"record"`
	Altered  []string `json:"altered,omitempty"` // what is not as it was written
	Sealed   string   `json:"sealed,omitempty"`  // what the seal covers
	Program  string   `json:"program,omitempty"`
	Versions bool     `json:"other_version,omitempty"`
	Sample   *sample  `json:"sample,omitempty"`
	Runs     []result `json:"runs,omitempty"`
	Compared []string `json:"compared,omitempty"`
	Not      []string `json:"not_compared,omitempty"`
	Cause    *found   `json:"cause,omitempty"`

	is, was string // of the two programs, see player
}

// result is what one of the new runs has come to.
type result struct {
	With      string       `json:"with"`
	Status    string       `json:"status"` // equal, different, or not possible
	Why       string       `json:"why,omitempty"`
	Different []difference `json:"different,omitempty"`
}

const impossible = "not possible"

// verify checks a record.
func (o *options) verify(ctx context.Context, name string) (*verdict, error) {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && !strings.HasSuffix(name, "run.json") {
		return o.verifyStudy(ctx, name)
	}
	r, err := openRun(name)
	if err != nil {
		return nil, err
	}
	v := &verdict{Status: equal, Record: r.dir, Altered: r.changed}
	if len(r.changed) > 0 {
		v.Status = different
		return v, nil
	}
	v.Sealed = fmt.Sprintf("%d members of run.json, files: %d", len(r.info.Seal.Members), len(r.info.Record.Files))
	if o.sealOnly {
		return v, nil
	}
	if err := r.playable(); err != nil {
		return nil, err
	}
	p, err := findProgram(o, &r.origin.Build, r.dir, r.origin.Folder, ".")
	if err != nil {
		return nil, err
	}
	folder, err := folderOf(&r.origin, o.folder)
	if err == nil {
		err = checkInputs(&r.origin, folder)
	}
	if err != nil {
		return nil, err
	}
	v.Program, v.Versions, v.is, v.was = p.program, !p.same, p.is, p.was
	s, err := newStage(p, &r.origin, folder)
	if err != nil {
		return nil, err
	}
	defer s.remove()
	v.Not = r.notCompared()
	return v, o.playAll(ctx, v, s, r)
}

// playAll makes the new runs, and looks for the cause of the first difference.
func (o *options) playAll(ctx context.Context, v *verdict, s *stage, r *recorded) error {
	ways := waysOf(r.info, o.exec != "")
	if len(o.with) > 0 {
		ways = nil
		for _, words := range o.with {
			ways = append(ways, way{strings.Fields(words), true})
		}
	}
	done := false
	for _, w := range ways {
		one := result{With: w.String(), Status: equal}
		p, err := s.play(ctx, r, w)
		if err != nil {
			return err
		}
		switch {
		case p.status == 2:
			one.Status, one.Why = impossible, p.failure()
		case p.status != 0:
			one.Status, one.Why = different, "it fails: "+p.failure()
		case p.info.LPs != r.info.LPs:
			one.Status, one.Why = impossible, fmt.Sprintf("the model has %d LPs then, instead of %d",
				p.info.LPs, r.info.LPs)
		default:
			var compared []string
			if one.Different, compared = r.compare(p, w, s.player.same); len(one.Different) > 0 {
				one.Status = different
			}
			for _, what := range compared {
				if !slices.Contains(v.Compared, what) {
					v.Compared = append(v.Compared, what)
				}
			}
		}
		if one.Status == impossible && w.must {
			return fmt.Errorf("ross: verify --with=%q: %s: give other options", w.String(), one.Why)
		}
		v.Runs, done = append(v.Runs, one), done || one.Status != impossible
		if one.Status == different {
			v.Status = different
			v.Cause, err = s.locate(ctx, r, w, p)
			return err
		}
	}
	if !done {
		return fmt.Errorf("ross: record %s: no new run was possible: %s: give options for one: "+
			"--with='--synch=3 --pes=4'", r.dir,
			v.Runs[0].Why)
	}
	return nil
}

// print prints the verdict.
func (v *verdict) print(w io.Writer, asJSON bool) error {
	out, err := cli.Create("", w)
	if err != nil {
		return err
	}
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		err = e.Encode(v)
	} else {
		v.text(out)
	}
	if err != nil {
		return err
	}
	return out.Close()
}

func (v *verdict) text(w io.Writer) {
	line := func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
	for _, what := range v.Altered {
		line("altered: %s", what)
	}
	if len(v.Altered) > 0 {
		line("%s: different: it is not as it was written", v.Record)
		return
	}
	line("sealed: %s", v.Sealed)
	if v.Versions {
		line("between versions: %s%s is not the recorded program%s", v.Program, v.is, v.was)
	}
	if v.Sample != nil {
		line("sample: %s", v.Sample)
	}
	for _, one := range v.Runs {
		switch {
		case one.Why != "":
			line("%s: %s: %s", one.Status, one.With, one.Why)
		default:
			line("%s: %s", one.Status, one.With)
		}
		for _, d := range one.Different {
			line("  %s", d)
		}
	}
	if len(v.Compared) > 0 {
		line("compared: %s", strings.Join(v.Compared, ", "))
	}
	for _, what := range v.Not {
		line("not compared: %s", what)
	}
	if c := v.Cause; c != nil {
		line("cause: %s", c.Note)
		if c.First != nil {
			line("differs first: %s\n  A: %s: %s\n  B: %s: %s", c.First, c.Between[0], c.First.A,
				c.Between[1], c.First.B)
		}
		if c.Check != "" {
			line("check of rollback: %s", c.Check)
		}
	}
	line("%s: %s", v.Record, v.Status)
}
