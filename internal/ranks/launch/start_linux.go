// This file owns what the system does on Linux: memory that processes share, their start, and how one learns that
// another has ended. It makes system calls by itself, as package mem does.

package launch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

// env is set in processes that the first one starts: rank/size. They take it out of their environment, so that
// programs which a model starts are not taken for ranks.
const env = "ROSS_RANK"

// Files that such a process inherits.
const (
	memoryFile = 3 // the memory, a file without a name
	lifeFile   = 4 // a pipe, which ends when the first process does
)

// inherited is what this process has got from the one that has started it as a rank. size is 0 if none has.
var inherited = inherit()

type inheritance struct {
	rank, size int
	s          *session
	err        error
}

func inherit() (in inheritance) {
	text, given := os.LookupEnv(env)
	if !given {
		return in
	}
	_ = os.Unsetenv(env)
	n, err := fmt.Sscanf(text, "%d/%d", &in.rank, &in.size)
	if n != 2 || err != nil || in.rank < 1 || in.rank >= in.size {
		return inheritance{}
	}
	syscall.CloseOnExec(memoryFile)
	syscall.CloseOnExec(lifeFile)
	// Neither ends this process: a run stops at a GVT of all ranks. What comes before it begins is kept for it.
	early = make(chan os.Signal, 1)
	signal.Notify(early, syscall.SIGINT, syscall.SIGTERM)
	s := &session{rank: in.rank, size: in.size, mem: &file{memoryFile}, quit: func() { os.Exit(1) }}
	if s.head, err = s.mem.part(0, headWords(in.size)); err != nil || s.word(0, 0).Load() != magic ||
		s.word(0, 1).Load() != uint64(in.size) {
		in.err = fmt.Errorf(
			"ross: ranks: rank %d of %d has not got the memory of the others (%v): unset %s in the environment", in.rank,
			in.size, err, env)
		return in
	}
	in.s = s
	if err := syscall.SetNonblock(lifeFile, true); err != nil {
		in.err = fmt.Errorf(
			"ross: ranks: rank %d of %d has not got the pipe of the first one: %w: unset %s in the environment", in.rank,
			in.size, err, env)
		return in
	}
	life := os.NewFile(lifeFile, "life")
	s.keep = append(s.keep, life)
	go func() {
		if _, err := life.Read(make([]byte, 1)); errors.Is(err, io.EOF) {
			s.lose(Loss{Rank: 0, how: vanishes})
		}
	}()
	return in
}

// early has the signals that came before somebody asked for them, nil in a process that was not started as a rank.
var early chan os.Signal

// EarlySignal returns a signal that has come to this process, which was started as a rank, since then or since the last
// call, or nil. From now on signals are for whoever has asked to be notified, and end the process otherwise.
func EarlySignal() os.Signal {
	signal.Stop(early)
	select {
	case s := <-early:
		return s
	default:
		return nil
	}
}

// begin returns the session of this process, which it starts unless the process has been started for it.
func begin(size int) (*session, error) {
	if inherited.size > 0 {
		return inherited.s, inherited.err
	}
	s, err := start(size)
	if err != nil {
		return nil, fmt.Errorf("ross: ranks: start %d processes: %w", size, err)
	}
	return s, nil
}

// start makes the memory, and starts the other processes.
func start(size int) (*session, error) {
	mem, err := newFile()
	if err != nil {
		return nil, err
	}
	s := &session{rank: 0, size: size, mem: mem, keep: []*os.File{os.NewFile(uintptr(mem.fd), "memory")}}
	if _, err := s.allocate(headWords(size)); err != nil {
		return nil, err
	}
	if s.head, err = mem.part(0, headWords(size)); err != nil {
		return nil, err
	}
	s.word(0, 1).Store(uint64(size))
	s.word(0, 0).Store(magic)
	ends, life, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer ends.Close()
	s.keep = append(s.keep, life)
	path, args := self()
	for rank := 1; rank < size; rank++ {
		c := &exec.Cmd{
			Path: path, Args: args, Env: append(os.Environ(), fmt.Sprintf("%s=%d/%d", env, rank, size)),
			Stdout: os.Stdout, Stderr: os.Stderr, ExtraFiles: []*os.File{s.keep[0], ends},
		}
		if err := c.Start(); err != nil {
			life.Close() // those that have been started end
			return nil, fmt.Errorf("rank %d: %w", rank, err)
		}
		s.children = append(s.children, c.Process)
		go func() {
			_ = c.Wait() // the state says it
			switch w := c.ProcessState.Sys().(syscall.WaitStatus); {
			case w.Signaled():
				s.hasEnded(rank, dies, int(w.Signal()))
			default:
				s.hasEnded(rank, exits, w.ExitStatus())
			}
		}()
	}
	return s, nil
}

// self returns how to start this program again: its file, and the words with which it has been started. The Go
// runtime may not know these in a program whose main function is in another language.
func self() (path string, args []string) {
	const this = "/proc/self/exe"
	path, err := filepath.EvalSymlinks(this)
	if err == nil && !same(path, this) { // another program has taken its place
		err = os.ErrNotExist
	}
	if err != nil {
		path = this
	}
	text, err := os.ReadFile("/proc/self/cmdline")
	if words := strings.Split(string(bytes.TrimSuffix(text, []byte{0})), "\x00"); err == nil && len(text) > 0 {
		return path, words
	}
	return path, os.Args
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// file is memory in a file without a name. Nothing of it is left when the last process has ended.
type file struct{ fd int }

// memfdCreate is the number of the system call, which package syscall does not have.
var memfdCreate = map[string]uintptr{"amd64": 319, "arm64": 279}[runtime.GOARCH]

const (
	memfdCloseOnExec = 1

	keepSize  = 1 // of fallocate
	punchHole = 2
)

func newFile() (*file, error) {
	if memfdCreate == 0 {
		return nil, errors.ErrUnsupported
	}
	name := [...]byte{'r', 'o', 's', 's', 0}
	fd, _, e := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(&name)), memfdCloseOnExec, 0)
	if e != 0 {
		return nil, fmt.Errorf("memfd_create: %w", e)
	}
	return &file{int(fd)}, nil
}

func (f *file) grow(bytes int64) error { return syscall.Ftruncate(f.fd, bytes) }

func (f *file) part(at int64, words int) ([]uint64, error) {
	b, err := syscall.Mmap(f.fd, at, 8*words, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), words), nil
}

func (f *file) provide(at int64, words int) error {
	for {
		if err := syscall.Fallocate(f.fd, 0, at, int64(8*words)); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func (f *file) drop(part []uint64) {
	_ = syscall.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(part))), 8*len(part)))
}

func (f *file) free(at int64, words int) {
	_ = syscall.Fallocate(f.fd, keepSize|punchHole, at, int64(8*words))
}
