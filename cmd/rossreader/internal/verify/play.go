// This file owns a run of the program: its temporary folder, with the input files at their places, and what came of it.

package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ross-go/ross/instr"
)

// stage is where runs are made: a temporary folder, so that they overwrite nothing.
type stage struct {
	top    string // is removed
	work   string // in which programs are started
	player *player
	env    []string
	n      int // runs so far
}

// newStage makes the folder, and puts links to input files where the command line looks for them.
func newStage(p *player, origin *instr.RunRecord, folder string) (*stage, error) {
	top, err := os.MkdirTemp("", "ross-verify-")
	if err != nil {
		return nil, fmt.Errorf("ross: temporary folder: %w: make room, or set TMPDIR", err)
	}
	s := &stage{top: top, player: p, env: environment(origin.Environment)}
	up := 0 // how often a name goes up
	for name := range origin.Inputs {
		up = max(up, strings.Count(filepath.ToSlash(filepath.Clean(name)), "../"))
	}
	s.work = filepath.Join(top, "work"+strings.Repeat("/in", up))
	err = os.MkdirAll(s.work, 0o700)
	for name := range origin.Inputs {
		if filepath.IsAbs(name) || err != nil {
			continue
		}
		at := filepath.Join(s.work, name)
		if err = os.MkdirAll(filepath.Dir(at), 0o700); err == nil {
			if err = os.Symlink(inputPath(folder, name), at); errors.Is(err, os.ErrExist) {
				err = nil // another name of the same file
			}
		}
	}
	if err != nil {
		s.remove()
		return nil, fmt.Errorf("ross: temporary folder: %w: make room, or set TMPDIR", err)
	}
	return s, nil
}

func (s *stage) remove() { _ = os.RemoveAll(s.top) }

// played is a run that was made.
type played struct {
	dir    string // of its files; they may be missing
	text   string // file with what it printed
	info   *instr.RunInfo
	lps    []instr.LPDigest
	status int    // exit status
	errors string // what it printed to standard error
}

// fresh returns a new name in the temporary folder.
func (s *stage) fresh(what string) string {
	s.n++
	return filepath.Join(s.top, what+strconv.Itoa(s.n))
}

// start starts the program and waits for its end.
func (s *stage) start(ctx context.Context, words []string) (*played, error) {
	p := &played{text: s.fresh("printed")}
	out, err := os.Create(p.text)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	var errs bytes.Buffer
	all := append(append([]string{}, s.player.before...), s.player.program)
	command := exec.CommandContext(ctx, all[0], append(all[1:], words...)...)
	command.Dir, command.Env, command.Stdout, command.Stderr = s.work, s.env, out, &errs
	err = command.Run()
	var exit *exec.ExitError
	switch p.errors = strings.TrimSpace(errs.String()); {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("ross: the new run was stopped: %w", context.Cause(ctx))
	case errors.As(err, &exit):
		p.status = exit.ExitCode()
	case err != nil:
		return nil, fmt.Errorf("ross: program %s: %w: name one that this machine runs (--program), or what "+
			"plays its processor: "+
			"--exec=qemu-aarch64", s.player.program, err)
	}
	return p, nil
}

// play makes a run of a record.
func (s *stage) play(ctx context.Context, r *recorded, w way, more ...string) (*played, error) {
	dir := s.fresh("run")
	words := r.words(w, append([]string{"--stats-path=" + dir, "--record=lps"}, more...)...)
	for option, name := range r.origin.Outputs { // not over a file of the recorded run
		words = rewrite(words, nil, []string{"--" + option + "=" + filepath.Join(s.top, filepath.Base(name))})
	}
	p, err := s.start(ctx, words)
	if err != nil {
		return nil, err
	}
	p.dir = dir
	if p.info, err = instr.ReadRunInfo(dir); err != nil && p.status == 0 {
		return nil, fmt.Errorf("ross: program %s: it wrote no description of the run: %w: name the program "+
			"of the record: "+
			"--program=FILE", s.player.program, err)
	}
	prefix := instr.DefaultPrefix
	if given := r.options["stats-prefix"]; given != "" {
		prefix = given
	}
	p.lps, _ = instr.ReadLPDigests(filepath.Join(dir, prefix+instr.DigestsSuffix)) // there are none after an error
	return p, nil
}

// failure returns what a run that failed says of it: its error, on one line.
func (p *played) failure() string {
	text := p.errors
	if p.info != nil && p.info.Reason != "" {
		text = p.info.Reason
		if line, _, _ := strings.Cut(p.info.Detail, "\n"); line != "" && strings.HasSuffix(text, ":") {
			text += " " + line
		}
	}
	line, _, _ := strings.Cut(text, "\n")
	if line == "" {
		line = "it printed no error"
	}
	return line
}
