// This file owns what makes a study one that others can check: its origin, which the journal has, and the repetition of
// single runs (--repeat), which rossreader verify asks for.

package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/output/record"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
)

// ofRepeat is the name of the option.
const ofRepeat = "repeat"

// addRepeat takes a run that is to be made again: its replication, and its point.
func (s *study) addRepeat(text string) error {
	number, point, _ := strings.Cut(text, " ")
	n, err := strconv.ParseUint(number, 10, 24)
	if err != nil {
		return errors.New("no run; give its replication and its point as the journal has it, such as \"3 " +
			"servers=2\"")
	}
	if point == "" {
		point = experiment.Point{}.String()
	}
	s.repeats = append(s.repeats, experiment.Replication{Point: point, Number: n})
	return nil
}

// repeat makes the runs of --repeat, and writes them to a journal of their own.
func (s *study) repeat(p *plan, stdout, stderr io.Writer) error {
	if s.journal == "" {
		return usage.Errorf("option --repeat=%s: its results are written to a journal alone; give "+
			"--journal=file, of a new file",
			cmdline.Quote(fmt.Sprint(s.repeats[0].Number, " ", s.repeats[0].Point)))
	}
	s.log = cmdline.Warnings(s.program, &notes{out: stderr})
	ctx, stop := s.signals(context.Background())
	defer stop()
	if err := p.experiment.Repeat(ctx, s.repeats); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%d runs are made again; %s has their results\n", len(s.repeats), s.journal)
	return err
}

// origin returns what the journal notes of the making of its runs.
func (s *study) origin(p *plan) (*experiment.Origin, error) {
	values := map[string]string{}
	for o := range s.all.Model() {
		values[strings.TrimPrefix(o.Name, "--")] = o.Value
	}
	restart, _ := s.all.Value("io-restart")
	r, err := record.Of(&record.Start{Words: slices.Concat(p.args, p.rest), Values: values, Restart: restart,
		Written: append(s.all.Written(), "table", "journal", "merge", "task", ofPage, "warm-up-table")})
	if err != nil {
		return nil, fmt.Errorf("ross: option --journal=%s: %w", cmdline.Quote(s.journal), err)
	}
	return &experiment.Origin{Command: slices.Concat([]string{os.Args[0]}, p.args, p.rest), RunRecord: *r}, nil
}
