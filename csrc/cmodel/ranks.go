// This file owns the connection of a C program with the other ranks, from tw_init to tw_end: what the library tells
// them outside of the run, and the messages of the model, which mpi.c makes the operations of MPI from.

//go:build cgo && linux

package cmodel

// #include <stdlib.h>
// #include "libross.h"
import "C"

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/ranks/launch"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
)

// others is the connection with the other ranks.
var others struct {
	mpi   world.World   // keeps MPI until the model ends it; nil without MPI
	world world.World   // for the library; nil if there are no others
	mail  *launch.World // for messages of the model, likewise
	out   map[int]*outbox
}

// connect starts the other ranks, or finds them, n of them together if this process starts them.
func connect(n int) (err error) {
	if others.world != nil {
		return nil
	}
	switch name := ranks.Launcher(); {
	case mpi.Enabled && n > 1:
		return fmt.Errorf(
			"option --ranks=%d: the library was built with MPI, which counts ranks itself: %w: use mpirun -np %d, or a library without MPI", n, ross.ErrUsage, n)
	case mpi.Enabled:
		return connectMPI()
	case name != "" && ranks.Processes() > 1:
		return fmt.Errorf(
			"%s=%s: mpirun has started several of this program, and the library was built without MPI: %w: build it with make libross MPI=1, or start the program with --ranks=N",
			name, os.Getenv(name), ross.ErrUsage)
	case n > 1:
		if others.world, err = ranks.Connect(n, nil); err == nil {
			others.mail, err = launch.Connect(n)
		}
		others.out = map[int]*outbox{}
	}
	return err
}

// startMPI starts MPI, unless that has been done.
func startMPI() (err error) {
	if others.mpi == nil {
		level := mpi.Multiple
		if mpi.Started() { // by the model, without the header's help
			level = mpi.Serialized
		}
		others.mpi, err = world.MPI(level, nil)
	}
	return err
}

// connectMPI finds the ranks of the model's communicator.
func connectMPI() error {
	err := startMPI()
	others.world = others.mpi
	if comm := givenComm(); err == nil && comm != nil {
		others.world, err = world.MPI(mpi.Serialized, comm)
	}
	return err
}

// givenComm returns the communicator of MPI that the model has given, or nil.
func givenComm() *int32 {
	if !mpi.Enabled || C.ross_comm_given == 0 {
		return nil
	}
	comm := int32(C.ross_comm)
	return &comm
}

// join connects in tw_init, when the options are known.
func join(cfg *ross.Config) error {
	if err := connect(cfg.Ranks); err != nil {
		return err
	}
	cfg.Comm = givenComm()
	C.ross_rank, C.ross_nodes = 0, 1
	if w := others.world; w != nil {
		C.ross_rank, C.ross_nodes = C.int(w.Rank()), C.int(w.Size())
	}
	if part := C.ross_comm_given != 0 && !mpi.Enabled && C.ross_nodes > 1; part && C.ross_comm_size() != C.ross_nodes {
		return fmt.Errorf(
			"tw_comm_set: a communicator of %d of %d ranks: %w: --ranks runs the model on all of them; use mpirun, and a library with MPI", C.ross_comm_size(), C.ross_nodes, ross.ErrUsage)
	}
	return nil
}

// leave ends the connection, or what of it the model does not need for its own calls of MPI.
func leave(forGood bool) (err error) {
	if mail := others.mail; mail != nil && forGood {
		others.mail = nil
		for _, o := range others.out {
			o.flush()
		}
		_ = mail.Close() // messages that nobody has received are no error
	}
	if w := others.world; w != nil && w != others.mpi && (forGood || mpi.Enabled) {
		others.world = nil
		err = w.Close()
	}
	if w := others.mpi; w != nil && forGood {
		others.mpi, others.world = nil, nil
		err = w.Close()
	}
	return err
}

// lost ends the program when another rank cannot be reached, in the middle of the model.
func lost(err error) {
	C.fflush(nil)
	if ranks.ShouldPrint(err) {
		report(err)
	}
	os.Exit(ross.ExitCode(err))
}

// outbox sends messages to a rank in the order in which they were put there, so that the model need not wait.
type outbox struct {
	sync.Mutex
	*sync.Cond
	through *launch.World
	to      int
	queue   [][]byte
	busy    bool
	err     error
}

// outboxTo returns that of a rank.
func outboxTo(rank int) *outbox {
	o := others.out[rank]
	if o == nil {
		o = &outbox{through: others.mail, to: rank}
		o.Cond = sync.NewCond(o)
		others.out[rank] = o
	}
	return o
}

func (o *outbox) put(data []byte) {
	o.Lock()
	defer o.Unlock()
	o.queue = append(o.queue, data)
	if !o.busy {
		o.busy = true
		go o.send()
	}
}

// send sends until nothing is left.
func (o *outbox) send() {
	o.Lock()
	defer o.Unlock()
	for len(o.queue) > 0 && o.err == nil {
		data := o.queue[0]
		o.queue = o.queue[1:]
		o.Unlock()
		err := o.through.Send(data, o.to)
		o.Lock()
		o.err = err
	}
	o.busy = false
	o.Broadcast()
}

// flush returns when everything has been sent, or cannot be.
func (o *outbox) flush() {
	o.Lock()
	defer o.Unlock()
	for o.busy {
		o.Wait()
	}
}

// headBytes is the length of what is in front of each message of the model: its communicator and its tag.
const headBytes = 8

// ross_go_send sends a message of the model to another rank.
//
//export ross_go_send
func ross_go_send(to, comm, tag C.int, data unsafe.Pointer, n C.size_t) {
	b := make([]byte, headBytes+int(n))
	binary.LittleEndian.PutUint32(b, uint32(comm))
	binary.LittleEndian.PutUint32(b[4:], uint32(tag))
	copy(b[headBytes:], unsafe.Slice((*byte)(data), int(n)))
	outboxTo(int(to)).put(b)
}

// ross_go_receive returns the next message from any other rank, and which one that is; without wait it may be -1.
//
//export ross_go_receive
func ross_go_receive(wait C.int, from, comm, tag *C.int, n *C.size_t) unsafe.Pointer {
	rank, b, err := others.mail.Next(wait != 0)
	if err != nil {
		lost(err)
	}
	*from = C.int(rank)
	if rank < 0 {
		return nil
	}
	*comm, *tag = C.int(int32(binary.LittleEndian.Uint32(b))), C.int(int32(binary.LittleEndian.Uint32(b[4:])))
	*n = C.size_t(len(b) - headBytes)
	return C.CBytes(b[headBytes:])
}

// ross_go_look says which rank this process is, and of how many. Before tw_init the command line says it.
//
//export ross_go_look
func ross_go_look(rank, nodes *C.int) {
	*rank, *nodes = C.int(launch.Rank()), C.int(max(launch.Size(), asked()))
}

// asked returns the number of ranks that the command line asks for.
func asked() int {
	text, err := os.ReadFile("/proc/self/cmdline")
	if err != nil || ranks.Launcher() != "" {
		return 1
	}
	for w := range strings.SplitSeq(string(text), "\x00") {
		if w == "--" {
			break
		}
		if value, ok := strings.CutPrefix(w, "--ranks="); ok {
			if n, err := strconv.Atoi(value); err == nil {
				return max(n, 1)
			}
		}
	}
	return 1
}

// ross_go_connect connects with the other ranks, for a model that calls MPI before tw_init.
//
//export ross_go_connect
func ross_go_connect() {
	if others.mail == nil {
		if err := connect(int(C.ross_nodes)); err != nil {
			fail(ross.ExitCode(err), err)
		}
		if others.mail == nil {
			fail(1, fmt.Errorf("MPI: the model calls it after tw_end: call tw_comm_set, and MPI_Finalize at the end"))
		}
	}
}

// ross_go_start_mpi starts MPI for MPI_Init of the model, if the library was built with it.
//
//export ross_go_start_mpi
func ross_go_start_mpi() C.int {
	if !mpi.Enabled {
		return 0
	}
	if err := startMPI(); err != nil {
		fail(1, err)
	}
	return 1
}

// ross_go_leave ends the connection with the other ranks.
//
//export ross_go_leave
func ross_go_leave(forGood C.int) {
	if err := leave(forGood != 0); err != nil && ranks.ShouldPrint(err) {
		report(err)
	}
}

// ross_go_count adds up LPs.
//
//export ross_go_count
func ross_go_count(lps C.uint64_t, before, all *C.uint64_t) {
	*before, *all = 0, lps
	if C.ross_nodes <= 1 {
		return
	}
	*all = 0
	for rank, b := range gather(binary.LittleEndian.AppendUint64(nil, uint64(lps))) {
		n := C.uint64_t(binary.LittleEndian.Uint64(b))
		if *all += n; rank < int(C.ross_rank) {
			*before += n
		}
	}
}

// gather returns the bytes of all ranks.
func gather(own []byte) [][]byte {
	all, err := ranks.AllGatherBytes(others.world, own)
	if err != nil {
		lost(err)
	}
	return all
}
