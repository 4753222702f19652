// This file owns what a C program calls, which csrc/libross makes an archive of: tw_init, tw_run, tw_end and
// io_store_checkpoint.

//go:build cgo && linux

package cmodel

// #cgo CFLAGS: -std=c11 -D_GNU_SOURCE -O3 -Wall -Wextra
// #cgo LDFLAGS: -lm
// #include <stdio.h>
// #include "libross.h"
import "C"

import (
	"context"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
)

// ross_go_init reads the command line, and leaves in it the program's name and what comes after the options.
//
//export ross_go_init
func ross_go_init(argc *C.int, argv **C.char) {
	words := unsafe.Slice(argv, int(*argc))
	args := make([]string, len(words))
	for i, w := range words {
		args[i] = C.GoString(w)
	}
	node.config = ross.DefaultConfig()
	node.config.Output, node.config.Dir = behind{os.Stdout}, "."
	fromVariables(&node.config)
	rest, err := readOptions(&node.config, args)
	if err != nil {
		fail(2, err)
	}
	toVariables(&node.config)
	if err := join(&node.config); err != nil {
		fail(ross.ExitCode(err), err)
	}
	// as ROSS does, which leaves the last words behind the end, where CODES reads them
	for n := len(words); n > 1+rest; n-- {
		copy(words[1:n-1], words[2:n])
		*argc = C.int(n - 1)
	}
}

// behind is a file into which C prints as well: what the engine writes comes behind what the model has printed so far.
type behind struct{ file *os.File }

// Write writes after what is in the buffer of C, which would cut a line otherwise.
func (b behind) Write(p []byte) (int, error) {
	C.fflush(C.stdout)
	return b.file.Write(p)
}

// Stat is that of the file.
func (b behind) Stat() (os.FileInfo, error) { return b.file.Stat() }

// ross_go_run runs the simulation.
//
//export ross_go_run
func ross_go_run() {
	fromVariables(&node.config)
	node.config.LPs = int(C.g_tw_total_lps)
	types, err := makeTypes(&node.config)
	if err != nil {
		fail(ross.ExitCode(err), err)
	}
	setHook(&node.config)
	setCheckpoints(&node.config)
	ctx, stop := ross.WithSignals(context.Background())
	defer stop()
	if node.sim, err = ross.New(node.config); err == nil {
		if err = node.sim.Define(types...); err == nil {
			C.ross_drop_early()
			err = loadCheckpoint(&node.config)
		}
		if err == nil {
			callPE(C.g_tw_pe._type.pre_lp_init)
			setGuard(&node.config, lpsByGID())
			C.ross_catch_faults()
			err = node.sim.Run(ctx)
			C.ross_guard(0)
			warnOfHeld()
		}
	}
	if err != nil {
		fail(ross.ExitCode(err), err)
	}
	callPE(C.pe_init_f(C.g_tw_pe._type.final))
}

// warnOfHeld tells of events that the GVT hook has lost. As with ROSS it is no error that a model ends with some of
// them.
func warnOfHeld() {
	if n := C.ross_held; n != 0 {
		C.fflush(nil)
		fmt.Fprintf(os.Stderr,
			"%s: warning: node %d: %d events that the GVT hook has taken out of the queue (tw_pq_dequeue) were neither put "+
				"back (tw_pq_enqueue) nor freed (tw_event_free): nobody has handled them\n", program(node.config.Args[0]),
			C.ross_rank, n)
	}
}

// ross_go_end ends the run.
//
//export ross_go_end
func ross_go_end() {
	err := node.sim.Close()
	if err == nil {
		err = leave(C.ross_comm_given == 0) // otherwise MPI_Finalize does it
	}
	if err != nil {
		fail(ross.ExitCode(err), err)
	}
}

// ross_go_store stores a checkpoint after the run.
//
//export ross_go_store
func ross_go_store(name *C.char, file C.int) {
	options := []ross.StoreOption{ross.DataFile(int(file))}
	if C.ross_appends != 0 {
		options = append(options, ross.Appending())
	}
	if err := node.sim.Store(C.GoString(name), options...); err != nil {
		fail(ross.ExitCode(err), err)
	}
}

// callPE calls a function of the model's tw_petype.
func callPE(f C.pe_init_f) {
	if f != nil {
		C.ross_call_pe(f, C.g_tw_pe)
	}
}

// fail ends the program with an error, which one of several ranks prints. C's functions return nothing.
func fail(status int, err error) {
	C.fflush(nil) // what the model has printed
	if ranks.ShouldPrint(err) {
		report(err)
	}
	_ = node.sim.Close()
	_ = leave(true)
	ranks.YieldToReporter(err)
	os.Exit(status)
}

// report prints an error.
func report(err error) {
	name := "ross"
	if len(node.config.Args) > 0 {
		name = program(node.config.Args[0])
	}
	fmt.Fprintf(os.Stderr, "%s: %s\n", name, strings.TrimPrefix(err.Error(), "ross: "))
}

// program returns the name of a program without its folder.
func program(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
