// This file owns the command line of `rossreader report`, and what the rules of findings get to know of a run.

package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/cmd/rossreader/internal/studies"
	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/output/findings"
)

const helpText = `Makes a page of the files of one run (the folder of --stats-path, or some of its files): what ran,
charts of event rate, efficiency, GVT, KPs, rollbacks, time and traffic, and findings: what slows
the run down, and the option to change. Of a study it makes the page of its results: from its
journal, from the journals of its tasks or their folder, or from its table (CSV or Parquet). The
page is one file that needs no network.`

// Command returns the subcommand.
func Command() *cobra.Command {
	f := cli.NewFlags("report", "FOLDER|FILE... -o OUT.html", "make an HTML page with the charts of a run, or of a study", helpText)
	out := f.StringP("output", "o", "", "`FILE` to write; - for standard output, the findings then go to standard error")
	against := f.String("base", "", "`FOLDER|FILE` of another run: the page compares the run with it")
	from := f.Float64("flow-from", 0,
		"virtual `TIME` from which the flow of events is drawn; default: the middle of the run")
	to := f.Float64("flow-to", 0, "virtual `TIME` up to which it is drawn")
	confidence := f.Float64("confidence", 0.95, "confidence of the intervals of a study, between 0 and 1")
	f.AllowPartial()
	return f.Command(func(names []string, stdout, stderr io.Writer) error {
		study, inputs, err := studies.Open(names, *confidence)
		if study != nil || err != nil {
			return ofStudy(f, study, inputs, err, *out, stdout, stderr)
		}
		run, inputs, err := open(f, names)
		if err != nil {
			return err
		}
		if *out == "" {
			return errNoOutput
		}
		if run.Stretch = [2]float64{*from, *to}; *from > *to {
			return cli.Usagef("--flow-from=%g: later than --flow-to=%g", *from, *to)
		}
		var base *survey.Run
		if *against != "" {
			var more []cli.Input
			if base, more, err = open(f, []string{*against}); err != nil {
				return fmt.Errorf("--base: %w", err)
			}
			inputs = append(inputs, more...)
		}
		return report(run, base, inputs, *out, stdout, stderr)
	})
}

// open surveys the run in files, or in a folder.
func open(f *cli.Flags, names []string) (*survey.Run, []cli.Input, error) {
	inputs, err := f.Inputs(names)
	if errors.Is(err, cli.ErrNoFiles) && len(names) == 1 {
		if info, statErr := os.Stat(names[0]); statErr == nil && info.IsDir() {
			run, err := survey.Folder(f, names[0])
			return run, nil, err
		}
	}
	if err != nil {
		return nil, nil, err
	}
	run, err := survey.New(inputs)
	return run, inputs, err
}

func report(run, base *survey.Run, inputs []cli.Input, out string, stdout, stderr io.Writer) error {
	f, err := gather(run)
	if err != nil {
		return err
	}
	var b *figures
	if base != nil {
		if b, err = gather(base); err != nil {
			return err
		}
	}
	var p *page
	write := func(w io.Writer) (err error) {
		if p, err = f.assemble(b); err != nil {
			return err
		}
		return pageTemplate.Execute(w, p)
	}
	if err := cli.Write(out, stdout, inputs, write); err != nil {
		return err
	}
	summary := cli.Summary(out, stdout, stderr)
	f.print(out, summary)
	if p.Comparison != nil {
		p.Comparison.print(out, summary)
	}
	return nil
}

// read reads the run in a folder. With partial it uses what is whole of files that end inside a record.
func read(dir string, partial bool) (*figures, error) {
	f := cli.NewFlags("report", "", "", "")
	f.AllowPartial()
	if err := f.Set("partial", strconv.FormatBool(partial)); err != nil {
		return nil, err
	}
	run, err := survey.Folder(f, dir)
	if err != nil {
		return nil, err
	}
	return gather(run)
}

// Page writes the report of the run in a folder, compared with that in another folder unless base
// is "". With partial it uses what is whole of files that end inside a record.
func Page(w io.Writer, dir, base string, partial bool) error {
	own, err := read(dir, partial)
	if err != nil {
		return err
	}
	var against *figures
	if base != "" {
		if against, err = read(base, partial); err != nil {
			return err
		}
	}
	return own.writeBeside(against, w)
}

// Findings returns what the report of the run in a folder finds, what may save most first. It reads the files.
func Findings(dir string) (all []string, err error) {
	own, err := read(dir, true)
	if err != nil {
		return nil, err
	}
	for _, one := range own.findings() {
		all = append(all, one.What)
	}
	return all, nil
}

// print prints the findings.
func (f *figures) print(out string, w io.Writer) {
	found := f.findings()
	if info := f.run.Info; info != nil && (info.State == instr.RunFailed || info.State == instr.RunStopped) {
		fmt.Fprintf(w, "%s: the run %s: %s\n", out, stateText(info), cmp.Or(info.Reason, "the reason is not known"))
	}
	fmt.Fprintf(w, "%s: findings: %d\n", out, len(found))
	for _, finding := range found {
		fmt.Fprintf(w, "  %s: %s\n", finding.What, finding.Figure)
	}
	for _, lack := range f.lacks() {
		fmt.Fprintf(w, "  %s\n", lack)
	}
}

// print prints how the run compares with the base: which of the two was faster and why, whether both committed the same
// events, and how many statistics of the model differ.
func (c *comparison) print(out string, w io.Writer) {
	sentences := slices.Concat(c.Warnings, []string{c.Sentence, c.Digest}, c.Hints)
	if len(c.Results) > 0 {
		differ := 0
		for i := range c.Results {
			if c.Results[i].Difference != "none" {
				differ++
			}
		}
		sentences = append(sentences, fmt.Sprintf("Statistics of the model: %d, and %d of them differ.", len(c.Results),
			differ))
	}
	fmt.Fprintf(w, "%s: compared with %s:\n", out, c.Base)
	for _, sentence := range sentences {
		if sentence != "" {
			fmt.Fprintf(w, "  %s\n", sentence)
		}
	}
}

// judged returns what the rules know of the run.
func (f *figures) judged() *findings.Figures {
	all := &findings.Figures{Info: f.run.Info, Original: f.original(), PEs: f.run.PEs, Total: f.total, Span: f.span(),
		Ranks: f.ranks(), Even: f.evenInTheEnd(),
		MostHandled: f.mostHandled, MostRolledBack: func(kp findings.KP) string { return f.mostRolledBack(survey.KP(kp)) }}
	all.Remote, all.RemoteBy = f.remote()
	all.PerPE, all.PerKP = slices.Clone(f.perPE), slices.Clone(f.perKP)
	for _, kp := range f.run.KPs {
		all.KPs = append(all.KPs, findings.KP(kp))
	}
	return all
}

// original reports whether the original ROSS wrote the files.
func (f *figures) original() bool {
	return f.run.Info == nil && !f.run.FromStart && f.source.PE+f.source.KP > 0
}

// evenInTheEnd reports whether the PEs handled events alike in the last quarter of the run.
func (f *figures) evenInTheEnd() bool {
	most, all := 0.0, 0.0
	for i := range f.pes {
		own := 0.0
		for _, x := range f.pes[i].handled[3*f.lines.n/4:] {
			own += x
		}
		most, all = max(most, own), all+own
	}
	return most*float64(len(f.pes)) < findings.Hot*all
}

// lacks returns what the findings cannot judge for want of data, each with a command that collects
// it. There is nothing if all that matters to the scheduler can be judged.
func (f *figures) lacks() (missing []string) {
	if f.failed() {
		return nil
	}
	var command []string
	sequential, conservative := false, false
	pes := len(f.run.PEs)
	if info := f.run.Info; info != nil {
		command, pes = info.Command, f.numPEs()
		sequential = info.Synch == findings.SynchSequential || info.Synch > findings.SynchRealTime
		conservative = info.Synch == findings.SynchConservative
	}
	run := func(options ...string) string { return commandText(withOptions(command, options...)) }
	perPE := []string{"--engine-stats=1", "--kp-data=1", "--lp-data=1"}
	if sequential {
		perPE = []string{"--engine-stats=2", "--rt-interval=10", "--lp-data=1"}
	}
	switch {
	case f.source.PE == 0:
		return []string{"No samples of PEs show how time was spent. Run: " + run(perPE...)}
	case f.total.Net() < findings.LeastProcessed*int64(max(pes, 1)) || f.span() < findings.LeastSeconds:
		return []string{
			fmt.Sprintf("The run is too short for statements on speed: %s net events in %s. Run it longer, with a larger --end.",
				grouped(max(f.total.Net(), 0)), secondsText(f.duration()))}
	}
	if f.source.KP == 0 && pes > 1 && !conservative && !sequential {
		missing = append(missing, "No samples of KPs show which of them roll back most. Run: "+
			run("--engine-stats=1", "--kp-data=1"))
	}
	return missing
}

// option returns the value of an option of the run, "" if it is not known.
func (f *figures) option(name string) string {
	if f.run.Info == nil {
		return ""
	}
	return f.run.Info.Options[name]
}
