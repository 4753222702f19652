// This file owns the pictures of reports of runs that are in trouble: it makes such runs, and looks at their reports.

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/ross-go/ross/internal/testing/browsertest"
)

// run is a run whose report has a picture.
type run struct {
	name    string // of the picture, without -desktop.png
	program string
	options string
	fails   bool          // it ends with an error
	stop    time.Duration // after which a signal stops it, 0: it ends by itself
}

var runs = []run{
	{name: "failed", program: "queueing", fails: true,
		options: "--synch=3 --pes=2 --arrivals=1.3 --patience=0 --end=100000 --max-memory=12M --engine-stats=2 --rt-interval=20 --kp-data=1 --lp-data=1"},
	{name: "crowded", program: "phold",
		options: "--synch=3 --pes=4 --nlp=256 --start-events=16 --lookahead=0.1 --end=2000 --engine-stats=2 --rt-interval=20 --kp-data=1 --lp-data=1"},
	{name: "cancelled", program: "phold", fails: true, stop: 3 * time.Second,
		options: "--synch=3 --pes=2 --nlp=256 --start-events=16 --lookahead=0.1 --end=1e9 --engine-stats=2 --rt-interval=20 --kp-data=1 --lp-data=1"},
}

// reportHigh is how much of a report is in its picture, in pixels: what it says of the run, and its first charts.
const reportHigh = 1100

// runPictures makes the runs with programs of a folder, and stores pictures of their reports with a prefix.
func runPictures(programs, folder string) (err error) {
	if programs, err = filepath.Abs(programs); err != nil {
		return err
	}
	b, err := browsertest.Start()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	temporary, err := os.MkdirTemp("", "runs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	for _, r := range runs {
		page, err := r.report(programs, temporary)
		if err != nil {
			return err
		}
		tab, err := b.Open("file://"+page, looks[0].look)
		if err != nil {
			return err
		}
		if err = picture(tab, looks[0].look, filepath.Join(folder, r.name+"-desktop.png"), settleReport, reportHigh); err != nil {
			return err
		}
	}
	return nil
}

// report makes the run and its report in a folder, and returns the path of the page.
func (r run) report(programs, folder string) (page string, err error) {
	cmd := exec.Command(filepath.Join(programs, r.program),
		append(strings.Fields(r.options), "--report=short", "--stats-path="+r.name)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, os.Stdout, os.Stderr
	if err = cmd.Start(); err != nil {
		return "", err
	}
	if r.stop > 0 {
		time.Sleep(r.stop)
		if err = cmd.Process.Signal(syscall.SIGINT); err != nil {
			return "", err
		}
	}
	if err = cmd.Wait(); (err != nil) != r.fails {
		return "", fmt.Errorf("%s: it has to fail: %v, and ended with: %w", cmd, r.fails, err)
	}
	page = filepath.Join(folder, r.name+".html")
	reader := exec.Command(filepath.Join(programs, "rossreader"), "report", r.name, "-o", page)
	reader.Dir, reader.Stdout, reader.Stderr = folder, os.Stdout, os.Stderr
	return page, reader.Run()
}
